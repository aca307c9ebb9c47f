/**
 * A connection whose usual answers are one text each, written straight to the socket in request
 * order. Node's response object would cost as much as checking a signature. It is made only for
 * other kinds of answer; then all waiting requests of the connection get one, because Node orders
 * them.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Connection, HttpReply, type ReplyQueue } from './http-reply.ts';
import {
  awaitedRequest,
  type DirectRequest,
  endBehind,
  hasAwaited,
  ignoreInput,
  releaseRequest,
  replaceTaking,
  setAwaited,
  type TakeRequest,
} from './node-internals.ts';

/**
 * Limit of requests of one connection in our queue. Beyond it Node takes over, which stops reading
 * when too much output waits.
 */
const PIPELINE_MAX = 32;

const isPlain = ({
  method,
  httpVersionMajor,
  httpVersionMinor,
  known,
  offersUpgrade,
}: DirectRequest): boolean =>
  httpVersionMajor === 1 &&
  httpVersionMinor === 1 &&
  !offersUpgrade &&
  method !== 'HEAD' &&
  known.expect === undefined;

export class DirectConnection extends Connection implements ReplyQueue {
  readonly takesWhole = true;
  readonly #socket: Socket;
  #takeByNode: TakeRequest | undefined;
  #waiting: HttpReply[] = [];
  #sending = false;

  /** `receive` gets the requests that are answered directly; Node offers the others to `take`. */
  constructor(socket: Socket, receive: (request: DirectRequest, reply: HttpReply) => void) {
    super();
    this.#socket = socket;
    replaceTaking(socket, (takeByNode) => {
      this.#takeByNode = takeByNode;
      return (request, keepAlive) => {
        request.turn = ++this.taken;
        const isOurs = !hasAwaited(socket) || this.#waiting.length > 0;
        if (isOurs && keepAlive && this.#hasRoom && isPlain(request)) {
          receive(request, this.#join(request));
          return 0;
        }
        this.handOver();
        return takeByNode(request, keepAlive);
      };
    });
    socket.once('close', () => {
      const last = this.#waiting.at(-1);
      if (last !== undefined && !last.req.complete) last.req.destroy();
    });
  }

  get #hasRoom(): boolean {
    return this.#waiting.length < PIPELINE_MAX && this.#socket.writableLength === 0;
  }

  #join(request: DirectRequest): HttpReply {
    const reply = new HttpReply(request, this, this);
    this.#waiting.push(reply);
    if (this.#waiting.length === 1) setAwaited(this.#socket, reply);
    return reply;
  }

  override get awaited(): HttpReply | undefined {
    return awaitedRequest(this.#socket)?.reply as HttpReply | undefined;
  }

  /** Passes a response to the reply that asked for it, or makes a reply. */
  override take(request: DirectRequest, response: ServerResponse): HttpReply | undefined {
    if (request.reply === undefined) return new HttpReply(request, this, response);
    request.reply.adopt(response);
    return undefined;
  }

  override stopTaking(): void {
    ignoreInput(this.#socket);
  }

  answer(reply: HttpReply, whole: string): void {
    if (this.#waiting.length === 1) {
      this.#waiting.length = 0;
      this.#write(whole);
      releaseRequest(this.#socket, reply.req);
      return;
    }
    reply.ready = whole;
    if (this.#sending || this.#waiting[0] !== reply) return;
    // The next replies are often ready at the same moment, after the same journal sync, and go out
    // together.
    this.#sending = true;
    process.nextTick(() => this.#sendReady());
  }

  #sendReady(): void {
    this.#sending = false;
    const waiting = this.#waiting;
    let [texts, count] = ['', 0];
    for (; waiting[count]?.ready !== undefined; count++) texts += waiting[count]!.ready;
    const answered = waiting.splice(0, count);
    if (count > 0) this.#write(texts);
    for (const { req } of answered) releaseRequest(this.#socket, req);
  }

  #write(texts: string): void {
    const socket = this.#socket;
    setAwaited(socket, this.#waiting[0]);
    if (socket.writable) socket.write(texts, 'latin1');
  }

  handOverLast(): void {
    const last = this.#waiting.at(-1);
    this.handOver();
    if (last !== undefined) endBehind(last.response);
  }

  override endBehindReady(): void {
    if (this.#waiting.at(-1)?.ready !== undefined) this.handOverLast();
  }

  /** Node passes each response to `take`, as if the request were new. */
  handOver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) setAwaited(this.#socket, undefined);
    for (const { req } of waiting) this.#takeByNode?.(req as DirectRequest, true);
  }
}
