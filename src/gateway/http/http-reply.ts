/** The reply to one request: one finished text, or Node's response object. */
import { ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';
import type { ArrivingRequest } from './body.ts';
import { AwaitedReply, endWithWhole } from './node-internals.ts';

/** A kept-alive connection without a request for this long is closed; each answer announces it. */
export const IDLE_MS_MAX = 15 * SECOND;
/**
 * A socket without activity for this long is checked. The extra second admits a request sent at the
 * last moment, as Node does.
 */
export const SOCKET_TIMEOUT_MS = IDLE_MS_MAX + SECOND;

/** One connection: how requests come from Node, and how replies go back. */
export abstract class Connection {
  /** Number of requests taken. */
  taken = 0;
  /** True if a response of Node may be sent as one finished text. */
  abstract readonly takesWhole: boolean;

  /** The reply that the caller waits for. */
  abstract get awaited(): HttpReply | undefined;

  /** Takes a request that Node answers. Undefined if it needs no handling here. */
  abstract take(request: ArrivingRequest, response: ServerResponse): HttpReply | undefined;

  /** Ignores all further input, the rest of a request included. */
  abstract stopTaking(): void;

  /**
   * Closes the connection after its last reply if that is already rendered, because its text does
   * not announce it.
   */
  abstract endBehindReady(): void;
}

/** The replies of a connection that are sent without a response object, in request order. */
export interface ReplyQueue {
  /** Sends a reply, or stores it until the replies before it are sent. */
  answer(reply: HttpReply, whole: string): void;
  /** Gives each waiting reply a response object. */
  handOver(): void;
  /** No further request will come: the connection closes after the last waiting reply. */
  handOverLast(): void;
}

const connections = new WeakMap<Socket, Connection>();

export const connectionOf = (socket: Socket): Connection | undefined => connections.get(socket);

export function keepConnection(socket: Socket, connection: Connection): void {
  connections.set(socket, connection);
}

export class HttpReply extends AwaitedReply {
  readonly req: ArrivingRequest;
  readonly #connection: Connection;
  readonly #queue: ReplyQueue | undefined;
  #response: ServerResponse | undefined;
  /** The rendered reply, while earlier ones are pending. */
  ready: string | undefined;

  /** For a request in a queue, or one for which Node has made a response. */
  constructor(request: ArrivingRequest, connection: Connection, by: ReplyQueue | ServerResponse) {
    super();
    this.req = request;
    this.#connection = connection;
    if (by instanceof ServerResponse) this.#response = by;
    else this.#queue = by;
    request.reply = this;
  }

  /** Node's response object, for unusual answers. */
  get response(): ServerResponse {
    if (this.#response === undefined) this.#queue?.handOver();
    return this.#response!;
  }

  adopt(response: ServerResponse): void {
    this.#response = response;
    if (this.ready !== undefined) endWithWhole(response, this.ready);
  }

  /** True if the connection stays open and the text may follow its head. */
  get isUsual(): boolean {
    const response = this.#response;
    if (response === undefined) return true;
    return this.#connection.takesWhole && response.shouldKeepAlive && this.req.method !== 'HEAD';
  }

  /** True if everything of the reply was given to Node. */
  get isEnded(): boolean {
    return this.#response?.writableEnded ?? false;
  }

  get destroyed(): boolean {
    return (this.#response ?? this.req.socket).destroyed;
  }

  destroy(): void {
    (this.#response ?? this.req.socket).destroy();
  }

  /**
   * Before the last answer of a connection: stops taking requests, because their answers could not
   * be sent (REQ-68). Returns false if a later request is pending; its answer then closes the
   * connection.
   */
  isLast(): boolean {
    if (this.req.turn === this.#connection.taken) {
      this.#connection.stopTaking();
      return true;
    }
    this.#connection.endBehindReady();
    return false;
  }

  /** Sends head and text, both one byte per character, and keeps the connection. */
  send(status: number, headers: string, text: string): void {
    const whole = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${text}`;
    if (this.#response === undefined) this.#queue?.answer(this, whole);
    else {
      this.#response.statusCode = status;
      endWithWhole(this.#response, whole);
    }
  }

  protected override takeEnd(): void {
    this.#queue?.handOverLast();
  }
}
