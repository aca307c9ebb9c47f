/** `rialto data`: checks a recording of a market in a file. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type MadeRecording, makeRecording } from '../app/recordings/make-recording.ts';
import { BadRecording } from '../app/recordings/recorded.ts';
import { RecordingFile } from '../app/recordings/recording-file.ts';
import { given } from '../kernel/given.ts';
import { moneyText, type Price } from '../kernel/money.ts';
import { CliError } from './cli-error.ts';
import { exists } from './exists.ts';

const SHORT_SECONDS: readonly [string, number][] = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
];

/** A span in short form: `1m`, `4h`, `90s`. */
export function spanText(ms: number): string {
  const seconds = ms / 1_000;
  const [unit, length] = SHORT_SECONDS.find(
    ([, each]) => seconds >= each && seconds % each === 0,
  ) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

export const timeText = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');

/** The content of a file, one line per fact. */
function foundIn(name: string, { head, rows, findings }: MadeRecording): string[] {
  const what = head.kind === 'candles' ? `candles of ${spanText(head.intervalMs)}` : 'trades';
  const lines = [`${name}: ${rows} ${what}, from ${timeText(head.from)} to ${timeText(head.to)}`];
  const { missing, longestGapMs, repeated, empty } = findings;
  if (head.kind === 'trades') lines.push(`longest time without a trade: ${spanText(longestGapMs)}`);
  else if (missing > 0)
    lines.push(
      `${missing} candles are missing, at most ${spanText(longestGapMs)} of them in a row`,
    );
  if (repeated > 0) lines.push(`${repeated} rows repeat the row above and are skipped`);
  if (empty > 0) lines.push(`${empty} rows have no prices and count as missing`);
  return lines;
}

function pricesIn(path: string): string {
  const recording = new RecordingFile(path);
  const { candles } = recording;
  const [first, last] = [candles.row(0).open, candles.row(candles.count - 1).close];
  recording.close();
  return `the price goes from ${moneyText(first as Price)} to ${moneyText(last as Price)}`;
}

/** Reads a file as an import does, and stores nothing. */
export async function checkData(
  file: string,
  { columns }: { readonly columns?: string },
): Promise<void> {
  if (!exists(file)) throw new CliError(`${file} does not exist`);
  const folder = mkdtempSync(join(tmpdir(), 'rialto-data-'));
  try {
    const made = await makeRecording({ folder, path: file, ...given({ columns }) });
    process.stdout.write(
      `${[...foundIn(basename(file), made), pricesIn(join(folder, made.hash))].join('\n')}\n`,
    );
  } catch (error) {
    throw error instanceof BadRecording ? new CliError(error.message) : error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
