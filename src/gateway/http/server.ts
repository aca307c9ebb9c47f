/**
 * A listener hardened against what arrives on an open port: slow, endless, oversized and malformed
 * requests cost little and end soon.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../kernel/time.ts';
import { connectionAddress } from '../auth/addresses.ts';
import type { Connections } from '../limits/connections.ts';
import { ArrivingRequest } from './body.ts';
import {
  answerStraight,
  HttpReply,
  type HttpSocket,
  IDLE_MS_MAX,
  STILL_MS_MAX,
  stopTaking,
} from './http-reply.ts';
import { HEADERS_MAX } from './pipeline.ts';

/** Room for eight queries of ours; a larger head is refused. */
const HEAD_BYTES_MAX = 8 * 1024;
/** Sockets open at once; an idle one costs a few kilobytes. */
const CONNECTIONS_MAX = 10_000;
const HEADERS_MS_MAX = 5 * SECOND;
const REQUEST_MS_MAX = 10 * SECOND;
const CHECK_EVERY_MS = 1 * SECOND;
/** A port on which nobody has come for so long is quiet. */
const QUIET_MS = SECOND / 20;
/** How long a port that does not become quiet stays open after we have stopped serving. */
const LINGER_MS_MAX = 2 * SECOND;
/** How long requests in flight have to finish when we stop. */
export const DRAIN_MS_MAX = 5 * SECOND;

const NOT_HTTP = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** What Node keeps at a server and its types do not show. */
type HalfOpenServer = Server & { httpAllowHalfOpen: boolean };

export interface Listener {
  readonly host: string;
  readonly port: number;
  /**
   * Lingers, stops taking connections, lets what is in flight finish, then cuts what is left.
   * Whoever closes has stopped serving before.
   */
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly receive: (request: ArrivingRequest, reply: HttpReply) => void;
  /** Answers a request with an `Expect` that Node does not know. */
  readonly refuseExpectation: (request: ArrivingRequest, reply: HttpReply) => void;
  /**
   * The envelope for what never becomes a request: a head too large, a body that does not come, a
   * tunnel.
   */
  readonly envelope: (reason: 'malformedRequest' | 'unknownPath') => string;
  /** How many an address may have; as many as there are when left out. */
  readonly connections?: Connections | undefined;
}

/** Connections that have heard, or will hear, the last word. */
const ending = new WeakSet<HttpSocket>();

/**
 * The last word on a connection, when all that is still on its way there has been answered: sooner
 * it would be taken for that answer.
 */
function endWith(socket: HttpSocket, answer: string): void {
  if (socket.destroyed || !socket.writable || socket.errored !== null) {
    socket.destroy();
    return;
  }
  const awaited = socket._httpMessage;
  // A request whose body did not come in time waits for nothing else than this.
  const isFree = !awaited || (awaited.req as ArrivingRequest).isLetGo;
  if (!isFree) {
    const response = awaited instanceof HttpReply ? awaited.response : awaited;
    response.once('close', () => endWith(socket, answer));
    return;
  }
  socket.write(answer);
  // Not merely ended: whoever sends slowly would also be slow to close.
  socket.destroySoon();
}

/** What fails at the socket itself is heard however often it comes; what cannot be read, once. */
function endUnread(
  error: NodeJS.ErrnoException,
  socket: HttpSocket,
  envelope: ListenerOptions['envelope'],
): void {
  if (socket.errored === null && ending.has(socket)) return;
  ending.add(socket);
  stopTaking(socket);
  // Were he to end his side now, Node would end ours behind the last answer, and leave no room for
  // this word.
  socket.removeAllListeners('end');
  endWith(socket, answerUnparsed(error, envelope));
}

/** HTTP that is too large or too slow is told so; what is no HTTP gets a bare refusal. */
function answerUnparsed(
  { code }: NodeJS.ErrnoException,
  envelope: ListenerOptions['envelope'],
): string {
  const isHttp = code === 'HPE_HEADER_OVERFLOW' || code === 'ERR_HTTP_REQUEST_TIMEOUT';
  return isHttp ? bareEnvelope('400 Bad Request', envelope('malformedRequest')) : NOT_HTTP;
}

const bareEnvelope = (status: string, text: string): string =>
  [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');

/** Closed without a word, as those are that are too many for the port. */
function isOneTooMany(socket: Socket, connections: Connections | undefined): boolean {
  if (connections === undefined) return false;
  const address = connectionAddress(socket);
  if (!connections.enter(address)) return true;
  socket.once('close', () => connections.leave(address));
  return false;
}

/**
 * Nothing has happened there for long. That is right while somebody waits for his answer, and not
 * when he does not take it, or asks nothing.
 */
function cutIfForsaken(socket: HttpSocket): void {
  const awaited = socket._httpMessage;
  if (!awaited || awaited.finished || socket.writableLength > 0) socket.destroy();
}

function hardenedServer({
  receive,
  refuseExpectation,
  envelope,
  connections,
}: ListenerOptions): Server {
  const server = createServer<typeof ArrivingRequest>(
    {
      IncomingMessage: ArrivingRequest,
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: IDLE_MS_MAX,
      // Node would refuse without an envelope; whoever receives looks himself.
      requireHostHeader: false,
    },
    (request, response) => {
      if (request.reply === undefined) receive(request, new HttpReply(request, response));
      else request.reply.adopt(response);
    },
  );
  // Whoever has said all he has to say, and ends his side, still hears what became of it; Node
  // would end ours at once.
  (server as HalfOpenServer).httpAllowHalfOpen = true;
  // Node drops what is above this without a word; one more than we take lets us see that there were
  // too many.
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = STILL_MS_MAX;
  server.on('timeout', cutIfForsaken);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    endUnread(error, socket as HttpSocket, envelope),
  );
  server.on('checkExpectation', (request, response) =>
    refuseExpectation(request, new HttpReply(request, response)),
  );
  server.on('connection', (socket) => {
    if (isOneTooMany(socket, connections)) socket.destroy();
    else answerStraight(socket, receive);
  });
  // An offer to upgrade is not taken up, and the request is answered like any other; a tunnel has
  // nothing but the offer.
  server.on('connect', (_, socket) => {
    socket.on('error', () => socket.destroy());
    endWith(socket as HttpSocket, bareEnvelope('404 Not Found', envelope('unknownPath')));
  });
  return server;
}

/**
 * What was sent before we stopped is still on its way, in connections that nobody has looked at
 * yet. It is told that we stop, instead of being cut off and left to guess.
 */
async function linger(server: Server): Promise<void> {
  let arrived = 0;
  server.on('connection', () => arrived++);
  for (let waited = 0; waited < LINGER_MS_MAX; waited += QUIET_MS) {
    arrived = 0;
    await pause(QUIET_MS);
    if (arrived === 0) return;
  }
}

async function closeServer(server: Server): Promise<void> {
  await linger(server);
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Opens a listener; port 0 picks a free one. */
export function listen(options: ListenerOptions): Promise<Listener> {
  const server = hardenedServer(options);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: 1_024 }, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ host: options.host, port, close: () => closeServer(server) });
    });
  });
}
