/**
 * How the requests of one connection are answered. The usual answer is one text, and goes straight
 * to the socket when those before it have gone: the response object that Node would make for it
 * costs as much as checking the signature does. It is made when it is needed, for an answer of any
 * other kind; then whoever else waits on that connection gets one too, because Node keeps the
 * answers in order.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';
import { ArrivingRequest } from './body.ts';

/** A kept connection on which nothing is asked for this long is closed; each answer says so. */
export const IDLE_MS_MAX = 15 * SECOND;
/**
 * When nothing has happened at a socket for this long it is looked at. A request that was sent at
 * the last moment still arrives; Node allows as much.
 */
export const STILL_MS_MAX = IDLE_MS_MAX + SECOND;

/**
 * So many requests of one connection may wait in our line; with more, Node takes over, who stops
 * reading when too much waits to be sent.
 */
const LINE_MAX = 32;

/**
 * Takes a request from Node's parser; its answer tells the parser how to go on, and 0 is the usual
 * one.
 */
type TakeIncoming = (request: ArrivingRequest, keepAlive: boolean) => number;

/** What Node keeps at a socket that speaks HTTP. */
export type HttpSocket = Socket & {
  parser?: { onIncoming?: TakeIncoming; incoming: unknown } | null;
  /** Whatever the socket is waiting for to be answered by. */
  _httpMessage?: HttpReply | ServerResponse | null;
  /** How many requests were taken in there; set by us. */
  taken?: number;
};

/**
 * Whatever else arrives there is not carried out: neither the rest of a request nor another one.
 */
export function stopTaking({ parser }: HttpSocket): void {
  if (!parser) return;
  parser.onIncoming = () => 0;
  if (parser.incoming instanceof ArrivingRequest) parser.incoming.letGo();
}

/**
 * Where Node keeps the head of a response until it is sent. It goes out as it is, one byte for each
 * character.
 */
interface HeadedResponse {
  _header: string;
  /** Whether the connection ends when it has been sent. */
  _last: boolean;
}

function endWith(response: ServerResponse, whole: string): void {
  (response as unknown as HeadedResponse)._header = whole;
  response.end();
}

/**
 * The requests of one connection that are answered straight and wait for it, in the order in which
 * they came.
 */
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
    return this.#waiting.length >= LINE_MAX;
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

  /** Sends what somebody in line is answered, or keeps it until it is his turn. */
  answer(reply: HttpReply, whole: string): void {
    if (this.#waiting.length === 1) {
      this.#waiting.length = 0;
      this.#write(whole);
      this.#settle(reply);
      return;
    }
    reply.ready = whole;
    if (this.#sending || this.#waiting[0] !== reply) return;
    // Those behind him are often answered in the same moment, by the same sync of the journal, and
    // go out together.
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

  /**
   * Nothing more will be asked: Node answers everybody in line, and ends the connection behind the
   * last.
   */
  handOverLast(): void {
    const { last } = this;
    this.handOver();
    if (last !== undefined) (last.response as unknown as HeadedResponse)._last = true;
  }

  /** The same where the last in line has his answer already, which does not say so. */
  endBehindReady(): void {
    if (this.last?.ready !== undefined) this.handOverLast();
  }

  /**
   * Lets Node answer everybody in line. It hands each response to `adopt`, as it would hand a new
   * request to whoever receives.
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
  readonly #line: PipelineQueue | undefined;
  #response: ServerResponse | undefined;
  /** The answer, while others are to be answered before. */
  ready: string | undefined;

  // Node looks at these of whatever answers at a socket.
  readonly finished = false;
  readonly headersSent = false;

  /** Of a request in line, or of one that Node has made a response for. */
  constructor(request: ArrivingRequest, by: PipelineQueue | ServerResponse) {
    this.req = request;
    if (by instanceof PipelineQueue) this.#line = by;
    else this.#response = by;
    request.reply = this;
  }

  /** Node's response object, for all that is not usual. */
  get response(): ServerResponse {
    if (this.#response === undefined) this.#line?.handOver();
    return this.#response!;
  }

  adopt(response: ServerResponse): void {
    this.#response = response;
    if (this.ready !== undefined) endWith(response, this.ready);
  }

  /** Whether the connection is kept and the text of an answer may follow its head. */
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
   * Before the last answer of a connection: behind it nothing is carried out, for nobody would hear
   * of it (REQ-68). Whether this can be the last: whoever was taken in later is still to be
   * answered, and ends the connection himself.
   */
  isLast(): boolean {
    const socket: HttpSocket = this.req.socket;
    if (this.req.turn === (socket.taken ?? 0)) {
      stopTaking(socket);
      return true;
    }
    this.#line?.endBehindReady();
    return false;
  }

  /**
   * Sends head and text, both of which are one byte for each character, and keeps the connection.
   */
  send(status: number, headers: string, text: string): void {
    const whole = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${text}`;
    if (this.#response === undefined) this.#line?.answer(this, whole);
    else {
      this.#response.statusCode = status;
      endWith(this.#response, whole);
    }
  }

  /**
   * Node says so of whoever is to be answered next when the caller has ended his side of the
   * connection.
   */
  set _last(isLast: boolean) {
    if (isLast) this.#line?.handOverLast();
  }

  /** Node asks here as well whether a socket may be still; the server sees to that. */
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
 * Lets plain requests of a connection be answered straight. Those that are not go Node's way, and
 * all of them do where its parser has changed.
 */
export function answerStraight(
  socket: HttpSocket,
  receive: (request: ArrivingRequest, reply: HttpReply) => void,
): void {
  const { parser } = socket;
  const takeByNode = parser?.onIncoming;
  if (!parser || takeByNode === undefined) return;
  const line = new PipelineQueue(socket, takeByNode);
  socket.taken = 0;
  parser.onIncoming = (request, keepAlive) => {
    socket.taken! += 1;
    request.turn = socket.taken!;
    const isOurs = !socket._httpMessage || !line.isEmpty;
    if (isOurs && keepAlive && !line.isFull && socket.writableLength === 0 && isPlain(request)) {
      receive(request, line.join(request));
      return 0;
    }
    line.handOver();
    return takeByNode(request, keepAlive);
  };
  socket.once('close', () => {
    const { last } = line;
    if (last !== undefined && !last.req.complete) last.req.destroy();
  });
}
