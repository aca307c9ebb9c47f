import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippets } from '../../src/ops/snippets.ts';
import { endAll, runVerb, type Server, startServer, temporaryFolder } from './server.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let server: Server;

beforeAll(async () => {
  server = await startServer({ folder: temporaryFolder(), flags: ['--market', 'on'] });
});
afterAll(endAll);

const environment = (): NodeJS.ProcessEnv => {
  const { apiKey, secretKey, passphrase } = server.user('dave');
  return {
    ...process.env,
    RIALTO_URL: server.url,
    RIALTO_KEY: apiKey,
    RIALTO_SECRET: secretKey,
    RIALTO_PASSPHRASE: passphrase,
  };
};

const outputOf = async (command: string, ...line: readonly string[]): Promise<string> =>
  (await run(command, [...line], { cwd: ROOT, env: environment() })).stdout;

describe('the first order of the examples', () => {
  test('[RUN-55] with bitget-api', async () => {
    expect(await outputOf('npx', 'tsx', 'examples/first-order/bitget-api.ts')).toMatch(
      /^filled at \d+/m,
    );
  });

  test('[RUN-55] with ccxt', async () => {
    expect(await outputOf('npx', 'tsx', 'examples/first-order/ccxt.ts')).toMatch(
      /^closed, 0.01 filled$/m,
    );
  });

  test('[RUN-55] with curl', async () => {
    const output = await outputOf('bash', 'examples/first-order/curl.sh');
    expect(output).toMatch(/"code":"00000".*"orderId":"\d+"/);
    expect(output).toMatch(/"posSide":"long"/);
  });
});

describe('snippets', () => {
  test('[RUN-32][RUN-54] the curl snippet places the first order, and the start prints how to get it', async () => {
    const { code, output } = await runVerb('snippet', 'curl', '--data', server.folder);
    expect(code).toBe(0);
    const { stdout } = await run('bash', ['-c', output], { cwd: ROOT });
    expect(stdout).toMatch(/"code":"00000".*"orderId":"\d+"/);
    expect(server.output).toMatch(/first order: .*snippet curl .*\| bash/);
  });

  test.each(['ccxt', 'bitget-api', 'ccxt-python', 'freqtrade'])(
    '[RUN-32] %s contains the address and a real key',
    async (client) => {
      const { code, output } = await runVerb('snippet', client, '--data', server.folder);
      expect(code).toBe(0);
      expect(output).toContain(server.url);
      expect(output).toContain(server.user('dave').apiKey);
      if (client === 'freqtrade')
        expect(JSON.parse(output)).toMatchObject({ exchange: { name: 'bitget' } });
    },
  );

  test('[RUN-82] snippet without a client lists all of them, one in a line, and needs no exchange', async () => {
    const { code, output, errors } = await runVerb(
      'snippet',
      '--data',
      join(temporaryFolder(), 'nothing'),
    );
    expect([code, errors]).toEqual([0, '']);
    expect(output.match(/^\S+(?= {2,}\S)/gm)).toEqual(Object.keys(snippets));
    const unknown = await runVerb('snippet', 'telegraph');
    expect([unknown.code, unknown.errors]).toEqual([
      1,
      expect.stringMatching(/^rialto: [^\n]+\n$/),
    ]);
    expect(unknown.errors).toContain(Object.keys(snippets).join(', '));
  });
});
