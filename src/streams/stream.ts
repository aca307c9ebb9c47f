/** Streams, their subscriptions, and the table of all that are open. */
import type { NamedChannel } from '../contract/channels/channels.ts';
import type { StreamError } from '../contract/channels/stream-codes.ts';
import type { ExchangeNow } from '../gateway/submit.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { EventBatch } from '../messages/events.ts';
import { partsOf } from '../views/view.ts';
import type {
  ChannelSource,
  ChannelSources,
  Opening,
  Producer,
  Push,
  Subscriber,
} from './channel-source.ts';
import { textFrame } from './frames.ts';
import type { Outbox } from './outbox.ts';

/** A connection's part in a stream. */
export interface Subscription {
  readonly stream: Stream;
  readonly outbox: Outbox;
  /** The argument as it was sent; pushes repeat it. */
  spelling: string;
  /** Ends the connection, because its stream has lost a push. */
  fail(): void;
}

const headOf = (action: Push['action'], spelling: string): string =>
  `{"action":"${action}","arg":${spelling},`;

/** A push without its closing brace. `rows` is its data as JSON. */
const bodyOf = (rows: string, ts: number): string => `"data":${rows},"ts":${ts}`;

/** A snapshot whose rows are written once for all that subscribe within a tick. */
interface Shown extends Omit<Push, 'data'> {
  readonly rows: string;
}

export class Stream {
  readonly name: string;
  readonly channel: NamedChannel;
  readonly #now: ExchangeNow;
  readonly #producer: Producer;
  readonly #bySpelling = new Map<string, Set<Subscription>>();
  #shown: Shown | undefined;

  constructor(name: string, channel: NamedChannel, opening: Opening, now: ExchangeNow) {
    this.name = name;
    this.channel = channel;
    this.#now = now;
    this.#producer = opening.begin((push) => this.publish(push));
  }

  get isState(): boolean {
    return this.channel.row.kind === 'state';
  }

  get isEmpty(): boolean {
    return this.#bySpelling.size === 0;
  }

  /** Sends a push to every subscription. Equal spellings share one frame. */
  publish(push: Push): void {
    this.#shown = undefined;
    const body = bodyOf(JSON.stringify(push.data), this.#now());
    const isReplaced = this.isState && push.stays !== true;
    const shared = push.userSeq === undefined ? Buffer.from(`${body}}`) : undefined;
    for (const [spelling, subscriptions] of this.#bySpelling) {
      const head = headOf(push.action, spelling);
      const frame = shared === undefined ? undefined : textFrame(head, shared);
      for (const subscription of subscriptions) {
        const key = isReplaced ? subscription : undefined;
        if (frame !== undefined) subscription.outbox.send(frame, key);
        else subscription.outbox.sendNumbered({ open: head + body, userSeq: push.userSeq! }, key);
      }
    }
  }

  tick(): void {
    this.#shown = undefined;
    this.#pushChanges();
  }

  #pushChanges(): void {
    const push = this.#producer.tick?.();
    if (push !== undefined) this.publish(push);
  }

  add(subscription: Subscription): void {
    // What others have not got yet must not come after the snapshot of this one.
    this.#pushChanges();
    const { spelling } = subscription;
    const equal = this.#bySpelling.get(spelling);
    if (equal === undefined) this.#bySpelling.set(spelling, new Set([subscription]));
    else equal.add(subscription);
  }

  /** Sends a subscription the present state. */
  show(subscription: Subscription): void {
    const shown = this.#snapshot();
    if (shown === undefined) return;
    const head = headOf(shown.action, subscription.spelling);
    const body = bodyOf(shown.rows, this.#now());
    const key = this.isState ? subscription : undefined;
    if (shown.userSeq !== undefined)
      subscription.outbox.sendNumbered({ open: head + body, userSeq: shown.userSeq }, key);
    else subscription.outbox.sendSnapshot(textFrame(head, `${body}}`), key);
  }

  #snapshot(): Shown | undefined {
    if (this.#shown !== undefined) return this.#shown;
    const push = this.#producer.snapshot?.();
    if (push === undefined) return undefined;
    const { data, ...rest } = push;
    const shown = { ...rest, rows: JSON.stringify(data) };
    // Without ticks nothing tells when the state has changed.
    if (this.#producer.tick !== undefined) this.#shown = shown;
    return shown;
  }

  remove(subscription: Subscription): void {
    const equal = this.#bySpelling.get(subscription.spelling);
    equal?.delete(subscription);
    if (equal?.size === 0) this.#bySpelling.delete(subscription.spelling);
  }

  /** Pushes repeat the argument in its new spelling. */
  spell(subscription: Subscription, spelling: string): void {
    this.remove(subscription);
    subscription.spelling = spelling;
    this.add(subscription);
  }

  end(): void {
    this.#producer.end?.();
  }

  /** Its subscriptions have lost a push, and must begin again. */
  fail(): void {
    for (const subscriptions of [...this.#bySpelling.values()])
      for (const subscription of [...subscriptions]) subscription.fail();
  }
}

export interface FoundStream {
  /** Equal for equal streams. */
  readonly name: string;
  open(): Stream;
}

/** The streams with at least one subscription. */
export class StreamTable {
  readonly #sources: ChannelSources;
  readonly #now: ExchangeNow;
  readonly #streams = new Map<string, Stream>();
  readonly #onBatch: readonly ((batch: EventBatch) => void)[];

  constructor(sources: ChannelSources, now: ExchangeNow) {
    this.#sources = sources;
    this.#now = now;
    this.#onBatch = Object.values<ChannelSource<never>>(sources).flatMap((source) =>
      source.onBatch === undefined ? [] : [(batch: EventBatch) => source.onBatch?.(batch)],
    );
  }

  get size(): number {
    return this.#streams.size;
  }

  /** The stream of an argument that its row has decoded. It begins when it is opened. */
  find(
    channel: NamedChannel,
    arg: unknown,
    subscriber: Subscriber,
  ): Result<FoundStream, StreamError> {
    const source = this.#sources[channel.key] as ChannelSource;
    const opened = source.open(arg, channel.name, subscriber);
    if (!opened.ok) return opened;
    const name = `${channel.key} ${opened.value.key}`;
    return ok({ name, open: () => this.#open(name, channel, opened.value) });
  }

  leave(subscription: Subscription): void {
    const { stream } = subscription;
    stream.remove(subscription);
    if (!stream.isEmpty) return;
    stream.end();
    this.#streams.delete(stream.name);
  }

  #open(name: string, channel: NamedChannel, opening: Opening): Stream {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const stream = new Stream(name, channel, opening, this.#now);
    this.#streams.set(name, stream);
    return stream;
  }

  batch(batch: EventBatch): void {
    if (this.#streams.size === 0) return;
    for (const part of partsOf(batch)) for (const run of this.#onBatch) run(part);
  }

  /** A failure of one stream ends its subscriptions alone. */
  tick(onFailure: (error: unknown) => void): void {
    for (const stream of this.#streams.values()) {
      try {
        stream.tick();
      } catch (error) {
        onFailure(error);
        stream.fail();
      }
    }
  }
}
