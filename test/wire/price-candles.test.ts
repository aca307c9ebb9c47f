/** Candles of mark and index prices on v2 and v3. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
/** The current minute; the clock is frozen in it. */
let minute: number;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  trader = await exchange.trader();
  await exchange.setIndex('ETHUSDT', '3000', '3000');
  const { now } = (await exchange.operate('POST', '/operator/v1/clock', { frozen: true })).data as {
    now: string;
  };
  minute = Number(now) - (Number(now) % 60_000) + 120_000;
  await exchange.operate('POST', '/operator/v1/clock', { to: String(minute) });
  for (const [mark, index] of [
    ['3010', '3000'],
    ['3030', '3020'],
    ['2990', '3015'],
  ])
    await exchange.setIndex('ETHUSDT', index!, mark);
});
afterAll(() => exchange.stop());

/** The previous minute, in which both prices were 3000, and the minute with the new prices. */
const rows = (...known: string[]) => [
  [String(minute - 60_000), '3000', '3000', '3000', '3000', '0', '0'],
  [String(minute), '3000', ...known, '0', '0'],
];
const MARKS = ['3030', '2990', '2990'];
const INDEXES = ['3020', '3000', '3015'];
const window = () => ({ startTime: String(minute - 60_000), endTime: String(minute + 1) });
const classic = () => ({
  productType: 'USDT-FUTURES',
  symbol: 'ETHUSDT',
  granularity: '1m',
  ...window(),
});
const unified = () => ({
  category: 'USDT-FUTURES',
  symbol: 'ETHUSDT',
  interval: '1m',
  ...window(),
});

test.each([
  ['MARK', MARKS, 'listMarkCandles'],
  ['index', INDEXES, 'listIndexCandles'],
] as const)(
  '[VIEW-35] candles of %s prices are shown in every format',
  async (kind, known, name) => {
    expect(await exchange.ask('listFuturesCandles', { ...classic(), kLineType: kind })).toEqual(
      rows(...known),
    );
    expect(await exchange.ask(name, classic())).toEqual(rows(...known));
    expect(await exchange.ask('listCandles', { ...unified(), type: kind })).toEqual(rows(...known));
    expect(await exchange.ask(name, { ...classic(), limit: '1' })).toEqual(
      rows(...known).slice(0, 1),
    );
    expect(await exchange.ask('listFuturesCandles', classic())).toEqual([]);
    expect(await exchange.code(trader, name, { ...classic(), symbol: 'NOUSDT' })).toBe('40034');
  },
);

test('[VIEW-03][VIEW-35] price candles are the same after a restart', async () => {
  await exchange.operate('POST', '/operator/v1/snapshot');
  await exchange.restart();
  expect(await exchange.ask('listMarkCandles', classic())).toEqual(rows(...MARKS));
});
