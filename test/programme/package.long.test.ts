import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { endAll, NODE_FLAGS, temporaryFolder } from './server.ts';

afterEach(endAll);

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

interface Manifest {
  readonly bin: { readonly rialto: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as Manifest;

/** What is in the package as it is built now; building it anew would pull it from under the other tests. */
async function packedFiles(): Promise<readonly string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: REPOSITORY });
  const [packed] = JSON.parse(stdout) as readonly [{ readonly files: readonly { readonly path: string }[] }];
  return packed.files.map(({ path }) => path);
}

/** A project that has the package, and beside it what the package needs and nothing else. */
async function projectWithPackage(): Promise<string> {
  const project = temporaryFolder();
  const installed = join(project, 'node_modules', 'rialto');
  for (const path of await packedFiles()) {
    mkdirSync(dirname(join(installed, path)), { recursive: true });
    cpSync(join(REPOSITORY, path), join(installed, path));
  }
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
  expect(manifest.scripts.prepack).toBe('npm run --silent build');
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
