import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { HEADER_BYTES } from '../../src/journal/segment.ts';
import { ENGINE_VERSION_OLDEST } from '../../src/journal/version.ts';
import {
  credentialsIn,
  endAll,
  runServer,
  runVerb,
  type Server,
  startServer,
  stoppedFolder,
  temporaryFolder,
} from './server.ts';

afterEach(endAll);

describe('a folder that was damaged', () => {
  test('[JRN-04] a changed byte in the journal refuses the start at once, in one line with its place', async () => {
    const folder = await stoppedFolder();
    const journal = join(folder, 'journal');
    const segment = join(journal, readdirSync(journal).find((name) => name.endsWith('.seg'))!);
    const bytes = readFileSync(segment);
    bytes[3_000]! ^= 1;
    writeFileSync(segment, bytes);
    const { code, errors, output } = await runServer({
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(
      new RegExp(
        '^rialto: the journal is damaged in journal-\\d{16}\\.seg at byte \\d+, ' +
          'where sequence \\d+ was expected: [^\\n]+\\n$',
      ),
    );
    expect(readFileSync(segment).equals(bytes)).toBe(true);
  });

  test('[VIEW-14] a damaged history file is set aside and rebuilt from the journal', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const before = await first.operate('GET', '/operator/v1/ledger?limit=1000');
    await first.end('SIGTERM');
    writeFileSync(join(folder, 'history.db'), 'this was a history once '.repeat(1_000));

    const second = await startServer({ folder });
    expect(await second.operate('GET', '/operator/v1/ledger?limit=1000')).toEqual(before);
    expect(second.errors).toContain('rebuilt from the journal');
    expect(readFileSync(join(folder, 'history.db.damaged'), 'utf8')).toContain(
      'this was a history once',
    );
    expect((await second.end('SIGTERM')).code).toBe(0);
  });
});

/** Gives a segment an engine version that is no longer supported. */
function makeOlder(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(ENGINE_VERSION_OLDEST - 1, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  writeFileSync(path, bytes);
}

describe('a history that the journal can rebuild only in part', () => {
  test('[JRN-35] begins at the oldest snapshot whose later commands can still run, and says so', async () => {
    const folder = temporaryFolder();
    const credit = async (server: Server, size: string): Promise<void> => {
      await server.operate('POST', '/operator/v1/deposits', {
        uid: server.user('dave').uid,
        coin: 'SOL',
        size,
      });
    };
    const sizes = async (server: Server): Promise<string[]> =>
      (
        await server.operate<readonly { amount: string }[]>(
          'GET',
          `/operator/v1/ledger?uid=${server.user('dave').uid}&coin=SOL`,
        )
      ).map(({ amount }) => amount);
    const older = await startServer({ folder });
    await credit(older, '1');
    await older.end('SIGTERM');
    expect((await runVerb('snapshot', '--data', folder)).code).toBe(0);
    const journal = join(folder, 'journal');
    makeOlder(join(journal, readdirSync(journal).find((name) => name.endsWith('.seg'))!));

    const newer = await startServer({ folder });
    await credit(newer, '2');
    await newer.operate('POST', '/operator/v1/snapshot', {});
    await credit(newer, '3');
    expect((await sizes(newer)).toSorted()).toEqual(['1', '2', '3']);
    await newer.end('SIGTERM');
    writeFileSync(join(folder, 'history.db'), 'this was a history once '.repeat(1_000));

    const last = await startServer({ folder });
    expect((await sizes(last)).toSorted()).toEqual(['2', '3']);
    expect(last.errors).toContain('are missing from the history store');
    const { balances } = await last.operate<{
      balances: readonly { coin: string; equity: string }[];
    }>('GET', `/operator/v1/users/${last.user('dave').uid}`);
    expect(balances).toContainEqual(expect.objectContaining({ coin: 'SOL', equity: '6' }));
    expect((await last.end('SIGTERM')).code).toBe(0);
    // A later start treats it as any other history.
    const after = await startServer({ folder });
    expect([(await sizes(after)).toSorted(), after.errors]).toEqual([['2', '3'], '']);
    await after.end('SIGTERM');
  });
});

describe('a damaged chain file', () => {
  test('[WDR-49] a line that is not a transfer refuses the start with file and line, and releases the folder', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'simulated-chain.jsonl');
    writeFileSync(path, 'no JSON\n');
    const { code, errors, output } = await runServer({
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toBe(
      `rialto: ${path} is damaged: line 1 is not a transfer; restore the original file\n`,
    );
    writeFileSync(path, '');
    await (await startServer({ folder })).end('SIGTERM');
  });
});

describe('damaged or lost secrets', () => {
  const refused = async (folder: string): Promise<string> => {
    const { code, errors, output } = await runServer({
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^rialto: [^\n]+\n$/);
    return errors;
  };

  test('[RUN-33] a missing or wrong master key refuses the start by name; the right one restores everything', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'master.key');
    const kept = readFileSync(path, 'utf8');
    rmSync(path);
    expect(await refused(folder)).toContain(`${path} is missing`);
    expect(existsSync(path)).toBe(false);
    const another = 'ab'.repeat(32);
    writeFileSync(path, another);
    const errors = await refused(folder);
    expect(errors).toContain(`${path} is not the key`);
    expect(errors).not.toContain(another);
    writeFileSync(path, kept);
    const server = await startServer({ folder });
    expect(await server.call(server.user('alice'), 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
    expect((await server.end('SIGTERM')).errors).toBe('');
  });

  test('[RUN-34] damaged credentials or keys end a start in one line that shows none of their content', async () => {
    const folder = await stoppedFolder();
    for (const [name, text] of [
      ['credentials.json', '{"operatorToken": s3cret'],
      ['master.key', 's3cret'],
    ] as const) {
      const path = join(folder, name);
      const kept = readFileSync(path, 'utf8');
      writeFileSync(path, text);
      const errors = await refused(folder);
      expect(errors).toContain(`${path} is damaged`);
      expect(errors).not.toContain('s3cret');
      writeFileSync(path, kept);
    }
  });
});

describe('what a start leaves out', () => {
  test('[RUN-28][RUN-35] verify and start name a damaged snapshot and a torn end; metrics count them', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    await first.operate('POST', '/operator/v1/snapshot', {});
    expect(await first.metrics()).toMatch(/^rialto_bad_snapshots 0$/m);
    expect(await first.metrics()).toMatch(/^rialto_cut_bytes 0$/m);
    await first.end('SIGKILL');

    const journal = join(folder, 'journal');
    const snapshot = readdirSync(journal).find((name) => name.endsWith('.snap'))!;
    const bytes = readFileSync(join(journal, snapshot));
    bytes[300]! ^= 1;
    writeFileSync(join(journal, snapshot), bytes);
    const segment = join(journal, readdirSync(journal).find((name) => name.endsWith('.seg'))!);
    const batches = readFileSync(segment);
    batches.fill(0xa5, batches.length - 100);
    writeFileSync(segment, batches);

    const verified = await runVerb('verify', '--data', folder);
    const torn =
      'torn end: a part of a batch that was never acknowledged; the next start cuts it off';
    expect(verified).toMatchObject({
      code: 1,
      output: expect.stringContaining(`snapshot  ${snapshot}  DAMAGED\n${torn}\n`),
    });
    const second = await startServer({ folder });
    const lines = second.errors
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(lines).toMatchObject([
      {
        level: 40,
        reason: expect.stringContaining(snapshot),
        msg: 'a snapshot could not be used and was skipped',
      },
      {
        level: 40,
        cutBytes: expect.any(Number),
        msg: 'the incomplete end of the journal was cut off',
      },
    ]);
    expect(await second.metrics()).toMatch(/^rialto_bad_snapshots 1$/m);
    expect(await second.metrics()).toMatch(
      new RegExp(`^rialto_cut_bytes ${String(lines[1]?.cutBytes)}$`, 'm'),
    );
    await second.end('SIGTERM');
  });

  test('[RUN-35] a missing credentials.json beside a journal is reported, and keys still work', async () => {
    const folder = await stoppedFolder();
    const { users } = credentialsIn(folder);
    rmSync(join(folder, 'credentials.json'));
    const server = await startServer({ folder });
    expect(server.errors).toMatch(/^\{"level":40,[^\n]*credentials\.json is missing[^\n]*\n$/);
    expect(await server.call(users[0]!, 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
  });

  test('[RUN-35] users in credentials.json without a journal are reported, and a world is made', async () => {
    const folder = await stoppedFolder();
    for (const name of readdirSync(folder))
      if (name !== 'credentials.json') rmSync(join(folder, name), { recursive: true });
    const server = await startServer({ folder });
    expect(server.errors).toMatch(
      /^\{"level":40,[^\n]*"users":4,[^\n]*the journal is missing[^\n]*\n$/,
    );
    expect(await server.call(server.user('alice'), 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
    await server.end('SIGTERM');
  });
});
