/** The journal of a data folder, for verbs that look and change nothing: a mistyped folder is said to be missing and not made. */
import { existsSync } from 'node:fs';
import { journalFolder } from '../app/files.ts';
import { Complaint } from './running-exchange.ts';

export function existingJournal(folder: string): string {
  const journal = journalFolder(folder);
  if (!existsSync(journal)) throw new Complaint(`${folder} holds no journal`);
  return journal;
}
