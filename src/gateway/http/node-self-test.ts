/** Tests at the start whether this Node has the private fields that `node-internals.ts` names. */
import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { SECOND } from '../../kernel/time.ts';
import type { Log } from '../log.ts';
import type { ArrivingRequest } from './body.ts';
import { connectionOf, type HttpReply } from './http-reply.ts';
import { type CreateServer, hardenedServer, type ServingPath } from './server.ts';

/** A test waits for no timer and no disk, so only an unsupported Node takes this long. */
const TRIAL_MS_MAX = SECOND / 4;

const requestOf = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const answerOf = (text: string): readonly [string, string] => [
  `Content-Length: ${text.length}\r\n\r\n`,
  text,
];
const wholeAnswerOf = (text: string): string => `HTTP/1.1 200 OK\r\n${answerOf(text).join('')}`;

/** A direct connection in memory. */
class Trial {
  readonly caller: Duplex;
  readonly served: Duplex;
  /** The requests that arrived completely, with their bodies, and those whose body was given up. */
  readonly seen: string[] = [];
  readonly #replies = new Map<string, HttpReply>();
  readonly works: Promise<boolean>;
  #settle: (works: boolean) => void = () => undefined;

  constructor(createServer: CreateServer | undefined) {
    this.works = new Promise((resolve) => {
      this.#settle = resolve;
    });
    setTimeout(() => this.#settle(false), TRIAL_MS_MAX).unref();
    [this.caller, this.served] = duplexPair();
    for (const side of [this.caller, this.served]) side.on('error', () => this.#settle(false));
    const server = hardenedServer({
      path: 'direct',
      createServer,
      receive: (request, reply) => this.#receive(request, reply),
      refuseExpectation: () => undefined,
      envelope: () => '',
    });
    this.attempt(() => server.emit('connection', this.served));
  }

  /** Called for each complete request. */
  onRequest: () => void = () => undefined;

  #receive(request: ArrivingRequest, reply: HttpReply): void {
    const { method, url = '' } = request;
    this.#replies.set(url, reply);
    const take = (body: string): void => {
      this.seen.push(`${url} ${body}`);
      this.attempt(() => this.onRequest());
    };
    if (method !== 'POST') return take('');
    request.awaitBody({
      whole: (body) => take(body.toString()),
      tooLarge: () => undefined,
      gone: () => void this.seen.push(`${url} gone`),
    });
  }

  answer(url: string): void {
    this.attempt(() => this.#replies.get(url)?.send(200, ...answerOf(url)));
  }

  attempt(act: () => void): void {
    try {
      act();
    } catch {
      this.#settle(false);
    }
  }

  end(works: boolean): void {
    this.#settle(works);
    this.served.destroy();
  }
}

/**
 * Sends a body in two parts, and two requests whose answers are ready in reverse order. After a
 * third request the caller ends its side.
 */
function tryAnswers(createServer: CreateServer | undefined): Promise<boolean> {
  const trial = new Trial(createServer);
  const { caller, served, seen } = trial;
  const both = wholeAnswerOf('/a') + wholeAnswerOf('/b');
  let input = '';
  trial.onRequest = () => {
    if (seen.length === 2) for (const url of ['/b', '/a']) trial.answer(url);
  };
  caller.on('data', (part: Buffer) => {
    input += part.toString('latin1');
    if (input === both) caller.end(requestOf('GET', '/c'));
  });
  // Node has marked the reply as the last one before this.
  served.once('end', () => trial.answer('/c'));
  caller.once('end', () =>
    trial.end(input === both + wholeAnswerOf('/c') && seen.join() === '/a xy,/b ,/c '),
  );
  const [first, rest] = [requestOf('POST', '/a', 'xy').slice(0, -1), `y${requestOf('GET', '/b')}`];
  caller.write(first, () => caller.write(rest));
  return trial.works;
}

/** A connection that stops in the middle of a body takes neither its rest nor another request. */
function tryStop(createServer: CreateServer | undefined): Promise<boolean> {
  const trial = new Trial(createServer);
  const { caller, served, seen } = trial;
  const [first, rest] = [requestOf('POST', '/b', 'xy').slice(0, -1), `y${requestOf('GET', '/c')}`];
  served.once('end', () => trial.end(seen.join() === '/a ,/b gone'));
  const stop = (): void => {
    trial.attempt(() => connectionOf(served as Socket)?.stopTaking());
    caller.end(rest);
  };
  // The head of the second request is read in the turn of the first one.
  trial.onRequest = () => void setImmediate(stop);
  caller.write(requestOf('GET', '/a') + first);
  return trial.works;
}

export async function servingPathOn(
  createServer: CreateServer | undefined,
  log: Log,
): Promise<ServingPath> {
  const works = await Promise.all([tryAnswers(createServer), tryStop(createServer)]);
  if (!works.includes(false)) return 'direct';
  log.warn(
    { node: process.versions.node },
    'this Node differs from the supported ones: answers go through node:http, which is slower',
  );
  return 'plain';
}
