/** A listener hardened against what arrives on an open port: slow, endless, oversized and malformed requests cost little and end soon. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SECOND } from '../../kernel/time.ts';
import { HEADERS_MAX } from './pipeline.ts';

/** Room for eight queries of ours; a larger head is answered 431. */
const HEAD_BYTES_MAX = 8 * 1024;
/** Sockets open at once; an idle one costs a few kilobytes. */
const CONNECTIONS_MAX = 10_000;
const HEADERS_MS_MAX = 5 * SECOND;
const REQUEST_MS_MAX = 10 * SECOND;
const IDLE_MS_MAX = 15 * SECOND;
const CHECK_EVERY_MS = 1 * SECOND;
/** How long requests in flight have to finish when we stop. */
export const DRAIN_MS_MAX = 5 * SECOND;

const NOT_HTTP = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** Stops taking connections, lets what is in flight finish, then cuts what is left. */
  close(): Promise<void>;
}

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly receive: (request: IncomingMessage, response: ServerResponse) => void;
  /** The envelope for a request head too large to be parsed. */
  readonly headTooLarge: () => string;
}

/** Node keeps the response a socket is waiting for here. */
type BusySocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** What cannot be parsed gets a bare refusal, unless an answer is still on its way on that connection: it would be taken for that answer. */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: BusySocket, headTooLarge: () => string): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET' || socket._httpMessage) {
    socket.destroy();
    return;
  }
  socket.write(error.code === 'HPE_HEADER_OVERFLOW' ? tooLargeAnswer(headTooLarge()) : NOT_HTTP);
  // Not merely ended: whoever sends slowly would also be slow to close.
  socket.destroySoon();
}

const tooLargeAnswer = (text: string): string =>
  [
    'HTTP/1.1 431 Request Header Fields Too Large',
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n');

function hardenedServer({ receive, headTooLarge }: ListenerOptions): Server {
  const server = createServer(
    {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: IDLE_MS_MAX,
    },
    receive,
  );
  // Node drops what is above this without a word; one more than we take lets us see that there were too many.
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseUnparsed(error, socket as BusySocket, headTooLarge));
  return server;
}

function closeServer(server: Server): Promise<void> {
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
