/** Spot orders and assets (v2). */
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, word } from './shapes.ts';
import {
  failedItem,
  namedOrderShape,
  orderNameAsGivenFields,
  orderNameFields,
  receiveWindowFields,
  stpMode,
  windowFields,
} from './trading-fields.ts';
import {
  orderTypeWords,
  sideWords,
  spotOrderStatusWords,
  timeInForceWords,
  wordOf,
} from './wire-words.ts';

const SPOT_BATCH_MAX = 50;

const group = 'Spot orders';
const rules = ['API-52'] as const;

const symbol = field.describe('Trading pair', identifier.symbol());
const anySymbol = field.describe(
  'All trading pairs when left out',
  field.optional(identifier.symbol()),
);

const orderFields = {
  side: field.describe('Side', field.words(sideWords)),
  orderType: field.describe('Order type', field.words(orderTypeWords)),
  force: field.describe(
    'Limit orders only',
    field.withDefault(field.words(timeInForceWords), 'gtc', 'gtc'),
  ),
  price: field.describe('Required for a limit order', field.optional(number.decimal())),
  size: field.describe('Amount: base coin; quote coin for a market buy', number.decimal()),
  clientOid: field.describe(
    'Client order ID; the same one within six hours places one order',
    field.optional(identifier.clientOid()),
  ),
  stpMode,
  triggerPrice: field.describe('Not offered: a value is refused', field.notOffered()),
  presetTakeProfitPrice: field.describe('Not offered: a value is refused', field.notOffered()),
  presetStopLossPrice: field.describe('Not offered: a value is refused', field.notOffered()),
};
/**
 * Spot trigger orders have other calls, so no order of this kind can be listed or cancelled here.
 */
const tpslType = field.describe(
  '`normal`; `tpsl` is not offered and refused',
  field.notOffered('normal'),
);
const itemSymbol = field.describe(
  'Repeats the value of the call',
  field.optional(identifier.symbol()),
);
/** One call cannot place orders of several trading pairs. */
const batchMode = field.describe(
  '`single`: all orders share one trading pair',
  field.withDefault(field.words({ single: 'single' }), 'single', 'single'),
);

const order = {
  userId: text('User ID'),
  symbol: text('Trading pair'),
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  price: text('Order price; 0 for a market order'),
  size: text('Amount: base coin; quote coin for a market buy'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  side: wordOf(sideWords, 'Side'),
  force: wordOf(timeInForceWords, 'Time in force'),
  status: wordOf(spotOrderStatusWords, 'Status'),
  priceAvg: text('Average fill price; 0 when nothing was filled'),
  baseVolume: text('Filled amount, base coin'),
  quoteVolume: text('Filled value, quote coin'),
  enterPointSource: word(['API'], 'Source'),
  orderSource: word(['normal', 'market'], 'Origin of the order'),
  feeDetail: text('Fees as JSON in a text; empty when there are none'),
  cancelReason: text('Reason of the cancellation; empty if it was not cancelled'),
  cTime: text('Creation time (ms)'),
  uTime: text('Time of the last change (ms)'),
};

const listFields = {
  symbol: anySymbol,
  orderId: field.describe('Only this order', field.optional(identifier.id())),
  idLessThan: field.describe(
    'Smallest `orderId` of the previous page, for older rows',
    field.optional(identifier.pageCursor()),
  ),
  ...windowFields('90 days'),
  limit: number.pageSize(100, 100),
};

export const spotOrderRows = {
  placeSpotOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/place-order',
    group,
    summary: 'Place a spot order',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({ symbol, ...orderFields, tpslType, ...receiveWindowFields }),
    example: {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      force: 'gtc',
      price: '59000',
      size: '0.01',
      clientOid: 'my-spot-order-1',
    },
    response: namedOrderShape,
    rules: [...rules, 'ORD-188'],
  }),

  placeSpotBatch: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/batch-orders',
    group,
    summary: 'Place up to 50 spot orders of one trading pair; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: request({
      symbol,
      batchMode,
      orderList: field.describe(
        'Orders',
        itemsOf({ symbol: itemSymbol, ...orderFields }, SPOT_BATCH_MAX),
      ),
    }),
    example: {
      symbol: 'BTCUSDT',
      orderList: [
        {
          side: 'buy',
          orderType: 'limit',
          force: 'gtc',
          price: '58000',
          size: '0.01',
          clientOid: 'my-spot-order-2',
        },
        {
          side: 'buy',
          orderType: 'limit',
          force: 'gtc',
          price: '57900',
          size: '0.01',
          clientOid: 'my-spot-order-3',
        },
      ],
    },
    response: object({
      successList: listOf(namedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules,
  }),

  cancelSpotOrders: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/batch-cancel-order',
    group,
    summary: 'Cancel up to 50 spot orders of one trading pair; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({
      symbol,
      batchMode,
      orderList: field.describe('Orders', itemsOf(orderNameAsGivenFields, SPOT_BATCH_MAX)),
    }),
    example: {
      symbol: 'BTCUSDT',
      orderList: [{ clientOid: 'my-spot-order-4' }, { clientOid: 'my-spot-order-5' }],
    },
    response: object({
      successList: listOf(namedOrderShape),
      failureList: listOf(object(failedItem)),
    }),
    rules,
  }),

  cancelSpotOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/cancel-order',
    group,
    summary: 'Cancel a spot order',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({ symbol, ...orderNameFields, tpslType, ...receiveWindowFields }),
    example: { symbol: 'BTCUSDT', clientOid: 'my-spot-order-1' },
    response: namedOrderShape,
    rules: [...rules, 'ORD-188'],
  }),

  cancelSpotSymbolOrders: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/cancel-symbol-order',
    group,
    summary: 'Cancel all spot orders of a trading pair',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: request({ symbol }),
    response: object({ symbol: text('Trading pair') }),
    rules,
  }),

  getSpotOrder: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/orderInfo',
    group,
    summary: 'Get a spot order, as a list of one; the list is empty if there is none',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request(orderNameFields),
    example: { clientOid: 'my-spot-order-1' },
    response: listOf(object(order)),
    rules: [...rules, 'LIST-11'],
  }),

  listOpenSpotOrders: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/unfilled-orders',
    group,
    summary: 'Get open spot orders',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request({ ...listFields, tpslType }),
    response: listOf(object(order)),
    rules: [...rules, 'LIST-12'],
  }),

  listSpotOrderHistory: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/history-orders',
    group,
    summary: 'Get spot orders that have ended',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request({ ...listFields, tpslType }),
    response: listOf(object(order)),
    rules: [...rules, 'LIST-13'],
  }),

  listSpotFills: endpoint({
    method: 'GET',
    path: '/api/v2/spot/trade/fills',
    group,
    summary: 'Get fills of spot orders',
    access: 'uta_trade.read',
    limit: perSecond(10),
    request: request({
      ...listFields,
      idLessThan: field.describe(
        'Smallest `tradeId` of the previous page, for older rows',
        field.optional(identifier.pageCursor()),
      ),
    }),
    response: listOf(
      object({
        userId: text('User ID'),
        symbol: text('Trading pair'),
        orderId: text('Order ID'),
        tradeId: text('Fill ID'),
        orderType: wordOf(orderTypeWords, 'Order type'),
        side: wordOf(sideWords, 'Side'),
        priceAvg: text('Price'),
        size: text('Amount, base coin'),
        amount: text('Value, quote coin'),
        feeDetail: object({
          deduction: word(['no'], 'Whether a discount applied'),
          feeCoin: text('Coin of the fee'),
          totalDeductionFee: text('Discount'),
          totalFee: text('Fee; negative when paid'),
        }),
        tradeScope: word(['taker', 'maker'], 'Taker or maker'),
        cTime: text('Time (ms)'),
        uTime: text('Time (ms)'),
      }),
    ),
    rules: [...rules, 'LIST-13'],
  }),

  listSpotAssets: endpoint({
    method: 'GET',
    path: '/api/v2/spot/account/assets',
    group,
    summary: 'Get spot assets',
    access: 'uta_mgt.read',
    limit: perSecond(10),
    request: request({ coin: field.describe('Only this coin', field.optional(identifier.coin())) }),
    response: listOf(
      object({
        coin: text('Coin'),
        available: text('Available'),
        frozen: text('Held for orders'),
        locked: text('Locked for other reasons'),
        limitAvailable: text('Amount with limited use'),
        uTime: text('Time of the last change (ms); empty when there was none'),
      }),
    ),
    rules: [...rules, 'VIEW-04'],
  }),
} as const;
