/** `rialto verify`: reads every journal segment and snapshot of a folder and says what is whole and what is not. */
import { nodeDisk } from '../journal/node-disk.ts';
import { verifyJournal } from '../journal/verification.ts';
import { existingJournal, readableUpTo } from './existing-journal.ts';
import { explained } from './explained.ts';
import { Complaint } from './running-exchange.ts';

export async function verify(options: { readonly data: string }): Promise<void> {
  const folder = existingJournal(options.data);
  const upTo = await explained(readableUpTo(options.data));
  const report = await explained(verifyJournal(nodeDisk, folder, upTo));
  // A folder that has lost all of it must not pass for one in which nothing is wrong.
  if (report.ok && report.segments.length === 0) throw new Complaint(`${folder} holds no journal`);
  const lines = [
    ...report.segments.map(({ file, first, last, batches }) => `segment   ${file}  sequences ${first} to ${last} in ${batches} batches`),
    ...report.snapshots.map(({ file, good }) => `snapshot  ${file}  ${good ? 'good' : 'DAMAGED'}`),
    ...report.damage.map(({ file, offset, sequence, reason }) => `DAMAGE    ${file} at byte ${offset}, sequence ${sequence}: ${reason}`),
    ...(report.tornEnd ? ['torn end: the remains of a batch that was never acknowledged; the next start cuts them off'] : []),
    ...(upTo === undefined ? [] : [`read beside the exchange that runs here, up to sequence ${upTo}, which is durable`]),
    `${report.records} commands, ${report.ok ? 'all whole' : 'DAMAGED'}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!report.ok) process.exitCode = 1;
}
