/** The sizes that can be opened: with a given margin (v2), and by the caller now (v3). */
import type { DecimalText } from '../kernel/decimal-text.ts';
import { endpoint, perSecond, request } from './endpoint.ts';
import * as field from './fields.ts';
import * as identifier from './identifier-fields.ts';
import * as number from './number-fields.ts';
import { object, text } from './shapes.ts';
import { categoryWords, futuresCategoryWords, orderTypeWords, sideWords } from './wire-words.ts';

const maxOpenRequest = request({
  category: field.describe('Category', field.words(categoryWords)),
  symbol: field.describe('Symbol', identifier.symbol()),
  orderType: field.describe('Order type', field.words(orderTypeWords)),
  side: field.describe('Side', field.words(sideWords)),
  price: field.describe('Required for a limit order', field.optional(number.decimal())),
  size: field.describe(
    'Futures: size for which the costs are computed, base coin',
    field.optional(number.decimal()),
  ),
});

const maxOpenShape = object({
  available: text(
    'Available for the order: quote coin for a buy, base coin for a sell, margin coin for futures',
  ),
  maxOpen: text(
    '`MARGIN`: largest order with its loan, in quote coin for a buy and in base coin for a sell',
  ),
  buyOpenCost: text('Futures: margin and fee of a buy of `size`'),
  sellOpenCost: text('Futures: margin and fee of a sell of `size`'),
  maxBuyOpen: text('Futures: the largest long that one order can open, base coin'),
  maxSellOpen: text('Futures: the largest short that one order can open, base coin'),
  maxBuyAvailable: text('Always empty'),
  maxSellAvailable: text('Always empty'),
});

const maxOpen = {
  path: '/api/v3/account/max-open-available',
  group: 'Unified account',
  access: 'uta_trade.read',
  limit: perSecond(5),
  request: maxOpenRequest,
  response: maxOpenShape,
  rules: ['ORD-115', 'ORD-116'],
} as const;

const example = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  side: 'buy',
  price: '60000',
  size: '0.01',
} as const;

export const openSizeRows = {
  getOpenCount: endpoint({
    method: 'GET',
    path: '/api/v2/mix/account/open-count',
    group: 'Futures settings',
    summary: 'Get the size that a given margin can open at a price',
    access: 'futures.read',
    limit: perSecond(10),
    request: request({
      symbol: field.describe('Trading pair', identifier.symbol()),
      productType: field.describe('Product type', field.words(futuresCategoryWords)),
      marginCoin: field.describe('Margin coin', identifier.coin()),
      openAmount: field.describe('Margin to spend, taker fee included', number.decimal()),
      openPrice: field.describe('Price', number.decimal()),
      leverage: field.describe(
        'Leverage',
        field.withDefault(number.decimal(), '20' as DecimalText, '20'),
      ),
    }),
    example: {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
      openAmount: '603.6',
      openPrice: '60000',
    },
    response: object({ size: text('Size, base coin') }),
    rules: ['ORD-115'],
  }),

  getMaxOpen: endpoint({
    ...maxOpen,
    method: 'GET',
    summary: 'Get the size that the caller can open now',
    example,
  }),
  askMaxOpen: endpoint({
    ...maxOpen,
    method: 'POST',
    summary: 'Get the size that the caller can open now (POST)',
    example,
  }),
} as const;
