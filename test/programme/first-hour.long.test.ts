import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { endAll, startServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

afterAll(endAll);

/** The commands of a section of a document. */
function commandsOf(path: string, heading: string): string {
  const [, section = ''] = readFileSync(join(ROOT, path), 'utf8').split(`## ${heading}\n`);
  return /```sh\n([\s\S]*?)```/.exec(section)?.[1] ?? '';
}

test('[RUN-68] the first commands of the guide make a user, a price and an order, and money adds up', async () => {
  const server = await startServer({ folder: temporaryFolder(), flags: ['--world', 'empty'] });
  const commands = commandsOf('docs/operating.md', 'The first quarter of an hour')
    .replace('/var/lib/rialto', server.folder)
    .replace('http://127.0.0.1:8081', server.operatorUrl)
    .replace('http://127.0.0.1:8080', server.url);
  const script = `rialto() { node ${join(ROOT, 'dist/ops/cli.js')} "$@"; }\n${commands}`;
  const { stdout, stderr } = await run('bash', ['-ec', script], { cwd: temporaryFolder() });
  expect(stderr).toBe('');
  const answers = stdout.split('\n').filter((line) => line !== '');
  expect(answers).toEqual([
    expect.stringContaining('"data":{"uid":"1000000001"}'),
    expect.stringMatching(/^credited 10000 USDT to 1000000001, /),
    expect.stringContaining('"code":"00000"'),
    expect.stringMatching(/"code":"00000".*"orderId":"\d+"/),
    expect.stringMatching(/"coin":"USDT","equity":"10000".*"available":"99\d\d\./),
    expect.stringContaining('"ok":true'),
  ]);
});
