/**
 * `rialto backup`: a copy of a data folder, of an exchange that runs or of one that does not, from which another can be started.
 *
 * In this order, so that each part knows no more than the one behind it: history, which the journal tells what it lacks; the journal; and the
 * simulated chain, which remembers everything that the journal says was sent.
 */
import { cpSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CHAIN_FILE } from '../app/chains/chain-file.ts';
import { CREDENTIALS_FILE, HISTORY_FILE, JOURNAL_FOLDER, journalFolder, MASTER_KEY_FILE, RESETTING_FILE } from '../app/files.ts';
import { FEEDS_FOLDER } from '../app/price-feeds.ts';
import { copyJournal } from '../journal/copy-journal.ts';
import { nodeDisk } from '../journal/node-disk.ts';
import { verifyJournal } from '../journal/verification.ts';
import type { Sequence } from '../kernel/ids.ts';
import { appliedIn } from '../views/history/applied-in.ts';
import { copyHistory } from '../views/history/copy-history.ts';
import { existingJournal, readableUpTo } from './existing-journal.ts';
import { explained } from './explained.ts';
import { Complaint } from './running-exchange.ts';

interface Folders {
  readonly data: string;
  readonly to: string;
}

const OWNER_ONLY = 0o700;
const unfinishedOf = (to: string): string => `${to}.unfinished`;

/** The older of the chain's two files is made from the newer: whoever copies that first misses nothing. */
const COPIED_LAST = [CHAIN_FILE, `${CHAIN_FILE}.older`, FEEDS_FOLDER, MASTER_KEY_FILE, CREDENTIALS_FILE];

async function sync(path: string): Promise<void> {
  if (statSync(path).isDirectory()) return await nodeDisk.syncFolder(path);
  const file = await nodeDisk.open(path, 'write');
  await file.sync();
  await file.close();
}

async function copyRest({ data, to }: Folders): Promise<void> {
  for (const name of COPIED_LAST) {
    if (!existsSync(join(data, name))) continue;
    cpSync(join(data, name), join(to, name), { recursive: true });
    await sync(join(to, name));
  }
}

/** Of which life a folder is: a reset makes its journal anew. */
function lifeOf(data: string): number {
  if (existsSync(join(data, RESETTING_FILE))) throw new Complaint(`${data} is being reset; try again`);
  return statSync(existingJournal(data)).birthtimeMs;
}

/** Answers what was durable when the journal was copied, and so is in the copy; undefined where nobody could say. */
async function copyInto({ data, to }: Folders): Promise<Sequence | undefined> {
  const life = lifeOf(data);
  const history = join(to, HISTORY_FILE);
  if (await copyHistory(join(data, HISTORY_FILE), history)) await sync(history);
  const told = await appliedIn(history);
  const upTo = await readableUpTo(data);
  await copyJournal({ disk: nodeDisk, from: journalFolder(data), to: join(to, JOURNAL_FOLDER), upTo, told });
  await copyRest({ data, to });
  await nodeDisk.syncFolder(to);
  if (lifeOf(data) !== life) throw new Complaint(`${data} was reset meanwhile; try again`);
  return upTo;
}

/** Reads all of the copy back; answers its last sequence. */
async function provedLast(to: string, upTo: Sequence | undefined): Promise<Sequence> {
  const { ok, damage, segments, snapshots } = await verifyJournal(nodeDisk, journalFolder(to));
  const [first] = damage;
  const bad = snapshots.find(({ good }) => !good);
  if (first !== undefined) throw new Complaint(`the copy is damaged: ${first.file} at byte ${first.offset}: ${first.reason}`);
  if (!ok) throw new Complaint(`the copy is damaged: ${bad?.file}`);
  const last = segments.at(-1)?.last ?? (0 as Sequence);
  if (upTo !== undefined && last < upTo) throw new Complaint(`the copy ends with sequence ${last}, yet ${upTo} was durable`);
  return last;
}

/** Whole under its name, or not there. */
async function makeWhole({ data, to }: Folders): Promise<Sequence> {
  const unfinished = unfinishedOf(to);
  mkdirSync(unfinished, { recursive: true, mode: OWNER_ONLY });
  try {
    const upTo = await copyInto({ data, to: unfinished });
    const last = await provedLast(unfinished, upTo);
    await nodeDisk.rename(unfinished, to);
    await nodeDisk.syncFolder(dirname(to));
    return last;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

export async function backup({ data, to: wanted }: Folders): Promise<void> {
  existingJournal(data);
  const to = resolve(wanted);
  for (const path of [to, unfinishedOf(to)])
    if (existsSync(path)) throw new Complaint(`${path} is there already; a backup is made in a folder of its own`);
  const last = await explained(makeWhole({ data, to }));
  process.stdout.write(`backup of sequence ${last} in ${to}, read back and whole\n`);
}
