import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { HEADER_BYTES } from '../../src/journal/segment.ts';
import { ENGINE_VERSION_OLDEST } from '../../src/journal/version.ts';
import {
  credentialsIn,
  endAll,
  launchServer,
  runServer,
  runVerb,
  type Server,
  startServer,
  stoppedFolder,
  temporaryFolder,
} from './server.ts';

afterEach(endAll);

const listening = (): Promise<{ port: number; close: () => void }> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        close: () => server.close(),
      });
    });
  });

describe('start', () => {
  test('[RUN-01][RUN-02][RUN-03] it prints one ready line with the free ports it picked, and both planes answer there', async () => {
    const server = await startServer({ folder: temporaryFolder() });
    expect(server.output.match(/^ready .*$/gm)).toEqual([
      `ready ${server.url} operator ${server.operatorUrl}`,
    ]);
    expect(server.output.endsWith(`operator ${server.operatorUrl}\n`)).toBe(true);
    for (const url of [server.url, server.operatorUrl])
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d{0,4}$/);

    expect(await server.health()).toMatchObject({ status: 'serving' });
    expect(await (await fetch(`${server.url}/api/v2/public/time`)).json()).toMatchObject({
      code: '00000',
    });
    expect((await server.end('SIGTERM')).code).toBe(0);
  });

  test('[RUN-06] the data folder is created when it is not there, closed to others', async () => {
    const folder = join(temporaryFolder(), 'not', 'there', 'yet');
    const server = await startServer({ folder });
    expect(existsSync(join(folder, 'journal'))).toBe(true);
    expect(existsSync(join(folder, 'history.db'))).toBe(true);
    expect(statSync(folder).mode & 0o077).toBe(0);
    await server.end('SIGTERM');
  });
});

describe('an exchange to which nobody listens', () => {
  test('[RUN-58] serves although its standard output is closed', async () => {
    const folder = temporaryFolder();
    const { child, ended } = launchServer({ folder });
    child.stdout!.destroy();
    const address = join(folder, 'address.json');
    while (!existsSync(address) && child.exitCode === null) await pause(20);
    await pause(200);
    const { operatorUrl } = JSON.parse(readFileSync(address, 'utf8')) as { operatorUrl: string };
    expect(await (await fetch(`${operatorUrl}/operator/v1/health`)).json()).toMatchObject({
      data: { status: 'serving' },
    });
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, errors: '' });
  });
});

describe('an address that cannot be written down', () => {
  test('[RUN-02] is told in the log, and the exchange serves all the same', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'address.json'));
    const server = await startServer({ folder });
    expect(await server.health()).toMatchObject({ status: 'serving' });
    const { code, errors } = await server.end('SIGTERM');
    expect(code).toBe(0);
    expect(errors).toMatch(/^\{"level":40,[^\n]*address\.json[^\n]*\n$/);
  });
});

describe('options', () => {
  test('[RUN-04] a variable sets what its flag sets, and the flag wins where both are given', async () => {
    const folder = temporaryFolder();
    const environment = {
      RIALTO_DATA: join(folder, 'from-variable'),
      RIALTO_WORLD: 'empty',
      RIALTO_OPERATOR_TOKEN: 'from-variable',
      RIALTO_LIMITS: 'off',
    };
    const server = await startServer({
      folder: join(folder, 'from-flag'),
      environment,
      flags: ['--operator-token', 'from-flag'],
    });
    expect(existsSync(join(folder, 'from-variable'))).toBe(false);
    expect(server.credentials).toEqual({ operatorToken: 'from-flag', users: [] });
    expect(
      (await server.operator('GET', '/operator/v1/audit', undefined, 'from-variable')).status,
    ).toBe(401);
    await server.end('SIGTERM');
  });

  const FREE = ['--port', '0', '--operator-port', '0'];
  const WRONG: readonly (readonly [
    string,
    readonly string[],
    Readonly<Record<string, string>>,
    RegExp,
  ])[] = [
    ['an unknown flag', ['--prot', '8080'], {}, /unknown option '--prot'.*--port/],
    ['a flag without its value', ['--seed'], {}, /--seed <N>/],
    [
      'a port that is no number',
      ['--port', '80a'],
      {},
      /--port is a whole number from 0 to 65535, not "80a"/,
    ],
    ['an empty host', ['--host', ''], {}, /--host is an address/],
    [
      'a host that nobody knows',
      ['--host', 'nobody.invalid', ...FREE],
      {},
      /--host nobody\.invalid .*ENOTFOUND/,
    ],
    [
      'a host of another machine',
      ['--host', '192.0.2.1', ...FREE],
      {},
      /--host 192\.0\.2\.1 .*EADDRNOTAVAIL/,
    ],
    [
      'one port for both planes',
      ['--port', '8090', '--operator-port', '8090'],
      {},
      /--port and --operator-port are both 8090/,
    ],
    ['a world that is a folder', ['--world', '/'], {}, /\/ cannot be read as a world: EISDIR/],
    [
      'a variable out of range',
      [],
      { RIALTO_PORT: '70000' },
      /RIALTO_PORT is a whole number from 0 to 65535, not "70000"/,
    ],
  ];

  test.each(WRONG)(
    '[RUN-05] %s ends in one line and code 1, and the data folder is not touched',
    async (_, flags, environment, sentence) => {
      const folder = join(temporaryFolder(), 'untouched');
      const { code, output, errors } = await runServer({
        flags: ['--data', folder, ...flags],
        environment,
      });
      expect(code).toBe(1);
      expect(output).toBe('');
      expect(errors).toMatch(/^rialto: [^\n]+\n$/);
      expect(errors).toMatch(sentence);
      expect(existsSync(folder)).toBe(false);
    },
  );
});

describe('what is taken already', () => {
  test('[RUN-07] a second program on the folder ends with a sentence, and the first does not notice', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const before = readFileSync(join(folder, 'credentials.json'), 'utf8');
    const health = await first.health();

    const second = await runServer({
      flags: [
        '--data',
        folder,
        '--port',
        '0',
        '--operator-port',
        '0',
        '--operator-token',
        'another',
      ],
    });
    expect(second.code).toBe(1);
    expect(second.errors).toMatch(
      /^rialto: the folder \S+ is in use by process \d+; one folder has one program\n$/,
    );
    expect(second.errors).toContain(`process ${first.pid};`);
    expect(second.output).toBe('');

    expect(readFileSync(join(folder, 'credentials.json'), 'utf8')).toBe(before);
    expect(await first.health()).toMatchObject({
      status: 'serving',
      sequence: health.sequence,
      stateHash: health.stateHash,
    });
    const alice = first.user('alice');
    await first.operate('POST', '/operator/v1/deposits', {
      uid: alice.uid,
      coin: 'USDT',
      size: '1',
    });
    expect(
      await first.operate('GET', `/operator/v1/ledger?uid=${alice.uid}&coin=USDT`),
    ).toHaveLength(2);
    expect((await first.end('SIGTERM')).code).toBe(0);

    const third = await startServer({ folder });
    expect(
      await third.operate('GET', `/operator/v1/ledger?uid=${alice.uid}&coin=USDT`),
    ).toHaveLength(2);
    await third.end('SIGTERM');
  });

  test('[JRN-13][RUN-07] a second program in a container of its own, where it does not see the first, is refused as well', async () => {
    // User namespaces let everybody make one for processes; where they are off it takes root.
    const asUser = spawnSync('unshare', ['-rpf', '--mount-proc', 'true']).status === 0;
    const through = ['unshare', asUser ? '-rpf' : '-pf', '--mount-proc', '--kill-child'];
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const health = await first.health();
    const second = await runServer({
      through,
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect([second.code, second.output]).toEqual([1, '']);
    expect(second.errors).toMatch(
      /^rialto: the folder \S+ is in use by a program that is not seen from here[^\n]+\n$/,
    );
    expect(await first.health()).toMatchObject({
      status: 'serving',
      sequence: health.sequence,
      stateHash: health.stateHash,
    });
    await first.end('SIGKILL');
    await (await startServer({ folder })).end('SIGTERM');
  });

  test('[RUN-08] a port that is taken is named, for either plane, and the folder is free again afterwards', async () => {
    const folder = temporaryFolder();
    const taken = await listening();
    for (const flags of [
      ['--port', String(taken.port), '--operator-port', '0'],
      ['--port', '0', '--operator-port', String(taken.port)],
    ]) {
      const { code, errors, output } = await runServer({ flags: ['--data', folder, ...flags] });
      expect(code).toBe(1);
      expect(errors).toMatch(/^rialto: [^\n]+\n$/);
      expect(errors).toContain(`port ${taken.port} is in use`);
      expect(output).toBe('');
      expect(readdirSync(folder)).toEqual([]);
    }
    taken.close();
    const server = await startServer({ folder });
    expect(credentialsIn(folder).users).toHaveLength(4);
    await server.end('SIGTERM');
  });

  test('[RUN-08] of a folder and a port that are both taken the folder is named', async () => {
    const folder = temporaryFolder();
    const first = await startServer({ folder });
    const { port } = new URL(first.url);
    const { errors } = await runServer({
      flags: ['--data', folder, '--port', port, '--operator-port', '0'],
    });
    expect(errors).toMatch(
      /^rialto: the folder \S+ is in use by process \d+; one folder has one program\n$/,
    );
    await first.end('SIGTERM');
  });
});

describe('a folder that was damaged', () => {
  test('[JRN-04] a changed byte in the journal refuses the start in one line that says where, and it does not hang', async () => {
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
      /^rialto: the journal is damaged in journal-\d{16}\.seg at byte \d+, where sequence \d+ was expected: [^\n]+\n$/,
    );
    expect(readFileSync(segment).equals(bytes)).toBe(true);
  });

  test('[VIEW-14] a history file that is not one is set aside, and the journal tells history everything again', async () => {
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

/** Makes a segment one of the engine version before this one. */
function makeOlder(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32LE(ENGINE_VERSION_OLDEST - 1, 12);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, HEADER_BYTES - 4)), HEADER_BYTES - 4);
  writeFileSync(path, bytes);
}

describe('a history that the journal cannot tell all of again', () => {
  test('[JRN-35] begins with the oldest snapshot from which every command can still be executed, and says so', async () => {
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
    expect(last.errors).toContain('is gone from the history store');
    const { balances } = await last.operate<{
      balances: readonly { coin: string; equity: string }[];
    }>('GET', `/operator/v1/users/${last.user('dave').uid}`);
    expect(balances).toContainEqual(expect.objectContaining({ coin: 'SOL', equity: '6' }));
    expect((await last.end('SIGTERM')).code).toBe(0);
    // From then on it is a history like any other.
    const after = await startServer({ folder });
    expect([(await sizes(after)).toSorted(), after.errors]).toEqual([['2', '3'], '']);
    await after.end('SIGTERM');
  });
});

describe('a chain file that was damaged', () => {
  test('[WDR-49] a line that is no transfer refuses the start in one line with file and line, and the folder is free again', async () => {
    const folder = await stoppedFolder();
    const path = join(folder, 'simulated-chain.jsonl');
    writeFileSync(path, 'no JSON\n');
    const { code, errors, output } = await runServer({
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toBe(
      `rialto: ${path} is damaged: line 1 is no transfer; put back what was there\n`,
    );
    writeFileSync(path, '');
    await (await startServer({ folder })).end('SIGTERM');
  });
});

describe('secrets that were damaged or lost', () => {
  const refused = async (folder: string): Promise<string> => {
    const { code, errors, output } = await runServer({
      flags: ['--data', folder, '--port', '0', '--operator-port', '0'],
    });
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^rialto: [^\n]+\n$/);
    return errors;
  };

  test('[RUN-33] a master key that is lost or another one refuses the start by name; put back, all is as before', async () => {
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

  test('[RUN-34] credentials or a master key that are damaged end a start in one line without a word of theirs', async () => {
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

describe('what a start had to do without', () => {
  test('[RUN-28][RUN-35] a damaged snapshot and a torn end are named by verify, and by a start, which counts them in the metrics', async () => {
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
      'torn end: the remains of a batch that was never acknowledged; the next start cuts them off';
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
        msg: 'a snapshot could not be used, and was passed over',
      },
      {
        level: 40,
        cutBytes: expect.any(Number),
        msg: 'the remains of a batch were cut off the end of the journal',
      },
    ]);
    expect(await second.metrics()).toMatch(/^rialto_bad_snapshots 1$/m);
    expect(await second.metrics()).toMatch(
      new RegExp(`^rialto_cut_bytes ${String(lines[1]?.cutBytes)}$`, 'm'),
    );
    await second.end('SIGTERM');
  });

  test('[RUN-35] a journal without credentials.json is spoken of, and keys go on working', async () => {
    const folder = await stoppedFolder();
    const { users } = credentialsIn(folder);
    rmSync(join(folder, 'credentials.json'));
    const server = await startServer({ folder });
    expect(server.errors).toMatch(/^\{"level":40,[^\n]*credentials\.json is gone[^\n]*\n$/);
    expect(await server.call(users[0]!, 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
  });

  test('[RUN-35] users in credentials.json without a journal are spoken of, and a world is made', async () => {
    const folder = await stoppedFolder();
    for (const name of readdirSync(folder))
      if (name !== 'credentials.json') rmSync(join(folder, name), { recursive: true });
    const server = await startServer({ folder });
    expect(server.errors).toMatch(
      /^\{"level":40,[^\n]*"users":4,[^\n]*the journal is gone[^\n]*\n$/,
    );
    expect(await server.call(server.user('alice'), 'GET', '/api/v3/account/assets')).toMatchObject({
      code: '00000',
    });
    await server.end('SIGTERM');
  });
});
