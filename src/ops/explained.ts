/** Turns errors about a folder's journal into one line for a person. */
import { DamagedChainFile } from '../app/chains/chain-file.ts';
import { UnguardedFolder } from '../app/folder-guard.ts';
import { PrunedMeanwhile } from '../journal/copy-journal.ts';
import {
  DamagedJournal,
  DivergedReplay,
  FolderInUse,
  NoRoomForRepair,
  UnknownVersion,
} from '../journal/failures.ts';
import { HistoryUnavailable } from '../views/history/history.ts';
import { CliError } from './cli-error.ts';

const KNOWN = [
  DamagedChainFile,
  DamagedJournal,
  DivergedReplay,
  FolderInUse,
  NoRoomForRepair,
  PrunedMeanwhile,
  UnknownVersion,
  UnguardedFolder,
];

export async function describeError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    const known = KNOWN.some((kind) => error instanceof kind);
    if (known) throw new CliError((error as Error).message);
    const { code, path, syscall, message } = error as NodeJS.ErrnoException;
    // A running exchange deletes files that it no longer needs.
    if (code === 'ENOENT' && path !== undefined)
      throw new CliError(`${path} was removed while it was read; try again`);
    // A refusal of the operating system is not a bug of ours.
    if (syscall !== undefined || error instanceof HistoryUnavailable) throw new CliError(message);
    throw error;
  }
}
