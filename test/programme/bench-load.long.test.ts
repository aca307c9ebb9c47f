/** The load client of `npm run bench` against a server that closes connections. */
import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { LoadResult, LoadTask } from '../../bench/http/load-client.ts';
import { lostCalls, untilAnswered } from '../../bench/lost-calls.ts';
import { Child, CLIENT_CORE } from '../../bench/pinned.ts';

const BODY = '{"code":"00000"}';
const ANSWER = `HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
const REQUEST = /GET \/(\d+) HTTP\/1\.1\r\n\r\n/g;
/** The server closes the connection on every request whose number is a multiple of this one. */
const HANGS_UP_EVERY = 50;

let server: Server | undefined;
let client: Child | undefined;
afterEach(() => {
  server?.close();
  client?.end();
});

const listen = (listener: Server): Promise<number> =>
  new Promise((resolve) =>
    listener.listen(0, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port)),
  );

/** Records the numbers of all received requests. */
function hangingUp(numbers: number[]): Server {
  return createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (text) => {
      for (const [, input] of String(text).matchAll(REQUEST)) {
        const number = Number(input);
        numbers.push(number);
        if (number % HANGS_UP_EVERY === 0) socket.destroy();
        else socket.write(ANSWER);
      }
    });
  });
}

const REQUESTS = Array.from({ length: 400_000 }, (_, at) => `GET /${at + 1} HTTP/1.1\r\n\r\n`);

test.each([
  ['as fast as possible', {}],
  ['at a rate', { rate: 2_000 }],
])(
  '[REP-24] %s, lost requests are counted, never repeated, and the load continues',
  async (_, pace) => {
    const numbers: number[] = [];
    server = hangingUp(numbers);
    client = new Child(new URL('../../bench/http/load-client.ts', import.meta.url), CLIENT_CORE);
    const task: LoadTask = {
      port: await listen(server),
      serverPid: process.pid,
      requests: REQUESTS,
      connections: 4,
      warmUpMs: 200,
      measureMs: 800,
      ...pace,
    };
    const result = await client.ask<LoadResult>(task);
    const hungUp = numbers.filter((number) => number % HANGS_UP_EVERY === 0).length;
    expect(numbers.length).toBeGreaterThan(4 * HANGS_UP_EVERY);
    expect(new Set(numbers).size).toBe(numbers.length);
    // The last requests may be in flight when the load ends.
    expect(result.lost).toBeGreaterThanOrEqual(hungUp - task.connections);
    expect(result.lost).toBeLessThanOrEqual(hungUp);
    expect(result).toMatchObject({ refused: 0 });
  },
);

test('[REP-24] a probe that loses its connection is counted and reconnects; five losses in a row fail', async () => {
  let arrived = 0;
  let hangUps = 1;
  server = createHttpServer((asking, response) => {
    arrived++;
    if (hangUps-- > 0) asking.socket.destroy();
    else response.end(BODY);
  });
  const port = await listen(server);
  let trials = 0;
  const ask = (): Promise<string> =>
    untilAnswered(
      () =>
        new Promise<string>((resolve, reject) => {
          trials++;
          const sent = request({ port, agent: false }, (response) => {
            response.setEncoding('utf8').on('data', resolve);
          });
          sent.on('error', reject).end();
        }),
    );
  const before = lostCalls();
  expect(await ask()).toBe(BODY);
  expect([arrived, trials, lostCalls() - before]).toEqual([2, 2, 1]);
  hangUps = 4;
  expect(await ask()).toBe(BODY);
  hangUps = 5;
  await expect(ask()).rejects.toThrow('socket hang up');
  expect([arrived, lostCalls() - before]).toEqual([12, 9]);
});
