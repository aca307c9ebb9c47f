/** Orders of the unified account (v3). */

import { refuse } from '../kernel/result.ts';
import type { Category } from '../messages/vocabulary.ts';
import { endpoint, perSecond, type RequestShape, request, requestOfItems } from './endpoint.ts';
import * as field from './fields.ts';
import type { Decoded, FieldValues, FieldWires } from './fields-reader.ts';
import * as identifier from './identifier-fields.ts';
import type { ListedItem } from './listed-items.ts';
import * as number from './number-fields.ts';
import { isRawObject, type Raw } from './raw.ts';
import { listOf, object, text, word } from './shapes.ts';
import { itemAnswer, stpMode } from './trading-fields.ts';
import { wireRejection } from './wire-rejections.ts';
import {
  categoryWords,
  intentWords,
  marginModeWords,
  orderStatusWords,
  orderTypeWords,
  positionModeWords,
  positionSideWords,
  selfTradeModeWords,
  sideWords,
  timeInForceWords,
  wordOf,
  wordOrNoneOf,
} from './wire-words.ts';

export const ORDERS_PER_BATCH_MAX = 20;

const group = 'Unified orders';

export const orderFields = {
  category: field.describe(
    'Category; the same in all orders of a call',
    field.words(categoryWords),
  ),
  symbol: field.describe('Symbol', identifier.symbol()),
  qty: field.describe(
    'Base coin; quote coin for a market buy in SPOT and MARGIN',
    number.decimal(),
  ),
  price: field.describe('Required for a limit order', field.optional(number.decimal())),
  side: field.describe(
    'Direction of the order, also when it closes a position',
    field.words(sideWords),
  ),
  orderType: field.describe('Order type', field.words(orderTypeWords)),
  timeInForce: field.describe(
    'Limit orders only',
    field.withDefault(field.words(timeInForceWords), 'gtc', 'gtc'),
  ),
  posSide: field.describe(
    'Futures in hedge mode: required',
    field.optional(field.words(positionSideWords)),
  ),
  clientOid: field.describe(
    'Client order ID; the same one within six hours places one order',
    field.optional(identifier.clientOid()),
  ),
  stpMode,
  reduceOnly: field.describe(
    'Reduce-only; futures in one-way mode',
    field.withDefault(field.yesOrNo(), false, 'no'),
  ),
};

/** The specification does not list it for a batch, but clients send it there (ORD-74). */
export const marginModeField = {
  marginMode: field.describe(
    "Futures: the symbol's mode; another mode switches the symbol if it is flat. `MARGIN`: `crossed`",
    field.optional(field.words(marginModeWords)),
  ),
};

/**
 * A batch takes no trigger orders. Clients send them here as well, and an order without its trigger
 * would go to the book at once.
 */
const notInBatch = field.describe(
  'Not offered here, a value is refused; use place-order',
  field.notOffered(),
);
/** Features that no order of a batch can use (ORD-158). */
const refusedFields = {
  triggerPrice: notInBatch,
  stopPrice: notInBatch,
  trailingPercent: notInBatch,
  callbackRatio: notInBatch,
  trailingTriggerPrice: notInBatch,
  takeProfit: field.notOffered(),
  stopLoss: field.notOffered(),
};

type OrderInput = FieldValues<typeof orderFields & typeof marginModeField>;

/** The category of an item. It may be readable even if the item is not. */
function categoryOf(input: Decoded<OrderInput>, item: Raw): Category | undefined {
  if (input.ok) return input.value.category;
  const decoded = orderFields.category.decode(
    isRawObject(item) ? item.get('category') : undefined,
    'category',
  );
  return decoded.ok ? decoded.value : undefined;
}

/**
 * Orders of different categories refuse the call. An order without a readable category is refused
 * alone.
 */
function batchRequest(): RequestShape<
  readonly ListedItem<OrderInput>[],
  readonly FieldWires<typeof orderFields>[]
> {
  const items = requestOfItems(
    { ...orderFields, ...marginModeField, ...refusedFields },
    ORDERS_PER_BATCH_MAX,
  );
  const { schema, fields } = requestOfItems(orderFields, ORDERS_PER_BATCH_MAX);
  return {
    schema,
    fields,
    decode: (raw) => {
      const decoded = items.decode(raw);
      if (!decoded.ok) return decoded;
      let first: Category | undefined;
      for (const [at, { input }] of decoded.value.entries()) {
        const category = categoryOf(input, (raw as readonly Raw[])[at]);
        first ??= category;
        if (category !== undefined && category !== first)
          return refuse(wireRejection('categoriesMixed', 'category'));
      }
      return decoded;
    },
  };
}

const CANCEL_REASON_WORDS = [
  '',
  'normal_cancel',
  'trade_too_many_times_cancel',
  'trade_count_too_small',
  'fok_not_full_cancel',
  'ioc_not_full_cancel',
  'post_only_fill_cancel',
  'self_trade_cancel',
  'trade_max_deal_size_cancel',
  'tpsl_plan_cancel',
  'back_contract_cancel',
  'delegated_risk_order_cancel',
  'trader_order_cancel',
  'delivery_order_cancel',
  'modify_limit_order',
  'slippage_cancel',
  'adl_cancel',
  'penetrate_cancel',
  'stp_cancel',
  'call_auction_cancel',
  'limit_price_exceed_cancel',
  'burst_cancel',
  'cancel_receiveWindow',
] as const;

export const orderShape = object({
  orderId: text('Order ID'),
  clientOid: text('Client order ID'),
  category: wordOf(categoryWords, 'Category'),
  symbol: text('Symbol'),
  orderType: wordOf(orderTypeWords, 'Order type'),
  side: wordOf(sideWords, 'Side'),
  price: text('Order price'),
  qty: text('Order quantity, base coin'),
  amount: text('Order amount, quote coin'),
  cumExecQty: text('Filled quantity, base coin'),
  cumExecValue: text('Filled value, quote coin'),
  avgPrice: text('Average fill price'),
  timeInForce: wordOf(timeInForceWords, 'Time in force'),
  orderStatus: wordOf(orderStatusWords, 'Status'),
  posSide: wordOrNoneOf(
    positionSideWords,
    'Position side, in one-way mode too; empty for spot and margin',
  ),
  holdMode: wordOrNoneOf(positionModeWords, 'Position mode; empty for spot and margin'),
  tradeSide: wordOrNoneOf(
    intentWords,
    'Open or close, in one-way mode too; empty for spot and margin',
  ),
  stpMode: wordOf(selfTradeModeWords, 'Self-trade prevention'),
  reduceOnly: word(['YES', 'NO'], 'Reduce-only'),
  feeDetail: listOf(
    object({ feeCoin: text('Coin of the fee'), fee: text('Fee; positive when paid') }),
  ),
  cancelReason: word(
    CANCEL_REASON_WORDS,
    'Reason of the cancellation; empty if it was not cancelled',
  ),
  execType: word(['normal', 'offset', 'reduce', 'liquidation', 'delivery'], 'Origin of the order'),
  createdTime: text('Creation time (ms)'),
  updatedTime: text('Time of the last change (ms)'),
});

export const orderRows = {
  placeBatch: endpoint({
    method: 'POST',
    path: '/api/v3/trade/place-batch',
    group,
    summary: 'Place up to 20 orders of one category; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: batchRequest(),
    example: [
      {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        qty: '0.01',
        price: '58000',
        side: 'buy',
        orderType: 'limit',
        clientOid: 'my-order-2',
      },
      {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        qty: '0.01',
        price: '57900',
        side: 'buy',
        orderType: 'limit',
        clientOid: 'my-order-3',
      },
    ],
    response: listOf(object(itemAnswer)),
    rules: ['API-20', 'API-12', 'API-13', 'ORD-01', 'ORD-02', 'ORD-04', 'ORD-05', 'ORD-112'],
  }),

  getOrder: endpoint({
    method: 'GET',
    path: '/api/v3/trade/order-info',
    group,
    summary: 'Get an order',
    access: 'uta_trade.read',
    limit: perSecond(20),
    request: request({
      orderId: field.describe(
        'Order ID; takes precedence over `clientOid`. One of the two is required',
        field.optional(identifier.id()),
      ),
      clientOid: field.describe('Client order ID', field.optional(identifier.longClientOid())),
    }),
    example: { clientOid: 'my-order-1' },
    response: orderShape,
    rules: ['API-20', 'ORD-61', 'ORD-62'],
  }),
} as const;
