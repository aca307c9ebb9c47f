/** Passes each user's private events on to the streams of the user, numbered (STR-50). */
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Sequence, Uid } from '../../kernel/ids.ts';
import type { Event, EventBatch, EventOf, EventType } from '../../messages/events.ts';
import type { OrderQueries } from '../../views/orders.ts';
import type { OrderRecord } from '../../views/records.ts';
import type { ShownBy } from '../../views/shown-by.ts';

/**
 * Kinds of private channels, in the order of their pushes after a command. A kind's place is part
 * of each number, so new kinds follow at the end.
 */
const KINDS = ['order', 'fill', 'position', 'account'] as const;
export type PrivateKind = (typeof KINDS)[number];

/** A private event, as channels of one kind see it. */
export interface Happening {
  readonly event: Event;
  readonly userSeq: bigint;
  /** The order after the event; only if it concerns one. */
  readonly record?: OrderRecord | undefined;
}

export type HappeningListener = (
  happenings: readonly Happening[],
  batch: Pick<EventBatch, 'at' | 'sequence'>,
) => void;

/** Room for the kinds, and for all events of a command with each of them. */
const KINDS_MAX = 16;
const NUMBERS_PER_COMMAND = 1n << 32n;

/** Stands for all that a user has seen after a command: above its events, below those after it. */
export const userSeqAfter = (sequence: Sequence): bigint =>
  (BigInt(sequence) + 1n) * NUMBERS_PER_COMMAND - 1n;

const ORDER = ['order', 'position', 'account'] as const;
const POSITION = ['position', 'account'] as const;
const ACCOUNT = ['account'] as const;

interface Concern<Type extends EventType> {
  readonly kinds: readonly PrivateKind[];
  readonly uidsOf: (event: EventOf<Type>) => readonly (Uid | undefined)[];
}
type Concerning = { readonly [Type in ShownBy<'userStreams'>]: Concern<Type> };

const own = ({ uid }: { readonly uid: Uid }): readonly Uid[] => [uid];
const ofOrder = { kinds: ORDER, uidsOf: own };
const ofPosition = { kinds: POSITION, uidsOf: own };
const ofAccount = { kinds: ACCOUNT, uidsOf: own };

/** The events that private channels show. */
const CONCERNING: Concerning = {
  orderAccepted: { kinds: ORDER, uidsOf: ({ order }) => [order.uid] },
  orderActivated: ofOrder,
  orderModified: { kinds: ORDER, uidsOf: ({ order }) => [order.uid] },
  orderReleveraged: ofOrder,
  orderEnded: { kinds: ORDER, uidsOf: ({ end }) => [end.uid] },
  fillSettled: { kinds: KINDS, uidsOf: ({ fill }) => [fill.uid] },
  positionChanged: { kinds: POSITION, uidsOf: ({ position }) => [position.uid] },
  fundingCharged: ofPosition,
  leverageChanged: ofPosition,
  marginModeChanged: ofPosition,
  positionModeChanged: ofPosition,
  entryPosted: { kinds: ACCOUNT, uidsOf: ({ lines }) => [...new Set(lines.map((at) => at.uid))] },
  debtChanged: ofAccount,
  isolatedDebtChanged: ofAccount,
  coinLeverageChanged: ofAccount,
};

const concernOf = (type: EventType): Concern<never> | undefined =>
  (CONCERNING as { readonly [Type in EventType]?: Concern<never> })[type];

type ByKind<Value> = Readonly<Record<PrivateKind, Value>>;
const byKind = <Value>(make: () => Value): ByKind<Value> => ({
  order: make(),
  fill: make(),
  position: make(),
  account: make(),
});

/** What listeners are told at once. Several streams of events take turns, so numbers only grow. */
function groupsOf(
  kind: PrivateKind,
  happenings: readonly Happening[],
): readonly (readonly Happening[])[] {
  if (kind === 'order' || kind === 'fill') return happenings.map((happening) => [happening]);
  return happenings.length === 0 ? [] : [happenings];
}

interface UserStreams {
  readonly listeners: ByKind<Set<HappeningListener>>;
  count: number;
  readonly endWatch: () => void;
}

export class UserTape {
  readonly #orders: Pick<OrderQueries, 'watch'>;
  readonly #users = new Map<Uid, UserStreams>();
  /** Orders after the events of the present batch. */
  readonly #records = new Map<Event, OrderRecord>();
  #sequence: Sequence | undefined;
  /** Where the part of a batch begins. */
  #from = 0;

  constructor(orders: Pick<OrderQueries, 'watch'>) {
    this.#orders = orders;
  }

  /** Returns what ends it. */
  listen(kind: PrivateKind, uid: Uid, listener: HappeningListener): () => void {
    const streams = getOrMake(this.#users, uid, () => ({
      listeners: byKind(() => new Set<HappeningListener>()),
      count: 0,
      endWatch: this.#orders.watch(uid, (event, record) => void this.#records.set(event, record)),
    }));
    streams.listeners[kind].add(listener);
    streams.count++;
    return () => {
      streams.listeners[kind].delete(listener);
      if (--streams.count > 0) return;
      streams.endWatch();
      this.#users.delete(uid);
    };
  }

  readonly onBatch = (batch: EventBatch): void => {
    const { sequence, events } = batch;
    const from = sequence === this.#sequence ? this.#from : 0;
    this.#sequence = sequence;
    this.#from = from + events.length;
    if (this.#users.size === 0) return;
    const happened = this.#happenings(batch, from);
    for (const kind of KINDS)
      for (const [streams, kinds] of happened)
        for (const together of groupsOf(kind, kinds[kind]))
          for (const listener of streams.listeners[kind]) listener(together, batch);
  };

  #happenings({ sequence, events }: EventBatch, from: number) {
    const happened = new Map<UserStreams, ByKind<Happening[]>>();
    const first = BigInt(sequence) * NUMBERS_PER_COMMAND + BigInt(from * KINDS_MAX);
    for (const [at, event] of events.entries()) {
      const concerning = concernOf(event.type);
      if (concerning === undefined) continue;
      const record = this.#records.get(event);
      this.#records.delete(event);
      for (const uid of concerning.uidsOf(event as never)) {
        const streams = uid === undefined ? undefined : this.#users.get(uid);
        if (streams === undefined) continue;
        const kinds = getOrMake(happened, streams, () => byKind((): Happening[] => []));
        for (const kind of concerning.kinds) {
          if (streams.listeners[kind].size === 0) continue;
          const userSeq = first + BigInt(KINDS.indexOf(kind) * events.length + at);
          kinds[kind].push({ event, userSeq, record });
        }
      }
    }
    return happened;
  }
}
