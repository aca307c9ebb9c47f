/** Every guide, run as its reader runs it: package installed, files written, commands pasted. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
/** The index, and two guides with tests of their own: `python` and `replay-history`. */
const NOT_RUN_HERE = new Set(['README.md', 'python.md', 'replay-history.md']);
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

const guides = readdirSync(GUIDES).filter((name) => !NOT_RUN_HERE.has(name));

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

test('[RUN-92] a line that a program does not print, or prints earlier, is found missing', () => {
  const output = 'one\ntwo (3.5ms)\n4 % done\n';
  expect(linesMissing(['one', 'two (1.1ms)', '90 % done'], output)).toEqual([]);
  expect(linesMissing(['two (1.1ms)', 'one', 'three'], output)).toEqual(['one', 'three']);
});
