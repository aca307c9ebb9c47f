/** A recorded day at a clock rate of 1,000, traded by the bot of the guide. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { endAll, runVerb, type Server, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const MINUTE = 60_000;
const DAY_MINUTES = 1_440;
const FILE_BEGIN = Date.UTC(2025, 0, 1);
const START = Date.UTC(2026, 0, 5);

type Candle = readonly [
  time: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

/** Park and Miller's generator, so that the candles are reproducible. */
function drawnCandles(count: number, from: number): Candle[] {
  let [seed, close] = [from, 60_000];
  const chance = (): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, minute) => {
    const open = close;
    close = Math.round(open * (1 + (chance() - 0.5) * 0.002) * 10) / 10;
    const [high, low] = [Math.max(open, close) + 5, Math.min(open, close) - 5];
    return [FILE_BEGIN + minute * MINUTE, open, high, low, close, 2 + 6 * chance()];
  });
}

/** The bot of the guide, in a folder from which Node finds ccxt. */
function guideBot(): string {
  const guide = readFileSync(join(REPOSITORY, 'docs/guides/replay-history.md'), 'utf8');
  const code = /cat > data\/bot\.mjs <<'END'\n(.*?)\nEND\n/s.exec(guide)?.[1];
  const path = join(REPOSITORY, `data/guide-bot-${process.pid}.mjs`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code ?? '');
  return path;
}

/** The served candles of the day, by minute. */
async function servedCandles({ url }: Server): Promise<Map<number, readonly string[]>> {
  const served = new Map<number, readonly string[]>();
  for (let from = 0; from < DAY_MINUTES; from += DAY_MINUTES / 2) {
    const [startTime, endTime] = [START + from * MINUTE, START + (from + DAY_MINUTES / 2) * MINUTE];
    const query = `productType=USDT-FUTURES&symbol=BTCUSDT&granularity=1m&startTime=${startTime}`;
    const answer = await fetch(
      `${url}/api/v2/mix/market/candles?${query}&endTime=${endTime}&limit=1000`,
    );
    const { data } = (await answer.json()) as { data: readonly (readonly string[])[] };
    for (const candle of data) served.set((Number(candle[0]) - START) / MINUTE, candle);
  }
  return served;
}

const BASIS_POINT = 1e-4;
/** The makers quote up to 5 basis points from the price; a late minute adds to that. */
const CLOSE_TOLERANCE_MEAN = 5 * BASIS_POINT;
const CLOSE_TOLERANCE = 50 * BASIS_POINT;
/** On a busy machine some minutes are late. */
const SHARE_OF_MINUTES = 0.7;

test('[DATA-36][DATA-37][DATA-39] a recorded day at rate 1,000 has the file’s candles, and a bot trades', async () => {
  const candles = drawnCandles(2 * DAY_MINUTES, 7);
  const folder = temporaryFolder();
  const table = join(folder, 'candles.json');
  writeFileSync(table, JSON.stringify(candles));
  const flags = ['--market', 'on', '--limits', 'off', '--start-time', String(START)];
  const server = await startServer({ folder, flags });
  await server.operate('POST', '/operator/v1/clock', { frozen: true });
  const use = ['--symbol', 'BTCUSDT', '--as', 'both', '--divide', '2025-01-02'];
  const imported = await runVerb('data', 'import', table, '--data', folder, ...use);
  expect(imported.errors).toBe('');
  await server.operate('POST', '/operator/v1/clock', { frozen: false });

  const bot = guideBot();
  const { stdout } = await run(process.execPath, [bot, folder]).finally(() => rmSync(bot));
  const result = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>;
  expect(result).toMatchObject({ refused: 0 });
  expect(result.orders).toBeGreaterThan(10);
  expect(result.after).not.toBe(result.before);

  const path = candles.slice(DAY_MINUTES);
  const served = await servedCandles(server);
  const last = Math.max(...served.keys());
  expect(last).toBeGreaterThan(1_300);
  const known = path.slice(0, last).flatMap((candle, minute) => {
    const found = served.get(minute);
    return found === undefined ? [] : [Math.abs(Number(found[4]) / candle[4] - 1)];
  });
  expect(known.length).toBeGreaterThan(last * SHARE_OF_MINUTES);
  const mean = known.reduce((sum, error) => sum + error, 0) / known.length;
  expect(mean).toBeLessThan(CLOSE_TOLERANCE_MEAN);
  expect(Math.max(...known)).toBeLessThan(CLOSE_TOLERANCE);

  const traded = [...served.values()].reduce((sum, candle) => sum + Number(candle[5]), 0);
  const recorded = path.slice(0, last + 1).reduce((sum, candle) => sum + candle[5], 0);
  expect(traded / recorded).toBeGreaterThan(0.7);
  expect(traded / recorded).toBeLessThan(1.3);
  expect(await server.operate('GET', '/operator/v1/audit')).toMatchObject({ ok: true });
}, 300_000);
