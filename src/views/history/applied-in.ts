/**
 * How far a history file goes that nobody has open, told without a worker and without changing it.
 */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Sequence } from '../../kernel/ids.ts';

/**
 * What the file has applied; undefined where there is none, or it cannot be told. Without a log
 * beside it the file is read as it stands; with one, which a crash leaves, SQLite makes the index
 * of that log anew, and touches neither the file nor the log.
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
    // A start sets aside what is no history, and is fed anew.
    return undefined;
  }
}
