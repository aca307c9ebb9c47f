/**
 * Repeated order calls after the account changed its position mode: they are still the same order.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicName } from '../../src/contract/endpoints.ts';
import { type Row, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
});
afterAll(() => exchange.stop());

type Input = Readonly<Record<string, unknown>>;

const limit = {
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: '50000',
  clientOid: 'once',
};
const unified = { ...limit, category: 'USDT-FUTURES', qty: '0.01' };
const futures = { ...limit, productType: 'USDT-FUTURES', marginCoin: 'USDT', size: '0.01' };

/** Places an order, cancels it, changes the mode, and repeats the call. */
async function changed(holdMode: 'one_way_mode' | 'hedge_mode', name: PublicName, input: Input) {
  const trader = await exchange.trader({ deposits: { USDT: '10000' }, holdMode });
  const first = await exchange.data<Row>(trader, name, input);
  await exchange.data(trader, 'cancelOrder', { orderId: first.orderId });
  const other = holdMode === 'hedge_mode' ? 'one_way_mode' : 'hedge_mode';
  await exchange.data(trader, 'setHoldMode', { holdMode: other });
  return { trader, first };
}

const ONE_WAY_ORDERS: readonly (readonly [string, PublicName, Input, Input])[] = [
  ['an order', 'placeOrder', unified, { reduceOnly: 'yes' }],
  [
    'an order with an unneeded side',
    'placeOrder',
    { ...unified, posSide: 'long' },
    { posSide: 'short', reduceOnly: 'yes' },
  ],
  [
    'an order with a take-profit',
    'placeOrder',
    { ...unified, takeProfit: '70000' },
    { takeProfit: '71000' },
  ],
  ['one on v2', 'placeFuturesOrder', futures, { reduceOnly: 'YES' }],
  [
    'an order on v2 with a take-profit',
    'placeFuturesOrder',
    { ...futures, presetStopLossPrice: '40000' },
    { presetStopLossPrice: '41000' },
  ],
];

test.each(ONE_WAY_ORDERS)(
  '[ORD-152][ORD-14] in hedge mode %s of one-way mode is the same, another is refused',
  async (_, name, input, otherwise) => {
    const { trader, first } = await changed('one_way_mode', name, input);
    expect(await exchange.data(trader, name, input)).toEqual(first);
    expect(await exchange.code(trader, name, { ...input, price: '50000.1' })).toBe('40786');
    expect(await exchange.code(trader, name, { ...input, ...otherwise })).toBe('40786');
    expect(await exchange.data(trader, 'listOpenOrders', {})).toMatchObject({ list: [] });
  },
);

const HEDGE_ORDERS: readonly (readonly [string, Input, Input])[] = [
  ['an order', {}, { posSide: 'short' }],
  ['an order with a take-profit', { takeProfit: '70000' }, { takeProfit: '71000' }],
];

test.each(HEDGE_ORDERS)(
  '[ORD-152][ORD-14] in one-way mode %s of hedge mode is the same, another is refused',
  async (_, more, otherwise) => {
    const input = { ...unified, posSide: 'long', ...more };
    const { trader, first } = await changed('hedge_mode', 'placeOrder', input);
    expect(await exchange.data(trader, 'placeOrder', input)).toEqual(first);
    expect(await exchange.code(trader, 'placeOrder', { ...input, ...otherwise })).toBe('40786');
    expect(await exchange.code(trader, 'placeOrder', { ...input, posSide: undefined })).toBe(
      '40786',
    );
    expect(await exchange.data(trader, 'listOpenOrders', {})).toMatchObject({ list: [] });
  },
);

test('[ORD-25][ORD-26][ORD-28] on v2 an unknown symbol is reported before a missing position side', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '10000' }, holdMode: 'hedge_mode' });
  expect(await exchange.code(trader, 'placeFuturesOrder', { ...futures, symbol: 'NOPEUSDT' })).toBe(
    '40034',
  );
  expect(await exchange.code(trader, 'placeFuturesOrder', futures)).toBe('40774');
});
