/** Modifying open orders: in place (v3), or by a replacement order (v2). */
import { endpoint, perSecond, request, requestOfItems } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import { itemsOf } from './listed-items.ts';
import * as number from './number-fields.ts';
import { listOf, object, text, textOrNull, word } from './shapes.ts';
import {
  itemAnswer,
  namedOrder,
  namedOrderShape,
  orderNameAsGivenFields,
  orderNameFields,
  receiveWindowFields,
} from './trading-fields.ts';
import { categoryWords, futuresCategoryWords } from './wire-words.ts';

const decimal = (about: string) => field.describe(about, field.optional(number.decimal()));
const refused = field.describe('Not offered here: a value is refused', field.notOffered());
const newClientOid = (about: string) =>
  field.describe(about, field.optional(identifier.longClientOid()));
const symbol = field.describe('Trading pair', identifier.symbol());

const CHANGES_PER_BATCH_MAX = 20;
const SPOT_CHANGES_PER_BATCH_MAX = 50;

/** The fields of a modification in v3. */
const unifiedFields = {
  category: field.describe('Category of the order', field.optional(field.words(categoryWords))),
  symbol: field.describe('Symbol of the order', field.optional(identifier.symbol())),
  qty: decimal('Total size, base coin, filled part included; unchanged when left out'),
  price: decimal('Unchanged when left out; `qty` or `price` is required'),
  autoCancel: field.describe(
    'Cancels the order if this modification is not possible',
    field.withDefault(field.yesOrNo(), false, 'no'),
  ),
  takeProfit: refused,
  stopLoss: refused,
  newTriggerType: refused,
};

/** The fields of a replacement of a spot order in v2. */
const spotFields = {
  symbol,
  price: field.describe('Limit price of the new order', number.decimal()),
  size: field.describe('Amount of the new order, base coin', number.decimal()),
  orderType: field.describe(
    'Limit orders only',
    field.withDefault(field.words({ limit: 'limit' }), 'limit', 'limit'),
  ),
  newClientOid: newClientOid('Client order ID of the new order'),
  presetTakeProfitPrice: refused,
  presetStopLossPrice: refused,
};

export const orderChangeRows = {
  changeOrder: endpoint({
    method: 'POST',
    path: '/api/v3/trade/modify-order',
    group: 'Unified orders',
    summary: 'Modify an open limit order or a pending trigger order; it keeps its ID',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({
      ...orderNameFields,
      ...unifiedFields,
      triggerPrice: decimal(
        'Trigger price, for a trigger order; without it the call modifies an order in the book',
      ),
    }),
    example: { clientOid: 'my-order-2', price: '58100' },
    response: namedOrderShape,
    rules: ['ORD-90', 'ORD-91', 'ORD-94', 'ORD-97', 'ORD-200', 'TRG-87', 'TRG-163'],
  }),

  changeOrders: endpoint({
    method: 'POST',
    path: '/api/v3/trade/batch-modify-order',
    group: 'Unified orders',
    summary: 'Modify up to 20 open limit orders; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: requestOfItems(
      { ...orderNameAsGivenFields, ...unifiedFields, triggerPrice: refused },
      CHANGES_PER_BATCH_MAX,
    ),
    example: [{ clientOid: 'my-order-3', qty: '0.02', price: '58200' }],
    response: listOf(object(itemAnswer)),
    rules: ['ORD-90', 'ORD-103'],
  }),

  changeFuturesOrder: endpoint({
    method: 'POST',
    path: '/api/v2/mix/order/modify-order',
    group: 'Futures orders',
    summary: 'Modify an open limit order by replacing it, or change its take-profit and stop-loss',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({
      ...orderNameFields,
      symbol,
      productType: field.describe('Product type', field.words(futuresCategoryWords)),
      marginCoin: field.describe('Margin coin of the order', field.optional(identifier.coin())),
      newClientOid: newClientOid(
        'Client order ID of the new order; required with a new size and price',
      ),
      newSize: decimal('Amount, base coin; requires `newPrice`'),
      newPrice: decimal('Limit price; requires `newSize`'),
      newPresetStopSurplusPrice: decimal(
        'Take-profit price, compared with the last price; removed if 0, or if only a stop-loss is given',
      ),
      newPresetStopLossPrice: decimal(
        'Stop-loss price, compared with the last price; removed if 0, or if only a take-profit is given',
      ),
    }),
    example: {
      clientOid: 'my-futures-order-2',
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      newClientOid: 'my-futures-order-3',
      newSize: '0.02',
      newPrice: '58100',
    },
    response: namedOrderShape,
    rules: ['ORD-90', 'ORD-95', 'ORD-97'],
  }),

  changeSpotOrder: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/cancel-replace-order',
    group: 'Spot orders',
    summary: 'Replace an open limit order: cancel it and place another, or do neither',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({ ...orderNameFields, ...spotFields, ...receiveWindowFields }),
    example: {
      clientOid: 'my-spot-order-2',
      symbol: 'BTCUSDT',
      price: '58100',
      size: '0.02',
      newClientOid: 'my-spot-order-4',
    },
    response: object({
      ...namedOrder,
      success: word(['success'], 'Always success'),
      msg: textOrNull('Nothing'),
    }),
    rules: ['ORD-90', 'ORD-96', 'ORD-97', 'ORD-188'],
  }),

  changeSpotOrders: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/batch-cancel-replace-order',
    group: 'Spot orders',
    summary: 'Replace up to 50 open limit orders; each has its own result',
    access: 'uta_trade.write',
    limit: perSecond(5),
    request: request({
      orderList: field.describe(
        'Orders',
        itemsOf({ ...orderNameAsGivenFields, ...spotFields }, SPOT_CHANGES_PER_BATCH_MAX),
      ),
    }),
    example: {
      orderList: [
        {
          clientOid: 'my-spot-order-3',
          symbol: 'BTCUSDT',
          price: '58200',
          size: '0.02',
          newClientOid: 'my-spot-order-5',
        },
      ],
    },
    response: listOf(
      object({
        orderId: text('ID of the new order; the given ID of the old order if it was refused'),
        clientOid: text('The same'),
        success: word(['success', 'failure'], 'Result'),
        msg: textOrNull('Reason of the failure'),
      }),
    ),
    rules: ['ORD-90', 'ORD-104', 'ORD-203'],
  }),
} as const;
