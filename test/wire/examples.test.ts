/**
 * The requests printed in the documents, sent as Dave of the demo world. All are well-formed;
 * refusals due to state are listed.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExchange, type TestExchange } from '../../src/app/testing.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { type PublicName, publicEndpoints } from '../../src/contract/endpoints.ts';
import { openApiDocument } from '../../src/contract/openapi.ts';
import { curlText } from '../../src/contract/reference.ts';
import { type ApiSurface, operatorSurface, publicSurface } from '../../src/contract/surfaces.ts';
import { answerOf, type Person, signedHeaders } from './exchange.ts';

/** An hour after the earliest time in the examples, so that no example starts in the future. */
const START_TIME = 1_700_003_600_000;

const rows = Object.entries(publicEndpoints as Readonly<Record<string, Endpoint>>);

const run = promisify(execFile);

/** Codes of requests that Dave's state does not allow. */
const REFUSED_BY_STATE: Readonly<Partial<Record<PublicName, string>>> = {
  // The amount was removed at once.
  cancelWithdrawal: '40057',
  cancelSpotWithdrawal: '40057',
  // The position was closed by `closePositions`.
  closeFuturesPositions: '22002',
  setFuturesMargin: '43043',
  setPositionMargin: '25227',
  // Dave is in one-way mode and neither leads nor follows.
  setCopySettings: '31002',
  setTrackedOrderTpsl: '43065',
  unfollowLeader: '43062',
  closeFollowerTrackedOrders: '22002',
  listLeaderTrackedOrders: '40732',
  listLeaderHistory: '40732',
  closeLeaderTrackedOrders: '40732',
  setLeaderTrackedOrderTpsl: '40732',
  getProfitShares: '40732',
  // Dave is no agent.
  listAgentCustomers: '40029',
  getRebateRatios: '40029',
  listAgentCommissions: '40029',
};

/** Malformed, missing, too many, not offered, invalid or naming nothing. */
const BAD_REQUEST_CODES = [
  '40017',
  '40019',
  '40020',
  '40409',
  '40913',
  '40924',
  '40725',
  '25002',
  '43011',
];

/** Calls that name an order come after the one that places it; calls that end it come last. */
const TURNS = [
  /^transfer/,
  /^borrow/,
  /^(place|request)/,
  /^change/,
  /^(?!cancel|close|set\w+Margin$)/,
  /^cancel(?!\w*(Symbol|All))/,
  /^cancel/,
  /^close/,
  /^set/,
];
const turnOf = (name: string): number => TURNS.findIndex((turn) => turn.test(name));

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startExchange({ market: 'on', limits: 'off', startTime: START_TIME });
});
afterAll(() => exchange.stop());

interface Printed {
  readonly method: string;
  readonly target: string;
  readonly body: string | undefined;
}

function printed(row: Endpoint): Printed {
  const text = curlText(row, publicSurface);
  return {
    method: row.method,
    target: /^TARGET='(.*)'$/m.exec(text)![1]!,
    body: /^BODY='(.*)'$/m.exec(text)?.[1],
  };
}

/** Code of the refused item of a list. */
const itemRefusals = (data: unknown): readonly string[] =>
  [
    ...JSON.stringify(data ?? null).matchAll(
      /"(?:code|errorCode|errorMsg|success)":"(?!00000|success")([^"]+)"/g,
    ),
  ].map(([, input]) => input!);

async function refusalOf({ method, target, body }: Printed): Promise<string | undefined> {
  const [path, query = ''] = target.split('?') as [string, string?];
  const sent = body === undefined ? {} : { body };
  const headers = signedHeaders(exchange.user('dave') as unknown as Person, method, path, {
    query,
    ...sent,
  });
  const { code, data } = await answerOf(
    await fetch(exchange.url + target, { method, headers, ...sent }),
  );
  if (code !== '00000') return code;
  const refused = itemRefusals(data);
  return refused.length === 0 ? undefined : refused.join(', ');
}

test('[API-59] every printed request is well-formed, and succeeds where the state allows it', async () => {
  const body =
    '{"category":"USDT-FUTURES","symbol":"BTCUSDT","side":"buy","orderType":"market","qty":"0.02"}';
  expect(
    await refusalOf({ method: 'POST', target: '/api/v3/trade/place-order', body }),
  ).toBeUndefined();

  const refused: Record<string, string> = {};
  for (const [name, row] of rows.toSorted(([one], [other]) => turnOf(one) - turnOf(other))) {
    const refusal = await refusalOf(printed(row));
    if (refusal !== undefined) refused[name] = refusal;
  }
  expect(refused).toEqual(REFUSED_BY_STATE);
  for (const code of Object.values(REFUSED_BY_STATE)) expect(BAD_REQUEST_CODES).not.toContain(code);
});

test('[API-59] OpenAPI shows the request that the page prints', () => {
  const { paths } = openApiDocument(publicSurface) as unknown as {
    paths: Record<
      string,
      Record<
        string,
        {
          requestBody?: { content: Record<string, { example: unknown }> };
          parameters: { name: string; example?: string }[];
        }
      >
    >;
  };
  for (const [, row] of rows) {
    const { target, body } = printed(row);
    const shown = paths[row.path]![row.method.toLowerCase()]!;
    if (body !== undefined)
      expect(shown.requestBody!.content['application/json']!.example).toEqual(JSON.parse(body));
    if (row.method === 'POST' || row.example === undefined) continue;
    const input = shown.parameters.flatMap(({ name, example }) =>
      example === undefined ? [] : [[name, example]],
    );
    expect(Object.fromEntries(input)).toEqual(
      Object.fromEntries(new URL(target, 'http://localhost').searchParams),
    );
  }
});

test('[API-60] the line at the top of the page lets its examples run in a shell unchanged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-examples-'));
  mkdirSync(join(folder, 'data'));
  const { users, operatorToken } = exchange;
  writeFileSync(join(folder, 'data', 'credentials.json'), JSON.stringify({ users, operatorToken }));
  const answerTo = async (surface: ApiSurface, name: string, url: string): Promise<unknown> => {
    const example = curlText(surface.endpoints[name]!, surface);
    const script = `${surface.credentialsLine}\n${example.replace(/^BASE=.*$/m, `BASE=${url}`)}`;
    return JSON.parse((await run('bash', ['-c', script], { cwd: folder })).stdout);
  };
  const placed = { code: '00000', data: { clientOid: 'my-order-1' } };
  expect(await answerTo(publicSurface, 'placeOrder', exchange.url)).toMatchObject(placed);
  expect(await answerTo(publicSurface, 'getAssets', exchange.url)).toMatchObject({ code: '00000' });
  expect(await answerTo(operatorSurface, 'getClock', exchange.operatorUrl)).toMatchObject({
    code: '00000',
  });
  rmSync(folder, { recursive: true });
});
