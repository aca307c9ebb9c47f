import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { endAll, runServer, runVerb, startServer, temporaryFolder } from './server.ts';

afterEach(endAll);

const HEADER = 'time,open,high,low,close,volume\n';
const CANDLES =
  '1704067200,100,101,99,100.5,1\n1704067260,100.5,100.5,99,99,1\n1704067380,99,99,98,98.25,1\n';

function fileOf(text: string): string {
  const path = join(temporaryFolder(), 'table.csv');
  writeFileSync(path, text);
  return path;
}

test('[RUN-76] data check reports what a file contains', async () => {
  const { code, output } = await runVerb('data', 'check', fileOf(HEADER + CANDLES));
  expect({ code, output }).toEqual({
    code: 0,
    output: [
      'table.csv: 3 candles of 1m, from 2024-01-01T00:00:00Z to 2024-01-01T00:04:00Z',
      '1 candles are missing, at most 1m of them in a row',
      'the price goes from 100 to 98.25',
      '',
    ].join('\n'),
  });
});

test('[RUN-76] data check says why a file is refused, and stores nothing', async () => {
  const path = fileOf(`${HEADER}${CANDLES}1704067440,0,99,98,98.25,1\n`);
  const { code, errors } = await runVerb('data', 'check', path);
  expect({ code, errors }).toEqual({
    code: 1,
    errors: 'rialto: table.csv: line 5: the open is zero\n',
  });
  expect(readdirSync(join(path, '..'))).toEqual(['table.csv']);
});

const importInto = (folder: string, path: string, ...flags: readonly string[]) =>
  runVerb('data', 'import', path, '--symbol', 'BTCUSDT', '--data', folder, ...flags);

/** A folder that was killed with one recording in use; returns the path of its file. */
async function withRecording(): Promise<{
  readonly folder: string;
  readonly file: string;
  readonly hash: string;
}> {
  const folder = temporaryFolder();
  const server = await startServer({ folder });
  expect((await importInto(folder, fileOf(HEADER + CANDLES))).code).toBe(0);
  await server.end('SIGKILL');
  const [hash] = readdirSync(join(folder, 'recordings'));
  return { folder, hash: hash!, file: join(folder, 'recordings', hash!) };
}

test('[RUN-77] data import gives a file to the running exchange and prints what was imported', async () => {
  const folder = temporaryFolder();
  await startServer({ folder, flags: ['--market', 'on'] });
  const flags = ['--as', 'both', '--divide', '2024-01-01T00:01'];
  const { code, output } = await importInto(folder, fileOf(HEADER + CANDLES), ...flags);
  expect(code).toBe(0);
  expect(output.split('\n').slice(0, 3)).toEqual([
    '3 candles of 1m, from 2024-01-01T00:00:00Z to 2024-01-01T00:04:00Z',
    'the present is 2024-01-01T00:01:00Z of the file, at a price of 100.5',
    '1 candles are missing',
  ]);
  const refused = await importInto(folder, fileOf(`${HEADER}x,1,1,1,1,1\n`));
  expect(refused.code).toBe(1);
  expect(refused.errors).toMatch(/^rialto: 40020: .* table\.csv: line 2: the time is a number/);
});

const onlyFor = (folder: string): string[] => {
  const kept = join(folder, 'recordings');
  return existsSync(kept) ? readdirSync(kept) : [];
};

test('[DATA-10][RUN-77] a refused import stores nothing, whatever the reason', async () => {
  const folder = temporaryFolder();
  const server = await startServer({ folder, flags: ['--market', 'on'] });
  const table = fileOf(HEADER + CANDLES);
  const refusals: [readonly string[], string][] = [
    [['--as', 'both', '--divide', '2025-01-01'], '40053: Parameter divide is out of range'],
    [
      ['--as', 'both', '--divide', '2024-01-01'],
      '40020: Parameter divide error: nothing is before it',
    ],
    [
      ['--as', 'path', '--divide', '2024-01-01T00:04'],
      '40020: Parameter divide error: nothing is behind it',
    ],
    [['--category', 'COIN-FUTURES'], '40034: '],
  ];
  for (const [flags, reason] of refusals) {
    const { code, errors } = await importInto(folder, table, ...flags);
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringContaining(`rialto: ${reason}`),
    });
  }
  const noFile = await importInto(folder, temporaryFolder());
  expect(noFile.errors).toContain('it is not a file');
  expect(onlyFor(folder)).toEqual([]);
  expect(await server.operate('GET', '/operator/v1/recordings')).toEqual([]);
});

test('[DATA-40] a start and a replay are refused while a recording is missing, and work once it is back', async () => {
  const { folder, hash, file } = await withRecording();
  renameSync(file, `${file}.away`);
  const words =
    `the journal names recording ${hash}, ` + `and it is missing in ${join(folder, 'recordings')}`;
  const replayed = await runVerb('replay', '--data', folder);
  expect([replayed.code, replayed.errors]).toEqual([1, `rialto: ${words}; restore that file\n`]);
  const started = await runServer({
    flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
  });
  expect([started.code, started.errors]).toEqual([1, `rialto: ${words}; restore that file\n`]);
  renameSync(`${file}.away`, file);
  expect((await runVerb('replay', '--data', folder)).code).toBe(0);
  const server = await startServer({ folder });
  const data: unknown = await server.operate('GET', '/operator/v1/recordings');
  expect(data).toMatchObject([{ hash, uses: [{ as: 'past' }] }]);
});

test('[DATA-40] a replay is refused if a recording does not match its name', async () => {
  const { folder, file } = await withRecording();
  const bytes = readFileSync(file);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(file, bytes);
  const { code, errors } = await runVerb('replay', '--data', folder);
  expect(code).toBe(1);
  expect(errors).toContain('and it is damaged');
});

test('[DATA-41] a backup has the recordings; a start removes unused ones; a reset removes all', async () => {
  const { folder, hash } = await withRecording();
  const to = join(temporaryFolder(), 'copy');
  expect((await runVerb('backup', '--data', folder, '--to', to)).code).toBe(0);
  const copied = join(to, 'recordings');
  writeFileSync(join(copied, '1-0-rows.unfinished'), 'half');
  writeFileSync(join(copied, 'a'.repeat(64)), 'unknown');
  const server = await startServer({ folder: to });
  expect(readdirSync(copied)).toEqual([hash]);
  await server.operate('POST', '/operator/v1/reset');
  expect(existsSync(copied) ? readdirSync(copied) : []).toEqual([]);
});
