/**
 * A connection served by documented features of `node:http`, for a Node whose private fields are
 * not the expected ones. It is slower, and serves the same calls (REQ-76).
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ArrivingRequest } from './body.ts';
import { Connection, HttpReply } from './http-reply.ts';
import { OfferingRequest } from './node-internals.ts';

/** A request whose body is read as a stream. */
export class PlainRequest extends OfferingRequest {
  constructor(socket: Socket) {
    super(socket);
    this.on('data', (part: Buffer) => {
      if (!this.takePart(part)) this.pause();
    });
    this.on('end', () => this.endBody());
  }

  protected override resumeBody(): void {
    this.resume();
  }
}

export class PlainConnection extends Connection {
  readonly takesWhole = false;
  readonly #socket: Socket;
  /** In request order. */
  readonly #waiting = new Set<HttpReply>();
  #last: HttpReply | undefined;
  #isStopped = false;
  #endsBehind = false;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    // Node would close the connection as soon as the caller ends its side (REQ-37).
    socket.removeAllListeners('end');
    socket.on('end', () => {
      this.#endsBehind = true;
      this.#giveUpBody();
      this.#endIfAnswered();
    });
  }

  override get awaited(): HttpReply | undefined {
    const [first] = this.#waiting;
    return first;
  }

  override take(request: ArrivingRequest, response: ServerResponse): HttpReply | undefined {
    if (this.#isStopped) return undefined;
    request.turn = ++this.taken;
    const reply = new HttpReply(request, this, response);
    this.#last = reply;
    this.#waiting.add(reply);
    response.once('close', () => {
      this.#waiting.delete(reply);
      this.#endIfAnswered();
    });
    return reply;
  }

  override stopTaking(): void {
    this.#isStopped = true;
    if (this.#last?.req.complete === false) this.#last.req.discard();
  }

  override endBehindReady(): void {
    if (this.#last?.isEnded === true) this.#endsBehind = true;
  }

  /** The rest of a body will not arrive, so its request gets no answer. */
  #giveUpBody(): void {
    if (this.#last === undefined || this.#last.req.complete) return;
    this.#last.req.discard();
    this.#waiting.delete(this.#last);
  }

  #endIfAnswered(): void {
    if (this.#endsBehind && this.#waiting.size === 0) this.#socket.destroySoon();
  }
}
