/**
 * Reads the applied sequence of a history file that is not open, without a worker and without a
 * change of the file.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Sequence } from '../../kernel/ids.ts';

/**
 * The applied sequence of the file; undefined if the file is missing or unreadable. Without a log
 * the file is read as immutable. After a crash there is a log: SQLite then builds its index anew
 * and changes neither file.
 */
export async function appliedIn(path: string): Promise<Sequence | undefined> {
  if (!existsSync(path)) return undefined;
  const { default: Database } = await import('libsql');
  try {
    const database = new Database(
      existsSync(`${path}-wal`) ? path : `${pathToFileURL(path).href}?immutable=1`,
      { readonly: true },
    );
    try {
      return (
        database.prepare('select applied from progress').get() as { readonly applied: Sequence }
      ).applied;
    } finally {
      database.close();
    }
  } catch {
    // The file is not a history. A start sets it aside and feeds a new one.
    return undefined;
  }
}
