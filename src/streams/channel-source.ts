/**
 * What each channel implements: it checks an argument, and makes the producer of one stream. A
 * stream is a channel with one set of arguments; all its subscriptions share each push.
 */
import type { ArgOf, DataOf } from '../contract/channels/channel.ts';
import type { ChannelKey, channels } from '../contract/channels/channels.ts';
import type { StreamError } from '../contract/channels/stream-codes.ts';
import type { Caller } from '../gateway/caller.ts';
import type { ExchangeNow } from '../gateway/submit.ts';
import type { Result } from '../kernel/result.ts';
import type { Clock } from '../kernel/time.ts';
import type { EventBatch } from '../messages/events.ts';
import type { ViewQueries, Views } from '../views/views.ts';

export interface Push<Data = unknown> {
  readonly action: 'snapshot' | 'update';
  readonly data: Data;
  /** Only on private channels: the number of the newest event of the user that it has. */
  readonly userSeq?: bigint;
  /** Of a channel of whole states: it has rows that no later push repeats, so none replaces it. */
  readonly stays?: boolean;
}

export type Publish<Data = unknown> = (push: Push<Data>) => void;

/** Makes the pushes of one stream, from its first subscription to the end of its last. */
export interface Producer<Data = unknown> {
  /**
   * What a new subscription begins with; undefined for nothing. Called after `tick`, so that a
   * snapshot and the pushes after it join.
   */
  snapshot?(): Push<Data> | undefined;
  /** Called each 100 ms of real time: what has changed since the push before. */
  tick?(): Push<Data> | undefined;
  /** The last subscription has ended. */
  end?(): void;
}

/** A connection that subscribes, as a channel sees it. */
export interface Subscriber {
  /** Undefined before the login. Channels with a permission are opened after it. */
  readonly caller: Caller | undefined;
}

export interface Opening<Data = unknown> {
  /** Subscriptions with equal keys share one producer. */
  readonly key: string;
  begin(publish: Publish<Data>): Producer<Data>;
}

export interface ChannelSource<Arg = unknown, Data = unknown> {
  /** `name` is the name of the channel under which the row was found. */
  open(arg: Arg, name: string, subscriber: Subscriber): Result<Opening<Data>, StreamError>;
  /** Receives each durable batch once, in order, after the views. All its events have its time. */
  onBatch?(batch: EventBatch): void;
}

/** In the order in which they receive a batch, which is the order of their pushes. */
export type ChannelSources = {
  readonly [Key in ChannelKey]: ChannelSource<
    ArgOf<(typeof channels)[Key]>,
    DataOf<(typeof channels)[Key]>
  >;
};

/** What sources work with. */
export interface SourceParts {
  readonly views: ViewQueries & Pick<Views, 'sequence'>;
  readonly clock: Clock;
  readonly exchangeNow: ExchangeNow;
}
