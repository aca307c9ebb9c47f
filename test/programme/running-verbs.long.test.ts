import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, runVerb, type Server, startServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const NODE_MODULES = join(REPOSITORY, 'node_modules');

interface Key {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
}

/** An error message is one line. */
const ONE_LINE = /^rialto: [^\n]+\n$/;

describe('verbs on a running exchange', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
  });
  afterAll(endAll);

  test('[RUN-30] fund credits a user, or says why it cannot', async () => {
    const { uid } = server.user('dave');
    const { code, output } = await runVerb('fund', uid, 'XRP', '12.5', '--data', server.folder);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^credited 12\\.5 XRP to ${uid}, deposit \\d{19}\\n$`));
    const [line] = await server.operate<readonly { amount: string; balance: string }[]>(
      'GET',
      `/operator/v1/ledger?uid=${uid}&coin=XRP`,
    );
    expect(line).toMatchObject({ amount: '12.5', balance: '12.5' });

    expect((await runVerb('fund', 'dave', 'XRP', '2', '--data', server.folder)).output).toContain(
      `credited 2 XRP to ${uid}`,
    );
    for (const size of ['-5', '0', '1e3', 'much']) {
      const { code: wrong, errors } = await runVerb(
        'fund',
        uid,
        'XRP',
        size,
        '--data',
        server.folder,
      );
      expect([wrong, errors]).toEqual([
        1,
        `rialto: the size is a number above 0 such as 12.5, not "${size}"\n`,
      ]);
    }
    expect((await runVerb('fund', 'eve', 'XRP', '2', '--data', server.folder)).errors).toBe(
      'rialto: no user is named "eve"; a user is a uid such as 1000000001, ' +
        'a name that the operator gave, ' +
        'or a name in credentials.json, which has alice, bob, carol, dave\n',
    );

    const refused = await runVerb('fund', uid, 'DOGE', '1', '--data', server.folder);
    expect(refused.code).toBe(1);
    expect(refused.errors).toMatch(ONE_LINE);
    expect(refused.errors).toContain('DOGE');
  });

  test('[RUN-30] keys creates a working key with the requested permissions', async () => {
    const { uid } = server.user('carol');
    const { code, output } = await runVerb(
      'keys',
      'carol',
      '--permissions',
      'uta_mgt.read',
      '--data',
      server.folder,
    );
    expect(code).toBe(0);
    const key = JSON.parse(output) as Key;
    expect(Object.keys(key)).toEqual(['apiKey', 'secretKey', 'passphrase']);
    expect(await server.call(key, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
      data: { uid },
    });
    const leverage = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
      leverage: '7',
    };
    expect(
      await server.call(key, 'POST', '/api/v2/mix/account/set-leverage', leverage),
    ).toMatchObject({ code: '40014', status: 403 });
  });

  test('[RUN-83] keys and fund accept the name that the operator gave, unless two users have it', async () => {
    const made = async (): Promise<string> =>
      (await server.operate<{ uid: string }>('POST', '/operator/v1/users', { name: 'frank' })).uid;
    const first = await made();
    const { output } = await runVerb('keys', 'frank', '--data', server.folder);
    const key = JSON.parse(output) as Key;
    expect(await server.call(key, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
      data: { uid: first },
    });
    expect((await runVerb('fund', 'frank', 'XRP', '2', '--data', server.folder)).output).toContain(
      `to ${first}`,
    );
    const second = await made();
    const { code, errors } = await runVerb('keys', 'frank', '--data', server.folder);
    expect([code, errors]).toEqual([
      1,
      `rialto: several users are named "frank"; use a uid: ${second}, ${first}\n`,
    ]);
  });

  test('[RUN-30] keys creates a key that works from the requested addresses only', async () => {
    const settingsBy = async (ips: string) => {
      const { output } = await runVerb('keys', 'carol', '--ips', ips, '--data', server.folder);
      return await server.call(JSON.parse(output) as Key, 'GET', '/api/v3/account/settings');
    };
    expect(await settingsBy('203.0.113.7, 127.0.0.1')).toMatchObject({
      status: 200,
      code: '00000',
    });
    expect(await settingsBy('203.0.113.7, ::1')).toMatchObject({ status: 403, code: '40038' });
  });

  test('[RUN-36] snapshot refuses a folder that is in use', async () => {
    const { code, output, errors } = await runVerb('snapshot', '--data', server.folder);
    const emitted =
      `rialto: the folder ${server.folder} is in use by process ${server.pid}; ` +
      'one folder has one program\n';
    expect([code, output, errors]).toEqual([1, '', emitted]);
  });

  test('[RUN-32] snippet curl is a script that runs', async () => {
    const { output } = await runVerb('snippet', 'curl', '--data', server.folder);
    const script = join(server.folder, 'snippet.sh');
    writeFileSync(script, output);
    const { stdout } = await run('bash', [script]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(answers).toMatchObject([
      { code: '00000', data: { orderId: expect.any(String) } },
      { code: '00000', data: { list: [{ symbol: 'BTCUSDT', posSide: 'long' }] } },
    ]);
  });

  test.each(['ccxt', 'bitget-api'])(
    '[RUN-32] snippet %s is a program that runs',
    async (client) => {
      const { output } = await runVerb('snippet', client, '--user', 'bob', '--data', server.folder);
      const folder = join(server.folder, `snippet-${client}`);
      mkdirSync(folder);
      symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
      writeFileSync(join(folder, 'snippet.mjs'), output);
      const { stdout } = await run(process.execPath, [join(folder, 'snippet.mjs')]);
      expect(stdout).toContain('USDT');
      expect(stdout).toContain('0.01');
    },
  );

  test('[RUN-32] snippet lists the known clients or users if it does not know the given one', async () => {
    expect((await runVerb('snippet', 'perl', '--data', server.folder)).errors).toBe(
      'rialto: no snippet for perl; there are curl, python, bitget-api, ccxt, ccxt-python, freqtrade\n',
    );
    expect(
      (await runVerb('snippet', 'curl', '--user', 'eve', '--data', server.folder)).errors,
    ).toBe('rialto: no user eve in credentials.json; there are alice, bob, carol, dave\n');
  });
});

describe('snippets of a stopped exchange', () => {
  afterAll(endAll);

  test('[RUN-32][RUN-161] after a stop no snippet is printed, and an earlier script fails', async () => {
    const server = await startServer({ folder: temporaryFolder() });
    const { output: script } = await runVerb('snippet', 'curl', '--data', server.folder);
    await server.end('SIGTERM');
    for (const client of ['curl', 'ccxt']) {
      const { code, output, errors } = await runVerb('snippet', client, '--data', server.folder);
      expect([code, output, errors]).toEqual([
        1,
        '',
        `rialto: no exchange answers at ${server.operatorUrl}; is it running?\n`,
      ]);
    }
    const path = join(server.folder, 'snippet.sh');
    writeFileSync(path, script);
    await expect(run('bash', [path])).rejects.toMatchObject({
      code: 7,
      stdout: '',
      stderr: expect.stringMatching(/^curl: \(7\) /),
    });
  });
});
