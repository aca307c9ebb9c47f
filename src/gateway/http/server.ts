/**
 * A listener hardened for an open port: slow, endless, oversized and malformed requests cost little
 * and end soon.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { asksForStream } from '../../contract/channels/stream-paths.ts';
import { SECOND } from '../../kernel/time.ts';
import type { RejectionReason } from '../../messages/rejections.ts';
import { type Connections, isOverLimit } from '../limits/connections.ts';
import type { ArrivingRequest } from './body.ts';
import { DirectConnection } from './direct-connection.ts';
import { HEADERS_MAX } from './headers.ts';
import {
  connectionOf,
  type HttpReply,
  IDLE_MS_MAX,
  keepConnection,
  SOCKET_TIMEOUT_MS,
} from './http-reply.ts';
import { allowHalfOpen, DirectRequest } from './node-internals.ts';
import { PlainConnection, PlainRequest } from './plain-connection.ts';
import { takeUpgrades, type Upgrades } from './upgrades.ts';
import type { Upload } from './upload.ts';

/** Eight times our longest query; a larger head is refused. */
const HEAD_BYTES_MAX = 8 * 1024;
/** Open sockets; an idle one costs a few kilobytes. */
const CONNECTIONS_MAX = 10_000;
const HEADERS_MS_MAX = 5 * SECOND;
const REQUEST_MS_MAX = 10 * SECOND;
const CHECK_EVERY_MS = 1 * SECOND;
/** A port without a new connection for this long is quiet. */
const QUIET_MS = SECOND / 20;
/** Longest time that a busy port stays open after the exchange has stopped serving. */
const LINGER_MS_MAX = 2 * SECOND;
/** Longest time for requests in flight to finish at a stop. */
export const DRAIN_MS_MAX = 5 * SECOND;

const NOT_HTTP = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** A class of requests that Node can create. */
type RequestClass = typeof IncomingMessage & (new (socket: Socket) => ArrivingRequest);

/** As `createServer` of `node:http`. */
export type CreateServer = (
  options: ServerOptions<RequestClass>,
  listener: (request: ArrivingRequest, response: ServerResponse) => void,
) => Server<RequestClass>;

/**
 * How the gateway uses Node: with private fields (`direct`, which is faster), or with documented
 * features alone.
 */
export type ServingPath = 'direct' | 'plain';

export interface Listener {
  readonly host: string;
  readonly port: number;
  /**
   * Waits for late connections, closes the port, lets requests in flight finish, then cuts the
   * rest. The exchange must have stopped serving before.
   */
  close(): Promise<void>;
}

export interface ServerParts {
  readonly path: ServingPath;
  /** The self-test result for this Node; tests replace it. */
  readonly createServer?: CreateServer | undefined;
  readonly receive: (request: ArrivingRequest, reply: HttpReply) => void;
  /** Answers a request with an `Expect` header that Node does not know. */
  readonly refuseExpectation: (request: ArrivingRequest, reply: HttpReply) => void;
  /**
   * The envelope for input that never becomes a request: a too large head, a missing body, a
   * tunnel, a stream that is refused.
   */
  readonly envelope: (reason: RejectionReason) => string;
  /** Limits connections per address; absent means no limit. */
  readonly connections?: Connections | undefined;
  /** Takes over connections that ask for a stream; absent if the port has none. */
  readonly upgrades?: Upgrades | undefined;
}

export interface ListenerOptions extends ServerParts {
  readonly host: string;
  readonly port: number;
}

/** Which offers Node passes on: an option since Node 24. `OfferingRequest` does it before that. */
const UPGRADES_TAKEN: object = { shouldUpgradeCallback: asksForStream };

/** Connections that have got, or will get, their final answer. */
const ending = new WeakSet<Socket>();

/**
 * Sends the final answer of a connection after all pending replies, since an earlier one would be
 * taken for those.
 */
function endWith(socket: Socket, answer: string): void {
  if (socket.destroyed || !socket.writable || socket.errored !== null) {
    socket.destroy();
    return;
  }
  const awaited = connectionOf(socket)?.awaited;
  // A request whose body timed out waits only for this answer.
  if (awaited !== undefined && !awaited.req.isDiscarded) {
    awaited.response.once('close', () => endWith(socket, answer));
    return;
  }
  socket.write(answer);
  // Destroys instead of ending, because a slow sender would also close slowly.
  socket.destroySoon();
}

/** The upload that arrives on a connection. */
const arrivingUpload = (socket: Socket): Upload | undefined =>
  connectionOf(socket)?.awaited?.req.arrivingUpload;

/** Socket errors are always handled; parse errors once per connection. */
function endUnread(
  error: NodeJS.ErrnoException,
  socket: Socket,
  envelope: ServerParts['envelope'],
): void {
  if (socket.errored === null && ending.has(socket)) return;
  // A large body may take longer than the request timeout. `closeIfIdle` ends one without progress.
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  if (isLate && arrivingUpload(socket) !== undefined) return;
  ending.add(socket);
  connectionOf(socket)?.stopTaking();
  // If the caller ended its side now, Node would close ours before this answer.
  socket.removeAllListeners('end');
  endWith(socket, answerUnparsed(error, envelope));
}

/** HTTP that is too large or too slow gets an envelope. Other input gets a bare 400. */
function answerUnparsed(
  { code }: NodeJS.ErrnoException,
  envelope: ServerParts['envelope'],
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

/**
 * Closes a socket after inactivity, unless a reply is pending. A caller that does not read its
 * answer counts as inactive.
 */
function closeIfIdle(socket: Socket): void {
  const awaited = connectionOf(socket)?.awaited;
  const isStill = arrivingUpload(socket)?.waitsForSender === true;
  if (awaited === undefined || awaited.isEnded || socket.writableLength > 0 || isStill)
    socket.destroy();
}

/** A server that does not listen yet. */
export function hardenedServer({
  path,
  createServer: create = createServer as CreateServer,
  receive,
  refuseExpectation,
  envelope,
  connections,
  upgrades,
}: ServerParts): Server<RequestClass> {
  /** Passes on a request that Node answers. */
  const take = (
    request: ArrivingRequest,
    response: ServerResponse,
    pass: ServerParts['receive'],
  ): void => {
    const reply = connectionOf(request.socket)?.take(request, response);
    if (reply !== undefined) pass(request, reply);
  };
  const server = create(
    {
      IncomingMessage: (path === 'direct' ? DirectRequest : PlainRequest) as RequestClass,
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: IDLE_MS_MAX,
      // Node would refuse without an envelope; the pipeline checks the Host header.
      requireHostHeader: false,
      ...UPGRADES_TAKEN,
    },
    (request, response) => take(request, response, receive),
  );
  if (path === 'direct') allowHalfOpen(server);
  // Node silently drops headers above this; one more than our limit shows that there were too many.
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.maxConnections = CONNECTIONS_MAX;
  server.timeout = SOCKET_TIMEOUT_MS;
  server.on('timeout', closeIfIdle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    endUnread(error, socket as Socket, envelope),
  );
  server.on('checkExpectation', (request, response) => take(request, response, refuseExpectation));
  server.on('connection', (socket) => {
    if (isOverLimit(socket, connections)) socket.destroy();
    else
      keepConnection(
        socket,
        path === 'direct' ? new DirectConnection(socket, receive) : new PlainConnection(socket),
      );
  });
  if (upgrades !== undefined)
    takeUpgrades(server, upgrades, (socket, status, reason) =>
      endWith(socket, bareEnvelope(status, envelope(reason))),
    );
  // A tunnel request has nothing else to answer.
  server.on('connect', (_, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    endWith(socket as Socket, bareEnvelope('404 Not Found', envelope('unknownPath')));
  });
  return server;
}

/**
 * Waits for connections that the kernel has accepted but Node has not seen. Their requests get a
 * refusal instead of a reset.
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

async function closeServer(server: Server, upgrades: Upgrades | undefined): Promise<void> {
  await linger(server);
  const streamsClosed = upgrades?.close();
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
  await streamsClosed;
}

/** Opens a listener; port 0 picks a free one. */
export function listen(options: ListenerOptions): Promise<Listener> {
  const server = hardenedServer(options);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const address = {
      host: options.host,
      port: options.port,
      backlog: 1_024, // tidy-ok: the name in Node
    };
    server.listen(address, () => {
      const { port } = server.address() as AddressInfo;
      resolve({ host: options.host, port, close: () => closeServer(server, options.upgrades) });
    });
  });
}
