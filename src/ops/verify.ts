/**
 * `rialto verify`: reads every journal segment and snapshot of a folder and reports which are
 * intact.
 */
import { join } from 'node:path';
import { HISTORY_FILE } from '../app/files.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { type VerificationReport, verifyJournal } from '../journal/verification.ts';
import { appliedIn } from '../views/history/applied-in.ts';
import { CliError } from './cli-error.ts';
import { existingJournal, readableUpTo } from './existing-journal.ts';
import { describeError } from './explained.ts';

/** The reason if a start would refuse an intact journal: history has stored later commands. */
async function reasonTooShort(
  data: string,
  { segments, damage }: VerificationReport,
): Promise<string | undefined> {
  const applied = await appliedIn(join(data, HISTORY_FILE));
  const last = segments.at(-1)?.last ?? 0;
  if (applied === undefined || applied <= last || damage.length > 0) return undefined;
  return (
    `DAMAGE    the journal ends with sequence ${last}, ` +
    `and ${HISTORY_FILE} has applied sequence ${applied}: a start is refused`
  );
}

export async function verify(options: { readonly data: string }): Promise<void> {
  const folder = existingJournal(options.data);
  const upTo = await describeError(readableUpTo(options.data));
  const report = await describeError(verifyJournal(nodeDisk, folder, upTo));
  // A folder that lost its whole journal must not count as intact.
  if (report.ok && report.segments.length === 0) throw new CliError(`${folder} holds no journal`);
  // A running exchange makes a command durable before history stores it.
  const short = upTo === undefined ? await reasonTooShort(options.data, report) : undefined;
  const isWhole = report.ok && short === undefined;
  const lines = [
    ...report.segments.map(
      ({ file, first, last, batches }) =>
        `segment   ${file}  sequences ${first} to ${last} in ${batches} batches`,
    ),
    ...report.snapshots.map(({ file, good }) => `snapshot  ${file}  ${good ? 'good' : 'DAMAGED'}`),
    ...report.damage.map(
      ({ file, offset, sequence, reason }) =>
        `DAMAGE    ${file} at byte ${offset}, sequence ${sequence}: ${reason}`,
    ),
    ...(short === undefined ? [] : [short]),
    ...(report.tornEnd && short === undefined
      ? ['torn end: a part of a batch that was never acknowledged; the next start cuts it off']
      : []),
    ...(upTo === undefined
      ? []
      : [`read while the exchange runs, up to its durable sequence ${upTo}`]),
    `${report.records} commands, ${isWhole ? 'all whole' : 'DAMAGED'}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!isWhole) process.exitCode = 1;
}
