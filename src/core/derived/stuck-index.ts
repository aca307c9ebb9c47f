/**
 * Tracked orders that found nobody to close with, by how far they may go: one look at the book
 * tells of all that go equally far whether anybody stands near enough, however many they are. It
 * follows from the state.
 */

import type { Id } from '../../kernel/ids.ts';
import type { Copy, TrackedOrder } from '../state/copy-state.ts';

/** Whether it is closed because its leader closed, which takes it no further than a copy goes. */
export const closesWithLeader = (order: TrackedOrder, byAccount: boolean): order is Copy =>
  !byAccount && order.closing === 'leader' && order.kind === 'copy';

/**
 * Copies of one original that close with it go equally far, and so does all of one side that is
 * bounded by the band alone.
 */
export const reachKey = (order: TrackedOrder, byAccount: boolean): string =>
  closesWithLeader(order, byAccount)
    ? `${order.key} ${order.side} ${order.originalId}`
    : `${order.key} ${order.side}`;

interface Place {
  /** Grows in the order they came. */
  readonly number: number;
  readonly reach: string;
}

type Groups = Map<string, Set<Id>>;

export class StuckIndex {
  readonly #places = new Map<Id, Place>();
  /** By instrument and reach. */
  readonly #groups = new Map<string, Groups>();
  #last = 0;

  /** One that is there already keeps its place in line. */
  put(order: TrackedOrder): void {
    const reach = reachKey(order, false);
    const known = this.#places.get(order.id);
    if (known?.reach === reach) return;
    if (known !== undefined) this.#leaveGroup(order, known.reach);
    this.#places.set(order.id, { number: known?.number ?? ++this.#last, reach });
    const groups = this.#groups.get(order.key) ?? (new Map() as Groups);
    this.#groups.set(order.key, groups);
    groups.set(reach, (groups.get(reach) ?? new Set<Id>()).add(order.id));
  }

  /** Why it has to be closed may have changed, and with it how far it may go. */
  renew(order: TrackedOrder): void {
    if (this.#places.has(order.id)) this.put(order);
  }

  remove(order: TrackedOrder): void {
    const known = this.#places.get(order.id);
    if (known === undefined) return;
    this.#places.delete(order.id);
    this.#leaveGroup(order, known.reach);
  }

  /** Those of an instrument, each group together; never an empty one. */
  groups(key: string): ReadonlySet<Id>[] {
    return [...(this.#groups.get(key)?.values() ?? [])];
  }

  /** Some of them in the order they came. */
  oldestFirst(groups: readonly ReadonlySet<Id>[]): Id[] {
    const numberOf = (id: Id): number => this.#places.get(id)!.number;
    return groups.flatMap((ids) => [...ids]).sort((one, other) => numberOf(one) - numberOf(other));
  }

  #leaveGroup({ id, key }: TrackedOrder, reach: string): void {
    const groups = this.#groups.get(key)!;
    const ids = groups.get(reach)!;
    ids.delete(id);
    if (ids.size === 0) groups.delete(reach);
    if (groups.size === 0) this.#groups.delete(key);
  }
}
