/**
 * Trailing orders that follow one price of one symbol and fire when it comes back one way. Whoever
 * began earlier has seen all that later ones have, so those with the same best price stay together
 * for good: they share it, and a new best moves them all in one step. Within such a group the
 * smallest callback fires first, so a price that fires nothing looks at the nearest threshold only.
 * Groups that a new best makes equal become one, the smaller moving into the larger; each order
 * moves seldom, and never because of a mere tick.
 */

import { callbackThreshold, type Way } from '../../formulas/callback.ts';
import { invariant } from '../../kernel/invariant.ts';
import { negate, type Price } from '../../kernel/money.ts';
import { OrderedMap } from '../../kernel/ordered-map.ts';
import type { Trail, Trigger } from '../state/trigger.ts';

interface Group {
  readonly trail: Trail;
  /** By callback rate, then oldest first. */
  readonly members: OrderedMap<bigint, Trigger>;
  /** Where its nearest member stands among the nearest of all groups. */
  placed: { readonly key: bigint; readonly id: number } | undefined;
}

/** Where something stands on the way that the price comes: smaller is met earlier. */
export const approachKey = (way: Way, price: Price): bigint =>
  way === 'rising' ? price : negate(price);

/** Groups have a place of their own under each best price. */
const ONLY = 0;

export class Trails {
  readonly #way: Way;
  /**
   * Groups by best price along the way: the best is the smallest there is, for it lies furthest
   * back.
   */
  readonly #byBest = new OrderedMap<bigint, Group>();
  readonly #nearest = new OrderedMap<bigint, Group>();

  constructor(way: Way) {
    this.#way = way;
  }

  /**
   * An order that has seen so good a price, and from now on sees what the others of that price see.
   * The first of a group lends it the trail it has: so an index that is made beside the one at
   * work, to hold them against each other, leaves every order with the trail it shares.
   */
  add(trigger: Trigger, best: Price): void {
    const group = this.#groupAt(best, trigger.trail ?? { best });
    trigger.trail = group.trail;
    group.members.set(trigger.callbackRate!, trigger.id, trigger);
    this.#place(group);
  }

  /**
   * It keeps what it has seen: while it waits in line to fire, the others go on following, and what
   * is restored shares nothing with them (CLK-12).
   */
  delete(trigger: Trigger): void {
    const { best } = trigger.trail!;
    const group = this.#byBest.get(approachKey(this.#way, best), ONLY);
    invariant(
      group?.members.delete(trigger.callbackRate!, trigger.id) === true,
      'a trailing order is in the group of its best price',
    );
    trigger.trail = { best };
    this.#settle(group);
  }

  /** Every group whose best is not as good as the price has it now. */
  follow(price: Price): void {
    const seen = approachKey(this.#way, price);
    let furthest = this.#byBest.last();
    if (furthest === undefined || furthest.key <= seen) return;
    let merged: Group | undefined;
    while (furthest !== undefined && furthest.key > seen) {
      this.#byBest.delete(furthest.key, ONLY);
      merged = merged === undefined ? furthest.value : this.#merge(merged, furthest.value);
      furthest = this.#byBest.last();
    }
    const there = this.#byBest.get(seen, ONLY);
    if (there !== undefined) merged = this.#merge(there, merged!);
    merged!.trail.best = price;
    this.#byBest.set(seen, ONLY, merged!);
    this.#place(merged!);
  }

  /** The order that is met first on the way, and where. */
  next(): { readonly key: bigint; readonly trigger: Trigger } | undefined {
    const nearest = this.#nearest.first();
    return nearest === undefined
      ? undefined
      : { key: nearest.key, trigger: nearest.value.members.first()!.value };
  }

  #groupAt(best: Price, trail: Trail): Group {
    const key = approachKey(this.#way, best);
    const known = this.#byBest.get(key, ONLY);
    if (known !== undefined) return known;
    const group: Group = { trail, members: new OrderedMap(), placed: undefined };
    this.#byBest.set(key, ONLY, group);
    return group;
  }

  #merge(one: Group, other: Group): Group {
    const [large, small] = one.members.size >= other.members.size ? [one, other] : [other, one];
    this.#displace(small);
    for (const { key, id, value } of small.members.all()) {
      value.trail = large.trail;
      large.members.set(key, id, value);
    }
    return large;
  }

  #displace(group: Group): void {
    if (group.placed !== undefined) this.#nearest.delete(group.placed.key, group.placed.id);
    group.placed = undefined;
  }

  #place(group: Group): void {
    const { value } = group.members.first()!;
    const threshold = callbackThreshold(group.trail.best, value.callbackRate!, this.#way);
    const key = approachKey(this.#way, threshold);
    if (group.placed?.key === key && group.placed.id === value.id) return;
    this.#displace(group);
    group.placed = { key, id: value.id };
    this.#nearest.set(key, value.id, group);
  }

  /** After one has left. */
  #settle(group: Group): void {
    if (group.members.size > 0) return this.#place(group);
    this.#displace(group);
    this.#byBest.delete(approachKey(this.#way, group.trail.best), ONLY);
  }
}
