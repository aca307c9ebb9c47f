/** The indicator bot, as a new user runs it: a clone, `npm start` and the bot. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import {
  credentialsIn,
  endAll,
  startServer,
  temporaryFolder,
  type UserCredentials,
} from './server.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FIRST_ORDER_MS_MAX = 60_000;

let started: ChildProcess | undefined;
afterAll(() => {
  started?.kill('SIGKILL');
  endAll();
});

/** The program part of a checkout, with the packages that `npm ci` installs, and no build. */
function clone(): string {
  const folder = temporaryFolder();
  for (const name of [
    'bin',
    'src',
    'examples',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function readyUrl({ stdout }: ChildProcess): Promise<string> {
  let output = '';
  for await (const part of stdout!) {
    output += String(part);
    const [, url] = /^ready (\S+)/m.exec(output) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`it ended before it was ready: ${output}`);
}

async function runBot(
  folder: string,
  url: string,
  { apiKey, secretKey, passphrase }: UserCredentials,
): Promise<string> {
  const env = {
    ...process.env,
    RIALTO_URL: url,
    RIALTO_KEY: apiKey,
    RIALTO_SECRET: secretKey,
    RIALTO_PASSPHRASE: passphrase,
  };
  return (await run('npx', ['tsx', 'examples/moving-averages/bot.ts', '1'], { cwd: folder, env }))
    .stdout;
}

const ORDER =
  /^fast \d+\.\d, slow \d+\.\d: (long|short)\norder \d+: (buy|sell) 0\.01 at \d+(\.\d+)?\n$/;

test('[PAST-16] a bot that needs 200 candles orders within 60 s of npm start in a clone', async () => {
  const folder = clone();
  const begun = performance.now();
  started = spawn('npm', ['start', '--', '--port', '0', '--operator-port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await readyUrl(started);
  const dave = credentialsIn(join(folder, 'data')).users.find(({ name }) => name === 'dave')!;
  const output = await runBot(folder, url, dave);
  const tookMs = performance.now() - begun;
  expect(output).toMatch(ORDER);
  expect(tookMs).toBeLessThan(FIRST_ORDER_MS_MAX);
  const ended = once(started, 'exit');
  started.kill('SIGTERM');
  await ended;
});

test('[RUN-55][PAST-14] the bot keeps its position on its next run, and does not trade without a past', async () => {
  const server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
  expect(await runBot(ROOT, server.url, server.user('dave'))).toMatch(ORDER);
  expect(await runBot(ROOT, server.url, server.user('dave'))).toMatch(
    /^fast \d+\.\d, slow \d+\.\d: (long|short)\n(?!order)/,
  );
  const without = await startServer({
    folder: temporaryFolder(),
    flags: ['--market', 'on', '--past', '0'],
  });
  expect(await runBot(ROOT, without.url, without.user('dave'))).toMatch(
    /^\d+ of 200 candles: too few to trade\n$/,
  );
});
