/**
 * Indexes of tracked orders: by account and position, by the last price that triggers their
 * take-profit or stop-loss, and by what they wait for.
 */

import type { Id, Uid } from '../../kernel/ids.ts';
import { negate, type Price } from '../../kernel/money.ts';
import { OrderedMap } from '../../kernel/ordered-map.ts';
import type { CopyState, TrackedOrder } from '../state/copy-state.ts';
import { OwnIds, SharesDue, StaleShares, shareDue } from './copy-indexes.ts';
import { positionKey } from './position.ts';
import { StuckIndex } from './stuck-index.ts';

/**
 * Prices at or above, and at or below, which tracked orders end. Prices in `below` are negated, so
 * that both maps have the first price reached first, and older orders first at one price.
 */
interface Tpsl {
  readonly above: OrderedMap<bigint, Id>;
  readonly below: OrderedMap<bigint, Id>;
}

const NONE: ReadonlySet<Id> = new Set();

/** A unique id for each of the two prices of a tracked order. */
const tpslId = (id: Id, kind: 'takeProfit' | 'stopLoss'): number =>
  id * 2 + (kind === 'takeProfit' ? 0 : 1);

export class TrackedIndex {
  /** Closed copies whose profit share is not yet settled. */
  readonly ended = new OwnIds();
  /** Closed copies whose share waits for prices; they are not in the queue (CPY-166). */
  readonly stale = new StaleShares();
  /** Leaders' opening orders, whose fills become tracked orders. */
  readonly openings = new OwnIds();
  readonly stuck = new StuckIndex();
  readonly sharesDue = new SharesDue();
  /** The part of `sharesDue` from closed copies. */
  readonly sharesOfEnded = new SharesDue();
  readonly #places = new Map<Uid, Map<string, Set<Id>>>();
  readonly #counts = new Map<Uid, number>();
  readonly #tpsl = new Map<string, Tpsl>();

  /** Adds an open tracked order, which must be newer than the others. */
  add(order: TrackedOrder): void {
    const own = this.#places.get(order.uid) ?? new Map<string, Set<Id>>();
    this.#places.set(order.uid, own);
    const place = positionKey(order.key, order.side);
    const ids = own.get(place) ?? new Set<Id>();
    own.set(place, ids.add(order.id));
    this.#counts.set(order.uid, this.count(order.uid) + 1);
    this.watch(order);
  }

  /** Removes a tracked order that has ended. */
  remove(order: TrackedOrder): void {
    const own = this.#places.get(order.uid)!;
    const place = positionKey(order.key, order.side);
    const ids = own.get(place)!;
    ids.delete(order.id);
    if (ids.size === 0) own.delete(place);
    if (own.size === 0) this.#places.delete(order.uid);
    const left = this.count(order.uid) - 1;
    if (left === 0) this.#counts.delete(order.uid);
    else this.#counts.set(order.uid, left);
    this.unwatch(order);
  }

  /** The open tracked orders of a position, oldest first. */
  at(uid: Uid, place: string): ReadonlySet<Id> {
    return this.#places.get(uid)?.get(place) ?? NONE;
  }

  /** The open tracked orders of an account, by position. */
  *of(uid: Uid): Generator<Id> {
    for (const ids of this.#places.get(uid)?.values() ?? []) yield* ids;
  }

  count(uid: Uid): number {
    return this.#counts.get(uid) ?? 0;
  }

  watch(order: TrackedOrder): void {
    for (const { price, kind, rises } of tpslOfTracked(order)) {
      const tpsl = this.#tpsl.get(order.key) ?? {
        above: new OrderedMap<bigint, Id>(),
        below: new OrderedMap<bigint, Id>(),
      };
      this.#tpsl.set(order.key, tpsl);
      if (rises) tpsl.above.set(price, tpslId(order.id, kind), order.id);
      else tpsl.below.set(negate(price), tpslId(order.id, kind), order.id);
    }
  }

  unwatch(order: TrackedOrder): void {
    const tpsl = this.#tpsl.get(order.key);
    if (tpsl === undefined) return;
    for (const { price, kind, rises } of tpslOfTracked(order))
      if (rises) tpsl.above.delete(price, tpslId(order.id, kind));
      else tpsl.below.delete(negate(price), tpslId(order.id, kind));
  }

  /** Tracked orders that a last price ends: each side in the order of prices, then oldest first. */
  reached(key: string, last: Price): Id[] {
    const tpsl = this.#tpsl.get(key);
    if (tpsl === undefined) return [];
    const ids: Id[] = [];
    for (const { value } of tpsl.above.upTo(last)) ids.push(value);
    for (const { value } of tpsl.below.upTo(negate(last))) ids.push(value);
    return ids;
  }

  /** The number of watched prices, for the audit. */
  get watched(): number {
    let count = 0;
    for (const { above, below } of this.#tpsl.values()) count += above.size + below.size;
    return count;
  }
}

/** Adds everything in the order of the state, which is the order of arrival. */
export function rebuildTracked(
  { tracked, openings, ended, stuck }: CopyState,
  index: TrackedIndex,
  coinOf: (key: string) => string,
): void {
  for (const order of tracked.values())
    index.sharesDue.add(order.uid, coinOf(order.key), shareDue(order));
  for (const order of tracked.values()) if (order.lots > 0) index.add(order);
  for (const [id, { uid, copyOf }] of openings)
    if (copyOf === undefined) index.openings.add(uid, id);
  const queued = new Set(ended);
  for (const order of tracked.values()) {
    const { id, uid, key, kind, lots } = order;
    if (kind !== 'copy' || lots > 0) continue;
    index.ended.add(uid, id);
    index.sharesOfEnded.add(uid, coinOf(key), shareDue(order));
    if (!queued.has(id)) index.stale.add(uid, id);
  }
  for (const ids of stuck.values()) for (const id of ids) index.stuck.put(tracked.get(id)!);
}

export interface TrackedTpsl {
  readonly kind: 'takeProfit' | 'stopLoss';
  readonly price: Price;
  /** True if a rising price reaches it. */
  readonly rises: boolean;
}

/** The watched prices of a tracked order; none once it is to be closed completely. */
export function tpslOfTracked(order: TrackedOrder): TrackedTpsl[] {
  const tpsl: TrackedTpsl[] = [];
  if (order.target === 0) return tpsl;
  const { side, takeProfit, stopLoss } = order;
  if (takeProfit !== undefined)
    tpsl.push({ kind: 'takeProfit', price: takeProfit, rises: side === 'long' });
  if (stopLoss !== undefined)
    tpsl.push({ kind: 'stopLoss', price: stopLoss, rises: side === 'short' });
  return tpsl;
}
