/**
 * Slow clients: they send a request byte by byte, do not read their answers, or wait long for one.
 */
import { afterAll, beforeAll, test } from 'vitest';
import { ok } from '../../src/kernel/result.ts';
import { OPERATOR_TOKEN, startTestExchange, type TestExchange } from './exchange.ts';
import { askAndEnd, bareAnswer, idleSocket } from './sockets.ts';

const TIME = '/api/v2/public/time';
let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange({
    limits: false,
    replaced: {
      // Longer than the idle timeout of a connection.
      listCoins: async () => {
        await new Promise((resolve) => setTimeout(resolve, 18_000));
        return ok([]);
      },
    },
  });
});
afterAll(() => exchange.close());

// These tests mostly wait, so they run concurrently.
test.concurrent('[REQ-42] a slow head or body is refused and cut off', {
  timeout: 30_000,
}, async ({ expect }) => {
  const trickle = async (first: string): Promise<{ ms: number; input: string }> => {
    const socket = await idleSocket(exchange.port);
    const since = performance.now();
    socket.on('error', () => {});
    let input = '';
    socket.on('data', (chunk: Buffer) => {
      input += String(chunk);
    });
    socket.write(first);
    const drip = setInterval(() => socket.write('a'), 500);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
    return { ms: performance.now() - since, input };
  };
  const post =
    'POST /api/v3/account/set-leverage HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
  const [head, body, silent] = await Promise.all([
    trickle(`GET ${TIME} HTTP/1.1\r\nX: `),
    trickle(post),
    trickle(''),
  ]);
  expect(head.ms).toBeGreaterThan(4_000);
  expect(head.ms).toBeLessThan(8_000);
  expect(silent.ms).toBeLessThan(8_000);
  expect(body.ms).toBeGreaterThan(9_000);
  expect(body.ms).toBeLessThan(13_000);
  for (const { input } of [head, body]) {
    const answer = bareAnswer(input);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: '40017', data: null });
  }
});

test.concurrent('[REQ-42] the same behind waiting requests, and the rest of it is not executed', {
  timeout: 30_000,
}, async ({ expect }) => {
  const late = async (first: string, rest: string): Promise<string> => {
    const socket = await idleSocket(exchange.port);
    let input = '';
    socket.on('data', (chunk: Buffer) => {
      input += String(chunk);
    });
    socket.write(`GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n${first}`);
    await new Promise((resolve) => setTimeout(resolve, 13_000));
    socket.write(`${rest}GET ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    return input;
  };
  const post =
    'POST /api/v3/account/set-leverage HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{';
  const answers = await Promise.all([
    late(post, '}'),
    late(`GET ${TIME} HTTP/1.1\r\nHo`, 'st: x\r\n\r\n'),
  ]);
  for (const input of answers)
    expect([...input.matchAll(/"code":"(\d+)"/g)].map(([, code]) => code)).toEqual([
      '00000',
      '40017',
    ]);
});

test.concurrent('[REQ-66] a client that reads no answers is disconnected, one that waits is not', {
  timeout: 60_000,
}, async ({ expect }) => {
  const list =
    'GET /api/v2/mix/market/contracts?productType=usdt-futures HTTP/1.1\r\nHost: x\r\n\r\n';
  // More than the socket buffers hold, so that the client sees the end although it does not read.
  const untaken = async (bytes: string): Promise<void> => {
    const socket = await idleSocket(exchange.port);
    socket.on('error', () => {});
    socket.write(bytes.repeat(300_000));
    await new Promise((resolve) => socket.once('close', resolve));
  };
  const awaited = (headers: string): Promise<string> =>
    askAndEnd(exchange.port, `GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  const [kept, closed] = await Promise.all([
    awaited(''),
    awaited('Connection: close\r\n'),
    untaken(list),
    untaken(`${list}junk`),
  ]);
  for (const input of [kept, closed]) expect(input).toContain('"code":"00000"');
});

const uploadHead = (bytes: number): string =>
  `POST /operator/v1/recordings/upload?symbol=BTCUSDT HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${OPERATOR_TOKEN}\r\nContent-Length: ${bytes}\r\n\r\n`;

test.concurrent('[REQ-75] an upload that takes 13 seconds is read, and the connection goes on', {
  timeout: 30_000,
}, async ({ expect }) => {
  const rows = Array.from({ length: 26 }, (_, at) => `${1_704_067_200 + at * 60},1,1,1,1,1\n`);
  const socket = await idleSocket(exchange.operatorPort);
  let input = '';
  socket.on('data', (chunk: Buffer) => {
    input += String(chunk);
  });
  socket.write(uploadHead(rows.join('').length));
  for (const row of rows) {
    socket.write(row);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  while (!input.includes('}}')) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(JSON.parse(bareAnswer(input).body)).toMatchObject({ code: '00000', data: { rows: 26 } });
  input = '';
  socket.write(`GET /operator/v1/health HTTP/1.1\r\nHost: x\r\n\r\n`);
  while (!input.includes('}}')) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(bareAnswer(input).status).toBe(200);
  socket.destroy();
});

test.concurrent('[REQ-75] an upload that stands still is cut', {
  timeout: 30_000,
}, async ({ expect }) => {
  const socket = await idleSocket(exchange.operatorPort);
  const since = performance.now();
  socket.write(`${uploadHead(1_000)}1704067200,1,1,1,1,1\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(performance.now() - since).toBeGreaterThan(14_000);
  expect(performance.now() - since).toBeLessThan(25_000);
});
