/**
 * How one request is answered. The usual answer is one text, and goes straight to the socket: the response object that Node would make for it
 * costs as much as checking the signature does. It is made when it is needed: for an answer of any other kind, or when the next request arrives
 * before this one is answered, because Node then keeps the answers in order.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';
import type { ArrivingRequest } from './body.ts';

/** A kept connection on which nothing is asked for this long is closed; each answer says so. */
export const IDLE_MS_MAX = 15 * SECOND;
/** A request that was sent at the last moment still arrives; Node allows as much. */
const IDLE_GRACE_MS = SECOND;

/** Takes a request from Node's parser; its answer tells the parser how to go on, and 0 is the usual one. */
type TakeIncoming = (request: ArrivingRequest, keepAlive: boolean) => number;

/** What Node keeps at a socket that speaks HTTP. */
export type HttpSocket = Socket & {
  parser?: { onIncoming?: TakeIncoming; incoming: unknown } | null;
  /** Whatever the socket is waiting for to be answered by. */
  _httpMessage?: Answering | ServerResponse | null;
};

/** Where Node keeps the head of a response until it is sent. It goes out as it is, one byte for each character. */
interface HeadedResponse {
  _header: string;
}

export class Answering {
  readonly req: ArrivingRequest;
  readonly #socket: HttpSocket;
  /** Node's own way to take the request. */
  readonly #takeByNode: TakeIncoming | undefined;
  #response: ServerResponse | undefined;

  // Node looks at these of whatever answers at a socket.
  readonly finished = false;
  readonly headersSent = false;
  _last = false;

  private constructor(request: ArrivingRequest, takeByNode: TakeIncoming | undefined, response: ServerResponse | undefined) {
    this.req = request;
    this.#socket = request.socket;
    this.#takeByNode = takeByNode;
    this.#response = response;
    request.answering = this;
  }

  /** Of a request that Node has made a response for. */
  static by(response: ServerResponse, request: ArrivingRequest): Answering {
    return new Answering(request, undefined, response);
  }

  static straight(request: ArrivingRequest, takeByNode: TakeIncoming): Answering {
    const answering = new Answering(request, takeByNode, undefined);
    answering.#socket._httpMessage = answering;
    return answering;
  }

  /** Node's response object, for all that is not usual. */
  get response(): ServerResponse {
    if (this.#response === undefined) {
      this.#socket._httpMessage = null;
      // Which hands the response to `adopt`, as it would hand a new request to whoever receives.
      this.#takeByNode?.(this.req, true);
    }
    return this.#response!;
  }

  adopt(response: ServerResponse): void {
    this.#response = response;
  }

  /** Whether the connection is kept and the text of an answer may follow its head. */
  get isUsual(): boolean {
    return this.#response === undefined || (this.#response.shouldKeepAlive && this.req.method !== 'HEAD');
  }

  get destroyed(): boolean {
    return (this.#response ?? this.#socket).destroyed;
  }

  destroy(): void {
    (this.#response ?? this.#socket).destroy();
  }

  /** Sends head and text, both of which are one byte for each character, and keeps the connection. */
  send(status: number, headers: string, text: string): void {
    const whole = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${text}`;
    if (this.#response !== undefined) {
      this.#response.statusCode = status;
      (this.#response as unknown as HeadedResponse)._header = whole;
      this.#response.end();
      return;
    }
    const socket = this.#socket;
    if (socket.writable) socket.write(whole, 'latin1');
    socket._httpMessage = null;
    if (socket.parser?.incoming === this.req && this.req.readableEnded) socket.parser.incoming = null;
  }

  /** Node asks whether somebody minds that nothing happens at the socket: whoever waits for his answer does. */
  emit(event: string): boolean {
    return event === 'timeout';
  }
}

const isPlain = ({ method, httpVersionMajor, httpVersionMinor, known, upgrade }: ArrivingRequest): boolean =>
  httpVersionMajor === 1 && httpVersionMinor === 1 && !upgrade && method !== 'HEAD' && known.expect === undefined;

/** Lets plain requests of a connection be answered straight. Those that are not go Node's way, and all of them do where its parser has changed. */
export function answerStraight(socket: HttpSocket, receive: (request: ArrivingRequest, answering: Answering) => void): void {
  const { parser } = socket;
  const takeByNode = parser?.onIncoming;
  if (!parser || takeByNode === undefined) return;
  parser.onIncoming = (request, keepAlive) => {
    const awaited = socket._httpMessage;
    if (!awaited && keepAlive && socket.writableLength === 0 && isPlain(request)) {
      if (!socket.timeout) socket.setTimeout(IDLE_MS_MAX + IDLE_GRACE_MS);
      receive(request, Answering.straight(request, takeByNode));
      return 0;
    }
    // Node has a clock of its own for what it answers.
    socket.setTimeout(0);
    if (awaited instanceof Answering) void awaited.response;
    return takeByNode(request, keepAlive);
  };
  socket.once('close', () => {
    const awaited = socket._httpMessage;
    if (awaited instanceof Answering && !awaited.req.complete) awaited.req.destroy();
  });
}
