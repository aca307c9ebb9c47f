import { execFile, execFileSync, spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packInto, projectWithPackage } from './installed-package.ts';
import { endAll, NODE_FLAGS, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** The tarball, and a project that installed it. Each test writes its own files there. */
let packed: string;
let project: string;

/** Declarations go to `dist/types` only, which no running exchange reads. */
beforeAll(async () => {
  await run('npm', ['run', '--silent', 'declarations'], { cwd: REPOSITORY });
  packed = await packInto(temporaryFolder());
  project = await projectWithPackage(packed);
}, 300_000);
afterAll(endAll);

interface Manifest {
  readonly bin: { readonly rialto: string };
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Manifest;

const LINKED = join('node_modules', '.bin', 'rialto');

interface Served {
  readonly output: string;
  readonly errors: string;
  /** The command line of the process itself, once it is ready. */
  readonly line: string;
  readonly ended: number | NodeJS.Signals | null;
}

/** Starts it with `npx rialto start` and stops it when it is ready. */
function servedUntil(signal: NodeJS.Signals): Promise<Served> {
  const flags = ['--port', '0', '--operator-port', '0', '--data', 'exchange'];
  const child = spawn(LINKED, ['start', ...flags], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors, line] = ['', '', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (line !== '' || !/^ready .*$/m.test(output)) return;
    line = execFileSync('ps', ['-ww', '-o', 'args=', '-p', `${child.pid}`], {
      encoding: 'utf8',
    }).trim();
    child.kill(signal);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) =>
      resolve({ output, errors, line, ended: code ?? killedBy }),
    );
  });
}

test('[RUN-62][RUN-54] the installed package starts from code and by its name', async () => {
  expect(manifest.scripts.prepack).toBe('npm run --silent build && npm run --silent declarations');
  writeFileSync(
    join(project, 'bot.mjs'),
    `import { startExchange } from 'rialto/testing';
    const exchange = await startExchange();
    const answer = await fetch(exchange.url + '/api/v2/public/time');
    console.log(exchange.user('dave').name, (await answer.json()).code);
    await exchange.stop();`,
  );
  const { stdout: input } = await run(process.execPath, ['bot.mjs'], { cwd: project });
  expect(input).toBe('dave 00000\n');

  const cli = join('node_modules', 'rialto', manifest.bin.rialto);
  await expect(
    run(process.execPath, [cli, 'snippet', 'curl', '--data', 'nowhere'], { cwd: project }),
  ).rejects.toMatchObject({
    stderr:
      'rialto: no exchange has run in nowhere (address.json is missing); start one with: npx rialto start --data nowhere\n',
  });
  const { output, errors, ended } = await servedUntil('SIGTERM');
  expect(output).toMatch(/^ {2}Your first order: npx rialto snippet curl --data \S+ \| bash$/m);
  expect(output).toMatch(/^ready /m);
  expect([errors, ended]).toEqual(['', 0]);
});

test('[RUN-26][RUN-56] the command that npm links replaces itself with Node and the flags of npm start', async () => {
  const { line, ended } = await servedUntil('SIGINT');
  expect([line.split(' ').slice(1, -6), ended]).toEqual([[...NODE_FLAGS, LINKED, 'start'], 0]);
  expect((await servedUntil('SIGKILL')).ended).toBe('SIGKILL');
  const unknown = {
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^rialto: unknown option '--no such'; [^\n]+\n$/),
  };
  await expect(run(join(project, LINKED), ['start', '--no such'])).rejects.toMatchObject(unknown);
});

/** A user program: an exchange, a client and an order that fills. */
const BOT = `import { ApiError, createClient } from 'rialto/client';
import { startExchange, type TestExchange } from 'rialto/testing';

declare const console: { log(...values: unknown[]): void };
const exchange: TestExchange = await startExchange({ market: 'off', startTime: 1700000000000 });
const { apiKey, secretKey, passphrase } = exchange.user('dave');
const client = createClient({ baseUrl: exchange.url, apiKey, secretKey, passphrase });
const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', side: 'buy', qty: '0.01' } as const;
const limit = { ...order, orderType: 'limit', price: '50000' } as const;
const { orderId }: { readonly orderId: string | null } = await client.call('placeOrder', limit);
const { list } = await client.call('listOpenOrders', { category: 'USDT-FUTURES' });
const now: string = (await exchange.operator.call('getClock', {})).now;
console.log(list!.map((open) => open.orderId === orderId), list![0]!.price, now.slice(0, 5));
try {
  await client.call('placeOrder', { ...limit, qty: '-1' });
} catch (error) {
  console.log(error instanceof ApiError && error.code);
}
await exchange.stop();
`;

const UNTYPED = `import { createClient } from 'rialto/client';
import { startExchange } from 'rialto/testing';

const client = createClient({ baseUrl: '', apiKey: '', secretKey: '', passphrase: '' });
const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const order = { ...futures, orderType: 'market', qty: '1' } as const;
// @ts-expect-error No call has this name.
await client.call('placeOrders', { ...order, side: 'buy' });
// @ts-expect-error There is no such side.
await client.call('placeOrder', { ...order, side: 'long' });
// @ts-expect-error There is no such option.
await startExchange({ markets: 'on' });
`;

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  '[API-79][RUN-62] a strict project compiles a bot and runs it, module %s',
  async (module, moduleResolution) => {
    const outDir = join(project, module);
    writeFileSync(join(project, 'bot.ts'), BOT);
    writeFileSync(join(project, 'untyped.ts'), UNTYPED);
    // Without the types of Node, because a user may have none.
    const strict = { strict: true, skipLibCheck: false, types: [] };
    const compilerOptions = { ...strict, module, moduleResolution, target: 'es2022', outDir };
    const files = ['bot.ts', 'untyped.ts'];
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
    const compiled = run(process.execPath, [tsc, '-p', project]);
    const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
    const ran = await run(process.execPath, [join(outDir, 'bot.js')], { cwd: project });
    expect([ran.stdout, ran.stderr]).toEqual(['[ true ] 50000 17000\n40020\n', '']);
  },
);

test('[REP-30] the tarball is smaller than 2 MB and holds no sources', async () => {
  expect(statSync(packed).size).toBeLessThan(2_000_000);
  const { stdout } = await run('tar', ['-tzf', packed]);
  const files = stdout.trim().split('\n');
  expect(files).toEqual(
    expect.arrayContaining([
      'package/dist/ops/cli.js',
      'package/dist/types/client/client.d.ts',
      'package/bin/rialto.js',
    ]),
  );
  expect(
    files.filter(
      (file) => /(?<!\.d)\.ts$|\.map$/.test(file) && !file.startsWith('package/examples/'),
    ),
  ).toEqual([]);
});
