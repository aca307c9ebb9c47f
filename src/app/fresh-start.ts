/**
 * Clears a folder for a reset: deletes journal, snapshots, history and price files; keeps secrets.
 * A marker file exists during the deletion, so the next start finishes one that a crash
 * interrupted.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CHAIN_FILE } from './chains/chain-file.ts';
import { HISTORY_FILE, JOURNAL_FOLDER, RESETTING_FILE } from './files.ts';
import { FEEDS_FOLDER } from './price-feeds.ts';
import { RECORDINGS_FOLDER } from './recordings/recordings.ts';

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

const isOfOldRun = (name: string): boolean =>
  name === JOURNAL_FOLDER ||
  name === FEEDS_FOLDER ||
  name === RECORDINGS_FOLDER ||
  name.startsWith(CHAIN_FILE) ||
  name.startsWith(HISTORY_FILE);

function clear(data: string): void {
  for (const name of readdirSync(data))
    if (isOfOldRun(name)) rmSync(join(data, name), { recursive: true, force: true });
  syncFolder(data);
  rmSync(join(data, RESETTING_FILE), { force: true });
  syncFolder(data);
}

/**
 * The deletion cannot be undone after its first line; a crash after it leads to an empty folder.
 */
export function clearFolder(data: string): void {
  writeFileSync(join(data, RESETTING_FILE), '', { flush: true } as Parameters<
    typeof writeFileSync
  >[2]);
  syncFolder(data);
  clear(data);
}

/** Finishes a deletion that a crash interrupted. */
export function finishClearing(data: string): void {
  if (existsSync(join(data, RESETTING_FILE))) clear(data);
}
