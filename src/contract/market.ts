/** Public data: the time and the listings. */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { listOf, object, sometimes, text, truth, word } from './shapes.ts';
import { categoryWords, futuresCategoryWords, wordOf } from './wire-words.ts';

const group = 'Market';
const limit = perSecond(20, 'ip');
const rules = ['API-24'] as const;
const listed = [...rules, 'LST-17'] as const;

/**
 * Clients request the demo markets of another exchange. There are none here, so they get an empty
 * list.
 */
const contractFamilyWords = {
  ...futuresCategoryWords,
  'SUSDT-FUTURES': 'demo',
  'SCOIN-FUTURES': 'demo',
  'SUSDC-FUTURES': 'demo',
} as const;

const symbolQuery = {
  symbol: field.describe('Only this symbol', field.optional(identifier.symbol())),
};
const coins = { baseCoin: text('Base coin'), quoteCoin: text('Quote coin') };
const feeRates = {
  makerFeeRate: text('Maker fee rate of the first level'),
  takerFeeRate: text('Taker fee rate of the first level'),
};
const priceBand = {
  buyLimitPriceRatio: text(
    'Largest distance of a limit price above the reference price, for both sides',
  ),
  sellLimitPriceRatio: text(
    'Largest distance of a limit price below the reference price, for both sides',
  ),
};
const places = {
  pricePrecision: text('Decimal places of a price'),
  quantityPrecision: text('Decimal places of a quantity'),
};
const orderCaps = {
  maxSymbolOrderNum: text('Open orders per symbol'),
  maxProductOrderNum: text('Open orders per category'),
  maxPositionNum: text('Open positions'),
};

const serverTime = endpoint({
  method: 'GET',
  path: '/api/v2/public/time',
  aliases: ['/api/v3/public/time'],
  group,
  summary: 'Get the server time',
  access: 'anybody',
  limit,
  request: request({}),
  response: object({ serverTime: text('Exchange time (ms)') }),
  rules,
});

const publicCoins = endpoint({
  method: 'GET',
  path: '/api/v2/spot/public/coins',
  group,
  summary: 'Get coins and their networks, fees, minimums and steps',
  access: 'anybody',
  limit,
  request: request({ coin: field.describe('Only this coin', field.optional(identifier.coin())) }),
  response: listOf(
    object({
      coinId: text('Number of the coin'),
      coin: text('Coin'),
      transfer: word(['true', 'false'], 'Whether the coin can be transferred'),
      chains: listOf(
        object({
          chain: text('Network'),
          needTag: word(['true', 'false'], 'Whether an address requires a tag'),
          withdrawable: word(['true', 'false'], 'Whether withdrawals are open'),
          rechargeable: word(['true', 'false'], 'Whether deposits are open'),
          withdrawFee: text('Fee of a withdrawal'),
          extraWithdrawFee: text('Additional fee, as a rate'),
          depositConfirm: text('Confirmations of a deposit'),
          withdrawConfirm: text('Confirmations of a withdrawal'),
          minDepositAmount: text('Smallest deposit'),
          minWithdrawAmount: text('Smallest withdrawal'),
          browserUrl: text('Address of a block explorer'),
          contractAddress: text('Contract address of the coin'),
          withdrawStep: text('Withdrawals are multiples of this; 0 for any'),
          withdrawMinScale: text('Decimal places of a withdrawal'),
          congestion: word(['normal', 'congested'], 'State of the network'),
        }),
      ),
    }),
  ),
  rules: listed,
});

const spotSymbols = endpoint({
  method: 'GET',
  path: '/api/v2/spot/public/symbols',
  group,
  summary: 'Get spot symbols',
  access: 'anybody',
  limit,
  request: request(symbolQuery),
  response: listOf(
    object({
      symbol: text('Symbol'),
      ...coins,
      minTradeAmount: text('Smallest quantity, base coin'),
      maxTradeAmount: text('Largest quantity, base coin'),
      ...feeRates,
      ...places,
      quotePrecision: text('Decimal places of a value in quote coin'),
      status: word(['online', 'halt', 'offline'], 'Status'),
      minTradeUSDT: text('Smallest value'),
      ...priceBand,
      orderQuantity: text('Open orders per symbol'),
    }),
  ),
  rules: listed,
});

const marginCurrencies = endpoint({
  method: 'GET',
  path: '/api/v2/margin/currencies',
  group,
  summary: 'Get margin symbols and their borrowing limits',
  access: 'anybody',
  limit,
  request: request({}),
  response: listOf(
    object({
      symbol: text('Symbol'),
      ...coins,
      maxCrossedLeverage: text('Largest leverage of a crossed loan of either coin'),
      maxIsolatedLeverage: text('Largest leverage of an isolated pair'),
      warningRiskRatio: text('Risk ratio from which a pair can borrow no more'),
      liquidationRiskRatio: text('Risk ratio of a pair at which it is liquidated'),
      minTradeAmount: text('Smallest quantity, base coin'),
      maxTradeAmount: text('Largest quantity, base coin'),
      ...feeRates,
      ...places,
      minTradeUSDT: text('Smallest value'),
      isBorrowable: truth('Whether any coin of the pair can be borrowed'),
      isCrossBorrowable: truth('Whether crossed borrowing is possible'),
      isIsolatedBaseBorrowable: truth('Whether isolated borrowing of the base coin is possible'),
      isIsolatedQuotedBorrowable: truth('Whether isolated borrowing of the quote coin is possible'),
      userMinBorrow: text('Smallest loan'),
      status: word(['1', '2'], 'Status: 1 open, 2 closed'),
    }),
  ),
  rules: [...listed, 'ISO-161', 'ISO-38', 'ISO-153'],
});

const contracts = endpoint({
  method: 'GET',
  path: '/api/v2/mix/market/contracts',
  group,
  summary: 'Get futures contracts',
  access: 'anybody',
  limit,
  request: request({
    productType: field.describe('Product type', field.words(contractFamilyWords)),
    ...symbolQuery,
  }),
  response: listOf(
    object({
      symbol: text('Symbol'),
      ...coins,
      ...priceBand,
      ...feeRates,
      supportMarginCoins: listOf(text('Margin coin')),
      minTradeNum: text('Smallest size, base coin'),
      maxOrderQty: text('Largest size of a limit order'),
      maxMarketOrderQty: text('Largest size of a market order'),
      priceEndStep: text('Price step, in units of the last decimal place'),
      pricePlace: text('Decimal places of a price'),
      volumePlace: text('Decimal places of a size'),
      sizeMultiplier: text('Sizes are multiples of this'),
      symbolType: word(['perpetual'], 'Kind of contract'),
      minTradeUSDT: text('Smallest value'),
      ...orderCaps,
      symbolStatus: word(['normal', 'maintain', 'limit_open', 'off'], 'Status'),
      offTime: text('Delisting time (ms); -1 for none'),
      limitOpenTime: text('Time from which opening is limited (ms); -1 for none'),
      deliveryTime: text('Delivery time (ms); empty for perpetuals'),
      launchTime: text('Listing time (ms)'),
      fundInterval: text('Hours between fundings'),
      minLever: text('Smallest leverage'),
      maxLever: text('Largest leverage'),
    }),
  ),
  rules: listed,
});

const instruments = endpoint({
  method: 'GET',
  path: '/api/v3/market/instruments',
  group,
  summary: 'Get instruments of a category',
  access: 'anybody',
  limit,
  request: request({
    category: field.describe('Category', field.words(categoryWords)),
    ...symbolQuery,
  }),
  response: listOf(
    object({
      symbol: text('Symbol'),
      category: wordOf(categoryWords, 'Category'),
      ...coins,
      ...priceBand,
      ...feeRates,
      minOrderQty: text('Smallest quantity, base coin'),
      minOrderAmount: text('Smallest quantity, base coin, under its other name'),
      maxOrderQty: text('Largest quantity of a limit order'),
      maxMarketOrderQty: text('Largest quantity of a market order'),
      ...places,
      quotePrecision: text('Decimal places of a value in quote coin'),
      priceMultiplier: text('Prices are multiples of this'),
      quantityMultiplier: text('Quantities are multiples of this'),
      sizeMultiplier: text('Quantities are multiples of this, under its other name'),
      type: sometimes(word(['perpetual'], 'Kind of contract; futures only')),
      symbolType: word(['crypto'], 'Kind of market'),
      isRwa: word(['YES', 'NO'], 'Whether the symbol represents a real-world asset'),
      status: word(['online', 'limit_open', 'offline', 'restrictedAPI'], 'Status'),
      offTime: text('Delisting time (ms); -1 for none'),
      limitOpenTime: text('Time from which opening is limited (ms); -1 for none'),
      deliveryTime: text('Delivery time (ms); empty for perpetuals'),
      launchTime: text('Listing time (ms)'),
      fundInterval: text('Hours between fundings; empty for spot and margin'),
      minLeverage: text('Smallest leverage'),
      maxLeverage: text('Largest leverage'),
      ...orderCaps,
    }),
  ),
  rules: listed,
});

const announcements = endpoint({
  method: 'GET',
  path: '/api/v2/public/annoucements',
  group: 'Market',
  summary: 'Get announcements (always an empty list)',
  access: 'anybody',
  limit: perSecond(20, 'ip'),
  request: request({}),
  response: listOf(
    object({
      annId: text('Announcement ID'),
      annTitle: text('Title'),
      annDesc: text('Description'),
      cTime: text('Time (ms)'),
      language: text('Language'),
      annUrl: text('Address'),
      annType: text('Type'),
      annSubType: text('Subtype'),
    }),
  ),
  rules: ['API-61'],
});

export const marketRows = {
  getServerTime: serverTime,
  listAnnouncements: announcements,
  listCoins: publicCoins,
  listSpotSymbols: spotSymbols,
  listMarginCurrencies: marginCurrencies,
  listContracts: contracts,
  listInstruments: instruments,
} as const;
