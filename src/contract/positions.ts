/** Open futures positions, in v2 and v3. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import {
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const group = 'Positions and fills';
const productType = field.describe('Product type', field.words(futuresCategoryWords));

const position = {
  symbol: text('Trading pair'),
  marginCoin: text('Margin coin'),
  holdSide: wordOf(positionSideWords, 'Side'),
  openDelegateSize: text('Unfilled size of open orders that increase the position, base coin'),
  marginSize: text('Margin, margin coin'),
  available: text('Size that can be closed, base coin'),
  locked: text('Size held by closing orders, base coin'),
  total: text('available + locked'),
  leverage: text('Leverage'),
  achievedProfits: text('Realised profit without funding and fees'),
  openPriceAvg: text('Average entry price'),
  marginMode: wordOf(marginModeWords, 'Margin mode'),
  posMode: wordOf(positionModeWords, 'Position mode'),
  unrealizedPL: text('Unrealised profit'),
  liquidationPrice: text('Estimated liquidation price; 0 or less when there is none'),
  keepMarginRate: text('Maintenance margin rate of the tier'),
  markPrice: text('Mark price'),
  marginRatio: text('Maintenance margin / equity of the position; 0.1 means 10 %'),
  breakEvenPrice: text('Break-even price'),
  totalFee: text('Funding since the position was opened; empty when there was none'),
  deductedFee: text('Transaction fees since the position was opened'),
  assetMode: word(['single', 'union'], 'Asset mode'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const getAllPositions = endpoint({
  method: 'GET',
  path: '/api/v2/mix/position/all-position',
  group,
  summary: 'Get all positions, newest first',
  access: 'futures.read',
  limit: perSecond(5),
  request: request({
    productType,
    marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
  }),
  response: listOf(
    object({
      ...position,
      takeProfit: text('Take-profit price; empty when there is none'),
      stopLoss: text('Stop-loss price; empty when there is none'),
      takeProfitId: text('Take-profit order ID; empty when there is none'),
      stopLossId: text('Stop-loss order ID; empty when there is none'),
    }),
  ),
  rules: ['API-20', 'POS-01', 'POS-05', 'POS-06'],
});

const getSinglePosition = endpoint({
  method: 'GET',
  path: '/api/v2/mix/position/single-position',
  group,
  summary: 'Get the positions of one trading pair',
  access: 'futures.read',
  limit: perSecond(10),
  request: request({
    productType,
    symbol: field.describe('Trading pair', identifier.symbol()),
    marginCoin: field.describe('Margin coin', identifier.coin()),
  }),
  response: listOf(
    object({
      ...position,
      autoMargin: word(['off'], 'Automatic margin: always off'),
    }),
  ),
  rules: ['API-20', 'POS-02', 'POS-05', 'POS-06'],
});

const getCurrentPositions = endpoint({
  method: 'GET',
  path: '/api/v3/position/current-position',
  group,
  summary: 'Get position info',
  access: 'uta_trade.read',
  limit: perSecond(20),
  request: request({
    category: field.describe('Category', field.words(futuresCategoryWords)),
    symbol: field.describe(
      'All positions of the category when left out',
      field.optional(identifier.symbol()),
    ),
    posSide: field.describe(
      'Limits the list to this side',
      field.optional(field.words(positionSideWords)),
    ),
  }),
  response: object({
    list: listOf(
      object({
        category: wordOf(futuresCategoryWords, 'Category'),
        symbol: text('Symbol'),
        marginCoin: text('Margin coin'),
        holdMode: wordOf(positionModeWords, 'Position mode'),
        posSide: wordOf(positionSideWords, 'Side'),
        marginMode: wordOf(marginModeWords, 'Margin mode'),
        positionBalance: text('Margin of the position, margin coin'),
        available: text('Size that can be closed'),
        frozen: text('Size held by closing orders'),
        total: text('available + frozen'),
        leverage: text('Leverage'),
        curRealisedPnl: text('Realised profit'),
        avgPrice: text('Average entry price'),
        positionStatus: word(['normal'], 'Status'),
        unrealisedPnl: text('Unrealised profit'),
        liquidationPrice: text('Estimated liquidation price; 0 or less when there is none'),
        mmr: text('Maintenance margin rate'),
        profitRate: text('Profit rate'),
        markPrice: text('Mark price'),
        breakEvenPrice: text('Break-even price'),
        totalFunding: text('Funding since the position was opened; 0 when there was none'),
        openFeeTotal: text('Opening fees; negative when paid'),
        closeFeeTotal: text('Closing fees; negative when paid'),
        createdTime: text('Creation time (ms)'),
        updatedTime: text('Time of the last change (ms)'),
      }),
    ),
  }),
  rules: ['API-20', 'POS-03', 'POS-07'],
});

export const positionRows = { getAllPositions, getSinglePosition, getCurrentPositions } as const;
