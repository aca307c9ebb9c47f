/** Clients read thirty days of imported past, page by page, up to the live candle. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import type { Exchange as CcxtExchange, OHLCV } from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startExchange, type TestExchange } from '../../src/app/testing.ts';
import { ccxtFor } from './ccxt-client.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const SWAP = 'BTC/USDT:USDT';
const BOTH = [
  ['classic', false],
  ['unified', true],
] as const;

let exchange: TestExchange;
/** The exchange time. */
let now: number;
const clients: CcxtExchange[] = [];

/** Rate limits are off, so that the client does not wait between its calls. */
function ccxtOf(uta: boolean, name = 'dave'): CcxtExchange {
  const client = ccxtFor(exchange, exchange.user(name), uta);
  client.enableRateLimit = false;
  clients.push(client);
  return client;
}

beforeAll(async () => {
  // A millisecond before a full second of machine time, to which ccxt rounds its windows.
  now = Date.now() - (Date.now() % 1_000) - 1;
  exchange = await startExchange({ past: '30d', startTime: now, limits: 'off' });
  await exchange.clock.freeze();
  // The past ends at 60,000; one trade of 0.25 at 60,010 follows.
  await ccxtOf(true, 'carol').createOrder(SWAP, 'limit', 'sell', 0.25, 60_010);
  await ccxtOf(true).createOrder(SWAP, 'market', 'buy', 0.25);
});
afterAll(async () => {
  for (const client of clients) await client.close();
  await exchange.stop();
});

/** Pages as bots read them: the next begins after the last row of the previous one. */
async function walk(
  since: number,
  page: (since: number) => Promise<readonly OHLCV[]>,
): Promise<OHLCV[]> {
  const rows: OHLCV[] = [];
  for (let from = since; ; from = rows.at(-1)![0]! + 1) {
    const next = await page(from);
    if (next.length === 0) return rows;
    rows.push(...next);
  }
}

/**
 * One row for each interval from the first to the current one; each opens at the previous close.
 */
function expectGapless(rows: readonly OHLCV[], length: number, first: number): void {
  const last = now - (now % length);
  expect(rows.map(([start]) => start)).toEqual(
    Array.from({ length: (last - first) / length + 1 }, (_, at) => first + at * length),
  );
  const jumps = rows
    .slice(1)
    .filter(([start, open], at) => open !== rows[at]![4] && start !== last);
  expect(jumps).toEqual([]);
  expect(
    rows.filter(
      ([, open, high, low, close]) =>
        high! < Math.max(open!, close!) || low! > Math.min(open!, close!),
    ),
  ).toEqual([]);
}

/** The past begins with the full hour that contains the moment thirty days before its end. */
const begin = (): number => {
  const from = now - 30 * DAY;
  return from - (from % HOUR);
};

/** Rows of a longer interval, computed from shorter ones: an independent sum in plain numbers. */
function summed(rows: readonly OHLCV[], length: number): Map<number, readonly number[]> {
  const sums = new Map<number, readonly number[]>();
  for (const [start, open, high, low, close, volume] of rows as readonly number[][]) {
    const key = start! - (start! % length);
    const [firstOpen, highest, lowest, , total] = sums.get(key) ?? [open!, high!, low!, 0, 0];
    sums.set(key, [
      firstOpen!,
      Math.max(highest!, high!),
      Math.min(lowest!, low!),
      close!,
      total! + volume!,
    ]);
  }
  return sums;
}

describe.each(BOTH)('ccxt, %s', (_, uta) => {
  test('[PAST-06][VIEW-51] fetchOHLCV answers 1,000 minutes at once, up to the live candle', async () => {
    const rows = await ccxtOf(uta).fetchOHLCV(SWAP, '1m', undefined, 1_000);
    expect(rows).toHaveLength(1_000);
    expectGapless(rows, MINUTE, now - (now % MINUTE) - 999 * MINUTE);
    expect(rows.at(-1)![4]).toBe(60_010);
    expect(rows.at(-1)![5]).toBeGreaterThanOrEqual(0.25);
  });

  test('[PAST-06][VIEW-50][VIEW-51] since and limit walk 30 days of minutes without gap or repeat', async () => {
    const client = ccxtOf(uta);
    // ccxt asks for rows older than 29 days 200 at a time.
    const rows = await walk(begin(), (since) => client.fetchOHLCV(SWAP, '1m', since, 200));
    expect(rows.length).toBeGreaterThan(30 * 1_440);
    expectGapless(rows, MINUTE, begin());
    expect(rows.at(-1)![4]).toBe(60_010);
  });

  test('[VIEW-72] a walk by whole days ends with an empty page, not with an error', async () => {
    const client = ccxtOf(uta);
    const rows = await walk(now - 5 * DAY, (since) =>
      client.fetchOHLCV(SWAP, '1d', Math.ceil(since / DAY) * DAY, 2),
    );
    expect(rows).toHaveLength(5);
    expectGapless(rows, DAY, rows[0]![0]!);
  });

  test('[PAST-07][VIEW-50] 28 days of 5m are read by 1,000, and add up to the candles of 1h and 1d', async () => {
    const client = ccxtOf(uta);
    const from = now - (now % DAY) - 27 * DAY;
    const rows = await walk(from, (since) => client.fetchOHLCV(SWAP, '5m', since, 1_000));
    expectGapless(rows, 5 * MINUTE, from);
    for (const [timeframe, length] of [
      ['1h', HOUR],
      ['1d', DAY],
    ] as const) {
      const longer = await walk(from, (since) => client.fetchOHLCV(SWAP, timeframe, since, 90));
      expectGapless(longer, length, from);
      const sums = summed(rows, length);
      expect(longer.map(([start, ...prices]) => [start, ...prices.slice(0, 4)])).toEqual(
        [...sums].map(([start, [open, high, low, close]]) => [start, open, high, low, close]),
      );
      for (const [start, , , , , volume] of longer)
        expect(volume).toBeCloseTo(sums.get(start!)![4]!, 6);
    }
  });

  test('[PAST-06] 28 days of spot 5m are read by 1,000', async () => {
    const client = ccxtOf(uta);
    const from = now - (now % DAY) - 27 * DAY;
    const rows = await walk(from, (since) => client.fetchOHLCV('ETH/BTC', '5m', since, 1_000));
    expectGapless(rows, 5 * MINUTE, from);
    expect(rows.at(-1)![4]).toBe(0.05);
  });

  test('[PAST-05][PAST-08] candles of mark and index end at the current prices, without volume', async () => {
    const client = ccxtOf(uta);
    const { markPrice, indexPrice } = await client.fetchTicker(SWAP);
    const marks = await client.fetchMarkOHLCV(SWAP, '1m', undefined, 1_000);
    const indexes = await client.fetchIndexOHLCV(SWAP, '1m', undefined, 1_000);
    for (const [rows, price] of [
      [marks, markPrice],
      [indexes, indexPrice],
    ] as const) {
      expect(rows).toHaveLength(1_000);
      expectGapless(rows, MINUTE, now - (now % MINUTE) - 999 * MINUTE);
      expect(rows.at(-1)![4]).toBe(price);
      expect(rows.filter(([, , , , , volume]) => volume !== 0)).toEqual([]);
    }
    const from = now - (now % DAY) - 27 * DAY;
    for (const price of ['mark', 'index'])
      expectGapless(
        await walk(from, (since) => client.fetchOHLCV(SWAP, '1h', since, 200, { price })),
        HOUR,
        from,
      );
  });

  test('[PAST-13][VIEW-51] fetchFundingRateHistory reads a rate for each eight hours of 30 days', async () => {
    const client = ccxtOf(uta);
    const rates = await client.fetchFundingRateHistory(SWAP, undefined, 100);
    const last = now - (now % (8 * HOUR));
    const first = begin() + ((8 * HOUR - (begin() % (8 * HOUR))) % (8 * HOUR));
    expect(rates.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: (last - first) / (8 * HOUR) + 1 }, (_, at) => first + at * 8 * HOUR),
    );
    expect(rates.filter(({ fundingRate }) => fundingRate === 0.000_1).length).toBeGreaterThan(
      rates.length / 2,
    );
    expect(rates.filter(({ fundingRate }) => Math.abs(fundingRate!) > 0.003)).toEqual([]);
    const since = rates.at(-10)!.timestamp!;
    const page = await client.fetchFundingRateHistory(SWAP, since, 10);
    expect(page.map(({ timestamp }) => timestamp)).toEqual(
      rates.slice(-10).map(({ timestamp }) => timestamp),
    );
  });
});

test('[PAST-06][VIEW-51] v2 and v3 show ccxt the same candles, spot and weeks from Monday included', async () => {
  const [classic, unified] = [ccxtOf(false), ccxtOf(true)];
  for (const symbol of [SWAP, 'BTC/USD:BTC', 'ETH/BTC'])
    for (const timeframe of ['1m', '15m', '4h', '1d', '1w', '1M']) {
      const [first, second] = [
        await classic.fetchOHLCV(symbol, timeframe),
        await unified.fetchOHLCV(symbol, timeframe),
      ];
      // Without a limit ccxt asks v2 for 1,000 and v3 for 100.
      expect(second, `${symbol} ${timeframe}`).toEqual(first.slice(-second.length));
      expect(second.length).toBeGreaterThan(1);
      if (timeframe === '1w')
        expect(second.map(([start]) => new Date(start!).getUTCDay())).toEqual(second.map(() => 1));
    }
});

describe('bitget-api', () => {
  type Candles = readonly (readonly string[])[];
  const rowsOf = (data: unknown): OHLCV[] =>
    (data as Candles).map((row) => row.slice(0, 6).map(Number) as OHLCV);

  test('[PAST-06][VIEW-50][VIEW-51] v3 walks 30 days of minutes by 1,000', async () => {
    const client = new RestClientV3({ baseUrl: exchange.url });
    const rows = await walk(begin(), async (since) => {
      const request = {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        interval: '1m',
        startTime: String(since),
        limit: '1000',
      } as const;
      return rowsOf((await client.getCandles(request)).data);
    });
    expectGapless(rows, MINUTE, begin());
    expect(rows.at(-1)![4]).toBe(60_010);
    const newest = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      interval: '1m',
      limit: '100',
    } as const;
    expect(rowsOf((await client.getHistoryCandles(newest)).data)).toEqual(rows.slice(-100));
  });

  test('[PAST-06][VIEW-50][VIEW-51] v2 walks 30 days of 5m by 1,000, futures and spot', async () => {
    const client = new RestClientV2({ baseUrl: exchange.url });
    const futures = await walk(begin(), async (since) => {
      const request = {
        symbol: 'BTCUSDT',
        productType: 'USDT-FUTURES',
        granularity: '5m',
        startTime: String(since),
        limit: '1000',
      } as const;
      return rowsOf((await client.getFuturesCandles(request)).data);
    });
    expectGapless(futures, 5 * MINUTE, begin());
    expect(futures.at(-1)![4]).toBe(60_010);
    const spot = await walk(begin(), async (since) => {
      const request = {
        symbol: 'BTCUSDT',
        granularity: '5min',
        startTime: String(since),
        limit: '1000',
      } as const;
      return rowsOf((await client.getSpotCandles(request)).data);
    });
    expectGapless(spot, 5 * MINUTE, begin());
  });

  test('[PAST-13][VIEW-51] older funding rates follow page by page', async () => {
    const client = new RestClientV2({ baseUrl: exchange.url });
    const times: number[] = [];
    for (let pageNo = 1; ; pageNo++) {
      const request = {
        symbol: 'BTCUSDT',
        productType: 'USDT-FUTURES',
        pageSize: '20',
        pageNo: String(pageNo),
      } as const;
      const { data } = await client.getFuturesHistoricFundingRates(request);
      if (data.length === 0) break;
      times.push(...data.map(({ fundingTime }) => Number(fundingTime)));
    }
    expect(times.length).toBeGreaterThanOrEqual(90);
    expect(times.slice(1).map((time, at) => times[at]! - time)).toEqual(
      times.slice(1).map(() => 8 * HOUR),
    );
  });

  test('[PAST-11][PAST-12][VIEW-51] past trades follow the live ones, in falling order of ids', async () => {
    const client = new RestClientV2({ baseUrl: exchange.url });
    const { data } = await client.getFuturesRecentTrades({
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      limit: '1000',
    });
    expect(data[0]).toMatchObject({ price: '60010', size: '0.25', side: 'Buy' });
    expect(data[1]).toMatchObject({ price: '60000' });
    const ids = data.map(({ tradeId }) => BigInt(tradeId));
    expect(ids.slice(1).filter((id, at) => id >= ids[at]!)).toEqual([]);
    expect(data).toHaveLength(1_000);
  });
});
