/**
 * Everything that the gateway uses of Node beyond its documentation; no other file names a private
 * field of Node. `node-self-test.ts` tries it at the start, and if this Node differs, the gateway
 * serves through `plain-connection.ts`.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { asksForStream } from '../../contract/channels/stream-paths.ts';
import { ArrivingRequest } from './body.ts';

/**
 * Takes a request from Node's parser. The result tells the parser how to continue; 0 is the usual
 * one.
 */
export type TakeRequest = (request: DirectRequest, keepAlive: boolean) => number;

/** The state that Node's HTTP server attaches to a socket. */
interface ServedSocket extends Socket {
  parser?: { onIncoming?: TakeRequest; incoming: unknown } | null;
  /** The reply that the socket waits for. */
  _httpMessage?: AwaitedReply | ServerResponse | null;
}

const stateOf = (socket: Socket): ServedSocket => socket;

/**
 * A request whose offer of another protocol counts only if it is one of a stream. It does no harm
 * on a Node that asks elsewhere.
 */
export abstract class OfferingRequest extends ArrivingRequest {
  /** Set by Node if the caller asks for another protocol. */
  declare offersUpgrade: boolean;

  /** Node hands the connection over if this is true. It writes here what the caller offers. */
  get upgrade(): boolean {
    return this.offersUpgrade && (this.method === 'CONNECT' || asksForStream(this));
  }

  set upgrade(offered: boolean) {
    this.offersUpgrade = offered;
  }
}

/**
 * A request whose body comes straight from the parser. A stream would need two turns of the event
 * loop and five events, which costs more than checking the signature.
 */
export class DirectRequest extends OfferingRequest {
  /** Node reads this before it releases a request. */
  override readableEnded = false;

  /** The parser passes each chunk of the body, then null. */
  override push(part: Buffer | null): boolean {
    if (part !== null) return this.takePart(part);
    this.readableEnded = true;
    this.endBody();
    return true;
  }

  /** Overrides the reading of unread data; none is left. */
  _dump(): void {}

  protected override resumeBody(): void {
    this.socket.resume();
  }
}

/** The part of a reply that Node reads on any reply of a socket. */
export abstract class AwaitedReply {
  abstract readonly req: ArrivingRequest;
  readonly finished = false;
  readonly headersSent = false;

  /** The caller has ended its side of the connection. */
  protected abstract takeEnd(): void;

  /** Node sets this on the awaited reply when the caller has ended its side. */
  set _last(isLast: boolean) {
    if (isLast) this.takeEnd();
  }

  /** Node also asks here whether a timeout is handled; the server does that. */
  emit(): boolean {
    return false;
  }
}

/**
 * Lets `replace` take the requests of a connection in place of Node, whose own function it gets.
 */
export function replaceTaking(socket: Socket, replace: (byNode: TakeRequest) => TakeRequest): void {
  const { parser } = stateOf(socket);
  if (parser?.onIncoming !== undefined) parser.onIncoming = replace(parser.onIncoming);
}

/** Ignores all further input of a connection, the rest of a request included. */
export function ignoreInput(socket: Socket): void {
  const { parser } = stateOf(socket);
  if (!parser) return;
  parser.onIncoming = () => 0;
  if (parser.incoming instanceof ArrivingRequest) parser.incoming.discard();
}

/** Tells the parser that a request was answered; its body may still arrive. */
export function releaseRequest(socket: Socket, request: ArrivingRequest): void {
  const { parser } = stateOf(socket);
  if (parser?.incoming === request && request.readableEnded) parser.incoming = null;
}

export const hasAwaited = (socket: Socket): boolean => Boolean(stateOf(socket)._httpMessage);

/** The request whose reply the socket waits for. */
export const awaitedRequest = (socket: Socket): ArrivingRequest | undefined =>
  stateOf(socket)._httpMessage?.req as ArrivingRequest | undefined;

export function setAwaited(socket: Socket, reply: AwaitedReply | undefined): void {
  stateOf(socket)._httpMessage = reply ?? null;
}

/** Ends a response of Node with its finished head and text, one byte per character. */
export function endWithWhole(response: ServerResponse, whole: string): void {
  (response as ServerResponse & { _header: string })._header = whole;
  response.end();
}

/** Closes the connection after this response. */
export function endBehind(response: ServerResponse): void {
  (response as ServerResponse & { _last: boolean })._last = true;
}

/** A caller that ends its side of a connection still gets its answer. */
export function allowHalfOpen(server: object): void {
  (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
}
