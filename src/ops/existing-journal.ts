/**
 * Finds the journal of a data folder for verbs that change nothing: a mistyped folder is reported
 * as missing and not created.
 */
import { journalFolder } from '../app/files.ts';
import { isGuarded } from '../app/folder-guard.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { listFolder } from '../journal/reader.ts';
import { writerOf } from '../journal/writer-lock.ts';
import type { Sequence } from '../kernel/ids.ts';
import { CliError } from './cli-error.ts';
import { exists } from './exists.ts';
import { runningExchange } from './running-exchange.ts';

export function existingJournal(folder: string): string {
  const journal = journalFolder(folder);
  if (!exists(journal)) throw new CliError(`${folder} holds no journal`);
  return journal;
}

/**
 * Requires a journal with content: a folder that lost its whole journal must not count as intact.
 */
export async function writtenJournal(folder: string): Promise<string> {
  const journal = existingJournal(folder);
  const { segments } = await listFolder(nodeDisk, journal);
  if (segments.length === 0) throw new CliError(`${journal} holds no journal`);
  return journal;
}

/** The durable sequence, from the exchange that runs in this folder. */
async function durableIn(folder: string): Promise<Sequence> {
  const { operator } = runningExchange(folder);
  // Only this folder's exchange accepts its token, because the stored address may be of an earlier
  // run.
  await operator.call('getClock');
  return (await operator.call('getHealth')).durable as Sequence;
}

/**
 * How far a journal may be read: to its end if no program writes it, otherwise to the durable
 * sequence, because a later write may be incomplete.
 */
export async function readableUpTo(folder: string): Promise<Sequence | undefined> {
  const writer = await writerOf(nodeDisk, folder);
  if (writer === undefined && !(await isGuarded(folder))) return undefined;
  const who =
    writer === undefined ? 'a program that is not visible from here' : `process ${writer}`;
  return await durableIn(folder).catch(() => {
    throw new CliError(
      `${folder} is in use by ${who}, which does not report its durable sequence; try again when it is ready`,
    );
  });
}
