import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, runVerb, runVerbIn, startServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

describe('verbs on a data folder', () => {
  let folder = '';
  let health = { sequence: 0, stateHash: '' };
  let uid = '';
  beforeAll(async () => {
    folder = temporaryFolder();
    const server = await startServer({ folder });
    uid = server.user('alice').uid;
    for (const [name, side] of [['carol', 'buy'] as const, ['dave', 'sell'] as const]) {
      const order = {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        side,
        orderType: 'limit',
        price: '60000',
        qty: '0.01',
      };
      expect(
        (await server.call(server.user(name), 'POST', '/api/v3/trade/place-order', order)).code,
      ).toBe('00000');
    }
    await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '3' });
    await server.operate('POST', '/operator/v1/snapshot', {});
    await server.operator('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '0' });
    await server.operate('POST', '/operator/v1/deposits', {
      uid,
      coin: 'SOL',
      size: '4.25',
      clientOid: 'mine',
    });
    health = await server.health();
    await server.end('SIGTERM');
  });
  afterAll(endAll);

  test('[RUN-27] replay prints the last sequence and the state hash of the program that wrote the folder', async () => {
    const { code, output } = await runVerb('replay', '--data', folder);
    expect(code).toBe(0);
    expect(output).toMatch(
      new RegExp(
        `^replayed from the first command to sequence ${health.sequence} in \\d+\\.\\d\\d s\\nstateHash ${health.stateHash}\\n$`,
      ),
    );
  });

  test('[RUN-29] inspect shows a command with its outcome and events, or the last commands', async () => {
    const { output } = await runVerb('inspect', String(health.sequence), '--data', folder);
    const [head = '', outcome = '', ...events] = output.trimEnd().split('\n');
    expect(head).toMatch(
      new RegExp(`^#${health.sequence} \\d{4}-\\d\\d-\\d\\dT\\S+Z \\{"type":"deposit"`),
    );
    expect(head).toContain('"size":"4.25","clientOid":"mine"');
    expect(outcome).toMatch(/^ {2}accepted \{"orderId":/);
    expect(
      events.some(
        (event) =>
          event.startsWith('  → {"type":"depositCredited"') && event.includes('"amount":"4.25"'),
      ),
    ).toBe(true);

    const last = (await runVerb('inspect', '--count', '2', '--data', folder)).output;
    expect(last.match(/^#\d+/gm)).toEqual([`#${health.sequence - 1}`, `#${health.sequence}`]);
    expect(last).toContain('refused {"reason":"sizeNotPositive"');

    expect((await runVerb('inspect', 'abc', '--data', folder)).errors).toBe(
      'rialto: a command is selected by its sequence, a number such as 12, not by "abc"\n',
    );
    for (const sequence of [health.sequence + 1, 0]) {
      const beyond = await runVerb('inspect', String(sequence), '--data', folder);
      expect({ code: beyond.code, errors: beyond.errors }).toEqual({
        code: 1,
        errors: `rialto: there is no command ${sequence}; the last is ${health.sequence}\n`,
      });
    }
    expect((await runVerb('inspect', '--count', '0', '--data', folder)).errors).toBe(
      'rialto: --count is a positive number, not "0"\n',
    );
    expect(
      (await runVerb('inspect', '1', '--count', '2', '--data', folder)).output.match(/^#\d+/gm),
    ).toEqual(['#1', '#2']);
    expect((await runVerb('inspect', '--data', folder)).output.match(/^#\d+/gm)).toHaveLength(10);
  });

  test('[RUN-29] inspect shows the cost of a position as money, although it has twice the decimals', async () => {
    const { output } = await runVerb('inspect', '--count', '1000', '--data', folder);
    expect(
      output.match(/"type":"positionChanged".*?"entry":\{"size":"0.01","cost":"[^"]*"/g),
    ).toEqual(Array(2).fill(expect.stringMatching(/"cost":"600"$/)));
  });

  test('[RUN-29] inspect shows no secret, sealed or hashed', async () => {
    const { output } = await runVerb('inspect', '--count', '1000', '--data', folder);
    expect(output).toContain('"type":"createKey"');
    expect(output).toContain('"sealedSecret":"…"');
    expect(output).not.toMatch(/"(?:sealedSecret|passphraseHash)":"[^…]/);
  });

  test('[RUN-28] verify reports a whole folder, and finds one changed byte in a segment or a snapshot', async () => {
    const whole = await runVerb('verify', '--data', folder);
    expect(whole.code).toBe(0);
    expect(whole.output).toMatch(new RegExp(`^${health.sequence} commands, all whole$`, 'm'));
    expect(whole.output).toMatch(/^snapshot .* good$/m);

    const journal = join(folder, 'journal');
    const changed = async (name: string, offset: number): Promise<string> => {
      const path = join(journal, name);
      const bytes = readFileSync(path);
      writeFileSync(
        path,
        Buffer.concat([
          bytes.subarray(0, offset),
          Buffer.from([bytes[offset]! ^ 1]),
          bytes.subarray(offset + 1),
        ]),
      );
      const { code, output } = await runVerb('verify', '--data', folder);
      writeFileSync(path, bytes);
      expect(code).toBe(1);
      return output;
    };
    const segment = readdirSync(journal).find((name) => name.endsWith('.seg'))!;
    const snapshot = readdirSync(journal).find((name) => name.endsWith('.snap'))!;
    expect(await changed(segment, 4_200)).toMatch(
      new RegExp(`^DAMAGE +${segment} at byte \\d+, sequence \\d+: .+`, 'm'),
    );
    expect(await changed(snapshot, 300)).toMatch(
      new RegExp(`^snapshot +${snapshot} +DAMAGED$`, 'm'),
    );
    expect((await runVerb('verify', '--data', folder)).code).toBe(0);
  });

  test('[RUN-58] a verb whose output pipe is closed ends silently', async () => {
    const { stdout, stderr } = await run(
      'bash',
      ['-c', `node dist/ops/cli.js inspect --count 1000 --data ${folder} | head -1`],
      {
        cwd: REPOSITORY,
      },
    );
    expect([stdout.match(/^#1 /gm)?.length, stderr]).toEqual([1, '']);
  });

  test('[RUN-04] an empty variable counts as not set, and an empty folder name is refused, by all verbs', async () => {
    const unset = await runVerbIn({ RIALTO_DATA: '' }, 'verify');
    expect(unset.errors).not.toContain('rialto:  ');
    expect((await runVerbIn({ RIALTO_DATA: folder }, 'verify')).code).toBe(0);
    expect((await runVerbIn({ RIALTO_DATA: '/nowhere' }, 'verify', '--data', folder)).code).toBe(0);
    const { code, errors } = await runVerb('verify', '--data', '');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'rialto: --data is a folder, not empty\n',
    });
  });

  test('[RUN-36] snapshot of a folder that has lost its journal refuses and creates no journal', async () => {
    const lost = temporaryFolder();
    mkdirSync(join(lost, 'journal'));
    const { code, output, errors } = await runVerb('snapshot', '--data', lost);
    expect([code, output, errors]).toEqual([
      1,
      '',
      `rialto: ${join(lost, 'journal')} holds no journal\n`,
    ]);
    expect(readdirSync(lost, { recursive: true })).toEqual(['journal']);
  });

  test('[RUN-36] snapshot writes one of the last sequence with its state hash, and a start continues from it', async () => {
    const { code, output } = await runVerb('snapshot', '--data', folder);
    expect({ code, output }).toEqual({
      code: 0,
      output: `snapshot of sequence ${health.sequence}\nstateHash ${health.stateHash}\n`,
    });
    expect((await runVerb('verify', '--data', folder)).output).toMatch(
      new RegExp(`^snapshot +snapshot-0*${health.sequence}\\.snap +good$`, 'm'),
    );
    const replayed = await runVerb('replay', '--data', folder);
    expect(replayed.output).toContain(`stateHash ${health.stateHash}`);
  });
});
