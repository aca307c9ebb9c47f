/** Takes stream connections over, watches them, and ends them when the exchange ends. */
import { WebSocketServer } from 'ws';
import { STREAM_PATHS } from '../contract/channels/stream-paths.ts';
import { connectionAddress } from '../gateway/auth/addresses.ts';
import type { Proxies } from '../gateway/auth/proxies.ts';
import type { Streams } from '../gateway/gateway.ts';
import type { StreamRequest } from '../gateway/http/upgrades.ts';
import {
  CONNECTIONS_PER_ADDRESS_MAX,
  Connections,
  isUnlimited,
} from '../gateway/limits/connections.ts';
import type { Log } from '../gateway/log.ts';
import type { Reading } from '../gateway/metrics.ts';
import type { StreamCalls } from '../gateway/stream-calls.ts';
import { SECOND } from '../kernel/time.ts';
import type { RejectionReason } from '../messages/rejections.ts';
import type { SourceParts } from './channel-source.ts';
import { channelSources } from './channel-sources.ts';
import { Connection, type ConnectionParts, type EndReason, type Operation } from './connection.ts';
import { Feed, type StreamFeed } from './feed.ts';
import { type LoginParts, loginOperation } from './login.ts';
import { Outboxes } from './outbox.ts';
import { StreamTable } from './stream.ts';
import { subscribingOperations } from './subscribing.ts';
import { tradeOperation } from './trading.ts';

/** Places for streams, besides those for calls. */
const STREAMS_MAX = 10_000;
const MESSAGE_BYTES_MAX = 64 * 1024;
const CHECK_EVERY_MS = SECOND;
/** Time for a client to answer a closing handshake. */
const CLOSE_MS_MAX = SECOND;
const GOING_AWAY = 1001;
const SERVICE_RESTART = 1012;

export interface StreamServerParts extends SourceParts, Omit<LoginParts, 'limits'> {
  /** False lifts rates and channel counts; bounds on memory and connections stay. */
  readonly limits: boolean;
  readonly proxies: Proxies | undefined;
  readonly log: Log;
}

export class StreamServer implements Streams {
  readonly feed: StreamFeed;
  readonly ends = new Map<EndReason, number>();
  readonly #parts: StreamServerParts;
  readonly #connectionParts: ConnectionParts;
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: MESSAGE_BYTES_MAX,
    // The types of the package omit it.
    ...{ closeTimeout: CLOSE_MS_MAX },
  });
  readonly #connections = new Set<Connection>();
  readonly #addresses: Connections;
  readonly #outboxes: Outboxes;
  readonly #table: StreamTable;
  readonly #feed: Feed;
  readonly #check: NodeJS.Timeout;
  #isClosed = false;
  #onEmpty: (() => void) | undefined;

  constructor(parts: StreamServerParts) {
    const { clock, exchangeNow, limits, proxies } = parts;
    this.#parts = parts;
    this.#addresses = new Connections(CONNECTIONS_PER_ADDRESS_MAX, isUnlimited(proxies));
    this.#outboxes = new Outboxes(clock);
    this.#table = new StreamTable(channelSources(parts), exchangeNow);
    this.#feed = new Feed({
      table: this.#table,
      onKeyRevoked: this.#endKey,
      onStreamFailure: this.#logFailure,
      onBatchFailure: this.#failAll,
    });
    this.feed = this.#feed;
    this.#connectionParts = {
      clock,
      outboxes: this.#outboxes,
      limits,
      operations: this.#operations(),
      onFailure: this.#logFailure,
      onEnd: this.#onEnd,
      onClose: this.#onClose,
    };
    this.#feed.start();
    this.#check = setInterval(() => this.#checkAll(), CHECK_EVERY_MS);
    this.#check.unref();
  }

  /** Takes a connection over, or says why not. */
  take({ request, socket, head }: StreamRequest, calls: StreamCalls): RejectionReason | undefined {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const version = STREAM_PATHS.get(path);
    if (version === undefined) return 'unknownPath';
    if (this.#isClosed) return 'notServing';
    if (this.#connections.size >= STREAMS_MAX) return 'tooManyRequests';
    const forwardedFor = request.known['x-forwarded-for'];
    const address =
      this.#parts.proxies === undefined || forwardedFor === undefined
        ? connectionAddress(socket)
        : this.#parts.proxies.callerBehind(socket, forwardedFor);
    if (!this.#addresses.enter(address)) return 'tooManyRequests';
    socket.once('close', () => this.#addresses.leave(address));
    this.#webSockets.handleUpgrade(request, socket, head, (ws) => {
      const from = { version, address, calls };
      this.#connections.add(new Connection(ws, socket, from, this.#connectionParts));
    });
    return undefined;
  }

  /** The exchange stops. */
  close(): Promise<void> {
    return this.#endAll('stop', 'the exchange stops', GOING_AWAY);
  }

  /** The exchange begins anew. */
  reset(): Promise<void> {
    return this.#endAll('reset', 'the exchange was reset', SERVICE_RESTART);
  }

  readings(): readonly Reading[] {
    return [
      {
        name: 'stream_connections',
        help: 'Open stream connections.',
        read: () => this.#connections.size,
      },
      {
        name: 'stream_channels',
        help: 'Streams with at least one subscription.',
        read: () => this.#table.size,
      },
      {
        name: 'stream_pending_bytes',
        help: 'Bytes that wait for stream connections.',
        read: () => this.#outboxes.pendingBytes,
      },
    ];
  }

  #operations(): ReadonlyMap<string, Operation> {
    const { subscribe, unsubscribe } = subscribingOperations({
      table: this.#table,
      limits: this.#parts.limits,
    });
    return new Map<string, Operation>([
      ['login', loginOperation(this.#parts)],
      ['subscribe', subscribe],
      ['unsubscribe', unsubscribe],
      ['trade', tradeOperation(this.#parts.exchangeNow)],
    ]);
  }

  #endAll(reason: EndReason, text: string, code: number): Promise<void> {
    this.#isClosed = true;
    this.#feed.stop();
    clearInterval(this.#check);
    for (const connection of this.#connections) connection.end(reason, text, code);
    if (this.#connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        for (const connection of this.#connections) connection.terminate();
      }, CLOSE_MS_MAX);
      this.#onEmpty = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  #checkAll(): void {
    const now = this.#parts.clock.monotonic();
    for (const connection of this.#connections) connection.check(now);
  }

  #endKey = (apiKey: string): void => {
    for (const connection of this.#connections)
      if (connection.login?.apiKey === apiKey) connection.end('revoked', 'the key was revoked');
  };

  #failAll = (error: unknown): void => {
    this.#logFailure(error);
    for (const connection of this.#connections) connection.fail();
  };

  #onEnd = (_: Connection, reason: EndReason): void =>
    void this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);

  #onClose = (connection: Connection): void => {
    for (const subscription of connection.subscriptions.values()) this.#table.leave(subscription);
    connection.subscriptions.clear();
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  };

  #logFailure = (error: unknown): void => this.#parts.log.error({ err: error }, 'a stream failed');
}
