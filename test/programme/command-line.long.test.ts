import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { processOwner } from '../../src/journal/writer-lock.ts';
import {
  endAll,
  LARGE_PRICES,
  runVerb,
  startServer,
  stoppedFolder,
  temporaryFolder,
} from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** An error message is one line. */
const ONE_LINE = /^rialto: [^\n]+\n$/;

describe('a build', () => {
  test('[RUN-60] is repeated only if a source file has changed since', async () => {
    const { scripts } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect([scripts.start, scripts.rialto]).toEqual(
      Array(2).fill(expect.stringMatching(/^npm run --silent build-if-changed && exec /)),
    );
    const folder = temporaryFolder();
    const build = scripts.build!.replace(/esbuild .*? && /, 'echo built && ');
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ scripts: { build, 'build-if-changed': scripts['build-if-changed'] } }),
    );
    writeFileSync(join(folder, 'package-lock.json'), '{}');
    mkdirSync(join(folder, 'src', 'ops'), { recursive: true });
    writeFileSync(join(folder, 'src', 'ops', 'cli.ts'), '');
    const built = async (): Promise<string> =>
      (await run('npm', ['run', '--silent', 'build-if-changed'], { cwd: folder })).stdout;
    expect(await built()).toBe('built\n');
    expect(await built()).toBe('');
    writeFileSync(join(folder, 'src', 'ops', 'cli.ts'), 'changed');
    expect(await built()).toBe('built\n');
    rmSync(join(folder, 'src', 'ops', 'cli.ts'));
    expect(await built()).toBe('built\n');
    expect(await built()).toBe('');
  });
});

describe('verbs that need no exchange', () => {
  test('[RUN-25] help lists every verb in one line each, and describes a verb on its own', async () => {
    const { code, output } = await runVerb('--help');
    expect(code).toBe(0);
    for (const verb of [
      'start',
      'keys',
      'fund',
      'replay',
      'snapshot',
      'verify',
      'inspect',
      'data',
      'snippet',
      'bench',
      'simulate',
    ]) {
      expect(output).toMatch(new RegExp(`^  ${verb}(?: .*\\S)? {2,}\\S`, 'm'));
    }
    const { output: help } = await runVerb('snippet', '--help');
    expect(help).toContain('curl, python, bitget-api, ccxt, ccxt-python or freqtrade');
  });

  test('[RUN-25] --version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(await runVerb('--version')).toMatchObject({ code: 0, output: `${version}\n` });
  });

  test('[RUN-67] an older Node gets one line that names the needed version, before any code it cannot parse', async () => {
    const { engines } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const needed = /^>=(\S+)/.exec(engines.node)![1]!;
    const entry = readFileSync(join(REPOSITORY, 'dist/ops/cli.js'), 'utf8');
    expect(entry.match(/^import |^export |\bimport\(/gm)).toEqual(['import(']);
    const runAs = async (node: string): Promise<unknown> => {
      const preload = join(temporaryFolder(), 'node.cjs');
      writeFileSync(
        preload,
        `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`,
      );
      return await run(process.execPath, ['--require', preload, 'dist/ops/cli.js', '--version'], {
        cwd: REPOSITORY,
      }).catch((error: unknown) => error);
    };
    for (const older of ['18.19.1', '20.18.3', '9.11.2'])
      expect(await runAs(older)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `rialto: Node ${needed} or newer is required, and this is ${older}\n`,
      });
    for (const newer of [`${needed}.0`, '22.0.0', '100.1.0'])
      expect(await runAs(newer)).toMatchObject({ stderr: '' });
  });

  test('[RUN-26] start has the options of the program', async () => {
    const { output } = await runVerb('start', '--help');
    for (const flag of [
      '--host',
      '--port',
      '--operator-port',
      '--data',
      '--world',
      '--market',
      '--seed',
      '--limits',
      '--operator-token',
    ]) {
      expect(output).toContain(`  ${flag} <`);
    }
    for (const variable of ['RIALTO_HOST', 'RIALTO_DATA', 'RIALTO_OPERATOR_TOKEN'])
      expect(output).toContain(variable);
    const { code, errors } = await runVerb('start', '--port', 'x');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: 'rialto: --port is a whole number from 0 to 65535, not "x"\n',
    });
  });

  test('[RUN-31] bench and simulate print their results, and refuse wrong options', async () => {
    const measured = await runVerb('bench', '--seconds', '1', '--connections', '4');
    expect([measured.code, measured.errors]).toEqual([0, '']);
    expect(measured.output).toMatch(
      new RegExp(
        '^\\d+ orders and cancels over 4 connections in \\d+\\.\\d s, ' +
          'each durable before its answer\\n' +
          '\\d+ a second; half within \\d+\\.\\d ms, 99 of 100 within \\d+\\.\\d ms\\n$',
      ),
    );
    const simulated = await runVerb('simulate', '--seed', '3', '--commands', '200');
    expect([simulated.code, simulated.output]).toEqual([
      0,
      expect.stringContaining('every check passed'),
    ]);
    for (const wrong of [
      ['bench', '--seconds', '0'],
      ['bench', '--seconds', '3601'],
      ['bench', '--connections', '1001'],
      ['bench', '--connections', 'x'],
      ['simulate', '--seed', 'x'],
      // A run of no seeds proves nothing.
      ['simulate', '--seeds', '0'],
    ]) {
      const { code, errors } = await runVerb(...wrong);
      expect([wrong, code, errors]).toEqual([wrong, 1, expect.stringMatching(ONE_LINE)]);
    }
  });

  test('[RUN-54] where no exchange has run, a verb says how to start one from a checkout', async () => {
    const folder = join(temporaryFolder(), 'my data');
    expect((await runVerb('fund', '1000000001', 'USDT', '1', '--data', folder)).errors).toBe(
      `rialto: no exchange has run in ${folder} (address.json is missing); start one with: npm start -- --data '${folder}'\n`,
    );
  });

  test.each([
    ['replay'],
    ['snapshot'],
    ['verify'],
    ['inspect'],
    ['snippet', 'curl'],
    ['fund', '1000000001', 'USDT', '1'],
  ])(
    '[RUN-25] %s on a missing folder says so in one line and does not create it',
    async (...verb) => {
      const folder = join(temporaryFolder(), 'mistyped');
      const { code, errors, output } = await runVerb(...verb, '--data', folder);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(ONE_LINE);
      expect(errors).toContain(folder);
      expect(existsSync(folder)).toBe(false);
    },
  );
});

describe('verbs that read a folder', () => {
  afterAll(endAll);

  test('[JRN-34] beside a running exchange they read what is durable, even under load', async () => {
    const server = await startServer({
      folder: temporaryFolder(),
      flags: ['--market', 'on', '--limits', 'off'],
    });
    const { uid } = server.user('dave');
    let isLoaded = true;
    const caller = async (): Promise<void> => {
      while (isLoaded)
        await server.operate('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '1' });
    };
    const load = Promise.all(Array.from({ length: 8 }, caller));
    for (let time = 0; time < 2; time++) {
      const verified = await runVerb('verify', '--data', server.folder);
      expect([verified.code, verified.errors]).toEqual([0, '']);
      expect(verified.output).toMatch(
        new RegExp(
          '^read while the exchange runs, up to its durable sequence \\d+\\n' +
            '\\d+ commands, all whole\\n$',
          'm',
        ),
      );
      expect(await runVerb('replay', '--data', server.folder)).toMatchObject({
        code: 0,
        errors: '',
      });
      const inspected = await runVerb('inspect', '--count', '3', '--data', server.folder);
      expect([inspected.code, inspected.output.match(/^#\d+/gm)?.length]).toEqual([0, 3]);
    }
    isLoaded = false;
    await load;
    await server.operate('POST', '/operator/v1/market', { state: 'off' });
    // With a frozen clock no timer becomes due.
    await server.operate('POST', '/operator/v1/clock', { frozen: true });
    const { stateHashSequence: sequence, stateHash } = await server.health();
    const { output } = await runVerb('replay', '--data', server.folder);
    expect(output).toMatch(new RegExp(`sequence ${sequence} in .*\\nstateHash ${stateHash}\\n$`));
    expect((await server.end('SIGTERM')).errors).toBe('');
  });

  test.each([['verify'], ['replay'], ['inspect']])(
    '[JRN-34] %s reports a folder in use whose writer does not answer yet',
    async (verb) => {
      const folder = await stoppedFolder();
      writeFileSync(join(folder, 'writer.lock'), processOwner(folder).id);
      const { code, errors, output } = await runVerb(verb, '--data', folder);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toBe(
        `rialto: ${folder} is in use by process ${process.pid}, which does not report its durable sequence; try again when it is ready\n`,
      );
    },
  );

  test.each([['verify'], ['replay'], ['inspect'], ['snapshot']])(
    '[RUN-28] %s reports an error of the system in one line',
    async (verb) => {
      const folder = await stoppedFolder();
      mkdirSync(join(folder, 'journal', 'journal-0000000000099999.seg'));
      const { code, errors } = await runVerb(verb, '--data', folder);
      expect([code, errors]).toEqual([1, expect.stringMatching(ONE_LINE)]);
      expect(errors).toContain('EISDIR');
      rmSync(join(folder, 'folder.lock'));
      mkdirSync(join(folder, 'folder.lock'));
      expect((await runVerb(verb, '--data', folder)).errors).toMatch(ONE_LINE);
    },
  );

  test.each([['verify'], ['replay'], ['inspect']])(
    '[RUN-28] %s refuses a folder whose journal is empty',
    async (verb) => {
      const folder = await stoppedFolder();
      rmSync(join(folder, 'journal'), { recursive: true });
      mkdirSync(join(folder, 'journal'));
      const { code, errors, output } = await runVerb(verb, '--data', folder);
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(/^rialto: \S+\/journal holds no (?:journal|commands)\n$/);
    },
  );

  test('[RUN-29] inspect names the oldest command it can show if earlier ones are removed', async () => {
    const server = await startServer({ folder: temporaryFolder(), flags: ['--limits', 'off'] });
    const { folder } = server;
    const { uid } = server.user('dave');
    const credit = (): Promise<unknown> =>
      server.operate('POST', '/operator/v1/deposits', { uid, coin: 'SOL', size: '1' });
    // A segment is removed only once it is full.
    const isFull = (): boolean =>
      readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.seg')).length > 1;
    const fill = async (): Promise<void> => {
      for (let n = 0; n < 250 && !isFull(); n++)
        await server.operate('POST', '/operator/v1/prices', LARGE_PRICES);
    };
    await Promise.all(Array.from({ length: 8 }, fill));
    await server.operate('POST', '/operator/v1/snapshot', {});
    await credit();
    await server.operate('POST', '/operator/v1/snapshot', {});
    await credit();
    const { sequence } = await server.health();
    await server.end('SIGTERM');
    expect((await runVerb('inspect', '5', '--data', folder)).errors).toBe(
      `rialto: command 5 is no longer stored; the oldest that can be shown is ${sequence - 1}\n`,
    );
    expect((await runVerb('inspect', '--data', folder)).output.match(/^#\d+/gm)).toEqual([
      `#${sequence - 1}`,
      `#${sequence}`,
    ]);
  });
});

describe('verbs on a folder with damaged files', () => {
  test.each([
    ['credentials.json', '{"operatorToken": s3cret'],
    ['address.json', '{"publicUrl": s3cret'],
    ['address.json', 'null'],
  ])(
    '[RUN-34] %s that holds %s is named in one line, without any of its content',
    async (name, text) => {
      const folder = temporaryFolder();
      writeFileSync(
        join(folder, 'address.json'),
        '{"publicUrl":"http://127.0.0.1:1","operatorUrl":"http://127.0.0.1:1"}',
      );
      writeFileSync(join(folder, 'credentials.json'), '{"operatorToken":"t","users":[]}');
      writeFileSync(join(folder, name), text);
      const { code, errors } = await runVerb('fund', '1000000001', 'USDT', '1', '--data', folder);
      expect(code).toBe(1);
      expect(errors).toMatch(ONE_LINE);
      expect(errors).toContain(`${join(folder, name)} is damaged`);
      expect(errors).not.toContain('s3cret');
    },
  );
});
