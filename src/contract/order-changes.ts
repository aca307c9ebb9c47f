/** Modifying orders that are open: in their place (v3), or by a new order that takes it (v2). */
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
const refused = field.describe('Not offered here: refused', field.notOffered());
const newClientOid = (about: string) =>
  field.describe(about, field.optional(identifier.longClientOid()));
const symbol = field.describe('Trading pair', identifier.symbol());

const CHANGES_PER_BATCH_MAX = 20;
const SPOT_CHANGES_PER_BATCH_MAX = 50;

/** What v3 says of a modification. */
const unifiedFields = {
  category: field.describe(
    'Only an order of this category',
    field.optional(field.words(categoryWords)),
  ),
  symbol: field.describe('Only an order of this symbol', field.optional(identifier.symbol())),
  qty: decimal('All of it, base coin, what is filled included; as it was when left out'),
  price: decimal('As it was when left out; one of both is required'),
  autoCancel: field.describe(
    'Cancel an order that cannot be modified so',
    field.withDefault(field.yesOrNo(), false, 'no'),
  ),
  takeProfit: refused,
  stopLoss: refused,
  newTriggerType: refused,
};

/** What v2 says of a spot order that takes the place of another. */
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
    summary: 'Modify an open limit order, or a trigger order that waits; it keeps its ID',
    access: 'uta_trade.write',
    limit: perSecond(10),
    request: request({
      ...orderNameFields,
      ...unifiedFields,
      triggerPrice: decimal(
        'Of a trigger order: the price that it waits for; without it the order is one in the book',
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
    summary: 'Modify up to 20 open limit orders; each answers for itself',
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
    summary:
      'Modify an open limit order: a new one takes its place; or the take-profit and stop-loss that it brings',
    access: 'futures.write',
    limit: perSecond(10),
    request: request({
      ...orderNameFields,
      symbol,
      productType: field.describe('Product type', field.words(futuresCategoryWords)),
      marginCoin: field.describe(
        'Only an order of this margin coin',
        field.optional(identifier.coin()),
      ),
      newClientOid: newClientOid(
        'Client order ID of the new order; required with a new size and price',
      ),
      newSize: decimal('Amount, base coin; together with newPrice'),
      newPrice: decimal('Limit price; together with newSize'),
      newPresetStopSurplusPrice: decimal(
        'Take-profit, by last price; 0, or left out beside a stop-loss, takes it away',
      ),
      newPresetStopLossPrice: decimal(
        'Stop-loss, by last price; 0, or left out beside a take-profit, takes it away',
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
    summary: 'Cancel an open limit order and place another in its stead: both, or neither',
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
      success: word(['success'], 'That it was done'),
      msg: textOrNull('Nothing'),
    }),
    rules: ['ORD-90', 'ORD-96', 'ORD-97', 'ORD-188'],
  }),

  changeSpotOrders: endpoint({
    method: 'POST',
    path: '/api/v2/spot/trade/batch-cancel-replace-order',
    group: 'Spot orders',
    summary:
      'Cancel up to 50 open limit orders and place others in their stead; each answers for itself',
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
        orderId: text('Of the new order; of the old one, as it was said, when it was refused'),
        clientOid: text('The same'),
        success: word(['success', 'failure'], 'Whether it was done'),
        msg: textOrNull('Why it was not'),
      }),
    ),
    rules: ['ORD-90', 'ORD-104', 'ORD-203'],
  }),
} as const;
