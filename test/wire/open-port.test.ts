import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IDLE_MS_MAX } from '../../src/gateway/http/http-reply.ts';
import { ok } from '../../src/kernel/result.ts';
import { call, OPERATOR_TOKEN, startTestExchange, type TestExchange } from './exchange.ts';
import { askAndEnd, bareAnswer, converse, idleSocket } from './sockets.ts';

const TIME = '/api/v2/public/time';

let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange({
    limits: false,
    replaced: {
      // A slow read, so that a quick read behind it could overtake.
      listCoins: async ({ coin }) => {
        await new Promise((resolve) => setTimeout(resolve, coin === 'SLOW' ? 400 : 50));
        return ok([]);
      },
    },
  });
});

afterAll(() => exchange.close());

describe('large heads', () => {
  const request = (headers: number, size = 1): string =>
    `GET ${TIME} HTTP/1.1\r\nHost: x\r\n${Array.from({ length: headers - 2 }, (_, at) => `A${at}: ${'b'.repeat(size)}\r\n`).join('')}Connection: close\r\n\r\n`;

  test('[REQ-41] 64 headers are read and 65 are refused', async () => {
    expect(bareAnswer(await converse(exchange.port, request(64))).status).toBe(200);
    const { status, body } = bareAnswer(await converse(exchange.port, request(65)));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: '40017', data: null });
    expect(bareAnswer(await converse(exchange.port, request(1_500))).status).toBe(400);
  });

  test('[REQ-41] a head over 8 KiB is refused', async () => {
    expect(bareAnswer(await converse(exchange.port, request(12, 600))).status).toBe(200);
    const { status, body } = bareAnswer(await converse(exchange.port, request(12, 900)));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ code: '40017', data: null });
  });
});

test('[REQ-37] pipelined requests are answered in order, the slow one first', async () => {
  const line = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const reply = await converse(
    exchange.port,
    line('/api/v2/spot/public/coins?coin=SLOW') +
      line('/nowhere') +
      line(TIME) +
      line('/elsewhere'),
    800,
  );
  expect([...reply.matchAll(/"code":"(\d+)"/g)].map(([, code]) => code)).toEqual([
    '00000',
    '40404',
    '00000',
    '40404',
  ]);
  expect(reply.indexOf('serverTime')).toBeGreaterThan(reply.indexOf('40404'));
});

test('[REQ-37] pipelined requests of every kind are answered in order, the closing one last', async () => {
  const line = (head: string): string => `${head}\r\nHost: x\r\n`;
  const reply = await converse(
    exchange.port,
    [
      line('GET /api/v2/spot/public/coins?coin=SLOW HTTP/1.1'),
      line(`HEAD ${TIME} HTTP/1.1`),
      `${line('POST /nowhere HTTP/1.1')}Content-Length: 2\r\n\r\n{}${line(`GET ${TIME} HTTP/1.1`)}`,
      `${line(`GET ${TIME} HTTP/1.1`)}Connection: close\r\n`,
      '',
    ].join('\r\n'),
    800,
  );
  expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '404',
    '404',
    '200',
    '200',
  ]);
  expect([...reply.matchAll(/"code":"(\d+)"/g)].map(([, code]) => code)).toEqual([
    '00000',
    '40404',
    '00000',
    '00000',
  ]);
  expect(reply.toLowerCase().indexOf('connection: close')).toBeGreaterThan(
    reply.indexOf('serverTime'),
  );
});

test.each([
  ['one that waits', ['GET /api/v2/spot/public/coins'], ['200']],
  ['one that is answered at once', [`GET ${TIME}`], ['200']],
  [
    'several',
    [
      'GET /api/v2/spot/public/coins?coin=SLOW',
      `GET ${TIME}`,
      'GET /nowhere',
      'GET /api/v2/spot/public/coins',
    ],
    ['200', '200', '404', '200'],
  ],
  ['those that Node answers', ['GET /api/v2/spot/public/coins', `HEAD ${TIME}`], ['200', '404']],
])(
  '[REQ-37] a client that half-closes behind its requests is answered, then the connection ends: %s',
  async (_, lines, expected) => {
    const since = performance.now();
    const reply = await askAndEnd(
      exchange.port,
      lines.map((line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''),
    );
    expect(performance.now() - since).toBeLessThan(IDLE_MS_MAX);
    expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(expected);
  },
);

test('[REQ-37] a client that half-closes before a whole request is not waited for', async () => {
  expect(await askAndEnd(exchange.port, '')).toBe('');
  const half = await askAndEnd(
    exchange.port,
    'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}',
  );
  expect(half).toMatch(/^HTTP\/1\.1 40\d /);
});

test.each([
  ['a few', 12],
  ['more than the pipeline limit', 80],
])(
  '[REQ-37] %s, quick ones between slow ones, and a second wave before the first is answered',
  async (_, count) => {
    const socket = await idleSocket(exchange.port);
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
    });
    const paths = Array.from({ length: count }, (_, at) =>
      at % 3 === 0 ? '/api/v2/spot/public/coins' : at % 3 === 1 ? TIME : '/nowhere',
    );
    const ask = (paths: readonly string[]): boolean =>
      socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    ask(paths.slice(0, count / 2));
    await new Promise((resolve) => setTimeout(resolve, 20));
    ask(paths.slice(count / 2));
    const kinds = (): string[] =>
      [...reply.matchAll(/"code":"(\d+)".*?"data":(.)/g)].map(([, code, data]) =>
        code === '00000' ? data! : code!,
      );
    await expect.poll(() => kinds().length, { timeout: 5_000 }).toBe(count);
    expect(kinds()).toEqual(
      paths.map((path) => (path === '/nowhere' ? '40404' : path === TIME ? '{' : '[')),
    );
    socket.destroy();
  },
);

test('[REQ-44] a client that leaves during its body frees its slot', async () => {
  const inFlight = async (): Promise<string | undefined> => {
    const metrics = await fetch(`http://127.0.0.1:${exchange.operatorPort}/metrics`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    return /^rialto_requests_in_flight (\d+)$/m.exec(await metrics.text())?.[1];
  };
  const socket = await idleSocket(exchange.port);
  socket.write(
    `POST /api/v3/trade/place-order HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{}`,
  );
  await expect.poll(inFlight).toBe('1');
  socket.destroy();
  await expect.poll(inFlight).toBe('0');
});

describe('the head of an answer', () => {
  const headOf = async (
    port: number,
    request: string,
  ): Promise<{ readonly lines: readonly string[]; readonly body: string }> => {
    const { head, body } = bareAnswer(await converse(port, request));
    return {
      lines: head.split('\r\n').filter((line) => !/^(date|connection|keep-alive):/i.test(line)),
      body,
    };
  };
  const withoutTime = (body: string): string => body.replace(/\d{13}/g, '…');

  test.each([
    ['an answer', TIME, 'en'],
    ['a refusal', '/nowhere', 'en'],
    ['a refusal in Chinese', '/nowhere', 'zh-CN'],
  ])(
    '[REQ-30] %s has the same head on a kept and on a closing connection',
    async (_, path, locale) => {
      for (const port of [exchange.port, exchange.operatorPort]) {
        const request = (connection: string): string =>
          `GET ${path} HTTP/1.1\r\nHost: x\r\nlocale: ${locale}\r\nConnection: ${connection}\r\n\r\n`;
        const kept = await headOf(port, request('keep-alive'));
        const ended = await headOf(port, request('close'));
        expect(kept.lines).toEqual(ended.lines);
        expect(withoutTime(kept.body)).toBe(withoutTime(ended.body));
        // One character per byte here.
        expect(kept.lines).toContain(`content-length: ${kept.body.length}`);
      }
    },
  );

  test('[REQ-30] a kept connection shows the date and its idle timeout', async () => {
    const { head } = bareAnswer(
      await converse(exchange.port, `GET ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    const date = /^Date: (.*)$/m.exec(head)?.[1] ?? '';
    expect(new Date(date).toUTCString()).toBe(date.trim());
    expect(head).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=15');
  });

  test('[REQ-30] a closing connection has the header close, and ends', async () => {
    const socket = await idleSocket(exchange.port);
    const isClosed = once(socket, 'close');
    socket.write(`GET ${TIME} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toMatch(/^connection: close\r\n/im);
    await isClosed;
  });

  test('[REQ-30] HEAD is answered with a head only', async () => {
    const { status, body } = bareAnswer(
      await converse(exchange.port, `HEAD ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n`),
    );
    expect({ status, body }).toEqual({ status: 404, body: '' });
  });
});

test('[REQ-43] two thousand idle connections do not block service', async () => {
  const idle: Socket[] = [];
  for (let at = 0; at < 2_000; at += 100)
    idle.push(...(await Promise.all(Array.from({ length: 100 }, () => idleSocket(exchange.port)))));
  const since = performance.now();
  for (let at = 0; at < 50; at++) expect((await fetch(exchange.url + TIME)).status).toBe(200);
  expect(performance.now() - since).toBeLessThan(3_000);
  for (const socket of idle) socket.destroy();
});

test('[REQ-46] stopping answers requests in flight and then closes', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const stopping = await startTestExchange({
    limits: false,
    replaced: {
      getAccountSettings: async () => {
        begin();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return ok({
          uid: '1',
          accountMode: 'unified',
          assetMode: 'multi_assets',
          accountLevel: 'advanced',
          holdMode: 'one_way_mode',
          stpMode: 'none',
          symbolConfigList: [],
          coinConfigList: [],
        });
      },
    },
  });
  const person = await stopping.person();
  const answer = call(stopping, person, 'GET', '/api/v3/account/settings');
  await begun;
  stopping.world.status = 'stopping';
  const closed = stopping.close();
  expect(await answer).toMatchObject({ status: 200, code: '00000' });
  const since = performance.now();
  await closed;
  expect(performance.now() - since).toBeLessThan(2_000);
  await expect(fetch(stopping.url + TIME)).rejects.toThrow();
});

test('[REQ-51] calls are counted by endpoint and code, and failures separately', async () => {
  const counted = await startTestExchange({ limits: true });
  const person = await counted.person();
  await call(counted, person, 'GET', '/api/v3/account/settings');
  await call(counted, person, 'GET', '/api/v3/account/settings', { without: ['ACCESS-KEY'] });
  for (let at = 0; at < 25; at++) await fetch(counted.url + TIME);
  const answer = await fetch(`${counted.operatorUrl}/metrics`, {
    headers: { authorization: 'Bearer the-operators-own-token' },
  });
  const text = await answer.text();
  expect(text).toContain('rialto_requests_total{endpoint="getAccountSettings",code="00000"} 1');
  expect(text).toContain('rialto_requests_total{endpoint="getAccountSettings",code="40001"} 1');
  expect(text).toContain('rialto_request_duration_seconds_count{endpoint="getAccountSettings"} 2');
  expect(text).toContain(
    'rialto_request_duration_seconds_bucket{le="+Inf",endpoint="getAccountSettings"} 2',
  );
  expect(text).toContain('rialto_authentications_failed_total 1');
  expect(text).toContain('rialto_refused_by_limit_total 5');
  expect(text).toContain('rialto_queue_depth 0');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  await counted.close();
});

test('[REQ-46] while stopping, every answer ends its connection: refusals, documents, redirects', async () => {
  const stopping = await startTestExchange();
  try {
    const answersOf = (paths: readonly string[]): Promise<(string | undefined)[]> =>
      Promise.all(
        paths.map(async (path) => {
          const reply = await converse(
            stopping.port,
            `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n`,
          );
          return `${reply.split(' ')[1]} ${/^connection: (\S+)/im.exec(reply)?.[1]?.toLowerCase()}`;
        }),
      );
    const paths = [TIME, '/nowhere', '/docs', '/'];
    expect(await answersOf(paths)).toEqual([
      '200 keep-alive',
      '404 keep-alive',
      '200 keep-alive',
      '302 keep-alive',
    ]);
    stopping.world.status = 'stopping';
    // Only calls of an endpoint are refused; other answers stay the same.
    expect(await answersOf(paths)).toEqual(['503 close', '404 close', '200 close', '302 close']);
  } finally {
    await stopping.close();
  }
});
