/** The JSON line of a start, read by a program. */
import { afterEach, expect, test } from 'vitest';
import {
  credentialsIn,
  endAll,
  launchServer,
  type Server,
  signedHeaders,
  temporaryFolder,
} from './server.ts';

afterEach(endAll);

interface Ready extends Pick<Server, 'url' | 'operatorUrl'> {
  readonly operatorToken: string;
  readonly data: string;
  readonly isFirst: boolean;
  readonly users: Server['credentials']['users'];
}

async function started(
  folder: string,
  variables: Readonly<Record<string, string>>,
  flags: readonly string[],
) {
  const { child, output, ended } = launchServer({ folder, environment: variables, flags });
  await new Promise((resolve, reject) => {
    child.stdout!.once('data', resolve);
    ended.then(({ errors }) => reject(new Error(errors)), reject);
  });
  const stop = async (): Promise<string> => {
    child.kill('SIGTERM');
    return (await ended).output;
  };
  return { ready: JSON.parse(output()) as Ready, stop };
}

test('[RUN-84] --json prints one line with valid addresses and keys at every start', async () => {
  const folder = temporaryFolder();
  const first = await started(folder, {}, ['--json']);
  const { operatorToken, users } = credentialsIn(folder);
  const { url, operatorUrl, ...rest } = first.ready;
  expect(rest).toEqual({ operatorToken, data: folder, isFirst: true, users });
  const target = '/api/v3/account/assets';
  const headers = signedHeaders(users[3]!, 'GET', target);
  expect((await fetch(url + target, { headers })).status).toBe(200);
  const authorization = `Bearer ${operatorToken}`;
  expect(
    (await fetch(`${operatorUrl}/operator/v1/clock`, { headers: { authorization } })).status,
  ).toBe(200);
  expect(await first.stop()).toBe(`${JSON.stringify(first.ready)}\n`);

  const second = await started(folder, { RIALTO_JSON: 'on' }, []);
  expect(second.ready).toMatchObject({ ...rest, isFirst: false });
  await second.stop();
});
