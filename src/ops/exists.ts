/**
 * Checks whether a file or folder exists. A path without access is reported as such and not as
 * missing.
 */
import { closeSync, openSync } from 'node:fs';
import { CliError } from './cli-error.ts';

const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

/** Opens the path, because `existsSync` reports false for a path without access. */
export function exists(path: string): boolean {
  try {
    closeSync(openSync(path, 'r'));
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (MISSING.includes(code)) return false;
    if (code === 'EACCES')
      throw new CliError(
        `${path} cannot be read by this user: run the command as the owner of the folder`,
      );
    throw new CliError(message);
  }
}
