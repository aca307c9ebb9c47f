/** Copies a history file as it is at one moment, beside the program that goes on writing it. */
import { existsSync } from 'node:fs';

/** False where there is none. */
export async function copyHistory(path: string, to: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const { default: Database } = await import('libsql');
  const database = new Database(path, { readonly: true });
  try {
    // One transaction that reads: nobody waits for it, and what is written meanwhile is not seen.
    database.prepare('vacuum into ?').run(to);
    return true;
  } finally {
    database.close();
  }
}
