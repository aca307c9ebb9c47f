import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { startTestExchange, type TestExchange } from './exchange.ts';
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

describe('malformed HTTP', () => {
  test.each([
    ['junk', 'hello\r\n\r\n'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a signed length', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\nab'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\0c\r\n\r\n'],
  ])('[REQ-40] %s gets a bare 400 and a closed connection', async (_, bytes) => {
    const { status, head, body } = bareAnswer(await converse(exchange.port, bytes));
    expect(status).toBe(400);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(body).toBe('');
  });

  const waiting = 'GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n';
  const statuses = (reply: string): string[] =>
    [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

  test.each([
    ['one that waits', waiting, ['200', '400']],
    [
      'two slow ones and a quick one between',
      `${waiting}GET ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n${waiting}`,
      ['200', '200', '200', '400'],
    ],
    [
      'one that Node answers',
      `HEAD /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n${waiting}`,
      ['404', '200', '400'],
    ],
  ])(
    '[REQ-40] junk behind requests gets a bare 400 after they are answered: %s',
    async (_, requests, expected) => {
      const reply = await converse(exchange.port, `${requests}junk\r\n\r\n`);
      expect(statuses(reply)).toEqual(expected);
      expect(reply).toMatch(
        /HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n$/,
      );
    },
  );

  test.each([
    ['one that waits', waiting, ['200', '400']],
    [
      'more than the pipeline limit',
      waiting.repeat(40),
      [...Array.from({ length: 40 }, () => '200'), '400'],
    ],
    [
      'one that Node answers',
      `HEAD ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n${waiting}`,
      ['404', '200', '400'],
    ],
    [
      'one that closes the connection',
      waiting.replace('Host: x', 'Host: x\r\nConnection: close'),
      ['200'],
    ],
  ])('[REQ-40] the same if the sender half-closes at once: %s', async (_, requests, expected) => {
    expect(statuses(await askAndEnd(exchange.port, `${requests}junk\r\n\r\n`))).toEqual(expected);
  });

  test('[REQ-41] a head too large behind requests is refused, also if the sender half-closes', async () => {
    const reply = await askAndEnd(
      exchange.port,
      `${waiting}GET ${TIME} HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(9_000)}`,
    );
    expect(statuses(reply)).toEqual(['200', '400']);
    expect(reply).toContain('"code":"40017"');
  });

  test('[REQ-40] with any amount of junk, the requests before it are answered and it is refused once', async () => {
    const socket = await idleSocket(exchange.port);
    let reply = '';
    socket.on('data', (chunk) => {
      reply += chunk.toString('latin1');
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`${waiting}junk\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    socket.write('more\r\n\r\n');
    await closed;
    expect(statuses(reply)).toEqual(['200', '400']);
  });
});

describe('requests that name no call', () => {
  const answerTo = async (bytes: string, port = exchange.port) => {
    const { status, head, body } = bareAnswer(await converse(port, bytes));
    return {
      status,
      closes: head.toLowerCase().includes('connection: close'),
      envelope: JSON.parse(body) as object,
    };
  };
  const refused = (code: string) => ({
    code,
    msg: expect.any(String),
    requestTime: expect.any(Number),
    data: null,
  });

  test('[REQ-47] HTTP/1.1 without a host is refused with the envelope, HTTP/1.0 needs none', async () => {
    for (const port of [exchange.port, exchange.operatorPort])
      expect(await answerTo(`GET ${TIME} HTTP/1.1\r\n\r\n`, port)).toMatchObject({
        status: 400,
        envelope: refused('40017'),
      });
    expect(await answerTo(`GET ${TIME} HTTP/1.0\r\n\r\n`)).toMatchObject({
      status: 200,
      envelope: { code: '00000' },
    });
  });

  test('[REQ-47] two hosts are refused with the envelope, another header twice is not', async () => {
    const ask = (lines: string): string => `GET ${TIME} HTTP/1.1\r\n${lines}\r\n\r\n`;
    for (const port of [exchange.port, exchange.operatorPort])
      for (const hosts of ['Host: x\r\nHost: x', 'HOST: x\r\nlocale: en\r\nhost: y'])
        expect(await answerTo(ask(hosts), port)).toMatchObject({
          status: 400,
          closes: false,
          envelope: refused('40017'),
        });
    expect(await answerTo(ask('Host: x\r\nlocale: en\r\nlocale: en'))).toMatchObject({
      status: 200,
      envelope: { code: '00000' },
    });
  });

  test('[REQ-47] an unknown expectation is refused with the envelope; 100-continue is accepted', async () => {
    const post = (expectation: string, body: string): string =>
      `POST /api/v3/account/set-leverage HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: ${expectation}\r\n\r\n${body}`;
    const answer = await answerTo(post('foo', '{}'));
    expect(answer).toEqual({ status: 400, closes: true, envelope: refused('40017') });
    expect(answer.envelope).toMatchObject({ msg: expect.stringContaining('Expect') });
    const reply = await converse(exchange.port, post('100-continue', '{}'));
    expect(reply).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 .*"code":"40001"/s);
  });

  test('[REQ-47] a CONNECT is refused with the envelope and closed', async () => {
    for (const port of [exchange.port, exchange.operatorPort])
      expect(
        await answerTo(
          'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\nhello',
          port,
        ),
      ).toEqual({
        status: 404,
        closes: true,
        envelope: refused('40404'),
      });
  });

  test('[REQ-47] a CONNECT behind a waiting request is refused after that one is answered', async () => {
    const waiting = 'GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n';
    const reply = await converse(
      exchange.port,
      `${waiting}CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
    );
    expect([...reply.matchAll(/"code":"(\d+)"/g)].map(([, code]) => code)).toEqual([
      '00000',
      '40404',
    ]);
  });

  test('[REQ-40][REQ-47] a client that leaves a waiting CONNECT affects no other connection', async () => {
    const socket = await idleSocket(exchange.port);
    const slow = 'GET /api/v2/spot/public/coins?coin=SLOW HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(`${slow}CONNECT somewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resetAndDestroy();
    expect(bareAnswer(await converse(exchange.port, slow, 800)).status).toBe(200);
  });

  test('[REQ-48] an offer to upgrade is ignored', async () => {
    const offer = (path: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    expect(await answerTo(offer(TIME))).toMatchObject({ status: 200, envelope: { code: '00000' } });
    expect(await answerTo(offer('/ws'))).toMatchObject({ status: 404, envelope: refused('40404') });
  });
});
