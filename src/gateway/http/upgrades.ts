/** Hands connections that ask for a stream over to the stream server. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { asksForStream } from '../../contract/channels/stream-paths.ts';
import type { RejectionReason } from '../../messages/rejections.ts';
import { stopCounting } from '../limits/connections.ts';
import { type ArrivingRequest, isMalformed } from './body.ts';
import { connectionOf } from './http-reply.ts';

/** A connection that has asked for a stream. */
export interface StreamRequest {
  readonly request: ArrivingRequest;
  readonly socket: Socket;
  /** What arrived behind the request. */
  readonly head: Buffer;
}

export interface Upgrades {
  /** Takes a connection over, or says why not. */
  take(asked: StreamRequest): RejectionReason | undefined;
  /** Closes all streams because the exchange stops. */
  close(): Promise<void>;
}

type Refuse = (socket: Socket, status: string, reason: RejectionReason) => void;

const STATUSES: { readonly [Reason in RejectionReason]?: string } = {
  malformedRequest: '400 Bad Request',
  tooManyRequests: '429 Too Many Requests',
  notServing: '503 Service Unavailable',
};

/**
 * A stream brings a place of its own, so that streams and calls cannot take each other's
 * connections.
 */
function giveOwnPlace(server: Server, socket: Socket): void {
  stopCounting(socket);
  server.maxConnections++;
  socket.once('close', () => void server.maxConnections--);
}

export function takeUpgrades(server: Server, upgrades: Upgrades, refuse: Refuse): void {
  server.on('upgrade', (request: ArrivingRequest, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Answers of earlier requests would be taken for frames.
    if (connectionOf(socket)?.awaited !== undefined) return socket.destroy();
    if (!asksForStream(request)) return refuse(socket, '404 Not Found', 'unknownPath');
    const refusal = isMalformed(request)
      ? 'malformedRequest'
      : upgrades.take({ request, socket, head });
    if (refusal === undefined) giveOwnPlace(server, socket);
    else refuse(socket, STATUSES[refusal] ?? '400 Bad Request', refusal);
  });
}
