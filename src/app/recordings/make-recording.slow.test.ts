import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PACKED_BYTES_MAX } from '../../messages/recordings.ts';
import { type MadeRecording, makeRecording } from './make-recording.ts';
import { RecordingFile } from './recording-file.ts';
import { BEGIN, units } from './recordings.test-support.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'rialto-recordings-'));
  folder = join(base, 'recordings');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function made(content: string | Uint8Array, columns?: string): Promise<MadeRecording> {
  const path = join(base, 'table.csv');
  writeFileSync(path, content);
  return makeRecording({ folder, path, ...(columns === undefined ? {} : { columns }) });
}

const MINUTES = 5_000;
/** One candle a minute; the price rises by one in each. */
const table = (minutes: number): string =>
  Array.from({ length: minutes }, (_, at) => {
    const price = 1_000 + at;
    return `${BEGIN + at * 60_000},${price},${price + 1},${price},${price + 1},2`;
  }).join('\n');

function opened<Value>(hash: string, use: (file: RecordingFile) => Value): Value {
  const file = new RecordingFile(join(folder, hash));
  try {
    return use(file);
  } finally {
    file.close();
  }
}

test('[DATA-20] a recording has the SHA-256 of its bytes as its name, and holds every row', async () => {
  const { hash, bytes, rows, head } = await made(table(MINUTES));
  const kept = readFileSync(join(folder, hash));
  expect({ bytes, rows }).toEqual({ bytes: 64 + 48 * MINUTES, rows: MINUTES });
  expect(readdirSync(folder)).toEqual([createHash('sha256').update(kept).digest('hex')]);
  expect(kept.length).toBe(bytes);
  expect(head).toMatchObject({ kind: 'candles', from: BEGIN, to: BEGIN + MINUTES * 60_000 });
  opened(hash, ({ candles }) => {
    const row = candles.row(4_321);
    expect(row).toMatchObject({ at: BEGIN + 4_321 * 60_000, open: units(5_321), size: units(2) });
    expect(candles.firstFrom(row.at)).toBe(4_321);
    expect(candles.firstFrom(row.at + 1)).toBe(4_322);
    expect(candles.firstFrom(head.to)).toBe(MINUTES);
  });
});

test('[DATA-11] a file with the newest row first makes the same recording', async () => {
  const { hash } = await made(table(MINUTES));
  expect((await made(table(MINUTES).split('\n').reverse().join('\n'))).hash).toBe(hash);
});

test('[DATA-01] a gzip file makes the same recording', async () => {
  const { hash } = await made(table(100));
  expect((await made(gzipSync(table(100)))).hash).toBe(hash);
});

/** A ZIP archive of a number of equal files. */
function zipOf(text: string, files: number): Buffer {
  const [packed, parts, entries] = [deflateRawSync(text), [] as Buffer[], [] as Buffer[]];
  let at = 0;
  for (let each = 0; each < files; each++) {
    const local = Buffer.alloc(31);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt16LE(1, 26);
    const entry = Buffer.alloc(47);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(at, 42);
    parts.push(local, packed);
    entries.push(entry);
    at += local.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...entries, end]);
}

test('[DATA-01] a ZIP archive of one file makes the same recording, and one of two is refused', async () => {
  const { hash } = await made(table(100));
  expect((await made(zipOf(table(100), 1))).hash).toBe(hash);
  await expect(made(zipOf(table(100), 2))).rejects.toThrow(
    'table.csv: the ZIP archive holds 2 files',
  );
});

test('[DATA-10][DATA-20] a refused file leaves nothing', async () => {
  await expect(made(`${table(3_000)}\n1,2`)).rejects.toThrow(
    'table.csv: line 3001: the time is a number',
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('[DATA-10] an incomplete archive is refused', async () => {
  const whole = gzipSync(table(3_000));
  await expect(made(whole.subarray(0, whole.length - 20))).rejects.toThrow(
    'table.csv: the archive is damaged or incomplete',
  );
  expect(readdirSync(folder)).toEqual([]);
});

test('[DATA-06] a file of more than 64 MiB is refused', async () => {
  await expect(made(Buffer.alloc(PACKED_BYTES_MAX + 1))).rejects.toThrow(
    'a file has at most 67108864 bytes',
  );
});

test('[DATA-21] trades are stored with the candles of their minutes', async () => {
  const row = (seconds: number, price: number, size: number, side: string): string =>
    `${BEGIN / 1_000 + seconds},${price},${size},${side}`;
  const trades = [
    row(1, 100, 1, 'buy'),
    row(20, 103, 2, 'sell'),
    row(40, 99, 1, 'buy'),
    row(130, 101, 5, ''),
  ];
  const { hash, head } = await made(`time,price,size,side\n${trades.join('\n')}\n`);
  expect(head).toMatchObject({
    kind: 'trades',
    trades: 4,
    candles: 2,
    intervalMs: 60_000,
    from: BEGIN + 1_000,
    to: BEGIN + 130_001,
  });
  opened(hash, (file) => {
    expect(file.trades.row(1)).toEqual({
      at: BEGIN + 20_000,
      price: units(103),
      size: units(2),
      buys: false,
    });
    expect(file.trades.row(3).buys).toBe(true);
    expect(file.candles.row(0)).toEqual({
      at: BEGIN,
      open: units(100),
      high: units(103),
      low: units(99),
      close: units(99),
      size: units(4),
    });
    expect(file.candles.row(1)).toMatchObject({ at: BEGIN + 120_000, size: units(5) });
  });
});
