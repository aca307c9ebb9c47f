import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import {
  credentialsIn,
  endAll,
  launchServer,
  runServer,
  startServer,
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
  test('[RUN-01][RUN-02][RUN-03] it prints one ready line with its free ports, and both planes answer there', async () => {
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

  test('[RUN-06] a missing data folder is created, without permissions for others', async () => {
    const folder = join(temporaryFolder(), 'not', 'there', 'yet');
    const server = await startServer({ folder });
    expect(existsSync(join(folder, 'journal'))).toBe(true);
    expect(existsSync(join(folder, 'history.db'))).toBe(true);
    expect(statSync(folder).mode & 0o077).toBe(0);
    await server.end('SIGTERM');
  });
});

describe('an exchange without a reader of its output', () => {
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

describe('an address file that cannot be written', () => {
  test('[RUN-02] is logged, and the exchange serves all the same', async () => {
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
  test('[RUN-04] a variable sets the same option as its flag, and the flag has precedence', async () => {
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
      'a port that is not a number',
      ['--port', '80a'],
      {},
      /--port is a whole number from 0 to 65535, not "80a"/,
    ],
    ['an empty host', ['--host', ''], {}, /--host is an address/],
    [
      'an unknown host',
      ['--host', 'unknown.invalid', ...FREE],
      {},
      /--host unknown\.invalid .*ENOTFOUND/,
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
    '[RUN-05] %s ends in one line and code 1, and the data folder is not created',
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

describe('what is already in use', () => {
  test('[RUN-07] a second program on the folder ends with a message, and the first continues', async () => {
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

  test('[JRN-13][RUN-07] a second program in another container is refused as well', async () => {
    // With user namespaces every user may create a process namespace; otherwise root is needed.
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
      /^rialto: the folder \S+ is in use by a program that is not visible from here[^\n]+\n$/,
    );
    expect(await first.health()).toMatchObject({
      status: 'serving',
      sequence: health.sequence,
      stateHash: health.stateHash,
    });
    await first.end('SIGKILL');
    await (await startServer({ folder })).end('SIGTERM');
  });

  test('[RUN-08] a port in use is named, for either plane, and the folder is released', async () => {
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

  test('[RUN-08] if both folder and port are in use, the folder is named', async () => {
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
