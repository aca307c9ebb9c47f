/** Recorded candles and trades imported by the operator. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TradingExchange } from './trading-exchange.ts';

const PATH = '/operator/v1/recordings';
/** 2024-01-01 00:00 UTC. */
const FROM = 1_704_067_200_000;
const MINUTE = 60_000;

let exchange: TradingExchange;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-recorded-'));
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
});
afterAll(async () => {
  await exchange.stop();
  rmSync(folder, { recursive: true });
});

/** Ten minutes. The price rises from 40000 to 40010, a dollar a minute. */
const ROWS = Array.from({ length: 10 }, (_, at) => {
  const open = 40_000 + at;
  return `${FROM + at * MINUTE},${open},${open + 2},${open - 1},${open + 1},3`;
});

function fileOf(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, rows.join('\n'));
  return path;
}

const indexNow = async (): Promise<unknown> => {
  const { data } = await exchange.operate(
    'GET',
    '/operator/v1/instruments?category=USDT-FUTURES&symbol=BTCUSDT',
  );
  return (data as { indexPrice: string }[])[0]!.indexPrice;
};

test('[OPR-35][DATA-31] an import answers the content of the file, and its last price is the index', async () => {
  const { data } = await exchange.operate('POST', PATH, {
    file: fileOf('past.csv', ROWS),
    symbol: 'BTCUSDT',
  });
  expect(data).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    kind: 'candles',
    rows: 10,
    intervalMs: '60000',
    startTime: String(FROM),
    endTime: String(FROM + 10 * MINUTE),
    divide: String(FROM + 10 * MINUTE),
    price: '40010',
    missing: 0,
    longestGapMs: '0',
    repeated: 0,
    empty: 0,
  });
  expect(await indexNow()).toBe('40010');
});

test('[OPR-36] recordings are listed with their use', async () => {
  const { data } = await exchange.operate('GET', PATH);
  expect(data).toEqual([
    {
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      kind: 'candles',
      bytes: String(64 + 10 * 48),
      intervalMs: '60000',
      startTime: String(FROM),
      endTime: String(FROM + 10 * MINUTE),
      uses: [
        {
          as: 'past',
          symbol: 'BTCUSDT',
          category: null,
          startTime: String(FROM),
          endTime: String(FROM + 10 * MINUTE),
          shiftMs: expect.stringMatching(/^\d+$/),
        },
      ],
    },
  ]);
});

test('[OPR-35][DATA-10] a wrong row is refused with file, line and reason, and nothing is imported', async () => {
  const file = fileOf('bad.csv', [...ROWS.slice(0, 4), `${FROM},1,1,1,1,1`]);
  const refusal = await exchange.refusal('POST', PATH, { file, symbol: 'BTCUSDT' });
  expect(refusal).toBe(
    '40020 Parameter file error: bad.csv: line 5: the time 2024-01-01T00:00:00.000Z is out of order',
  );
  expect(await indexNow()).toBe('40010');
  expect((await exchange.operate('GET', PATH)).data).toHaveLength(1);
});

test.each([
  [{ symbol: 'NOUSDT' }, /^\d+ .*NOUSDT/],
  [{ symbol: 'BTCUSDT', as: 'both' }, /^\d+ .*divide/],
  [{ symbol: 'BTCUSDT', as: 'past', divide: String(FROM) }, /^40020 .*divide/],
  [{ symbol: 'BTCUSDT', as: 'path' }, /^40057 /],
  [{ symbol: 'BTCUSDT', file: '/nowhere.csv' }, /^40020 .*file.*nowhere/],
  [{ symbol: 'BTCUSDT', columns: 'time' }, /^40020 .*columns name/],
  [{ symbol: 'BTCUSDT', colums: 'time' }, /^40020 .*colums/],
])('[OPR-35] an import of %j is refused', async (request, reason) => {
  const body = { file: fileOf('good.csv', ROWS), ...request };
  expect(await exchange.refusal('POST', PATH, body)).toMatch(reason);
});

test('[DATA-35] a path is refused while the simulated market is off', async () => {
  const body = { file: fileOf('good.csv', ROWS), symbol: 'BTCUSDT', as: 'path' };
  expect(await exchange.refusal('POST', PATH, body)).toBe('40057 The simulated market is off');
});

test('[DATA-50] an imported past replaces the trades before the import', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    qty: '1',
    orderType: 'limit',
    price: '40500',
  };
  for (const side of ['buy', 'sell']) await exchange.code(trader, 'placeOrder', { ...order, side });
  await exchange.operate('POST', PATH, { file: fileOf('again.csv', ROWS), symbol: 'BTCUSDT' });
  const query = 'symbol=BTCUSDT&productType=usdt-futures&granularity=1m';
  const url = `${exchange.url}/api/v2/mix/market/candles?${query}`;
  const { data } = (await (await fetch(url)).json()) as { data: string[][] };
  expect(data.map(([, ...row]) => row)).toEqual(
    ROWS.map((row) => {
      const [, open, high, low, close] = row.split(',').map(Number);
      const worth = ((open! + high! + low! + close!) / 4) * 3;
      return [open, high, low, close, 3, worth].map(String);
    }),
  );
  const times = data.map(([time]) => Number(time));
  expect(times.at(-1)! - times[0]!).toBe(9 * MINUTE);
  expect(Date.now() - times.at(-1)!).toBeLessThan(3 * MINUTE);
});
