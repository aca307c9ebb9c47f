/**
 * The journal of a data folder, for verbs that look and change nothing: a mistyped folder is said
 * to be missing and not made.
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
 * One in which something was written: a folder that has lost all of it must not pass for one in
 * which nothing is wrong.
 */
export async function writtenJournal(folder: string): Promise<string> {
  const journal = existingJournal(folder);
  const { segments } = await listFolder(nodeDisk, journal);
  if (segments.length === 0) throw new CliError(`${journal} holds no journal`);
  return journal;
}

/** What the exchange that runs in this folder says is durable. */
async function durableIn(folder: string): Promise<Sequence> {
  const { operator } = runningExchange(folder);
  // Only the exchange of this folder takes the token of this folder: what is kept of its address
  // may be of an earlier run.
  await operator.call('getClock');
  return (await operator.call('getHealth')).durable as Sequence;
}

/**
 * How far a journal may be read: to its end where nobody writes it; beside a running exchange to
 * what is durable, since behind that a write may be half done.
 */
export async function readableUpTo(folder: string): Promise<Sequence | undefined> {
  const writer = await writerOf(nodeDisk, folder);
  if (writer === undefined && !(await isGuarded(folder))) return undefined;
  const who = writer === undefined ? 'a program that is not seen from here' : `process ${writer}`;
  return await durableIn(folder).catch(() => {
    throw new CliError(
      `${folder} is in use by ${who}, which does not say what is durable; try again when it is ready`,
    );
  });
}
