/**
 * Input that no client sends: bytes that are not HTTP, unfinished requests, floods. The answer must
 * be HTTP with an envelope, or none.
 */
import { connect } from 'node:net';
import type { Random } from '../../../src/kernel/random.ts';
import { answerFaults } from './checks.ts';
import { takeAnswers, type WireAnswer } from './line.ts';

const TIME = 'GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\n\r\n';
const POST =
  'POST /api/v3/trade/place-order HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

type Make = (random: Random) => string | Buffer;

const bare: Readonly<Record<string, Make>> = {
  'random bytes': (random) =>
    Buffer.from(Array.from({ length: 1 + random.below(2_000) }, () => random.below(256))),
  'a TLS greeting': () => Buffer.from('16030100ee010000ea0303', 'hex'),
  'no version': () => 'GET /nowhere\r\n\r\n',
  'another version': () => 'GET /nowhere HTTP/9.9\r\nHost: x\r\n\r\n',
  'an old version': () => 'GET /api/v2/public/time HTTP/1.0\r\n\r\n',
  'lower case method': () => 'get /api/v2/public/time HTTP/1.1\r\nHost: x\r\n\r\n',
  'line feeds only': () => 'GET /api/v2/public/time HTTP/1.1\nHost: x\n\n',
  'a header without a colon': () => 'GET /nowhere HTTP/1.1\r\nHost: x\r\nhello\r\n\r\n',
  'a header with NUL': () => 'GET /nowhere HTTP/1.1\r\nHost: x\r\na: \u0000\r\n\r\n',
  'a folded header': () => 'GET /nowhere HTTP/1.1\r\nHost: x\r\na: b\r\n c\r\n\r\n',
  'space before the colon': () => 'GET /nowhere HTTP/1.1\r\nHost : x\r\n\r\n',
  'two lengths': () => `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a negative length': () => `${POST}Content-Length: -1\r\n\r\n`,
  'length and chunks': () =>
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'bad chunks': () => `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a huge chunk': () => `${POST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
  'chunks over the limit': () =>
    `${POST}Transfer-Encoding: chunked\r\n\r\n11170\r\n${'x'.repeat(70_000)}\r\n0\r\n\r\n`,
  'unknown transfer coding': () => `${POST}Transfer-Encoding: gzip\r\n\r\n{}`,
  'a large head': () => `GET /nowhere HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(9_000)}\r\n\r\n`,
  'many headers': () =>
    `GET /nowhere HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 90 }, (_, at) => `a${at}: b\r\n`).join('')}\r\n`,
  'a long target': () => `GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'a tunnel': () => 'CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'a trace': () => 'TRACE /nowhere HTTP/1.1\r\nHost: x\r\n\r\n',
  'an upgrade': () =>
    'GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'no host': () => 'GET /api/v2/public/time HTTP/1.1\r\n\r\n',
  'two hosts': () => 'GET /api/v2/public/time HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'an expectation': () => `${POST}Content-Length: 2\r\nExpect: coffee\r\n\r\n{}`,
  'a request, then noise': () => `${TIME}\u0001\u0002\u0003\r\n\r\n`,
  'half a head': () => 'GET /api/v2/public/time HTTP/1.1\r\nHo',
  'half a body': () => `${POST}Content-Length: 100\r\n\r\n{"a"`,
  'a refused body that never ends': () => `${POST}Content-Length: 99999999\r\n\r\n{"a":"`,
  'many at once': () => TIME.repeat(50),
};

/** An unfinished request needs no answer. Others are answered or closed soon. */
const QUIET_MS = 40;

export interface Bare {
  readonly kind: string;
  readonly bytes: Buffer;
}

export function drawBare(random: Random): Bare {
  const [name, make] = random.pick(Object.entries(bare));
  const made = make(random);
  return {
    kind: `bare: ${name}`,
    bytes: Buffer.isBuffer(made) ? made : Buffer.from(made, 'latin1'),
  };
}

/** Sends bytes on a new connection, resets it, and returns what had arrived. */
function exchangeBytes(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const leave = (): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(Buffer.concat(chunks));
    };
    const wait = (): void => {
      clearTimeout(quiet);
      quiet = setTimeout(leave, QUIET_MS);
    };
    socket.on('connect', () => {
      socket.write(bytes);
      wait();
    });
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      wait();
    });
    socket.on('close', leave);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? reject(error) : leave(),
    );
  });
}

/** A refusal below HTTP has no body; every other answer has the envelope. */
function bareFaults(answer: WireAnswer): readonly string[] {
  if (answer.status === 400 && answer.body === '') return [];
  return answerFaults({ row: undefined }, answer);
}

export async function bareConversation(port: number, { bytes }: Bare): Promise<readonly string[]> {
  const back = await exchangeBytes(port, bytes);
  try {
    return takeAnswers(back).answers.flatMap(bareFaults);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Connects and sends a byte now and then; resolves once the server closes the connection. */
export function slowSender(port: number, first: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const drip = setInterval(() => socket.writable && socket.write('a'), 700);
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error('a slow sender was never disconnected'));
    }, 60_000);
    socket.on('connect', () => socket.write(first));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      clearTimeout(late);
      resolve(takeAnswers(Buffer.concat(chunks)).answers.flatMap(bareFaults));
    });
  });
}

export const slowStarts: readonly string[] = [
  '',
  'GET /api/v2/public/time HTTP/1.1\r\nX: ',
  `${POST}Content-Length: 1000\r\n\r\n{`,
];

/**
 * Opens many connections with many requests each; every second one disconnects without reading.
 * Returns the number of requests.
 */
export async function flood(port: number, connections: number, each: number): Promise<number> {
  const one = (at: number): Promise<void> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(TIME.repeat(each));
        if (at % 2 === 0) setImmediate(() => socket.destroy());
        else socket.end();
      });
      socket.resume();
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  await Promise.all(Array.from({ length: connections }, (_, at) => one(at)));
  return connections * each;
}
