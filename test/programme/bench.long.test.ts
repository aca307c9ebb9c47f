/** A bench that a signal interrupts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { endAll, launchVerbIn, temporaryFolder } from './server.ts';

afterAll(endAll);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '[RUN-31] a bench interrupted by %s leaves neither a folder nor an exchange behind',
  async (signal) => {
    const place = temporaryFolder();
    const { child, ended } = launchVerbIn({ TMPDIR: place }, 'bench', '--seconds', '600');
    const address = (): string | undefined =>
      readdirSync(place)
        .map((name) => join(place, name, 'address.json'))
        .find((path) => existsSync(path));
    while (address() === undefined) await pause(10);
    const { publicUrl } = JSON.parse(readFileSync(address()!, 'utf8')) as {
      readonly publicUrl: string;
    };
    const time = (): Promise<Response> => fetch(`${publicUrl}/api/v2/public/time`);
    expect((await time()).status).toBe(200);
    child.kill(signal);
    expect(await ended).toMatchObject({
      code: 1,
      output: '',
      errors: `rialto: interrupted by ${signal}; all its files are removed\n`,
    });
    expect(readdirSync(place)).toEqual([]);
    await expect(time()).rejects.toThrow();
  },
);
