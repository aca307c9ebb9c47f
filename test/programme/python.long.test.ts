/** Runs the Python code of snippets and guide as a user does. `ccxt-python` is only compiled. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonWith } from './distribution.ts';
import { endAll, runVerb, type Server, startServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

test('[REP-31] a missing part of the distribution is named with its package', () => {
  expect(() => pythonWith('no_such_module')).toThrow(
    'LEFT OUT: python3 with the module no_such_module is missing; run apt-get install python3',
  );
});

describe('snippets', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
  });
  afterAll(endAll);

  const written = async (client: string): Promise<string> => {
    const path = join(temporaryFolder(), 'snippet.py');
    writeFileSync(path, (await runVerb('snippet', client, '--data', server.folder)).output);
    return path;
  };

  test('[RUN-85] snippet python places an order that fills, even if the environment sets a proxy', async () => {
    const python = pythonWith('hmac');
    const env = { ...process.env, http_proxy: 'http://127.0.0.1:9' };
    const { stdout } = await run(python, [await written('python')], { env });
    expect(stdout).toContain("'orderStatus': 'filled'");
    expect(stdout).toContain("'cumExecQty': '0.01'");
    expect(stdout).toContain("'coin': 'USDT'");
  });

  test('[RUN-85] snippet python says why a call is refused, and exits with a code other than 0', async () => {
    const python = pythonWith('hmac');
    const path = await written('python');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"qty": "0.01"', '"qty": "-1"'));
    await expect(run(python, [path])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/RuntimeError: \d{5}: .*qty/),
    });
  });

  test('[RUN-86] snippet ccxt-python compiles; running it needs a package of pip', async () => {
    const python = pythonWith('py_compile');
    await run(python, ['-m', 'py_compile', await written('ccxt-python')]);
  });
});

/** The files of the guide: each block of Python begins with its name. */
function guideFiles(): ReadonlyMap<string, string> {
  const guide = readFileSync(join(REPOSITORY, 'docs/guides/python.md'), 'utf8');
  const blocks = [...guide.matchAll(/```python\n# (\S+\.py)\n(.*?)```/gs)];
  return new Map(blocks.map(([, name, code]) => [name!, code!]));
}

describe('the guide', () => {
  test('[RUN-87] its fixture serves the sample tests, and leaves neither a process nor a folder', async () => {
    const python = pythonWith('pytest');
    const [project, place] = [temporaryFolder(), temporaryFolder()];
    const files = guideFiles();
    expect([...files.keys()]).toEqual(['conftest.py', 'rialto_client.py', 'test_orders.py']);
    for (const [name, code] of files) writeFileSync(join(project, name), code);
    writeFileSync(
      join(project, 'test_address.py'),
      'def test_it_has_an_address(rialto):\n    open("address", "w").write(rialto["operatorUrl"])\n',
    );
    const env = {
      ...process.env,
      TMPDIR: place,
      RIALTO_COMMAND: `${process.execPath} ${join(REPOSITORY, 'dist/ops/cli.js')}`,
    };
    const { stdout } = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], {
      cwd: project,
      env,
    });
    expect(stdout).toContain('4 passed');
    expect(readdirSync(place).filter((name) => name.startsWith('rialto-'))).toEqual([]);
    await expect(fetch(readFileSync(join(project, 'address'), 'utf8'))).rejects.toThrow(
      'fetch failed',
    );
  });
});
