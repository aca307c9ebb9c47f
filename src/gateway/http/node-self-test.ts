/** Tests at the start whether this Node has the private fields that `node-internals.ts` names. */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { STREAM_PATHS } from '../../contract/channels/stream-paths.ts';
import type { Log } from '../log.ts';
import type { ArrivingRequest } from './body.ts';
import { connectionOf, type HttpReply } from './http-reply.ts';
import { type CreateServer, hardenedServer, type ServingPath } from './server.ts';

const requestOf = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const offerOf = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

const answerOf = (text: string): readonly [string, string] => [
  `Content-Length: ${text.length}\r\n\r\n`,
  text,
];
const wholeAnswerOf = (text: string): string => `HTTP/1.1 200 OK\r\n${answerOf(text).join('')}`;

/** All that Node does after a request or an answer happens before the next turn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A connection in memory. Bytes are handed to Node at once, so that what fails in there fails in
 * the trial.
 */
class MemorySocket extends Duplex {
  sent = '';

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.sent += bytes.toString('latin1');
    done();
  }

  /** As a socket of the network. */
  destroySoon(): void {
    this.end();
  }
}

/** A direct connection, and what happens on it. */
class Trial {
  readonly #socket = new MemorySocket();
  readonly #replies = new Map<string, HttpReply>();
  /** The requests that arrived whole, with their bodies, and those that were given up. */
  readonly #seen: string[] = [];

  constructor(createServer: CreateServer | undefined) {
    const server = hardenedServer({
      path: 'direct',
      createServer,
      receive: (request, reply) => this.#receive(request, reply),
      refuseExpectation: () => undefined,
      envelope: () => '',
      upgrades: {
        take: ({ request }) => {
          this.#seen.push(`${request.url} upgraded`);
          return undefined;
        },
        close: async () => undefined,
      },
    });
    server.emit('connection', this.#socket);
  }

  #receive(request: ArrivingRequest, reply: HttpReply): void {
    const { method, url = '' } = request;
    this.#replies.set(url, reply);
    const take = (body: string): void => void this.#seen.push(`${url} ${body}`);
    if (method !== 'POST') return take('');
    request.awaitBody({
      whole: (body) => take(body.toString()),
      tooLarge: () => undefined,
      gone: () => void this.#seen.push(`${url} gone`),
    });
  }

  arrive(bytes: string): void {
    this.#socket.emit('data', Buffer.from(bytes));
  }

  /** The caller ends its side. */
  end(): void {
    this.#socket.emit('end');
  }

  answer(url: string): void {
    this.#replies.get(url)?.send(200, ...answerOf(url));
  }

  stopTaking(): void {
    connectionOf(this.#socket as unknown as Socket)?.stopTaking();
  }

  get seen(): string {
    return this.#seen.join();
  }

  get sent(): string {
    return this.#socket.sent;
  }

  get hasEnded(): boolean {
    return this.#socket.writableEnded;
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

type Attempt = (trial: Trial) => Promise<boolean>;

/**
 * A body in two parts, two requests whose answers are ready in reverse order, and a third behind
 * which the caller ends its side.
 */
const tryAnswers: Attempt = async (trial) => {
  trial.arrive(requestOf('POST', '/a', 'xy').slice(0, -1));
  trial.arrive(`y${requestOf('GET', '/b')}`);
  for (const url of ['/b', '/a']) trial.answer(url);
  await nextTurn();
  trial.arrive(requestOf('GET', '/c'));
  trial.end();
  trial.answer('/c');
  await nextTurn();
  return (
    trial.seen === '/a xy,/b ,/c ' &&
    trial.sent === ['/a', '/b', '/c'].map(wholeAnswerOf).join('') &&
    trial.hasEnded
  );
};

/** A connection that stops in the middle of a body takes neither its rest nor another request. */
const tryStop: Attempt = async (trial) => {
  trial.arrive(requestOf('GET', '/a') + requestOf('POST', '/b', 'xy').slice(0, -1));
  trial.stopTaking();
  trial.arrive(`y${requestOf('GET', '/c')}`);
  return trial.seen === '/a ,/b gone';
};

/** Only an offer to become a stream takes the connection from HTTP (REQ-48). */
const tryUpgrades: Attempt = async (trial) => {
  const [stream = ''] = STREAM_PATHS.keys();
  trial.arrive(offerOf('/a'));
  trial.answer('/a');
  await nextTurn();
  trial.arrive(offerOf(stream));
  return trial.sent === wholeAnswerOf('/a') && trial.seen === `/a ,${stream} upgraded`;
};

async function works(attempt: Attempt, createServer: CreateServer | undefined): Promise<boolean> {
  try {
    const trial = new Trial(createServer);
    const result = await attempt(trial);
    trial.destroy();
    return result;
  } catch {
    return false;
  }
}

export async function servingPathOn(
  createServer: CreateServer | undefined,
  log: Log,
): Promise<ServingPath> {
  const attempts = [tryAnswers, tryStop, tryUpgrades].map((attempt) =>
    works(attempt, createServer),
  );
  if (!(await Promise.all(attempts)).includes(false)) return 'direct';
  log.warn(
    { node: process.versions.node },
    'this Node differs from the supported ones: answers go through node:http, which is slower',
  );
  return 'plain';
}
