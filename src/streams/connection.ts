/** One connection: takes its messages strictly in order, and ends it with a reason in words. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { StreamError } from '../contract/channels/stream-codes.ts';
import { streamError } from '../contract/channels/stream-codes.ts';
import type { StreamVersion } from '../contract/channels/stream-paths.ts';
import { isRawObject, type Raw, type RawObject } from '../contract/raw.ts';
import type { Caller } from '../gateway/caller.ts';
import { readJson } from '../gateway/http/json-reader.ts';
import type { StreamCalls } from '../gateway/stream-calls.ts';
import { type Clock, MINUTE, SECOND } from '../kernel/time.ts';
import type { Subscriber } from './channel-source.ts';
import { textFrame } from './frames.ts';
import { type CutReason, Outbox, type Outboxes } from './outbox.ts';
import { rawText } from './raw-text.ts';
import type { Subscription } from './stream.ts';

/** A client that sends nothing for this long is gone. */
const SILENCE_MS_MAX = 2 * MINUTE;
/** Messages at once, and per second after that. */
const MESSAGES_AT_ONCE_MAX = 100;
const MESSAGES_PER_SECOND = 10;
/** Messages that wait for earlier ones; with more, the connection is not read. */
const INBOX_MAX = 100;

/** Close codes of RFC 6455. */
const POLICY = 1008;
const FAILURE = 1011;

/** Why the exchange ended a connection, for metrics. */
export type EndReason =
  | CutReason
  | 'silence'
  | 'messages'
  | 'login'
  | 'revoked'
  | 'failure'
  | 'stop'
  | 'reset';

const CUT_TEXTS: Readonly<Record<CutReason, string>> = {
  bytes: 'too many events wait for this connection',
  age: 'an event has waited too long for this connection',
  memory: 'too many events wait over all connections',
};

const PONG = textFrame('pong');

/** Carries out one kind of request. Later requests wait until it is settled. */
export type Operation = (connection: Connection, request: RawObject) => void | Promise<void>;

export interface ConnectionParts {
  readonly clock: Clock;
  readonly outboxes: Outboxes;
  /** False if the rate of messages is not limited. */
  readonly limits: boolean;
  /** By the name of their `op`. */
  readonly operations: ReadonlyMap<string, Operation>;
  onFailure(error: unknown): void;
  onEnd(connection: Connection, reason: EndReason, text: string): void;
  onClose(connection: Connection): void;
}

/** What the server knows of a connection when it takes it over. */
export interface ConnectionOrigin {
  readonly version: StreamVersion;
  readonly address: string;
  readonly calls: StreamCalls;
}

/** Who is logged in. */
export interface Login {
  readonly apiKey: string;
  readonly caller: Caller;
}

/** Admits a burst of messages, and a steady rate after it. */
class MessageLimit {
  #left = MESSAGES_AT_ONCE_MAX;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  admits(now: number): boolean {
    const gained = ((now - this.#at) * MESSAGES_PER_SECOND) / SECOND;
    this.#left = Math.min(MESSAGES_AT_ONCE_MAX, this.#left + gained);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

export class Connection implements Subscriber {
  readonly version: StreamVersion;
  /** The address of the client. */
  readonly address: string;
  /** Carries out the calls of this connection. */
  readonly calls: StreamCalls;
  readonly outbox: Outbox;
  /** By the names of their streams. */
  readonly subscriptions = new Map<string, Subscription>();
  login: Login | undefined;
  readonly #ws: WebSocket;
  readonly #parts: ConnectionParts;
  readonly #limit: MessageLimit | undefined;
  #inbox: Buffer[] = [];
  #isWorking = false;
  #isPaused = false;
  #isEnded = false;
  #lastMessageAt: number;
  #goOn: (() => void) | undefined;

  constructor(
    ws: WebSocket,
    socket: Socket,
    { version, address, calls }: ConnectionOrigin,
    parts: ConnectionParts,
  ) {
    const now = parts.clock.monotonic();
    this.#ws = ws;
    this.#parts = parts;
    this.version = version;
    this.address = address;
    this.calls = calls;
    this.#lastMessageAt = now;
    this.#limit = parts.limits ? new MessageLimit(now) : undefined;
    this.outbox = new Outbox(socket, parts.outboxes, (reason) => this.#cut(reason));
    this.outbox.onDrain = () => {
      this.#goOn?.();
      this.#pace();
    };
    socket.setNoDelay(true);
    ws.on('message', (message: Buffer, isBinary) => this.#receive(message, isBinary));
    ws.on('ping', () => void this.#admits());
    // A frame that breaks the protocol closes the connection, and needs no other answer.
    ws.on('error', () => undefined);
    ws.on('close', () => {
      this.#leave();
      parts.onClose(this);
    });
  }

  get caller(): Caller | undefined {
    return this.login?.caller;
  }

  /** Sends an answer: a JSON text. */
  answer(text: string): void {
    this.outbox.send(textFrame(text));
  }

  /** Answers with an error; `arg` is the argument that it is about. */
  answerError({ code, msg }: StreamError, arg?: string): void {
    const about = arg === undefined ? '' : `"arg":${arg},`;
    this.answer(`{"event":"error",${about}"code":${code},"msg":${JSON.stringify(msg)}}`);
  }

  /** Resolves once the socket has taken what was sent. */
  async sent(): Promise<void> {
    while (this.outbox.isBehind && !this.#isEnded)
      await new Promise<void>((resolve) => {
        this.#goOn = resolve;
      });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Sends what is ready, then closes the connection. The client reads the reason. */
  end(reason: EndReason, text: string, code = POLICY): void {
    if (this.#isEnded) return;
    this.outbox.flush();
    this.#leave();
    this.#ws.close(code, text);
    this.#ws.resume();
    this.#parts.onEnd(this, reason, text);
  }

  /** Ends a connection that lost a push or an answer; the client may connect again. */
  fail(): void {
    this.end('failure', 'the exchange failed to answer', FAILURE);
  }

  /** Ends at once, without a closing handshake. */
  terminate(): void {
    this.#leave();
    this.#ws.terminate();
  }

  /** Ends a silent connection, and one that does not take its events. */
  check(now: number): void {
    if (this.#isEnded) return;
    if (now - this.#lastMessageAt > SILENCE_MS_MAX)
      return this.end('silence', 'no message came for two minutes');
    this.outbox.check(now);
  }

  /** A closing handshake would wait behind the backlog. */
  #cut(reason: CutReason): void {
    this.terminate();
    this.#parts.onEnd(this, reason, CUT_TEXTS[reason]);
  }

  #leave(): void {
    this.#isEnded = true;
    this.#inbox = [];
    this.outbox.end();
    this.#goOn?.();
  }

  #admits(): boolean {
    const now = this.#parts.clock.monotonic();
    this.#lastMessageAt = now;
    if (this.#isEnded) return false;
    if (this.#limit?.admits(now) !== false) {
      this.#pace();
      return true;
    }
    const text = `more than ${MESSAGES_PER_SECOND} messages per second`;
    this.answerError(streamError('messagesTooMany', text));
    this.end('messages', text);
    return false;
  }

  #receive(message: Buffer, isBinary: boolean): void {
    if (!this.#admits()) return;
    if (isBinary) {
      this.answerError(streamError('requestWrong', 'a request is text'));
      return;
    }
    if (message.length === 4 && message.toString('latin1') === 'ping') {
      this.outbox.send(PONG);
      return this.#pace();
    }
    this.#inbox.push(message);
    if (!this.#isWorking) void this.#work();
    this.#pace();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      while (this.#inbox.length > 0) {
        const carriedOut = this.#carryOut(this.#inbox.shift()!);
        if (carriedOut !== undefined) await carriedOut;
        if (this.outbox.isBehind) await this.sent();
      }
    } catch (error) {
      this.#parts.onFailure(error);
      this.fail();
    }
    this.#isWorking = false;
    this.#pace();
  }

  #carryOut(message: Buffer): void | Promise<void> {
    const read = readJson(message);
    const request: Raw = read.ok ? read.value : undefined;
    if (!isRawObject(request)) {
      this.answerError(streamError('requestWrong', 'a request is a JSON object'));
      return undefined;
    }
    const op = request.get('op');
    const operation = typeof op === 'string' ? this.#parts.operations.get(op) : undefined;
    if (operation !== undefined) return operation(this, request);
    this.answerError(streamError('operationUnknown', `unknown op: ${rawText(op).slice(0, 64)}`));
    return undefined;
  }

  /** Reads no more while answers or requests pile up. */
  #pace(): void {
    const isFull = this.outbox.isBehind || this.#inbox.length >= INBOX_MAX;
    if (this.#isEnded || isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#ws.pause();
    else this.#ws.resume();
  }
}
