/** Values of `--data` that cannot be a data folder. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type Ended, endAll, runServer, runVerb, temporaryFolder } from './server.ts';

afterEach(endAll);

const startOn = (folder: string): Promise<Ended> =>
  runServer({ flags: ['--data', folder, '--port', '0', '--operator-port', '0'] });

describe('an impossible --data', () => {
  test.each([
    ['/proc/rialto/data', '--data /proc/rialto/data cannot be created or written: ENOENT: '],
    ['/dev/null/data', '--data is a folder, and /dev/null is a file'],
  ])('[RUN-06][RUN-81] %s ends the start in one line that names it', async (folder, sentence) => {
    const { code, errors } = await startOn(folder);
    expect([code, errors.slice(0, `rialto: ${sentence}`.length)]).toEqual([
      1,
      `rialto: ${sentence}`,
    ]);
    expect(errors).toMatch(/^[^\n]+\n$/);
  });

  test('[RUN-05] a data folder that is a file is refused in one line, and the file is unchanged', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'not a folder');
    const { code, errors } = await startOn(file);
    expect([code, errors]).toEqual([1, `rialto: --data is a folder, and ${file} is a file\n`]);
    expect(readFileSync(file, 'utf8')).toBe('not a folder');
  });

  test('[RUN-81] a dangling link is refused, and its target is not created', async () => {
    const place = temporaryFolder();
    symlinkSync(join(place, 'nothing'), join(place, 'link'));
    const { code, errors } = await startOn(join(place, 'link'));
    expect([code, errors]).toEqual([
      1,
      `rialto: --data is a folder, and ${join(place, 'link')} is a link to nothing\n`,
    ]);
    expect(existsSync(join(place, 'nothing'))).toBe(false);
  });

  test('[RUN-81] a verb reports a --data that is a file', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, errors } = await runVerb('keys', 'dave', '--data', file);
    expect([code, errors]).toEqual([1, `rialto: --data is a folder, and ${file} is a file\n`]);
  });
});
