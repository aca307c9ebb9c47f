import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { HistoryUnavailable } from '../../src/views/history/history.ts';
import {
  type Answer,
  answerOf,
  call,
  operate,
  type Person,
  signedHeaders,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';
import { bareAnswer, converse, idleSocket } from './sockets.ts';

const SET = '/api/v3/account/set-leverage';
const POST_JSON = `POST ${SET} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
const GOOD = JSON.stringify({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '20' });

let exchange: TestExchange;
let alice: Person;

beforeAll(async () => {
  exchange = await startTestExchange({
    limits: false,
    replaced: {
      listSpotSymbols: () => {
        throw new Error('a secret path /srv/rialto and a reason');
      },
      // This answer cannot be written as JSON.
      listContracts: async () => ok([{ size: 1n }] as never),
      listDepositRecords: async () => {
        throw new HistoryUnavailable('the file is gone');
      },
    },
  });
  alice = await exchange.person();
});

afterAll(() => exchange.close());

const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(exchange, alice, 'POST', SET, { body, headers });

describe('path and method', () => {
  test.each([
    '/api',
    '/api/v3/account/settings/',
    '/api/v3/account//settings',
    '/API/v3/account/settings',
    '/api/v3/account/Settings',
    '/api/v3/account/%73ettings',
    '/api/v3/account/settings;a=1',
    '/api/v3/account/settings%00',
    '/api/v3/account/settings%2f',
    '/metrics',
    '//evil/api/v2/public/time',
  ])('[REQ-02][REQ-03] %s is an unknown path', async (path) => {
    const answer = bareAnswer(
      await converse(exchange.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ code: '40404', data: null });
  });

  test('[REQ-02] a path whose last segment is empty is unknown', async () => {
    for (const path of [
      '/operator/v1/users/',
      '/operator/v1/users//settings',
      '/operator/v1/users/1000000001/',
    ])
      expect([path, await operate(exchange, 'GET', path)]).toEqual([
        path,
        expect.objectContaining({ status: 404, code: '40404' }),
      ]);
  });

  test('[REQ-02] dot segments are not resolved', async () => {
    const answer = bareAnswer(
      await converse(
        exchange.port,
        'GET /api/v2/x/../public/time HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ),
    );
    expect(answer.status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
    '[REQ-03] %s of a GET path is refused',
    async (method) => {
      expect(await call(exchange, alice, method, '/api/v3/account/settings')).toMatchObject({
        status: 404,
        code: '40404',
      });
    },
  );

  test.each(['GET http://127.0.0.1/api/v2/public/time', 'OPTIONS *'])(
    '[REQ-04] the target of %s is refused',
    async (line) => {
      const answer = bareAnswer(
        await converse(exchange.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      );
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: '40017', data: null });
    },
  );

  test.each([
    'Content-Length: 2\r\n\r\n{}',
    'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  ])(
    '[REQ-04][API-33] a GET with a body is refused, and the error names the body: %j',
    async (rest) => {
      const answer = bareAnswer(
        await converse(exchange.port, `GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\n${rest}`),
      );
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({
        code: '40017',
        msg: 'Parameter verification failed body: a GET has no body',
      });
      const document = bareAnswer(
        await converse(
          exchange.port,
          `GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`,
        ),
      );
      expect([document.status, (JSON.parse(document.body) as Answer).code]).toEqual([400, '40017']);
    },
  );
});

test.each([{ paptrading: '1' }, { PAPTRADING: '0' }, { 'X-CHANNEL-API-CODE': 'p4sve' }])(
  '[REQ-08] the header %j has no effect',
  async (headers) => {
    const plain = await call(exchange, alice, 'GET', '/api/v3/account/settings');
    expect(plain.code).toBe('00000');
    expect(
      await call(exchange, alice, 'GET', '/api/v3/account/settings', { headers }),
    ).toMatchObject({ code: '00000', data: plain.data });
  },
);

describe('content type and size', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
  ])('[REQ-05] %s is accepted as JSON', async (type) => {
    expect(await post(GOOD, { 'content-type': type })).toMatchObject({ code: '00000' });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonx',
    'text/json',
  ])('[REQ-05] %s is refused as content type', async (type) => {
    expect(await post(GOOD, { 'content-type': type })).toMatchObject({
      status: 400,
      code: '40007',
    });
  });

  test('[REQ-05] content-encoding identity is accepted', async () => {
    expect(await post(GOOD, { 'content-encoding': 'identity' })).toMatchObject({ code: '00000' });
  });

  test('[REQ-05] a compressed body is refused', async () => {
    expect(await post(GOOD, { 'content-encoding': 'gzip' })).toMatchObject({ code: '40007' });
  });

  test('[REQ-07] a POST without a body is a request without fields', async () => {
    expect(await call(exchange, alice, 'POST', SET)).toMatchObject({ code: '40019' });
    expect(await post('{}')).toMatchObject({ code: '40019' });
    const bare = signedHeaders(alice, 'POST', SET, { without: ['content-type'] });
    expect(
      await answerOf(await fetch(exchange.url + SET, { method: 'POST', headers: bare })),
    ).toMatchObject({ code: '40019' });
  });

  test('[REQ-06] a body of 64 KiB is read, and one byte more is refused', async () => {
    const padded = (size: number): string => GOOD.padEnd(size, ' ');
    expect(await post(padded(65_536))).toMatchObject({ code: '00000' });
    expect(await post(padded(65_537))).toMatchObject({ status: 413, code: '40017', data: null });
    expect(await post(padded(600_000))).toMatchObject({ status: 413, code: '40017' });
  });

  test('[REQ-06] a body without a length is cut at the same size', async () => {
    const chunk = `8000\r\n${' '.repeat(0x8000)}\r\n`;
    const head = `${POST_JSON}Transfer-Encoding: chunked\r\n\r\n`;
    const answer = bareAnswer(await converse(exchange.port, `${head}${chunk.repeat(3)}0\r\n\r\n`));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ code: '40017' });
    expect(
      bareAnswer(await converse(exchange.port, `${head}${chunk.repeat(2)}0\r\n\r\n`)).status,
    ).toBe(400);
  });

  test('[REQ-06] an endless body is cut off', async () => {
    const socket = await idleSocket(exchange.port);
    let input = '';
    socket.on('data', (chunk) => {
      input += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.write(`${POST_JSON}Transfer-Encoding: chunked\r\n\r\n`);
    const flow = setInterval(() => socket.write(`4000\r\n${' '.repeat(0x4000)}\r\n`), 20);
    const since = performance.now();
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(flow);
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(bareAnswer(input).status).toBe(413);
  });

  test('[REQ-06] after a refused body of moderate size the connection stays open', async () => {
    const body = ' '.repeat(100_000);
    const refused = `${POST_JSON}Content-Length: ${body.length}\r\n\r\n${body}`;
    const reply = await converse(
      exchange.port,
      `${refused}GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '413',
      '200',
    ]);
  });
});

describe('the order of steps', () => {
  const anonymous = { 'content-type': 'text/plain' };
  const long = ' '.repeat(65_537);
  const ask = async (
    path: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<Answer> =>
    answerOf(await fetch(exchange.url + path, { method: 'POST', headers, body }));

  test('[REQ-01] each check runs only if the earlier ones pass', async () => {
    const json = { 'content-type': 'application/json' };
    const poor = await exchange.person({ permissions: ['copy.read'] });
    expect(await ask('/nowhere', anonymous, long)).toMatchObject({ code: '40404' });
    expect(await ask(SET, anonymous, long)).toMatchObject({ code: '40007' });
    expect(await ask(SET, json, long)).toMatchObject({ status: 413 });
    expect(await ask(SET, json, '{broken')).toMatchObject({ code: '40001' });
    expect(
      await ask(SET, signedHeaders(poor, 'POST', SET, { body: '{broken' }), '{broken'),
    ).toMatchObject({ code: '40014' });
    expect(await post('{broken')).toMatchObject({ code: '40017' });
    expect(await post('{"category":7}')).toMatchObject({ code: '40020' });
    expect(await post('{"category":"USDT-FUTURES","symbol":"NONE","leverage":"5"}')).toMatchObject({
      code: '25100',
    });
  });
});

describe('JSON and queries', () => {
  test.each([
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{"a":NaN}',
    '{"a":1}{}',
    '[',
    '{"a":01}',
    '// x\n{}',
  ])('[REQ-10] %j is refused', async (body) => {
    expect(await post(body)).toMatchObject({ status: 400, code: '40017', data: null });
  });

  test.each(['{"category":"SPOT","category":"USDT-FUTURES"}', '{"a":"\\ud83d"}'])(
    '[REQ-11] %j is refused',
    async (body) => {
      expect(await post(body)).toMatchObject({ status: 400, code: '40017' });
    },
  );

  test.each([
    [SET, '[]', 'body: it must be an object'],
    ['/api/v3/trade/place-batch', '{}', 'body: it must be an array'],
    [SET, '{"a":1,}', 'body: it is not valid JSON'],
    [SET, '{"category":"SPOT","category":"SPOT"}', 'category: given twice'],
  ])('[API-33] a refusal of %s states what is wrong with %s', async (path, body, input) => {
    const { code, msg } = await call(exchange, alice, 'POST', path, { body });
    expect([code, msg]).toEqual(['40017', `Parameter verification failed ${input}`]);
  });

  test('[REQ-11] bytes that are not UTF-8 are refused, even if signed well', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"symbol":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const timestamp = Date.now();
    const signature = createHmac('sha256', alice.secretKey)
      .update(`${timestamp}POST${SET}`)
      .update(bytes)
      .digest('base64');
    const headers = {
      ...signedHeaders(alice, 'POST', SET, { timestamp }),
      'ACCESS-SIGN': signature,
    };
    expect(
      await answerOf(await fetch(exchange.url + SET, { method: 'POST', headers, body: bytes })),
    ).toMatchObject({ code: '40017' });
  });

  test('[REQ-12] nine levels are refused, and eight are left to the field checks', async () => {
    expect(await post(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`)).toMatchObject({ code: '40017' });
    expect(await post(`${'{"a":'.repeat(7)}1${'}'.repeat(7)}`)).toMatchObject({ code: '40019' });
  });

  test('[REQ-13] a number is accepted as a text', async () => {
    expect(
      await post(
        '{"category":"USDT-FUTURES","symbol":"BTCUSDT","leverage":21,"__proto__":{"leverage":"5"}}',
      ),
    ).toMatchObject({
      code: '00000',
    });
    const setting = exchange.views.accounts.symbolSetting(alice.uid, 'USDT-FUTURES', 'BTCUSDT');
    expect(setting.leverage).toBe('21');
  });

  test.each(['coin=USDT&coin=BTC', 'coin=%zz', 'coin=%ff', 'coin=%'])(
    '[REQ-20] the query %s is refused',
    async (query) => {
      const headers = signedHeaders(alice, 'GET', '/api/v3/account/assets', { query });
      const lines = [
        `GET /api/v3/account/assets?${query} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ];
      const text = `${lines.join('\r\n')}\r\n\r\n`;
      expect(JSON.parse(bareAnswer(await converse(exchange.port, text)).body)).toMatchObject({
        code: '40017',
      });
    },
  );
});

describe('documents', () => {
  test('[REQ-50] the public API serves its own reference', async () => {
    const openApi = await fetch(`${exchange.url}/openapi.json`);
    expect(openApi.headers.get('content-type')).toBe('application/json');
    const described = (await openApi.json()) as {
      openapi: string;
      paths: Record<string, unknown>;
      servers: unknown;
    };
    expect(described.openapi).toMatch(/^3\.1/);
    // The address of the running server: the port is not always 8080.
    expect(described.servers).toEqual([{ url: '/' }]);
    expect(described.paths).toHaveProperty('/api/v3/account/settings');
    const page = await fetch(`${exchange.url}/docs`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('/api/v3/account/settings');
  });

  test('[REQ-53] answers and documents are not cached, and pages cannot be framed', async () => {
    const answers = await Promise.all(
      ['/docs', '/api/v2/public/time', '/nowhere'].map((path) => fetch(exchange.url + path)),
    );
    expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual([
      'no-store',
      'no-store',
      'no-store',
    ]);
    const { headers } = answers[0]!;
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'self';.*; frame-ancestors 'none'$/,
    );
  });

  test('[REQ-50] the operator API does so on its own port; the bare address redirects to the page', async () => {
    const described = (await (await fetch(`${exchange.operatorUrl}/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
    };
    expect(described.paths).toHaveProperty('/operator/v1/users');
    expect(described.paths).not.toHaveProperty('/api/v3/account/settings');
    expect(await (await fetch(`${exchange.operatorUrl}/docs`)).text()).toContain(
      '/operator/v1/users',
    );
    for (const url of [exchange.url, exchange.operatorUrl]) {
      const bare = await fetch(`${url}/`, { redirect: 'manual' });
      expect([bare.status, bare.headers.get('location')]).toEqual([302, '/docs']);
      expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(404);
    }
  });
});
