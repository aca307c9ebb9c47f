/**
 * The accounts to examine for liquidation: those whose price thresholds are reached, and those that
 * have changed. Examining a safe account has no effect, so liquidations depend on the state alone.
 */

import { ceilingAmount, UNIT } from '../../formulas/exact.ts';
import { heapPop, heapPush } from '../../kernel/heap.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { Price } from '../../kernel/money.ts';
import { OrderedMap } from '../../kernel/ordered-map.ts';
import { UidTable } from '../../kernel/uid-table.ts';
import type { PositionRow } from '../../messages/orders.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { type InstrumentSpec, instrumentKey, rateFromText } from './instrument-spec.ts';
import { positionKey, unrealisedProfit } from './position.ts';

interface Ranked {
  readonly position: Position;
  readonly score: bigint;
}

interface Ranking {
  /** In the order of auto-deleveraging. */
  ranked: readonly Ranked[];
  /** Positions that have changed since the ranking, with their accounts. */
  readonly changed: Map<Id, Uid>;
}

/**
 * A profit rate times the leverage, or a loss rate divided by it. So the position with the higher
 * leverage ranks first among positions with equal loss.
 */
function scoreOf(state: State, position: Position, spec: InstrumentSpec): bigint {
  const leverage = rateFromText(position.leverage);
  const value = (spec.inverse ? position.entry.size : ceilingAmount(position.entry.cost)) as bigint;
  const rate = (unrealisedProfit(state, position, spec) * UNIT) / value;
  return rate > 0n ? rate * leverage : (rate * UNIT * UNIT) / leverage;
}

const rankedOf = (state: State, position: Position, spec: InstrumentSpec): Ranked => ({
  position,
  score: scoreOf(state, position, spec),
});

/** Highest first, then oldest first. */
function byRank(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return one.score > other.score ? -1 : 1;
  return one.position.id - other.position.id;
}

/** Merges two sorted lists. */
function merged(many: readonly Ranked[], few: readonly Ranked[]): Ranked[] {
  const together: Ranked[] = [];
  let next = 0;
  for (const ranked of many) {
    while (next < few.length && byRank(few[next]!, ranked) < 0) together.push(few[next++]!);
    together.push(ranked);
  }
  return together.concat(few.slice(next));
}

export class Rankings {
  /** By instrument and side. */
  readonly #kept = new Map<string, Ranking>();

  /** All positions on a side of an instrument, in the order of auto-deleveraging. */
  of(state: State, spec: InstrumentSpec, side: PositionSide): readonly Position[] {
    const key = positionKey(spec.key, side);
    const known = this.#kept.get(key);
    const ranking = known ?? { ranked: rankAll(state, key, spec), changed: new Map<Id, Uid>() };
    if (known === undefined) this.#kept.set(key, ranking);
    if (ranking.changed.size > 0) refresh(state, key, spec, ranking);
    return ranking.ranked.map(({ position }) => position);
  }

  changed({ positionId, uid, category, symbol, side }: PositionRow): void {
    if (this.#kept.size === 0) return;
    this.#kept
      .get(positionKey(instrumentKey(category, symbol), side))
      ?.changed.set(positionId, uid);
  }

  /** The liquidation has ended, and the next price changes every rank. */
  forget(): void {
    // `clear` allocates a new table even for an empty map, and each command calls this function.
    if (this.#kept.size > 0) this.#kept.clear();
  }
}

function rankAll(state: State, key: string, spec: InstrumentSpec): Ranked[] {
  const ranked: Ranked[] = [];
  for (const own of state.positions.values()) {
    const position = own.get(key);
    if (position !== undefined) ranked.push(rankedOf(state, position, spec));
  }
  return ranked.sort(byRank);
}

function refresh(state: State, key: string, spec: InstrumentSpec, ranking: Ranking): void {
  const { changed } = ranking;
  const uids = new Set(changed.values());
  const reranked = [...uids]
    .flatMap((uid) => state.positions.get(uid)?.get(key) ?? [])
    .map((position) => rankedOf(state, position, spec));
  const others = ranking.ranked.filter(({ position }) => !uids.has(position.uid));
  ranking.ranked = merged(others, reranked.sort(byRank));
  changed.clear();
}

/** The mark of an instrument, or the index of a coin. */
export type WatchedPrice =
  | { readonly kind: 'mark'; readonly key: string }
  | { readonly kind: 'index'; readonly coin: string };

/** The account is examined if the price is at or beyond one of the bounds. */
export interface Threshold {
  readonly price: WatchedPrice;
  /** Unique among the thresholds on one price: a position's id, or the uid for a coin. */
  readonly id: number;
  readonly below?: Price;
  readonly above?: Price;
}

interface ThresholdMaps {
  readonly below: OrderedMap<bigint, Uid>;
  readonly above: OrderedMap<bigint, Uid>;
}

const nameOf = (price: WatchedPrice): string =>
  price.kind === 'mark' ? `mark ${price.key}` : `index ${price.coin}`;

const smaller = (one: Uid, other: Uid): boolean => one < other;

export class RiskIndex {
  readonly #ends = new Map<string, ThresholdMaps>();
  readonly #placed = new Map<Uid, readonly Threshold[]>();
  readonly #pendingOrder: Uid[] = [];
  readonly #pending = new Set<Uid>();
  readonly #suspended = new Set<Uid>();
  /** Accounts to examine with the next price. The round tells whether one is already deferred. */
  #deferred: Uid[] = [];
  readonly #deferredIn = new UidTable<number>();
  #round = 1;

  /** The account will be examined before the command ends. */
  mark(uid: Uid): void {
    if (this.#pending.has(uid)) return;
    this.#pending.add(uid);
    heapPush(this.#pendingOrder, uid, smaller);
  }

  /**
   * The account will be examined with the next price. It is safe at current prices, but its
   * thresholds may be outdated.
   */
  defer(uid: Uid): void {
    if (this.#deferredIn.get(uid) === this.#round || this.#pending.has(uid)) return;
    this.#deferredIn.set(uid, this.#round);
    this.#deferred.push(uid);
  }

  /** The marked account with the smallest uid, so the order of marking has no effect. */
  take(): Uid | undefined {
    const uid = heapPop(this.#pendingOrder, smaller);
    if (uid !== undefined) this.#pending.delete(uid);
    return uid;
  }

  /** The account is at risk but cannot be liquidated now. It is examined when trading resumes. */
  suspend(uid: Uid): void {
    this.#suspended.add(uid);
  }

  resumeSuspended(): void {
    for (const uid of this.#suspended) this.mark(uid);
    this.#suspended.clear();
  }

  /** Replaces the thresholds of an account. */
  place(uid: Uid, thresholds: readonly Threshold[]): void {
    this.#forget(uid);
    this.#deferredIn.delete(uid);
    if (thresholds.length === 0) return;
    this.#placed.set(uid, thresholds);
    for (const { price, id, below, above } of thresholds) {
      const ends = this.#endsOf(price);
      if (below !== undefined) ends.below.set(below, id, uid);
      if (above !== undefined) ends.above.set(above, id, uid);
    }
  }

  /** Marks every account that a price reaches. */
  reach(price: WatchedPrice, at: Price): void {
    this.#markDeferred();
    const ends = this.#ends.get(nameOf(price));
    if (ends === undefined) return;
    for (const { value } of ends.below.downTo(at)) this.mark(value);
    for (const { value } of ends.above.upTo(at)) this.mark(value);
  }

  #markDeferred(): void {
    for (const uid of this.#deferred) if (this.#deferredIn.get(uid) === this.#round) this.mark(uid);
    this.#deferred = [];
    this.#round += 1;
  }

  #forget(uid: Uid): void {
    this.#suspended.delete(uid);
    for (const { price, id, below, above } of this.#placed.get(uid) ?? []) {
      const ends = this.#endsOf(price);
      if (below !== undefined) ends.below.delete(below, id);
      if (above !== undefined) ends.above.delete(above, id);
    }
    this.#placed.delete(uid);
  }

  #endsOf(price: WatchedPrice): ThresholdMaps {
    const name = nameOf(price);
    const known = this.#ends.get(name);
    if (known !== undefined) return known;
    const ends: ThresholdMaps = { below: new OrderedMap(), above: new OrderedMap() };
    this.#ends.set(name, ends);
    return ends;
  }
}
