/** Simulates Nodes whose HTTP server differs in one private field. */
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { DirectRequest } from './node-internals.ts';
import type { CreateServer } from './server.ts';

const create = createServer as CreateServer;

const changed =
  (change: (server: Server) => void): CreateServer =>
  (options, listener) => {
    const server = create(options, listener);
    change(server as unknown as Server);
    return server;
  };

const onSocket = (change: (socket: Socket) => void): CreateServer =>
  changed((server) => server.on('connection', change));

/** A field that keeps its value. */
const fixed = (value: unknown) => ({ get: () => value, set: () => undefined });

export const OTHER_NODES: Readonly<Record<string, CreateServer>> = {
  'that stores the parser elsewhere': onSocket((socket) => {
    Object.defineProperty(socket, 'parser', fixed(undefined));
  }),
  'that stores the awaited reply elsewhere': onSocket((socket) => {
    Object.defineProperty(socket, '_httpMessage', fixed(null));
  }),
  'that closes a connection when the caller ends its side': changed((server) => {
    Object.defineProperty(server, 'httpAllowHalfOpen', fixed(false));
  }),
  'that passes bodies on in another way': (options, listener) => {
    class OtherRequest extends (options.IncomingMessage as typeof DirectRequest) {
      override push(): boolean {
        return true;
      }
    }
    return create({ ...options, IncomingMessage: OtherRequest as never }, listener);
  },
  'that asks elsewhere which offers count': (options, listener) => {
    class OtherRequest extends (options.IncomingMessage as typeof DirectRequest) {
      constructor(socket: Socket) {
        super(socket);
        Object.defineProperty(this, 'upgrade', { writable: true, value: false });
      }
    }
    return create({ ...options, IncomingMessage: OtherRequest as never }, listener);
  },
};
