/** `rialto data import`: imports a file of candles or trades into the running exchange. */
import { realpathSync } from 'node:fs';
import type { RecordingUse } from '../messages/recordings.ts';
import { spanText, timeText } from './check-recording.ts';
import { CliError } from './cli-error.ts';
import { exists } from './exists.ts';
import { runningExchange } from './running-exchange.ts';

export interface ImportFlags {
  readonly symbol: string;
  readonly category?: string;
  readonly as: RecordingUse;
  readonly divide?: string;
  readonly columns?: string;
  readonly data: string;
}

/** Milliseconds, or a date of UTC. */
function momentOf(input: string): string {
  if (/^\d{10,14}$/.test(input)) return input;
  const at = Date.parse(
    /[Zz]$|^\d{4}-\d{2}-\d{2}$/.test(input) ? input : `${input.replace(' ', 'T')}Z`,
  );
  if (Number.isNaN(at))
    throw new CliError(
      `--divide is milliseconds since 1970 or a time such as 2024-05-01T12:00:00Z, not "${input}"`,
    );
  return String(at);
}

export async function importData(path: string, flags: ImportFlags): Promise<void> {
  const { symbol, category, as, divide, columns, data } = flags;
  if (!exists(path)) throw new CliError(`${path} does not exist`);
  const exchange = runningExchange(data);
  const made = await exchange.operator.call('importRecording', {
    file: realpathSync(path),
    symbol,
    as,
    ...(category === undefined ? {} : { category }),
    ...(divide === undefined ? {} : { divide: momentOf(divide) }),
    ...(columns === undefined ? {} : { columns }),
  } as Parameters<typeof exchange.operator.call<'importRecording'>>[1]);
  const what =
    made.kind === 'trades' ? 'trades' : `candles of ${spanText(Number(made.intervalMs))}`;
  const lines = [
    `${made.rows} ${what}, from ${timeText(Number(made.startTime))} to ${timeText(Number(made.endTime))}`,
    `the present is ${timeText(Number(made.divide))} of the file, at a price of ${made.price}`,
    ...(made.missing > 0 ? [`${made.missing} candles are missing`] : []),
    ...(made.repeated > 0 ? [`${made.repeated} rows repeat the row above and are skipped`] : []),
    ...(made.empty > 0 ? [`${made.empty} rows have no prices and count as missing`] : []),
    `stored as recordings/${made.hash}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
