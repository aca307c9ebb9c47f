/** The statements of docs/clients.md on ccxt, checked against ccxt. */
import { readFileSync } from 'node:fs';
import { BadRequest, type Exchange as CcxtExchange } from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000' } });
});
afterAll(() => exchange.stop());

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const [, list = ''] = /^Not served on v2 or v3 \(40404\): ([^.]*)\./m.exec(page) ?? [];
const notServed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name!);

/** Arguments of each method. */
const calls: Readonly<Record<string, (client: CcxtExchange) => Promise<unknown>>> = {
  fetchMyLiquidations: (client) => client.fetchMyLiquidations(undefined, Date.now() - 3_600_000),
  borrowCrossMargin: (client) => client.borrowCrossMargin('USDT', 1),
  repayCrossMargin: (client) => client.repayCrossMargin('USDT', 1),
  fetchConvertQuote: (client) => client.fetchConvertQuote('USDT', 'BTC', 1),
  fetchConvertCurrencies: (client) => client.fetchConvertCurrencies(),
  fetchConvertTradeHistory: (client) =>
    client.fetchConvertTradeHistory('USDT', Date.now() - 3_600_000),
};

const generations = [
  ['classic', false],
  ['unified', true],
] as const;

test.each(generations)(
  '[RUN-91] ccxt, %s, gets 40404 for each call that the page lists',
  async (_, uta) => {
    expect(notServed).toEqual(Object.keys(calls));
    const client = ccxtFor(exchange, trader, uta);
    for (const call of Object.values(calls)) {
      const refusal = await call(client).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(BadRequest);
      expect(String(refusal)).toContain('"40404"');
    }
    await client.close();
  },
);

test.each(generations)(
  '[RUN-91][ACC-37][ACC-39][VIEW-60] ccxt, %s, gets the answers that the page states',
  async (_, uta) => {
    const client = ccxtFor(exchange, trader, uta);
    expect(await client.fetchCrossBorrowRate('USDT')).toMatchObject({ rate: 0.00003 });
    expect(await client.fetchIsolatedBorrowRate('BTC/USDT')).toMatchObject({
      baseRate: 0.00003,
      quoteRate: 0.00003,
    });
    expect(await client.fetchBorrowInterest('USDT')).toEqual([]);
    expect(await client.fetchLongShortRatioHistory('BTC/USDT:USDT', '1h')).toEqual([]);
    await client.close();
  },
);

test.each(generations)(
  '[RUN-91][VIEW-48] ccxt, %s, reads weeks from Monday, as the page states',
  async (_, uta) => {
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'market',
      side: 'buy',
      qty: '0.001',
    };
    await exchange.data(trader, 'placeOrder', order);
    const client = ccxtFor(exchange, trader, uta);
    const [week] = await client.fetchOHLCV('BTC/USDT:USDT', '1w');
    const monday = 1;
    expect(new Date(week![0]!).getUTCDay()).toBe(monday);
    expect(page).toContain('Candles of `1w` begin on Monday');
    await client.close();
  },
);
