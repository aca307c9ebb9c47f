/** The simulated market follows a recording: its turns, its volume and its end. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { moneyText } from '../../kernel/money.ts';
import { MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';
import { MarketWorld } from '../../simulator/market/market.test-support.ts';
import { makeRecording } from './make-recording.ts';
import { PathOfRecording } from './path-of-recording.ts';
import { RecordingFile } from './recording-file.ts';
import { BEGIN } from './recordings.test-support.ts';

/** Three minutes: up with an early low, down with an early high, and flat. */
const CANDLES = [
  [60_000, 60_300, 59_700, 60_150, 3],
  [60_150, 60_450, 59_850, 60_000, 6],
  [60_000, 60_000, 60_000, 60_000, 0],
];

let folder: string;
let hash: string;
let file: RecordingFile;
let path: PathOfRecording;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rialto-followed-'));
  const table = join(folder, 'table.csv');
  const rows = CANDLES.map((row, at) => [BEGIN + at * MINUTE, ...row].join(','));
  writeFileSync(table, rows.join('\n'));
  ({ hash } = await makeRecording({ folder, path: table }));
  file = new RecordingFile(join(folder, hash));
  path = new PathOfRecording(file);
});
afterAll(() => {
  file.close();
  rmSync(folder, { recursive: true });
});

test('[DATA-36] a rising candle passes its low before its high, a falling one its high before its low', () => {
  const at = (seconds: number): number => path.priceAt(BEGIN + seconds * SECOND);
  expect([at(0), at(20), at(40), at(60)]).toEqual([60_000, 59_700, 60_300, 60_150]);
  expect([at(80), at(100), at(120)]).toEqual([60_450, 59_850, 60_000]);
  expect(at(10)).toBe(59_850);
});

test('[DATA-36] a time range gives its lowest and its highest price in their order, and its last', () => {
  const points = path.pointsBetween(BEGIN, BEGIN + MINUTE);
  expect(points.map(({ price }) => price)).toEqual([59_700, 60_300, 60_150]);
  expect(points.map(({ size }) => size)).toEqual([1, 1, 1]);
  const within = path.pointsBetween(BEGIN + SECOND, BEGIN + 2 * SECOND);
  expect(within).toEqual([{ price: 59_970, size: 0.05 }]);
});

let world: MarketWorld;
beforeEach(async () => {
  world = await MarketWorld.open();
  world.recorded.set(hash, path);
});

/** Imported at the present time, so that the recording begins now. */
function follow(): void {
  const recording = {
    hash,
    bytes: 208,
    candles: 3,
    trades: 0,
    kind: 'candles',
    intervalMs: MINUTE,
  } as const;
  const span = { from: BEGIN as Timestamp, to: (BEGIN + 3 * MINUTE) as Timestamp };
  const use = { symbol: 'BTCUSDT', use: 'path', divideAt: BEGIN as Timestamp } as const;
  world.execute({ type: 'importRecording', ...recording, ...span, ...use });
}

const placeNow = (): number => world.now - world.engine.state.recordedPaths.get('BTC')!.shiftMs;
const indexNow = (): number => Number(moneyText(world.engine.state.indexPrices.get('BTC')!.price));
const indexesGiven = (from: number): number[] =>
  world.events
    .slice(from)
    .flatMap((each) =>
      each.type === 'indexPriceMoved' && each.baseCoin === 'BTC' ? [each.price] : [],
    )
    .map((price) => Number(moneyText(price)));

const stepBy = (ms: number): Promise<void> => world.seconds(ms / SECOND, ms);

/** Moves to a time after the beginning of the recording, in one step. */
async function stepTo(seconds: number): Promise<void> {
  await stepBy(BEGIN + seconds * SECOND - placeNow());
}

test('[DATA-35] while a path is followed, the index is the recorded price, whatever the operator sets', async () => {
  follow();
  await stepTo(50);
  expect(indexNow()).toBeCloseTo(60_225, 0);
  world.setIndex('BTCUSDT', '61000');
  await stepTo(60);
  expect(indexNow()).toBe(60_150);
});

test('[DATA-36] a step sets each turn since the step before, with quotes for each', async () => {
  follow();
  await stepTo(60);
  const from = world.events.length;
  const quoted = world.asked('setPricesWithQuotes');
  await stepTo(120);
  expect(indexesGiven(from)).toEqual([60_450, 59_850, 60_000]);
  expect(world.asked('setPricesWithQuotes') - quoted).toBeGreaterThanOrEqual(3);
});

test('[DATA-37] takers trade the recorded volume', async () => {
  follow();
  await stepTo(60);
  const from = world.events.length;
  await stepTo(120);
  const traded = world.events
    .slice(from)
    .flatMap((each) => (each.type === 'tradeExecuted' && each.symbol === 'BTCUSDT' ? [each] : []))
    .filter(({ category }) => category === 'USDT-FUTURES')
    .reduce((sum, { size }) => sum + Number(moneyText(size)), 0);
  expect(traded).toBeGreaterThan(5.9);
  expect(traded).toBeLessThan(6.1);
});

test('[DATA-38] after the end of a path its last price is set, and the market continues from it', async () => {
  follow();
  await stepTo(180);
  expect(world.engine.state.recordedPaths.size).toBe(0);
  expect(indexNow()).toBe(60_000);
  await stepBy(10 * SECOND);
  expect(Math.abs(indexNow() / 60_000 - 1)).toBeLessThan(0.01);
});
