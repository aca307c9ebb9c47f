/**
 * Tracked orders that found no counterparty, grouped by their worst price. One look at the book
 * decides for a whole group whether a retry makes sense.
 */

import type { Id } from '../../kernel/ids.ts';
import type { Copy, TrackedOrder } from '../state/copy-state.ts';

/** True if it closes because its leader closed; then the price limit of copies applies. */
export const closesWithLeader = (order: TrackedOrder, byAccount: boolean): order is Copy =>
  !byAccount && order.closing === 'leader' && order.kind === 'copy';

/** Copies of one original share a worst price; the others of a side share the price band. */
export const priceLimitKey = (order: TrackedOrder, byAccount: boolean): string =>
  closesWithLeader(order, byAccount)
    ? `${order.key} ${order.side} ${order.originalId}`
    : `${order.key} ${order.side}`;

interface Place {
  /** Ascending, oldest first. */
  readonly number: number;
  readonly limitKey: string;
}

type Groups = Map<string, Set<Id>>;

export class StuckIndex {
  readonly #places = new Map<Id, Place>();
  /** By instrument and limit key. */
  readonly #groups = new Map<string, Groups>();
  #last = 0;

  /** A known order keeps its number. */
  put(order: TrackedOrder): void {
    const limitKey = priceLimitKey(order, false);
    const known = this.#places.get(order.id);
    if (known?.limitKey === limitKey) return;
    if (known !== undefined) this.#leaveGroup(order, known.limitKey);
    this.#places.set(order.id, { number: known?.number ?? ++this.#last, limitKey });
    const groups = this.#groups.get(order.key) ?? (new Map() as Groups);
    this.#groups.set(order.key, groups);
    groups.set(limitKey, (groups.get(limitKey) ?? new Set<Id>()).add(order.id));
  }

  /** The reason to close may have changed, and with it the group. */
  renew(order: TrackedOrder): void {
    if (this.#places.has(order.id)) this.put(order);
  }

  remove(order: TrackedOrder): void {
    const known = this.#places.get(order.id);
    if (known === undefined) return;
    this.#places.delete(order.id);
    this.#leaveGroup(order, known.limitKey);
  }

  /** The groups of an instrument, none of which is empty. */
  groups(key: string): ReadonlySet<Id>[] {
    return [...(this.#groups.get(key)?.values() ?? [])];
  }

  /** The orders of some groups. */
  oldestFirst(groups: readonly ReadonlySet<Id>[]): Id[] {
    const numberOf = (id: Id): number => this.#places.get(id)!.number;
    return groups.flatMap((ids) => [...ids]).sort((one, other) => numberOf(one) - numberOf(other));
  }

  #leaveGroup({ id, key }: TrackedOrder, limitKey: string): void {
    const groups = this.#groups.get(key)!;
    const ids = groups.get(limitKey)!;
    ids.delete(id);
    if (ids.size === 0) groups.delete(limitKey);
    if (groups.size === 0) this.#groups.delete(key);
  }
}
