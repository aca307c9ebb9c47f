/**
 * `rialto backup`: copies the data folder of a running or stopped exchange, so that another can
 * start from the copy.
 *
 * The order of copying ensures that each part knows no more than the next one. History comes first,
 * because the journal can be replayed into it. The journal follows, then the simulated chain, which
 * has every transfer that the journal says was sent. The chain's copy then forgets transfers that
 * the copied journal has not requested yet.
 */
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { CHAIN_FILE, forgetOrders } from '../app/chains/chain-file.ts';
import {
  CREDENTIALS_FILE,
  HISTORY_FILE,
  JOURNAL_FOLDER,
  journalFolder,
  MASTER_KEY_FILE,
  RESETTING_FILE,
} from '../app/files.ts';
import { FEEDS_FOLDER } from '../app/price-feeds.ts';
import { RECORDINGS_FOLDER } from '../app/recordings/recordings.ts';
import { copyJournal } from '../journal/copy-journal.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { readCommands } from '../journal/reader.ts';
import { verifyJournal } from '../journal/verification.ts';
import type { Id, Sequence } from '../kernel/ids.ts';
import { appliedIn } from '../views/history/applied-in.ts';
import { copyHistory } from '../views/history/copy-history.ts';
import { CliError } from './cli-error.ts';
import { existingJournal, readableUpTo, writtenJournal } from './existing-journal.ts';
import { describeError } from './explained.ts';

interface Folders {
  readonly data: string;
  readonly to: string;
}

const OWNER_ONLY = 0o700;
const unfinishedOf = (to: string): string => `${to}.unfinished`;

/**
 * The older of the chain's two files is made from the newer. Copying the newer one first misses
 * nothing.
 */
const COPIED_LAST = [
  CHAIN_FILE,
  `${CHAIN_FILE}.older`,
  FEEDS_FOLDER,
  RECORDINGS_FOLDER,
  MASTER_KEY_FILE,
  CREDENTIALS_FILE,
];

async function sync(path: string): Promise<void> {
  if (statSync(path).isDirectory()) return await nodeDisk.syncFolder(path);
  const file = await nodeDisk.open(path, 'write');
  await file.sync();
  await file.close();
}

/** A copied link to a key elsewhere would be lost together with that key. */
const AS_FILES = { recursive: true, dereference: true } as const;

function copyRest({ data, to }: Folders): void {
  for (const name of COPIED_LAST)
    if (existsSync(join(data, name))) cpSync(join(data, name), join(to, name), AS_FILES);
}

async function syncAll(to: string): Promise<void> {
  for (const name of [HISTORY_FILE, ...COPIED_LAST])
    if (existsSync(join(to, name))) await sync(join(to, name));
  await nodeDisk.syncFolder(to);
}

/**
 * Orders that were sent to a chain after the end of the copy. In the copy they still wait and are
 * sent again, or are other orders with the same ids.
 */
async function askedAfter(data: string, last: Sequence): Promise<ReadonlySet<Id>> {
  const asked = new Set<Id>();
  let next = last + 1;
  for await (const { sequence, command } of readCommands(
    nodeDisk,
    journalFolder(data),
    await readableUpTo(data),
    last,
  )) {
    if (sequence > next)
      throw new CliError(`${data} no longer has the commands after sequence ${last}; try again`);
    if (sequence === next) next++;
    if (sequence > last && command.type === 'askChain') asked.add(command.orderId);
  }
  return asked;
}

/** Identifies the run of a folder: a reset creates a new journal. */
function runOf(data: string): number {
  if (existsSync(join(data, RESETTING_FILE)))
    throw new CliError(`${data} is being reset; try again`);
  return statSync(existingJournal(data)).birthtimeMs;
}

/**
 * Reads the journal's copy in full. Resolves to its last sequence. Neither the exchange nor history
 * may be ahead of it, because a start would refuse that.
 */
async function provedLast(
  to: string,
  upTo: Sequence | undefined,
  emitted: Sequence | undefined,
): Promise<Sequence> {
  const { ok, damage, segments, snapshots } = await verifyJournal(nodeDisk, journalFolder(to));
  const [first] = damage;
  const bad = snapshots.find(({ good }) => !good);
  if (first !== undefined)
    throw new CliError(
      `the copy is damaged: ${first.file} at byte ${first.offset}: ${first.reason}`,
    );
  if (!ok) throw new CliError(`the copy is damaged: ${bad?.file}`);
  const last = segments.at(-1)?.last ?? (0 as Sequence);
  if (upTo !== undefined && last < upTo)
    throw new CliError(`the copy ends with sequence ${last}, yet ${upTo} was durable`);
  if (emitted !== undefined && last < emitted)
    throw new CliError(
      `the journal ends with sequence ${last}, and ${HISTORY_FILE} has applied sequence ${emitted}: a start is refused`,
    );
  return last;
}

/** Resolves to the last sequence of the copy. */
async function copyInto({ data, to }: Folders): Promise<Sequence> {
  const run = runOf(data);
  const history = join(to, HISTORY_FILE);
  await copyHistory(join(data, HISTORY_FILE), history);
  const emitted = await appliedIn(history);
  const upTo = await readableUpTo(data);
  await copyJournal({
    disk: nodeDisk,
    from: journalFolder(data),
    to: join(to, JOURNAL_FOLDER),
    upTo,
    emitted,
  });
  const last = await provedLast(to, upTo, emitted);
  copyRest({ data, to });
  // A running exchange has its key in memory, so a missing file shows only when a copy starts.
  if (!existsSync(join(to, MASTER_KEY_FILE)))
    throw new CliError(
      `${join(data, MASTER_KEY_FILE)} is missing, and no exchange starts from a copy without it; put it back`,
    );
  forgetOrders(join(to, CHAIN_FILE), await askedAfter(data, last));
  await syncAll(to);
  if (runOf(data) !== run) throw new CliError(`${data} was reset during the backup; try again`);
  return last;
}

/** Complete under its final name, or absent. */
async function writeComplete({ data, to }: Folders): Promise<Sequence> {
  const unfinished = unfinishedOf(to);
  mkdirSync(dirname(to), { recursive: true, mode: OWNER_ONLY });
  // A concurrent second backup fails here and leaves the first one's files alone.
  mkdirSync(unfinished, { mode: OWNER_ONLY });
  try {
    const last = await copyInto({ data, to: unfinished });
    await nodeDisk.rename(unfinished, to);
    await nodeDisk.syncFolder(dirname(to));
    return last;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves links of a path that may not exist yet. */
const realPlace = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realPlace(dirname(path)), basename(path));

function checkTarget({ data, to }: Folders): void {
  const unfinished = unfinishedOf(to);
  if (existsSync(to)) throw new CliError(`${to} exists already; a backup needs a new folder`);
  if (existsSync(unfinished))
    throw new CliError(
      `${unfinished} exists already: another backup is running, or one was interrupted; then remove it`,
    );
  if (realPlace(to).startsWith(realpathSync(data) + sep))
    throw new CliError(`${to} is inside ${data}, and would be lost with it`);
}

export async function backup({ data, to: wanted }: Folders): Promise<void> {
  if (wanted === '') throw new CliError('--to is a folder, not empty');
  await describeError(writtenJournal(data));
  const to = resolve(wanted);
  checkTarget({ data, to });
  const last = await describeError(writeComplete({ data, to }));
  process.stdout.write(`backup of sequence ${last} in ${to}, checked and complete\n`);
}
