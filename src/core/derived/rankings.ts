/**
 * Who is reduced first when nobody in the book wants a position: everybody on the other side of its
 * symbol, ranked. One price may take over hundreds of positions, and to rank thousands of holders
 * anew for each of them would hold everybody up: so a ranking is kept while nothing but liquidation
 * happens, and brought up to date by what has changed. It follows from the state.
 */
import type { Position } from '../state/position.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { State } from '../state/state.ts';
import type { InstrumentSpec } from './instrument-spec.ts';
import { rateFromText } from './rates.ts';
import { UNIT, ceilingAmount } from '../../formulas/exact.ts';
import { unrealisedProfit } from './position-margin.ts';
import type { PositionSide } from '../../messages/vocabulary.ts';
import { positionKey } from './position.ts';
import type { PositionRow } from '../../messages/orders.ts';
import { instrumentKey } from './instrument-key.ts';

interface Ranked {
  readonly position: Position;
  readonly score: bigint;
}

interface Ranking {
  /** The next to be reduced first. */
  ranked: readonly Ranked[];
  /** Positions that are no longer what they were when they were ranked, with their holders. */
  readonly changed: Map<Id, Uid>;
}

/**
 * Profit over the value at entry, times the leverage; a loss is divided by it, so that of two
 * losers the one that risked more comes first.
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
function inOrder(one: Ranked, other: Ranked): number {
  if (one.score !== other.score) return one.score > other.score ? -1 : 1;
  return one.position.id - other.position.id;
}

/** Two that are in order, as one. */
function merged(many: readonly Ranked[], few: readonly Ranked[]): Ranked[] {
  const together: Ranked[] = [];
  let next = 0;
  for (const ranked of many) {
    while (next < few.length && inOrder(few[next]!, ranked) < 0) together.push(few[next++]!);
    together.push(ranked);
  }
  return together.concat(few.slice(next));
}

export class Rankings {
  /** By instrument and side. */
  readonly #kept = new Map<string, Ranking>();

  /** All positions on a side of an instrument, the next to be reduced first. */
  of(state: State, spec: InstrumentSpec, side: PositionSide): readonly Position[] {
    const key = positionKey(spec.key, side);
    const known = this.#kept.get(key);
    const ranking = known ?? { ranked: everyone(state, key, spec), changed: new Map<Id, Uid>() };
    if (known === undefined) this.#kept.set(key, ranking);
    if (ranking.changed.size > 0) bringUpToDate(state, key, spec, ranking);
    return ranking.ranked.map(({ position }) => position);
  }

  changed({ positionId, uid, category, symbol, side }: PositionRow): void {
    if (this.#kept.size === 0) return;
    this.#kept
      .get(positionKey(instrumentKey(category, symbol), side))
      ?.changed.set(positionId, uid);
  }

  /** Liquidation is over: from now on prices move, and with them every rank. */
  forget(): void {
    // Of a map that is empty too, clearing makes a new table, and this is called with every
    // command.
    if (this.#kept.size > 0) this.#kept.clear();
  }
}

function everyone(state: State, key: string, spec: InstrumentSpec): Ranked[] {
  const ranked: Ranked[] = [];
  for (const own of state.positions.values()) {
    const position = own.get(key);
    if (position !== undefined) ranked.push(rankedOf(state, position, spec));
  }
  return ranked.sort(inOrder);
}

function bringUpToDate(state: State, key: string, spec: InstrumentSpec, ranking: Ranking): void {
  const { changed } = ranking;
  const accountContexts = new Set(changed.values());
  const anew = [...accountContexts]
    .flatMap((uid) => state.positions.get(uid)?.get(key) ?? [])
    .map((position) => rankedOf(state, position, spec));
  const others = ranking.ranked.filter(({ position }) => !accountContexts.has(position.uid));
  ranking.ranked = merged(others, anew.sort(inOrder));
  changed.clear();
}
