/**
 * Isolated spot margin (v2): the balances of a pair, its loans and its orders. Fills have a file of
 * their own.
 */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, truth, word } from './shapes.ts';
import {
  failedItem,
  namedOrderShape,
  orderNameAsGivenFields,
  orderNameFields,
  stpMode,
  windowFields,
} from './trading-fields.ts';
import {
  loanTypeWords,
  orderTypeWords,
  sideWords,
  spotOrderStatusWords,
  timeInForceWords,
  wordOf,
} from './wire-words.ts';

const group = 'Isolated spot margin';

const symbol = field.describe('Trading pair', identifier.symbol());
const coin = field.describe('Coin of the pair', identifier.coin());

const order = {
  orderId: text('Order ID'),
  symbol: text('Trading pair'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  enterPointSource: word(['API', 'SYS'], 'Source: `SYS` if the exchange liquidated'),
  clientOid: text('Client order ID'),
  loanType: wordOf(loanTypeWords, 'Automatic borrowing and repaying'),
  price: text('Order price; 0 for a market order'),
  side: wordOf(sideWords, 'Side'),
  status: wordOf(spotOrderStatusWords, 'Status'),
  baseSize: text('Size, base coin; 0 for an order in quote coin'),
  quoteSize: text('Value at the order price, or the size in quote coin; 0 for a market sell order'),
  priceAvg: text('Average fill price; 0 when nothing was filled'),
  size: text('Filled size, base coin'),
  amount: text('Filled value, quote coin'),
  force: wordOf(timeInForceWords, 'Time in force'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const orderFields = {
  side: field.describe('Side', field.words(sideWords)),
  orderType: field.describe('Order type', field.words(orderTypeWords)),
  loanType: field.describe('Automatic borrowing and repaying', field.words(loanTypeWords)),
  force: field.describe(
    'Limit orders only',
    field.withDefault(field.words(timeInForceWords), 'gtc', 'gtc'),
  ),
  price: field.describe('Required for a limit order', field.optional(number.decimal())),
  baseSize: field.describe(
    'Size, base coin; required except for a market buy',
    field.optional(number.decimal()),
  ),
  quoteSize: field.describe(
    'Size, quote coin; required for a market buy',
    field.optional(number.decimal()),
  ),
  clientOid: field.describe(
    'Client order ID; the same one within six hours places one order',
    field.optional(identifier.clientOid()),
  ),
  stpMode,
  triggerPrice: field.describe('Not offered: a value is refused', field.notOffered()),
};
const itemSymbol = field.describe(
  'Repeats the value of the call',
  field.optional(identifier.symbol()),
);
const PAIR_ORDERS_PER_BATCH_MAX = 50;
const parted = object({
  successList: listOf(namedOrderShape),
  failureList: listOf(object(failedItem)),
});

const listFields = {
  symbol: field.describe('All trading pairs when left out', field.optional(identifier.symbol())),
  ...orderNameFields,
  idLessThan: field.describe(
    '`minId` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
  ...windowFields('90 days'),
  limit: number.pageSize(100, 500),
};

const orderPage = object({
  orderList: listOf(object(order)),
  maxId: text('Largest order ID of the page'),
  minId: text('Smallest order ID of the page; pass back as `idLessThan`'),
});

const transferable = truth('Whether the coin can be transferred into the pair');
const borrowable = truth('Whether the caller can borrow the coin now');
const dailyRate = text('Interest for 24 hours');
const yearlyRate = text('Interest for 365 days');
const maxBorrowable = text('Largest amount that the caller may borrow now');

export const isolatedMarginRows = {
  borrowIsolated: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/account/borrow',
    group,
    summary: 'Borrow one of the coins of a pair',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({ symbol, coin, borrowAmount: field.describe('Amount', number.decimal()) }),
    example: { symbol: 'BTCUSDT', coin: 'USDT', borrowAmount: '100' },
    response: object({
      loanId: text('Loan ID'),
      symbol: text('Trading pair'),
      coin: text('Coin'),
      borrowAmount: text('Amount borrowed'),
    }),
    rules: ['ISO-08', 'ISO-14'],
  }),

  repayIsolated: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/account/repay',
    group,
    summary: 'Repay a loan of a pair, interest first',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({
      symbol,
      coin,
      repayAmount: field.describe(
        'Amount; the exchange takes at most what is owed',
        number.decimal(),
      ),
    }),
    example: { symbol: 'BTCUSDT', coin: 'USDT', repayAmount: '100' },
    response: object({
      repayId: text('Repayment ID'),
      symbol: text('Trading pair'),
      coin: text('Coin'),
      repayAmount: text('Amount repaid'),
      remainDebtAmount: text('Remaining debt of the coin, interest included'),
    }),
    rules: ['ISO-08', 'ISO-26'],
  }),

  listIsolatedAssets: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/account/assets',
    group,
    summary: 'Get the balances and loans of pairs, with a row for each coin',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({
      symbol: field.describe('All pairs when left out', field.optional(identifier.symbol())),
      coin: field.describe('Both coins of a pair when left out', field.optional(identifier.coin())),
    }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        coin: text('Coin'),
        totalAmount: text('Total balance of the pair'),
        available: text('Available'),
        frozen: text('Held for orders'),
        borrow: text('Borrowed'),
        interest: text('Interest not yet paid'),
        net: text('Total balance of the pair minus its debt'),
        coupon: text('Coupons; always 0'),
        cTime: text('Time of the first use (ms)'),
        uTime: text('Time of the last change (ms)'),
      }),
    ),
    rules: ['ISO-151'],
  }),

  listIsolatedRisks: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/account/risk-rate',
    group,
    summary: 'Get the risk ratios of pairs: debts divided by assets',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({
      symbol: field.describe('All pairs when left out', field.optional(identifier.symbol())),
    }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        riskRateRatio: text('Debts divided by assets, at index prices'),
      }),
    ),
    rules: ['ISO-11'],
  }),

  listIsolatedRates: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/interest-rate-and-limit',
    group,
    summary: 'Get the interest and the limits of loans of a pair, as a list of one',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({ symbol }),
    response: listOf(
      object({
        symbol: text('Trading pair'),
        leverage: text('Largest leverage'),
        baseCoin: text('Base coin'),
        baseTransferable: transferable,
        baseBorrowable: borrowable,
        baseDailyInterestRate: dailyRate,
        baseAnnuallyInterestRate: yearlyRate,
        baseMaxBorrowableAmount: maxBorrowable,
        quoteCoin: text('Quote coin'),
        quoteTransferable: transferable,
        quoteBorrowable: borrowable,
        quoteDailyInterestRate: dailyRate,
        quoteAnnuallyInterestRate: yearlyRate,
        quoteMaxBorrowableAmount: maxBorrowable,
      }),
    ),
    rules: ['ISO-35'],
  }),

  getIsolatedBorrowable: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/account/max-borrowable-amount',
    group,
    summary: 'Get the amounts that a pair may borrow now',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({ symbol }),
    response: object({
      symbol: text('Trading pair'),
      baseCoin: text('Base coin'),
      baseCoinMaxBorrowAmount: text('Base coin, if no quote coin is borrowed'),
      quoteCoin: text('Quote coin'),
      quoteCoinMaxBorrowAmount: text('Quote coin, if no base coin is borrowed'),
    }),
    rules: ['ISO-34'],
  }),

  getIsolatedRemovable: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/account/max-transfer-out-amount',
    group,
    summary: 'Get the amounts that can be transferred out of a pair now',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({ symbol }),
    response: object({
      symbol: text('Trading pair'),
      baseCoin: text('Base coin'),
      baseCoinMaxTransferOutAmount: text('Base coin, if no quote coin is transferred'),
      quoteCoin: text('Quote coin'),
      quoteCoinMaxTransferOutAmount: text('Quote coin, if no base coin is transferred'),
    }),
    rules: ['ISO-34'],
  }),

  placeIsolatedOrder: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/place-order',
    group,
    summary: 'Place an order on the isolated account of a pair',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({ symbol, ...orderFields }),
    example: {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      loanType: 'normal',
      force: 'gtc',
      price: '59000',
      baseSize: '0.01',
      clientOid: 'my-pair-order-1',
    },
    response: namedOrderShape,
    rules: ['ISO-07', 'ISO-10', 'ISO-25'],
  }),

  cancelIsolatedOrder: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/cancel-order',
    group,
    summary: 'Cancel an order of a pair',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({ symbol, ...orderNameFields }),
    example: { symbol: 'BTCUSDT', clientOid: 'my-pair-order-1' },
    response: namedOrderShape,
    rules: ['ISO-07'],
  }),

  placeIsolatedBatch: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/batch-place-order',
    group,
    summary: 'Place up to 50 orders on the isolated account of a pair; each has its own result',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({
      symbol,
      orderList: field.describe(
        'Orders',
        itemsOf({ symbol: itemSymbol, ...orderFields }, PAIR_ORDERS_PER_BATCH_MAX),
      ),
    }),
    example: {
      symbol: 'BTCUSDT',
      orderList: [
        {
          side: 'buy',
          orderType: 'limit',
          loanType: 'normal',
          force: 'gtc',
          price: '58000',
          baseSize: '0.01',
          clientOid: 'my-pair-order-2',
        },
      ],
    },
    response: parted,
    rules: ['ISO-07', 'API-17'],
  }),

  cancelIsolatedOrders: endpoint({
    method: 'POST',
    path: '/api/v2/margin/isolated/batch-cancel-order',
    group,
    summary: 'Cancel up to 50 orders of a pair; each has its own result',
    access: 'margin.write',
    limit: perSecond(10),
    request: request({
      symbol,
      orderIdList: field.describe(
        'Orders',
        itemsOf(orderNameAsGivenFields, PAIR_ORDERS_PER_BATCH_MAX),
      ),
    }),
    example: { symbol: 'BTCUSDT', orderIdList: [{ clientOid: 'my-pair-order-2' }] },
    response: parted,
    rules: ['ISO-07', 'API-17'],
  }),

  listOpenIsolatedOrders: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/open-orders',
    group,
    summary: 'Get open orders of pairs',
    access: 'margin.read',
    limit: perSecond(10),
    request: request(listFields),
    response: orderPage,
    rules: ['ISO-150', 'LIST-12'],
  }),

  listIsolatedOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v2/margin/isolated/history-orders',
    group,
    summary: 'Get orders of pairs that have ended',
    access: 'margin.read',
    limit: perSecond(10),
    request: request({
      ...listFields,
      enterPointSource: field.describe(
        'Only orders with this source',
        field.optional(field.sameWords(['WEB', 'API', 'SYS', 'ANDROID', 'IOS'])),
      ),
    }),
    response: orderPage,
    rules: ['ISO-150', 'LIST-13', 'LIST-22'],
  }),
} as const;
