/** Runs the programs of the guide to streams beside an exchange, with the installed clients. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { pythonWith } from './distribution.ts';
import { guideBlocks, linesMissing } from './guide-blocks.ts';
import { endAll, launchServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
/** The test starts the exchange with the same flags, on free ports. */
const START = 'npm start -- --market on --json > ready.json &\n';
const READY_MS_MAX = 30_000;
const PROGRAM_MS_MAX = 60_000;

afterAll(endAll);

async function readyLine(): Promise<string> {
  const flags = ['--market', 'on', '--json'];
  const { output, errors } = launchServer({ folder: temporaryFolder(), flags });
  const end = Date.now() + READY_MS_MAX;
  while (!output().endsWith('\n')) {
    if (Date.now() > end) throw new Error(`the exchange is not ready: ${errors()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return output();
}

test('[RUN-92] streams.md runs as it stands, with ccxt.pro and bitget-api', async () => {
  const folder = temporaryFolder();
  symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'ready.json'), await readyLine());

  const commands: string[] = [];
  let output = '';
  const guide = readFileSync(join(REPOSITORY, 'docs/guides/streams.md'), 'utf8');
  for (const block of guideBlocks(guide)) {
    if (block.kind === 'file') writeFileSync(join(folder, block.name), block.text);
    if (block.kind === 'commands') commands.push(block.text);
    if (block.kind === 'commands' && block.text !== START) {
      const options = { cwd: folder, timeout: PROGRAM_MS_MAX };
      output = (await run('bash', ['-ec', block.text], options)).stdout;
    }
    if (block.kind === 'output')
      expect(linesMissing(block.lines, output), `The output is\n${output}`).toEqual([]);
  }
  expect(commands).toContain(START);
  expect(commands).toHaveLength(3);
  // Running it needs a package of pip.
  await run(pythonWith('py_compile'), ['-m', 'py_compile', 'ccxt_streams.py'], { cwd: folder });
});
