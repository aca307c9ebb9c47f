/** Copies a history file at one moment, while the program continues to write it. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HistoryUnavailable } from './history.ts';

/**
 * SQLite writes files beside the database even to read it. In a read-only folder without a log, the
 * file is read as immutable.
 */
function openable(path: string): string {
  try {
    accessSync(dirname(path), constants.W_OK);
    return path;
  } catch {
    return existsSync(`${path}-wal`) ? path : `${pathToFileURL(path).href}?immutable=1`;
  }
}

/** Does nothing if there is no file. */
export async function copyHistory(path: string, to: string): Promise<void> {
  if (!existsSync(path)) return;
  const { default: Database } = await import('libsql');
  try {
    const database = new Database(openable(path), { readonly: true });
    try {
      // One read transaction. It blocks no writer and sees no later write.
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
