/** File permissions of what the program writes. */
import { chmodSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, runVerb, startServer, temporaryFolder } from './server.ts';

afterAll(endAll);

/** What users other than the owner may read, write or open, by path in the folder. */
const openToOthers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0,
  );

const EVERY_USER = 0o777;

test('[RUN-71] only the owner can read what the program writes, whatever the folder mode and umask', async () => {
  const [folder, kept, prices] = [
    temporaryFolder(),
    temporaryFolder(),
    join(temporaryFolder(), 'prices.csv'),
  ];
  for (const each of [folder, kept]) chmodSync(each, EVERY_USER);
  writeFileSync(prices, 'time,price\n1700000000,60000\n1700000060,60001\n');
  const server = await startServer({
    folder,
    through: ['sh', '-c', 'umask 000; exec "$@"', 'sh'],
    flags: ['--market', 'on'],
  });
  const scene = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', scene: 'feed', file: prices };
  await server.operate('POST', '/operator/v1/market', scene);
  await server.operate('POST', '/operator/v1/snapshot');
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(written).toEqual(
    expect.arrayContaining([
      'address.json',
      'credentials.json',
      'history.db',
      'history.db-wal',
      'folder.lock',
      'feeds',
    ]),
  );
  expect(openToOthers(folder)).toEqual([]);
  expect(await runVerb('backup', '--data', folder, '--to', join(kept, 'copy'))).toMatchObject({
    code: 0,
  });
  expect(openToOthers(kept)).toEqual([]);
  // The mode of the folder itself stays as its creator set it.
  expect(lstatSync(folder).mode & EVERY_USER).toBe(EVERY_USER);
});
