/**
 * Looks ahead for an order that is filled whole or not at all: which makers it would trade with, or
 * that they are not enough.
 */

import type { Id, Uid } from '../../../kernel/ids.ts';
import { isIsolated } from '../../../messages/vocabulary.ts';
import type { Lots, OrderBook, Tick } from '../../book/order-book.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { netPositionOf } from '../../derived/position.ts';
import type { Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { MAKERS_PER_ORDER_MAX } from '../orders/open-orders.ts';
import { canFill } from '../risk/can-fill.ts';
import { canAffordIsolated } from '../risk/can-fill-isolated.ts';
import { canFillTogether } from '../risk/can-fill-together.ts';
import type { Match } from '../risk/proposed-fill.ts';
import { canTradeWithSelf } from './self-trades.ts';

/**
 * Positions of one-way accounts as they will be in the course of the walk: long above zero, short
 * below.
 */
class Positions {
  readonly #step: Step;
  readonly #key: string;
  readonly #lots = new Map<Uid, number>();

  constructor(step: Step, key: string) {
    this.#step = step;
    this.#key = key;
  }

  of(uid: Uid): number {
    const known = this.#lots.get(uid);
    if (known !== undefined) return known;
    const position = netPositionOf(this.#step.state, uid, this.#key);
    if (position === undefined) return 0;
    return position.lots * (position.side === 'long' ? 1 : -1);
  }

  trade({ uid, side }: Order, lots: number): void {
    this.#lots.set(uid, this.of(uid) + (side === 'buy' ? lots : -lots));
  }

  /** What a reduce-only order may still take away. */
  room({ uid, side }: Order): number {
    return Math.max(0, side === 'buy' ? -this.of(uid) : this.of(uid));
  }
}

/** What each account would trade, in the order it is met. */
class Accounts {
  readonly #matches = new Map<Uid, Match[]>();

  add(match: Match): void {
    const own = this.#matches.get(match.order.uid);
    if (own === undefined) this.#matches.set(match.order.uid, [match]);
    else own.push(match);
  }

  /** Nobody is asked again between two of his fills, so he must bear all of them. */
  canAfford(step: Step, spec: InstrumentSpec): boolean {
    for (const matches of this.#matches.values())
      if (!canFillTogether(step, spec, matches)) return false;
    return true;
  }
}

/**
 * The tick down to which an order would be filled whole if every maker on the way could bear it;
 * undefined when they are too few, or too many. Looked at before anybody is asked: an order that is
 * not filled costs its holder nothing, and asking a thousand makers costs everybody time.
 */
function reachOfWhole(
  { side, limit, left, owner: own, selfTradeMode }: Order,
  book: OrderBook,
): Tick | undefined {
  let found = 0;
  let looked = 0;
  let reach = limit;
  book.look(side, limit, (_id, owner, tick, lots) => {
    if (++looked > MAKERS_PER_ORDER_MAX) return false;
    if (owner === own && selfTradeMode !== 'none') return selfTradeMode === 'cancelMaker';
    found += lots;
    reach = tick;
    return found < left;
  });
  return found < left ? undefined : reach;
}

/**
 * Whether the taker surely cannot bear it: what he cannot bear at one price he cannot at a worse
 * one, unless that brings less margin into a position.
 */
const isTooMuchAt = (step: Step, taker: Order, spec: InstrumentSpec, reach: Tick): boolean =>
  (!isIsolated(taker.marginMode) || taker.side === 'buy') &&
  !canFill(step, taker, spec, reach, taker.left);

/** Who only looks changes nothing. */
const passBy = (): void => undefined;

/**
 * The makers that an order can be filled whole with, in order; undefined when they are not enough.
 * `meet` is told of each before he is asked what he can bear: whoever waits to be charged is
 * charged then (CLK-28), once the order is there. Before that it is a look.
 */
export function makersOfWhole(
  step: Step,
  taker: Order,
  spec: InstrumentSpec,
  book: OrderBook,
  meet: (maker: Order) => void = passBy,
): ReadonlySet<Id> | undefined {
  const reach = reachOfWhole(taker, book);
  if (reach === undefined || isTooMuchAt(step, taker, spec, reach)) return undefined;
  const positions = new Positions(step, spec.key);
  const accounts = new Accounts();
  const makers = new Set<Id>();
  let found = 0;
  let looked = 0;
  let worst = taker.limit;
  const taken: Match[] = [];
  const own: Match[] = [];
  book.look(taker.side, taker.limit, (id, owner, tick, lots) => {
    if (++looked > MAKERS_PER_ORDER_MAX) return false;
    if (owner === taker.owner && taker.selfTradeMode !== 'none')
      return taker.selfTradeMode === 'cancelMaker';
    const maker = step.state.orders.get(id)!;
    meet(maker);
    const tradable = tradableWith(
      step,
      positions,
      maker,
      spec,
      tick,
      Math.min(lots, taker.left - found),
    );
    if (tradable === 0) return true;
    makers.add(id);
    const made: Match = { order: maker, tick, lots: tradable as Lots };
    accounts.add(made);
    taken.push({ ...made, order: taker });
    own.push(taken.at(-1)!, ...(maker.uid === taker.uid ? [made] : []));
    positions.trade(maker, tradable);
    positions.trade(taker, tradable);
    found += tradable;
    worst = tick;
    return found < taker.left;
  });
  if (found < taker.left || !canFill(step, taker, spec, worst, taker.left)) return undefined;
  // Who sells for more than he asked brings more margin into an isolated position than at the worst
  // price.
  if (isIsolated(taker.marginMode) && !canAffordIsolated(step, spec, taken)) return undefined;
  return accounts.canAfford(step, spec) && canTradeWithSelf(step, spec, taker, own)
    ? makers
    : undefined;
}

function tradableWith(
  step: Step,
  positions: Positions,
  maker: Order,
  spec: InstrumentSpec,
  tick: Tick,
  lots: number,
): number {
  const tradable = maker.reduceOnly ? Math.min(lots, positions.room(maker)) : lots;
  return tradable > 0 && canFill(step, maker, spec, tick, tradable as Lots) ? tradable : 0;
}
