/**
 * A recording on a fast clock: every candle has trades in its own minute, even if the market steps
 * rarely.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moneyText } from '../../kernel/money.ts';
import { MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import { openExchange, START } from '../market-driver.test-support.ts';
import { makeRecording } from './make-recording.ts';
import { PathOfRecording } from './path-of-recording.ts';
import { RecordingFile } from './recording-file.ts';
import { BEGIN } from './recordings.test-support.ts';

/** Each candle closes ten dollars higher. */
const MINUTES = 12;
const closeOf = (minute: number): number => 60_010 + minute * 10;
const PACE = 1_000;
/** The real time between two steps, in which the clock advances by more than four minutes. */
const LOOK_MS = 250;

let folder: string;
let hash: string;
let file: RecordingFile;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-fast-'));
  const table = join(folder, 'table.csv');
  const rows = Array.from({ length: MINUTES }, (_, minute) => {
    const close = closeOf(minute);
    return [BEGIN + minute * MINUTE, close - 10, close, close - 10, close, 3].join(',');
  });
  writeFileSync(table, rows.join('\n'));
  ({ hash } = await makeRecording({ folder, path: table }));
  file = new RecordingFile(join(folder, hash));
});
afterAll(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

async function fastExchange() {
  const path = new PathOfRecording(file);
  const exchange = openExchange(() => path);
  const { driver, submit, wall, batches } = exchange;
  await driver.switchOn();
  const facts = { hash, bytes: 640, candles: MINUTES, trades: 0, intervalMs: MINUTE } as const;
  const span = { from: BEGIN as Timestamp, to: (BEGIN + MINUTES * MINUTE) as Timestamp };
  const use = { symbol: 'BTCUSDT', use: 'path', divideAt: BEGIN as Timestamp } as const;
  await submit({ type: 'importRecording', kind: 'candles', ...facts, ...span, ...use });
  await submit({ type: 'moveClock', wall: wall.now, rate: PACE });
  batches.length = 0;
  /** The last traded price in each minute. */
  const closes = (): Map<number, number> => {
    const last = new Map<number, number>();
    for (const { at, events } of batches)
      for (const event of events)
        if (event.type === 'tradeExecuted' && `${event.category} ${event.symbol}` === FUTURE)
          last.set((startOf(at, MINUTE) - START) / MINUTE, Number(moneyText(event.price)));
    return last;
  };
  return { ...exchange, closes };
}

const FUTURE = 'USDT-FUTURES BTCUSDT';
/** The largest distance of quotes from the price of the recording. */
const SPREAD = 0.001;

test('[DATA-39] steps that are minutes apart give each candle its trades and its close', async () => {
  const { driver, wall, turn, closes, engine } = await fastExchange();
  for (let look = 0; look < 3; look++) {
    wall.now = (wall.now + LOOK_MS) as Timestamp;
    driver.look();
    await turn();
  }
  const traded = closes();
  for (let minute = 0; minute < MINUTES; minute++)
    expect(Math.abs(traded.get(minute)! / closeOf(minute) - 1)).toBeLessThan(SPREAD);
  expect(engine.audit().violations).toEqual([]);
});

test('[DATA-39] it returns the end of the next candle, and follows it then', async () => {
  const { driver, wall, turn, closes } = await fastExchange();
  expect(driver.followInMs()).toBe(60);
  wall.now = (wall.now + 61) as Timestamp;
  await driver.follow();
  await turn();
  expect([...closes().keys()]).toEqual([0]);
  expect(driver.followInMs()).toBe(59);
});

test('[DATA-39] a command finds the candles before it', async () => {
  const { driver, wall, closes } = await fastExchange();
  wall.now = (wall.now + 130) as Timestamp;
  driver.keepKnown();
  expect([...closes().keys()]).toEqual([0, 1]);
});

test('[DATA-39] later events are not overtaken: the next step includes the skipped candles', async () => {
  const { driver, wall, submit, closes } = await fastExchange();
  wall.now = (wall.now + 130) as Timestamp;
  await submit({ type: 'tick' });
  await driver.follow();
  expect([...closes().keys()]).toEqual([]);
  wall.now = (wall.now + 60) as Timestamp;
  await driver.follow();
  expect([...closes().keys()]).toEqual([2]);
});
