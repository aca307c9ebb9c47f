/**
 * Whether a file or folder is there. One that may not be looked at is no missing one: whoever has
 * not the right is told that.
 */
import { closeSync, openSync } from 'node:fs';
import { CliError } from './cli-error.ts';

const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

/**
 * Opened, and not asked for: what stands in a folder of somebody else's cannot be seen at all, and
 * what can be seen may not be read.
 */
export function exists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (MISSING.includes(code)) return false;
    if (code === 'EACCES')
      throw new CliError(`${path} may not be read by this user: run it as the owner of the folder`);
    throw new CliError(message);
  }
}
