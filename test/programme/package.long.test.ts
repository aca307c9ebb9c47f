import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { endAll, NODE_FLAGS, temporaryFolder } from './server.ts';

afterEach(endAll);

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Writes `dist/types` alone, which no running exchange reads. */
beforeAll(() => run('npm', ['run', '--silent', 'declarations'], { cwd: REPOSITORY }), 300_000);

interface Manifest {
  readonly bin: { readonly rialto: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Manifest;

/** The package as it is built now; building it anew would pull it from under the other tests. */
async function tarball(): Promise<string> {
  const folder = temporaryFolder();
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: REPOSITORY });
  const [packed] = JSON.parse(stdout) as readonly [{ readonly filename: string }];
  return join(folder, packed.filename);
}

/** A project that has the package, and beside it what the package needs and nothing else. */
async function projectWithPackage(): Promise<string> {
  const project = temporaryFolder();
  const installed = join(project, 'node_modules', 'rialto');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', await tarball(), '-C', installed, '--strip-components=1']);
  for (const name of Object.keys(manifest.dependencies)) {
    const place = join(project, 'node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(REPOSITORY, 'node_modules', name), place);
  }
  // As npm links it.
  mkdirSync(join(project, 'node_modules', '.bin'));
  symlinkSync(join('..', 'rialto', manifest.bin.rialto), join(project, LINKED));
  chmodSync(join(installed, manifest.bin.rialto), 0o755);
  return project;
}

const LINKED = join('node_modules', '.bin', 'rialto');

interface Served {
  readonly output: string;
  readonly errors: string;
  /** The command line of the very process that was started, when it was ready. */
  readonly line: string;
  readonly ended: number | NodeJS.Signals | null;
}

/** Starts it as `npx rialto start` does, and stops it when it is ready. */
function servedUntil(signal: NodeJS.Signals, project: string): Promise<Served> {
  const flags = ['--port', '0', '--operator-port', '0', '--data', 'exchange'];
  const child = spawn(LINKED, ['start', ...flags], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  let [output, errors, line] = ['', '', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (line !== '' || !/^ready .*$/m.test(output)) return;
    line = execFileSync('ps', ['-ww', '-o', 'args=', '-p', `${child.pid}`], { encoding: 'utf8' }).trim();
    child.kill(signal);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => resolve({ output, errors, line, ended: code ?? killedBy }));
  });
}

test('[RUN-62][RUN-54] the package, installed in another project, starts from code and by its name, and names the way to the first order', async () => {
  expect(manifest.scripts.prepack).toBe('npm run --silent build && npm run --silent declarations');
  const project = await projectWithPackage();
  writeFileSync(
    join(project, 'bot.mjs'),
    `import { startExchange } from 'rialto/testing';
    const exchange = await startExchange();
    const answer = await fetch(exchange.url + '/api/v2/public/time');
    console.log(exchange.user('dave').name, (await answer.json()).code);
    await exchange.stop();`,
  );
  const { stdout: said } = await run(process.execPath, ['bot.mjs'], { cwd: project });
  expect(said).toBe('dave 00000\n');

  const cli = join('node_modules', 'rialto', manifest.bin.rialto);
  await expect(run(process.execPath, [cli, 'snippet', 'curl', '--data', 'nowhere'], { cwd: project })).rejects.toMatchObject({
    stderr: 'rialto: no exchange has run in nowhere (address.json is not there); start one with: npx rialto start --data nowhere\n',
  });
  const { output, errors, ended } = await servedUntil('SIGTERM', project);
  expect(output).toMatch(/^ {2}Your first order: npx rialto snippet curl --data \S+ \| bash$/m);
  expect(output).toMatch(/^ready /m);
  expect([errors, ended]).toEqual(['', 0]);
});

test('[RUN-26][RUN-56] the command that npm links becomes Node itself, with the flags of npm start: signals, codes and output are its own', async () => {
  const project = await projectWithPackage();
  const { line, ended } = await servedUntil('SIGINT', project);
  expect([line.split(' ').slice(1, -6), ended]).toEqual([[...NODE_FLAGS, LINKED, 'start'], 0]);
  expect((await servedUntil('SIGKILL', project)).ended).toBe('SIGKILL');
  const unknown = { code: 1, stdout: '', stderr: expect.stringMatching(/^rialto: unknown option '--no such'; [^\n]+\n$/) };
  await expect(run(join(project, LINKED), ['start', '--no such'])).rejects.toMatchObject(unknown);
});

const TYPED = `import { ApiError, createClient } from 'rialto/client';
import { startExchange, type TestExchange } from 'rialto/testing';

const exchange: TestExchange = await startExchange({ market: 'off', startTime: 1700000000000 });
const { apiKey, secretKey, passphrase } = exchange.user('dave');
const client = createClient({ baseUrl: exchange.url, apiKey, secretKey, passphrase });
const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', side: 'buy', orderType: 'market', qty: '0.01' } as const;
const { orderId }: { readonly orderId: string | null } = await client.call('placeOrder', order);
const now: string = (await exchange.operator.call('getClock', {})).now;
export const unknown = (error: unknown): boolean => error instanceof ApiError && error.code === '25204';
// @ts-expect-error No call has this name.
await client.call('placeOrders', order);
// @ts-expect-error There is no such side.
await client.call('placeOrder', { ...order, side: 'long' });
// @ts-expect-error There is no such option.
await startExchange({ markets: 'on' });
export { now, orderId };
`;

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])('[API-79] a strict project without types of Node compiles against the package, module %s', async (module, moduleResolution) => {
  const project = await projectWithPackage();
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'bot.ts'), TYPED);
  const compilerOptions = { module, moduleResolution, target: 'es2022', strict: true, skipLibCheck: false, noEmit: true, types: [] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['bot.ts'] }));
  const tsc = join(REPOSITORY, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', project]).catch((error: unknown) => error as { stdout: string });
  expect(stdout).toBe('');
});

test('[REP-30] the tarball is smaller than 2 MB and holds no sources', async () => {
  const path = await tarball();
  expect(statSync(path).size).toBeLessThan(2_000_000);
  const { stdout } = await run('tar', ['-tzf', path]);
  const files = stdout.trim().split('\n');
  expect(files).toEqual(
    expect.arrayContaining(['package/dist/ops/cli.js', 'package/dist/types/client/client.d.ts', 'package/bin/rialto.js']),
  );
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$/.test(file) && !file.startsWith('package/examples/'))).toEqual([]);
});
