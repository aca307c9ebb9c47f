/**
 * The account in futures calls: by margin coin (v2), and the margin of an isolated position (v2 and
 * v3).
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import {
  futuresCategoryWords,
  marginModeWords,
  positionModeWords,
  positionSideWords,
  wordOf,
} from './wire-words.ts';

const group = 'Futures settings';
const rules = ['API-53'] as const;

const productType = field.describe('Product type', field.words(futuresCategoryWords));

const account = {
  marginCoin: text('Margin coin'),
  locked: text('Held for orders'),
  available: text('Available'),
  crossedMaxAvailable: text('Available for crossed orders'),
  isolatedMaxAvailable: text('Available for isolated orders'),
  maxTransferOut: text('Largest amount that can be transferred out now'),
  accountEquity: text('Equity in the margin coin, with unrealised profit'),
  usdtEquity: text('Equity in USDT'),
  btcEquity: text('Equity in BTC'),
  crossedRiskRate: text('Maintenance margin / equity of the crossed account'),
  unrealizedPL: text('Unrealised profit'),
  coupon: text('Coupons'),
  crossedMargin: text('Margin of crossed positions'),
  isolatedMargin: text('Margin inside isolated positions'),
  crossedUnrealizedPL: text('Unrealised profit of crossed positions'),
  isolatedUnrealizedPL: text('Unrealised profit of isolated positions'),
  unionTotalMargin: text('Equity of the account that counts as margin, in USD'),
  unionAvailable: text('Part of it that is available for new orders, in USD'),
  unionMm: text('Maintenance margin of the account, in USD'),
  assetMode: word(['union'], 'Asset mode'),
};

export const futuresAccountRows = {
  listFuturesAccounts: endpoint({
    method: 'GET',
    path: '/api/v2/mix/account/accounts',
    group,
    summary: 'Get the account by margin coin',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({ productType }),
    response: listOf(
      object({
        ...account,
        assetList: listOf(
          object({ coin: text('Coin'), balance: text('Balance'), available: text('Available') }),
        ),
      }),
    ),
    rules,
  }),

  getFuturesAccount: endpoint({
    method: 'GET',
    path: '/api/v2/mix/account/account',
    group,
    summary: 'Get the account in one margin coin, with the settings of a trading pair',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({
      symbol: field.describe('Trading pair', identifier.symbol()),
      productType,
      marginCoin: field.describe('Margin coin', identifier.coin()),
    }),
    response: object({
      ...account,
      crossedMarginLeverage: text('Leverage in crossed mode'),
      isolatedLongLever: text('Leverage of an isolated long position'),
      isolatedShortLever: text('Leverage of an isolated short position'),
      marginMode: wordOf(marginModeWords, 'Margin mode'),
      posMode: wordOf(positionModeWords, 'Position mode'),
    }),
    rules: [...rules, 'ACC-26', 'ACC-158'],
  }),

  setFuturesMargin: endpoint({
    method: 'POST',
    path: '/api/v2/mix/account/set-margin',
    group,
    summary: 'Add margin to an isolated position, or remove it',
    access: 'futures.write',
    limit: perSecond(5),
    request: request({
      symbol: field.describe('Trading pair', identifier.symbol()),
      productType,
      marginCoin: field.describe('Margin coin', field.optional(identifier.coin())),
      holdSide: field.describe(
        'Side of the position; required in hedge mode',
        field.optional(field.words(positionSideWords)),
      ),
      amount: field.describe('Amount to add; negative to remove', number.signedDecimal()),
    }),
    response: word([''], 'Done'),
    rules: [...rules, 'POS-41'],
  }),

  setPositionMargin: endpoint({
    method: 'POST',
    path: '/api/v3/account/set-margin',
    group: 'Unified account',
    summary: 'Add margin to an isolated position, or remove it',
    access: 'uta_mgt.write',
    limit: perSecond(10),
    request: request({
      category: field.describe('Category', field.words(futuresCategoryWords)),
      symbol: field.describe('Symbol', identifier.symbol()),
      posSide: field.describe(
        'Side of the position; required in hedge mode',
        field.optional(field.words(positionSideWords)),
      ),
      operation: field.describe('Add or remove', field.sameWords(['add', 'remove'])),
      amount: field.describe('Amount', number.decimal()),
    }),
    response: word(['success'], 'Done'),
    rules: [...rules, 'POS-41'],
  }),
} as const;
