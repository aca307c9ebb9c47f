import { execFile, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { endAll, temporaryFolder } from './server.ts';

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
  return project;
}

/** Starts it as `npx rialto start` does, and stops it when it is ready. */
function outputUntilReady(project: string): Promise<string> {
  const cli = join('node_modules', 'rialto', manifest.bin.rialto);
  const flags = ['--port', '0', '--operator-port', '0', '--data', 'exchange'];
  const child = spawn(process.execPath, [cli, 'start', ...flags], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (/^ready .*$/m.test(output)) child.kill('SIGTERM');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(output));
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
  const output = await outputUntilReady(project);
  expect(output).toMatch(/^ {2}Your first order: npx rialto snippet curl --data \S+ \| bash$/m);
  expect(output).toMatch(/^ready /m);
});
