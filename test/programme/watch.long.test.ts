/** `rialto watch` on a pipe and on a terminal. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pythonWith } from './distribution.ts';
import {
  endAll,
  launchVerb,
  runVerb,
  type Server,
  startServer,
  temporaryFolder,
} from './server.ts';

const CLI = fileURLToPath(new URL('../../dist/ops/cli.js', import.meta.url));
const WAIT_MS_MAX = 20_000;
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const BOOK = new RegExp(String.raw`^${TIME} bid [\d.]+ at [\d.]+, ask [\d.]+ at [\d.]+$`);
const TRADE = new RegExp(String.raw`^${TIME} (buy|sell) [\d.]+ at [\d.]+$`);

let server: Server;
beforeAll(async () => {
  server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
});
afterAll(endAll);

async function until(isTrue: () => boolean): Promise<void> {
  const end = Date.now() + WAIT_MS_MAX;
  while (!isTrue() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
}

test('[RUN-170] on a pipe, watch writes lines of trades and of the best prices, until Ctrl-C', async () => {
  const { child, ended, output } = launchVerb('watch', 'BTCUSDT', '--data', server.folder);
  const lines = (): readonly string[] => output().split('\n').slice(0, -1);
  const has = (form: RegExp): boolean => lines().some((line) => form.test(line));
  await until(() => has(BOOK) && has(TRADE));
  expect([has(BOOK), has(TRADE)]).toEqual([true, true]);
  expect(lines().filter((line) => !BOOK.test(line) && !TRADE.test(line))).toEqual([]);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 0, errors: '' });
});

test('[RUN-170] on a terminal, watch redraws one screen, and Ctrl-C restores the one before', async () => {
  const spawning = 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)';
  const verb = [process.execPath, CLI, 'watch', 'BTCUSDT', '--category', 'SPOT'];
  const child = spawn(pythonWith('pty'), ['-c', spawning, ...verb, '--data', server.folder]);
  let shown = '';
  child.stdout.on('data', (part: Buffer) => {
    shown += part.toString();
  });
  const drawn = (): number => shown.split('\x1b[H').length - 1;
  await until(() => drawn() >= 3);
  expect(drawn()).toBeGreaterThanOrEqual(3);
  expect(shown.startsWith('\x1b[?1049h')).toBe(true);
  expect(shown).toContain('BTCUSDT SPOT');
  child.stdin.write('\x03');
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  expect(shown.trimEnd().endsWith('\x1b[?25h\x1b[?1049l')).toBe(true);
});

test('[RUN-170] watch says in one line that a symbol is unknown, or that the exchange stops', async () => {
  const unknown = await runVerb('watch', 'NOTHING', '--data', server.folder);
  expect(unknown.code).toBe(1);
  expect(unknown.errors).toMatch(/^rialto: [^\n]*NOTHING[^\n]*\n$/);
  const stopping = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
  const { ended, output } = launchVerb('watch', 'BTCUSDT', '--data', stopping.folder);
  await until(() => output() !== '');
  await stopping.end('SIGTERM');
  expect(await ended).toMatchObject({
    code: 1,
    errors: 'rialto: the stream has ended: the exchange stops\n',
  });
  const gone = await runVerb('watch', 'BTCUSDT', '--data', stopping.folder);
  expect(gone.errors).toMatch(/^rialto: no exchange answers at [^\n]+\n$/);
});
