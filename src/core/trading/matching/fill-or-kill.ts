/** Finds the makers of a fill-or-kill order before it trades. */

import type { Id, Uid } from '../../../kernel/ids.ts';
import { isIsolated } from '../../../messages/vocabulary.ts';
import type { Lots, OrderBook, Tick } from '../../book/order-book.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { netPositionOf } from '../../derived/position.ts';
import type { Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { MAKERS_PER_ORDER_MAX } from '../orders/open-orders.ts';
import type { ProposedFill } from '../risk/proposed-fill.ts';
import { fillCoverage, fillsCoverage, selfTradeCoverage } from '../risk/risk-check.ts';

/** Net positions of one-way accounts while fills are added: long positive, short negative. */
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

  /** What a reduce-only order may still reduce. */
  room({ uid, side }: Order): number {
    return Math.max(0, side === 'buy' ? -this.of(uid) : this.of(uid));
  }
}

/** The fills of each maker's account, in order. */
class FillsByAccount {
  readonly #fills = new Map<Uid, ProposedFill[]>();

  add(fill: ProposedFill): void {
    const own = this.#fills.get(fill.order.uid);
    if (own === undefined) this.#fills.set(fill.order.uid, [fill]);
    else own.push(fill);
  }

  areCovered(step: Step, spec: InstrumentSpec): boolean {
    for (const fills of this.#fills.values())
      if (!fillsCoverage(step, spec, fills).covered) return false;
    return true;
  }
}

/**
 * The tick at which an order would be filled whole if each maker covered its fill; undefined with
 * too few or too many makers. It saves the costly checks of makers for an order that cannot fill.
 */
function worstTickOfWholeFill(
  { side, limit, left, owner: own, selfTradeMode }: Order,
  book: OrderBook,
): Tick | undefined {
  let found = 0;
  let looked = 0;
  let worst = limit;
  book.look(side, limit, (_id, owner, tick, lots) => {
    if (++looked > MAKERS_PER_ORDER_MAX) return false;
    if (owner === own && selfTradeMode !== 'none') return selfTradeMode === 'cancelMaker';
    found += lots;
    worst = tick;
    return found < left;
  });
  return found < left ? undefined : worst;
}

/**
 * True if the account is certainly short: what it does not cover at one price it does not cover at
 * a worse one. An isolated short is the exception, because a higher price gives it more margin.
 */
const isShortAt = (step: Step, taker: Order, spec: InstrumentSpec, worst: Tick): boolean =>
  (!isIsolated(taker.marginMode) || taker.side === 'buy') &&
  !fillCoverage(step, spec, { order: taker, tick: worst, lots: taker.left }).covered;

const skipMaker = (): void => undefined;

/**
 * The makers with which an order fills whole, in order; undefined if they do not suffice. `onMaker`
 * runs for each maker before its check. For an accepted order it settles the maker's pending
 * charges (CLK-28); before that nothing may change.
 */
export function makersOfWhole(
  step: Step,
  taker: Order,
  spec: InstrumentSpec,
  book: OrderBook,
  onMaker: (maker: Order) => void = skipMaker,
): ReadonlySet<Id> | undefined {
  const reach = worstTickOfWholeFill(taker, book);
  if (reach === undefined || isShortAt(step, taker, spec, reach)) return undefined;
  const positions = new Positions(step, spec.key);
  const makerFills = new FillsByAccount();
  const makers = new Set<Id>();
  let found = 0;
  let looked = 0;
  let worst = taker.limit;
  const taken: ProposedFill[] = [];
  const own: ProposedFill[] = [];
  book.look(taker.side, taker.limit, (id, owner, tick, lots) => {
    if (++looked > MAKERS_PER_ORDER_MAX) return false;
    if (owner === taker.owner && taker.selfTradeMode !== 'none')
      return taker.selfTradeMode === 'cancelMaker';
    const maker = step.state.orders.get(id)!;
    onMaker(maker);
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
    const made: ProposedFill = { order: maker, tick, lots: tradable as Lots };
    makerFills.add(made);
    taken.push({ ...made, order: taker });
    own.push(taken.at(-1)!, ...(maker.uid === taker.uid ? [made] : []));
    positions.trade(maker, tradable);
    positions.trade(taker, tradable);
    found += tradable;
    worst = tick;
    return found < taker.left;
  });
  if (found < taker.left) return undefined;
  const isCovered =
    fillCoverage(step, spec, { order: taker, tick: worst, lots: taker.left }).covered &&
    // A sell above its limit gives an isolated position more margin than at the worst price.
    (!isIsolated(taker.marginMode) || fillsCoverage(step, spec, taken).covered) &&
    makerFills.areCovered(step, spec) &&
    selfTradeCoverage(step, { spec, taker, fills: own, acceptance: 'accepted' }).covered;
  return isCovered ? makers : undefined;
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
  const fill = { order: maker, tick, lots: tradable as Lots };
  return tradable > 0 && fillCoverage(step, spec, fill).covered ? tradable : 0;
}
