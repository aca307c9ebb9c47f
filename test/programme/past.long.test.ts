/** One seed gives one past at every start of the built program, from any kind of start. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, runServer, type Server, startServer, temporaryFolder } from './server.ts';

const START = 1_700_000_000_000;
const FLAGS = ['--start-time', String(START), '--limits', 'off'];
const MARKETS = [
  ['USDT-FUTURES', 'BTCUSDT'],
  ['USDT-FUTURES', 'SOLUSDT'],
  ['COIN-FUTURES', 'ETHUSD'],
  ['SPOT', 'ETHBTC'],
] as const;

afterAll(endAll);

async function listed(server: Server, path: string): Promise<unknown> {
  const answer = await (await fetch(`${server.url}${path}`)).text();
  const { code, data } = JSON.parse(answer) as { code: string; data: unknown };
  expect(code, path).toBe('00000');
  return data;
}

/** Everything clients can read of the past of a few markets. */
async function pastOf(server: Server): Promise<Record<string, unknown>> {
  const lists: Record<string, unknown> = {};
  for (const [category, symbol] of MARKETS) {
    const of = `category=${category}&symbol=${symbol}`;
    const paths = ['1m', '1H', '1D', '1M'].map(
      (interval) => `candles?${of}&interval=${interval}&limit=1000`,
    );
    paths.push(`fills?${of}&limit=100`);
    if (category !== 'SPOT')
      paths.push(
        `candles?${of}&interval=1m&type=MARK&limit=200`,
        `candles?${of}&interval=1m&type=INDEX`,
        `history-fund-rate?${of}&limit=100`,
      );
    for (const path of paths) lists[path] = await listed(server, `/api/v3/market/${path}`);
  }
  return lists;
}

const past = async (
  folder: string,
  ...flags: readonly string[]
): Promise<Record<string, unknown>> => {
  const server = await startServer({ folder, flags: [...FLAGS, ...flags] });
  const read = await pastOf(server);
  await server.end('SIGTERM');
  return read;
};

const BITCOIN = 'candles?category=USDT-FUTURES&symbol=BTCUSDT&interval=';

describe('one seed, one past', () => {
  let folder: string;
  let expected: Record<string, unknown>;
  beforeAll(async () => {
    folder = temporaryFolder();
    expected = await past(folder, '--seed', '7');
  });

  test('[PAST-04][PAST-14] two starts with one seed and time have the same 30 days', async () => {
    expect(await past(temporaryFolder(), '--seed', '7')).toEqual(expected);
    expect(expected[`${BITCOIN}1m&limit=1000`]).toHaveLength(1_000);
    // 14 October to 14 November 2023: 30 days and the partial hours at both ends.
    expect(expected[`${BITCOIN}1D&limit=1000`]).toHaveLength(31);
    expect(expected[`${BITCOIN}1M&limit=1000`]).toHaveLength(2);
  });

  test('[PAST-04] another seed has another past, which ends in the same prices', async () => {
    const other = await past(temporaryFolder(), '--seed', '8');
    const rows = (of: Record<string, unknown>, interval: string) =>
      of[`${BITCOIN}${interval}&limit=1000`] as string[][];
    expect(rows(other, '1m').at(-1)![4]).toBe(rows(expected, '1m').at(-1)![4]);
    for (const interval of ['1m', '1H', '1D']) {
      const [others, ours] = [rows(other, interval), rows(expected, interval)];
      expect(others.map(([start]) => start)).toEqual(ours.map(([start]) => start));
      const same = others.filter(([, , high], at) => high === ours[at]![2]).length;
      expect(same).toBeLessThan(others.length / 20 + 2);
    }
  });

  test('[PAST-04] a restart, a kill and a snapshot change nothing, whatever seed and length they are given', async () => {
    const server = await startServer({ folder, flags: FLAGS });
    expect(await pastOf(server)).toEqual(expected);
    await server.end('SIGKILL');
    expect(await past(folder, '--seed', '9', '--past', '1d')).toEqual(expected);
    const again = await startServer({ folder, flags: FLAGS });
    await again.operate('POST', '/operator/v1/snapshot', {});
    await again.end('SIGTERM');
    expect(readdirSync(join(folder, 'journal')).some((name) => name.includes('snapshot'))).toBe(
      true,
    );
    expect(await past(folder)).toEqual(expected);
  });

  test('[PAST-04] a copy of the journal alone replays to the same past', async () => {
    const copy = temporaryFolder();
    for (const name of ['journal', 'master.key', 'credentials.json'])
      cpSync(join(folder, name), join(copy, name), { recursive: true });
    for (const name of readdirSync(join(copy, 'journal')))
      if (name.includes('snapshot')) rmSync(join(copy, 'journal', name));
    expect(await past(copy)).toEqual(expected);
  });

  test('[PAST-14] a reset to the same time has the same past', async () => {
    const server = await startServer({
      folder: temporaryFolder(),
      flags: [...FLAGS, '--seed', '7'],
    });
    await server.operate('POST', '/operator/v1/reset', {});
    expect(await pastOf(server)).toEqual(expected);
  });
});

describe('the length of the past', () => {
  test('[PAST-14] --past 365d has a year of days, and the last 30 are those of a shorter past', async () => {
    const [year, month] = [
      await past(temporaryFolder(), '--past', '365d'),
      await past(temporaryFolder()),
    ];
    const days = year[`${BITCOIN}1D&limit=1000`] as unknown[];
    expect(days).toHaveLength(366);
    // The first day of the shorter past is partial.
    expect(days.slice(-30)).toEqual((month[`${BITCOIN}1D&limit=1000`] as unknown[]).slice(-30));
    expect(year[`${BITCOIN}1m&limit=1000`]).toEqual(month[`${BITCOIN}1m&limit=1000`]);
  });

  test('[PAST-14] --past 0 has none', async () => {
    const none = await past(temporaryFolder(), '--past', '0');
    expect(none[`${BITCOIN}1m&limit=1000`]).toEqual([]);
  });

  test('[PAST-14] an invalid length ends the start with one line', async () => {
    const { code, errors } = await runServer({
      flags: ['--past', '30', '--data', temporaryFolder()],
    });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^rialto: --past is a length such as 30d or 12h[^\n]*\n$/),
    ]);
  });
});
