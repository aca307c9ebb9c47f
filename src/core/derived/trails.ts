/**
 * Active trailing orders that follow one price of one symbol and fire in one direction. Orders with
 * the same best price keep it in common. They form a group with one trail, which a new best price
 * updates in one step. In a group the smallest callback fires first, so a price is compared only
 * with the nearest threshold. Groups whose best prices become equal are merged, the smaller into
 * the larger, so an order moves rarely.
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
  /** The entry of its first member to fire in `#nearest`. */
  placed: { readonly key: bigint; readonly id: number } | undefined;
}

/** A sort key: a price that moves in this direction reaches smaller keys first. */
export const approachKey = (way: Way, price: Price): bigint =>
  way === 'rising' ? price : negate(price);

/** The id in `#byBest`, which has one group for each best price. */
const ONLY = 0;

export class Trails {
  readonly #way: Way;
  /** Groups by their best price. */
  readonly #byBest = new OrderedMap<bigint, Group>();
  readonly #nearest = new OrderedMap<bigint, Group>();

  constructor(way: Way) {
    this.#way = way;
  }

  /**
   * Adds an order to the group of its best price. A new group reuses the trail of its first order.
   * So orders keep their trail when an audit builds a second index.
   */
  add(trigger: Trigger, best: Price): void {
    const group = this.#groupAt(best, trigger.trail ?? { best });
    trigger.trail = group.trail;
    group.members.set(trigger.callbackRate!, trigger.id, trigger);
    this.#place(group);
  }

  /**
   * Gives the order its own copy of the trail: it waits to fire, while its group follows the price
   * (CLK-12).
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

  /** Updates each group whose best price is worse than the price. */
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

  /** The order that the price reaches first. */
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

  /** Called after an order has left. */
  #settle(group: Group): void {
    if (group.members.size > 0) return this.#place(group);
    this.#displace(group);
    this.#byBest.delete(approachKey(this.#way, group.trail.best), ONLY);
  }
}
