/**
 * Answers the requests of one connection. The usual answer is one text, written straight to the
 * socket in request order. Node's response object would cost as much as checking a signature. It is
 * made only for other kinds of answer; then all waiting requests of the connection get one, because
 * Node orders them.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';
import { ArrivingRequest } from './body.ts';

/** A kept-alive connection without a request for this long is closed; each answer announces it. */
export const IDLE_MS_MAX = 15 * SECOND;
/**
 * A socket without activity for this long is checked. The extra second admits a request sent at the
 * last moment, as Node does.
 */
export const SOCKET_TIMEOUT_MS = IDLE_MS_MAX + SECOND;

/**
 * Limit of requests of one connection in our queue. Beyond it Node takes over, which stops reading
 * when too much output waits.
 */
const PIPELINE_MAX = 32;

/**
 * Takes a request from Node's parser. The result tells the parser how to go on; 0 is the usual one.
 */
type TakeIncoming = (request: ArrivingRequest, keepAlive: boolean) => number;

/** A socket with the HTTP state that Node attaches. */
export type HttpSocket = Socket & {
  parser?: { onIncoming?: TakeIncoming; incoming: unknown } | null;
  /** The reply that the socket waits for. */
  _httpMessage?: HttpReply | ServerResponse | null;
  /** Number of requests taken on the connection; set by us. */
  taken?: number;
};

/** Ignores all further input of a connection, the rest of a request included. */
export function stopTaking({ parser }: HttpSocket): void {
  if (!parser) return;
  parser.onIncoming = () => 0;
  if (parser.incoming instanceof ArrivingRequest) parser.incoming.discard();
}

/** Node's response with its pending head, which is sent as one byte per character. */
interface HeadedResponse {
  _header: string;
  /** True if the connection closes after this response. */
  _last: boolean;
}

function endWith(response: ServerResponse, whole: string): void {
  (response as unknown as HeadedResponse)._header = whole;
  response.end();
}

/** The direct replies of one connection that wait, in request order. */
class PipelineQueue {
  readonly #socket: HttpSocket;
  readonly #takeByNode: TakeIncoming;
  #waiting: HttpReply[] = [];
  #sending = false;

  constructor(socket: HttpSocket, takeByNode: TakeIncoming) {
    this.#socket = socket;
    this.#takeByNode = takeByNode;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= PIPELINE_MAX;
  }

  get last(): HttpReply | undefined {
    return this.#waiting.at(-1);
  }

  join(request: ArrivingRequest): HttpReply {
    const reply = new HttpReply(request, this);
    this.#waiting.push(reply);
    this.#socket._httpMessage ??= reply;
    return reply;
  }

  /** Sends a reply, or stores it until the replies before it are sent. */
  answer(reply: HttpReply, whole: string): void {
    if (this.#waiting.length === 1) {
      this.#waiting.length = 0;
      this.#write(whole);
      this.#settle(reply);
      return;
    }
    reply.ready = whole;
    if (this.#sending || this.#waiting[0] !== reply) return;
    // The next replies are often ready in the same moment, after the same journal sync, and go out
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
    for (const reply of answered) this.#settle(reply);
  }

  #write(texts: string): void {
    const socket = this.#socket;
    socket._httpMessage = this.#waiting[0] ?? null;
    if (socket.writable) socket.write(texts, 'latin1');
  }

  #settle({ req }: HttpReply): void {
    const { parser } = this.#socket;
    if (parser?.incoming === req && req.readableEnded) parser.incoming = null;
  }

  /** No further request will come: Node answers all waiting requests and closes the connection. */
  handOverLast(): void {
    const { last } = this;
    this.handOver();
    if (last !== undefined) (last.response as unknown as HeadedResponse)._last = true;
  }

  /**
   * Closes the connection if its last reply is already rendered, because that text does not
   * announce it.
   */
  endBehindReady(): void {
    if (this.last?.ready !== undefined) this.handOverLast();
  }

  /**
   * Lets Node answer all waiting requests. It passes each response to `adopt`, as it would pass a
   * new request to the handler.
   */
  handOver(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) this.#socket._httpMessage = null;
    for (const { req } of waiting) this.#takeByNode(req, true);
  }
}

export class HttpReply {
  readonly req: ArrivingRequest;
  readonly #queue: PipelineQueue | undefined;
  #response: ServerResponse | undefined;
  /** The rendered reply, while earlier ones are pending. */
  ready: string | undefined;

  // Node reads these on any reply of a socket.
  readonly finished = false;
  readonly headersSent = false;

  /** For a request in our queue, or one for which Node has made a response. */
  constructor(request: ArrivingRequest, by: PipelineQueue | ServerResponse) {
    this.req = request;
    if (by instanceof PipelineQueue) this.#queue = by;
    else this.#response = by;
    request.reply = this;
  }

  /** Node's response object, for unusual answers. */
  get response(): ServerResponse {
    if (this.#response === undefined) this.#queue?.handOver();
    return this.#response!;
  }

  adopt(response: ServerResponse): void {
    this.#response = response;
    if (this.ready !== undefined) endWith(response, this.ready);
  }

  /** True if the connection stays open and the text may follow its head. */
  get isUsual(): boolean {
    return (
      this.#response === undefined || (this.#response.shouldKeepAlive && this.req.method !== 'HEAD')
    );
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
    const socket: HttpSocket = this.req.socket;
    if (this.req.turn === (socket.taken ?? 0)) {
      stopTaking(socket);
      return true;
    }
    this.#queue?.endBehindReady();
    return false;
  }

  /** Sends head and text, both one byte per character, and keeps the connection. */
  send(status: number, headers: string, text: string): void {
    const whole = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${text}`;
    if (this.#response === undefined) this.#queue?.answer(this, whole);
    else {
      this.#response.statusCode = status;
      endWith(this.#response, whole);
    }
  }

  /** Node sets this on the current reply when the caller has ended its side of the connection. */
  set _last(isLast: boolean) {
    if (isLast) this.#queue?.handOverLast();
  }

  /** Node also asks here whether a timeout is handled; the server does that. */
  emit(): boolean {
    return false;
  }
}

const isPlain = ({
  method,
  httpVersionMajor,
  httpVersionMinor,
  known,
  upgrade,
}: ArrivingRequest): boolean =>
  httpVersionMajor === 1 &&
  httpVersionMinor === 1 &&
  !upgrade &&
  method !== 'HEAD' &&
  known.expect === undefined;

/**
 * Lets plain requests of a connection be answered directly. Other requests go through Node, and so
 * do all requests if the parser has an unknown form.
 */
export function answerStraight(
  socket: HttpSocket,
  receive: (request: ArrivingRequest, reply: HttpReply) => void,
): void {
  const { parser } = socket;
  const takeByNode = parser?.onIncoming;
  if (!parser || takeByNode === undefined) return;
  const queue = new PipelineQueue(socket, takeByNode);
  socket.taken = 0;
  parser.onIncoming = (request, keepAlive) => {
    socket.taken! += 1;
    request.turn = socket.taken!;
    const isOurs = !socket._httpMessage || !queue.isEmpty;
    if (isOurs && keepAlive && !queue.isFull && socket.writableLength === 0 && isPlain(request)) {
      receive(request, queue.join(request));
      return 0;
    }
    queue.handOver();
    return takeByNode(request, keepAlive);
  };
  socket.once('close', () => {
    const { last } = queue;
    if (last !== undefined && !last.req.complete) last.req.destroy();
  });
}
