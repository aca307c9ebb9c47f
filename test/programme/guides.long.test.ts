/** Runs every guide like a reader: installs the package, writes the files, runs the commands. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guideBlocks, linesMissing } from './guide-blocks.ts';
import { npmEnvironment, packInto } from './installed-package.ts';
import { type PackageRegistry, startPackageRegistry } from './package-registry.ts';
import { endAll, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const GUIDES = join(REPOSITORY, 'docs/guides');
/** The index, the guides with tests of their own, and the guide that runs in a clone. */
const NOT_BESIDE_A_BOT = new Set(['README.md', 'python.md', 'replay-history.md', 'streams.md']);
const GUIDE_LINES_MAX = 150;
/** A shell runs this in a checkout. The tests pack what is built, as package.long.test.ts does. */
const PACK = '(cd ../rialto && npm ci && npm pack)\n';
const COMMANDS_MS_MAX = 300_000;

/** A folder with a packed checkout, beside which each guide has a folder for its bot. */
let place: string;
let registry: PackageRegistry;

beforeAll(async () => {
  place = temporaryFolder();
  mkdirSync(join(place, 'rialto'));
  await packInto(join(place, 'rialto'));
  registry = await startPackageRegistry(REPOSITORY);
}, 300_000);
afterAll(async () => {
  await registry.stop();
  endAll();
});

async function outputOf(commands: string, folder: string): Promise<string> {
  const env = {
    ...npmEnvironment(registry, join(place, 'cache')),
    // What a terminal shows.
    NODE_OPTIONS: '--test-reporter=spec',
  };
  const options = { cwd: folder, env, timeout: COMMANDS_MS_MAX };
  return (await run('bash', ['-ec', commands], options)).stdout;
}

function writeIn(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The commands of a workflow for CI. */
const stepsOf = (workflow: string): string =>
  [...workflow.matchAll(/^ +- run: (.*)$/gm)].map(([, command]) => `${command}\n`).join('');

const guides = readdirSync(GUIDES).filter((name) => !NOT_BESIDE_A_BOT.has(name));

test.each(guides)('[RUN-92] %s runs as it stands and prints what it shows', async (guide) => {
  const markdown = readFileSync(join(GUIDES, guide), 'utf8');
  expect(markdown.split('\n').length - 1).toBeLessThanOrEqual(GUIDE_LINES_MAX);
  expect(markdown).toContain(PACK);
  const folder = join(place, guide.replace('.md', ''));
  writeIn(folder, 'package.json', '{}');

  let output = '';
  for (const block of guideBlocks(markdown))
    switch (block.kind) {
      case 'file':
        writeIn(folder, block.name, block.text);
        if (block.name.endsWith('.yml')) await outputOf(stepsOf(block.text), folder);
        break;
      case 'commands':
        output = await outputOf(block.text.replace(PACK, ''), folder);
        break;
      case 'output':
        expect(linesMissing(block.lines, output), `The output is\n${output}`).toEqual([]);
        break;
      case 'quotation':
        break;
    }
});

/** The files of this checkout, its build excluded, with the packages that it has installed. */
async function clone(): Promise<string> {
  const folder = temporaryFolder();
  const copy = 'git ls-files -z | xargs -0 cp --parents -t "$0"';
  await run('bash', ['-c', copy, folder], { cwd: REPOSITORY });
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const USUAL_ADDRESS = "'http://127.0.0.1:8080";
const PRINT_ADDRESS = "JSON.parse(fs.readFileSync('data/replay/address.json')).publicUrl";
const SERVED_ADDRESS = `"$(node -p "${PRINT_ADDRESS}")"'`;
/** replay-history.long.test.ts runs the bot, which takes 90 seconds. */
const RUN_BOT = 'node data/bot.mjs\n';

test('[RUN-92] the commands of replay-history.md run in a clone', async () => {
  const blocks = guideBlocks(readFileSync(join(GUIDES, 'replay-history.md'), 'utf8'));
  const commands = blocks.map((block) => (block.kind === 'commands' ? block.text : '')).join('');
  for (const part of [USUAL_ADDRESS, RUN_BOT]) expect(commands).toContain(part);
  const script = [
    "trap 'kill $(jobs -p); wait' EXIT",
    commands.replace(USUAL_ADDRESS, SERVED_ADDRESS).replace(RUN_BOT, ''),
  ].join('\n');
  const env = { ...process.env, RIALTO_PORT: '0', RIALTO_OPERATOR_PORT: '0' };
  const options = { cwd: await clone(), env, timeout: COMMANDS_MS_MAX };
  const { stdout } = await run('bash', ['-ec', script], options);
  const shown = blocks.flatMap((block) => (block.kind === 'output' ? block.lines : []));
  expect(linesMissing(shown, stdout), `The output is\n${stdout}`).toEqual([]);
  expect(stdout).toMatch(/"code":"00000".*"data":\[\["\d{13}",/);
});

test('[RUN-92] a line that a program does not print, or prints earlier, is found missing', () => {
  const output = 'one\ntwo (3.5ms)\n4 % done\n';
  expect(linesMissing(['one', 'two (1.1ms)', '90 % done'], output)).toEqual([]);
  expect(linesMissing(['two (1.1ms)', 'one', 'three'], output)).toEqual(['one', 'three']);
});
