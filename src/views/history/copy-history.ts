/** Copies a history file as it is at one moment, beside the program that goes on writing it. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HistoryUnavailable } from './history.ts';

/**
 * SQLite wants to write beside a file, were it only to read it. Where it may not, and nobody has
 * left a log, the file is read as it stands.
 */
function openable(path: string): string {
  try {
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch {
    return existsSync(`${path}-wal`) ? path : `${pathToFileURL(path).href}?immutable=1`;
  }
}

/** Copies nothing where there is none. */
export async function copyHistory(path: string, to: string): Promise<void> {
  if (!existsSync(path)) return;
  const { default: Database } = await import('libsql');
  try {
    const database = new Database(openable(path), { readonly: true });
    try {
      // One transaction that reads: nobody waits for it, and what is written meanwhile is not seen.
      database.prepare('vacuum into ?').run(to);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new HistoryUnavailable(
      `${path} could not be copied to ${to}: ${(error as Error).message}`,
    );
  }
}
