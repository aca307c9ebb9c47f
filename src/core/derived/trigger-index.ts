/**
 * Armed triggers by symbol and price source, in the order in which a price reaches them. So a price
 * that fires nothing costs the same with ten triggers as with a million.
 */
import type { Way } from '../../formulas/callback.ts';
import type { Price } from '../../kernel/money.ts';
import { OrderedMap } from '../../kernel/ordered-map.ts';
import type { PriceSource } from '../../messages/vocabulary.ts';
import { type Trigger, wayBack } from '../state/trigger.ts';
import { approachKey, Trails } from './trails.ts';

/** The triggers that a price reaches in one direction. */
class Approach {
  readonly #way: Way;
  /** By trigger price in that direction, then oldest first. */
  readonly #waiting = new OrderedMap<bigint, Trigger>();
  readonly trails: Trails;

  constructor(way: Way) {
    this.#way = way;
    this.trails = new Trails(way);
  }

  wait(trigger: Trigger): void {
    this.#waiting.set(approachKey(this.#way, trigger.triggerPrice), trigger.id, trigger);
  }

  leave(trigger: Trigger): void {
    this.#waiting.delete(approachKey(this.#way, trigger.triggerPrice), trigger.id);
  }

  /** Removes the triggers that the price has reached: nearest first, then oldest first. */
  reach(price: Price): readonly Trigger[] {
    const seen = approachKey(this.#way, price);
    const waiting = this.#waiting.takeUpTo(seen);
    let next = 0;
    const reached: Trigger[] = [];
    for (
      let nearest = this.trails.next();
      nearest !== undefined && nearest.key <= seen;
      nearest = this.trails.next()
    ) {
      const { key, trigger } = nearest;
      while (next < waiting.length && isBefore(waiting[next]!, key, trigger.id))
        reached.push(waiting[next++]!.value);
      this.trails.delete(trigger);
      reached.push(trigger);
    }
    while (next < waiting.length) reached.push(waiting[next++]!.value);
    return reached;
  }
}

const isBefore = (
  entry: { readonly key: bigint; readonly id: number },
  key: bigint,
  id: number,
): boolean => entry.key < key || (entry.key === key && entry.id < id);

/** Both directions of one price of one symbol. */
type Approaches = Readonly<Record<Way, Approach>>;

const isInactiveTrailing = ({ callbackRate, trail }: Trigger): boolean =>
  callbackRate !== undefined && trail === undefined;

export class TriggerIndex {
  readonly #prices: Readonly<Record<PriceSource, Map<string, Approaches>>> = {
    last: new Map(),
    mark: new Map(),
    index: new Map(),
  };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  arm(trigger: Trigger): void {
    const approaches = this.#approaches(trigger);
    if (trigger.trail === undefined) approaches[trigger.way].wait(trigger);
    else approaches[wayBack(trigger)].trails.add(trigger, trigger.trail.best);
    this.#size++;
  }

  disarm(trigger: Trigger): void {
    const approaches = this.#approaches(trigger);
    if (trigger.trail === undefined) approaches[trigger.way].leave(trigger);
    else approaches[wayBack(trigger)].trails.delete(trigger);
    this.#size--;
  }

  /**
   * Applies a price: trailing orders follow it or become active. Returns the triggers that it
   * reaches, in order.
   */
  reach(key: string, source: PriceSource, price: Price): readonly Trigger[] {
    const approaches = this.#size === 0 ? undefined : this.#prices[source].get(key);
    if (approaches === undefined) return NOTHING;
    const { rising, falling } = approaches;
    rising.trails.follow(price);
    falling.trails.follow(price);
    const reached: Trigger[] = [];
    for (const approach of [rising, falling])
      for (const trigger of approach.reach(price)) {
        if (isInactiveTrailing(trigger)) approaches[wayBack(trigger)].trails.add(trigger, price);
        else reached.push(trigger);
      }
    this.#size -= reached.length;
    return reached;
  }

  #approaches({ key, source }: Trigger): Approaches {
    const known = this.#prices[source].get(key);
    if (known !== undefined) return known;
    const approaches = { rising: new Approach('rising'), falling: new Approach('falling') };
    this.#prices[source].set(key, approaches);
    return approaches;
  }
}

const NOTHING: readonly Trigger[] = [];
