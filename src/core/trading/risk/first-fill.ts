/** Checks the first fill of an order that is not accepted yet. Nothing here changes state. */

import {
  isLimit,
  mayRest,
  mustFillWhole,
  mustNotTake,
  otherSide,
} from '../../../messages/vocabulary.ts';
import type { Lots, OrderBook, Tick } from '../../book/order-book.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import type { Acceptance, Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { makersOfWhole } from '../matching/fill-or-kill.ts';
import { MAKERS_PER_ORDER_MAX } from '../orders/open-orders.ts';
import { reducibleLots } from '../orders/reduce-only.ts';
import { fastPathCoversBothSides, fastPathCoversOrder } from './crossed.ts';
import { affordableLots, COVERED, type Coverage, type ProposedFill } from './proposed-fill.ts';
import { fillCoverage, ownTradeCoverage } from './risk-check.ts';

/**
 * An order whose first fill the account does not cover is refused, because it would be cancelled
 * before its first trade (ORD-89). `replacing` is the open order that it replaces, whose hold it
 * takes over.
 */
export function firstFillCoverage(
  step: Step,
  taker: Order,
  { book, spec }: MarketContext,
  replacing?: Order,
): Coverage {
  const acceptance: Acceptance = replacing === undefined ? 'proposed' : { replacing };
  // Orders that cannot trade end for a reason of their own.
  if (mustFillWhole(taker.timeInForce) || mustNotTake(taker.timeInForce)) return COVERED;
  const best = book.best(otherSide(taker.side));
  if (best === undefined || !isWithin(taker, best)) return COVERED;
  // If the account covers the whole order, self-trades included, its first maker does not matter.
  if (
    fastPathCoversOrder(step, spec, taker, best) &&
    (!canSelfTrade(step, taker) || fastPathCoversSelfTrade(step, spec, taker, best))
  )
    return COVERED;
  const first = firstMatch(step, taker, spec, book);
  if (first === 'none' || first === 'stopped') return COVERED;
  const coverage = fillCoverage(step, spec, { ...first, order: taker }, acceptance);
  return coverage.covered && first.order.uid === taker.uid
    ? ownTradeCoverage(step, spec, taker, first, acceptance)
    : coverage;
}

/** True if a futures order may trade with another order of the same account. */
const canSelfTrade = (step: Step, taker: Order): boolean =>
  taker.selfTradeMode === 'none' &&
  symbolAccountOf(step, taker).sums(otherSide(taker.side)).left > 0;

const fastPathCoversSelfTrade = (
  step: Step,
  spec: InstrumentSpec,
  order: Order,
  best: Tick,
): boolean => {
  const { limit: tick, left: lots } = order;
  return fastPathCoversBothSides(step, spec, { order, tick, lots }, Math.max(tick, best));
};

/** True if an order will trade or rest. If it will do neither, it replaces no order (ORD-102). */
export function willTradeOrRest(step: Step, taker: Order, { book, spec }: MarketContext): boolean {
  if (mustNotTake(taker.timeInForce)) return !wouldTake(taker, book);
  if (mustFillWhole(taker.timeInForce)) return makersOfWhole(step, taker, spec, book) !== undefined;
  const first = firstMatch(step, taker, spec, book);
  return first === 'none'
    ? isLimit(taker.orderType) && mayRest(taker.timeInForce)
    : first !== 'stopped';
}

/** True if the other side of the book has an order within this order's limit. */
export function wouldTake(taker: Order, book: OrderBook): boolean {
  const best = book.best(otherSide(taker.side));
  return best !== undefined && isWithin(taker, best);
}

const isWithin = ({ side, limit }: Order, tick: Tick): boolean =>
  side === 'buy' ? tick <= limit : tick >= limit;

/** The first maker that an order would trade with, or `stopped` by self-trade prevention. */
function firstMatch(
  step: Step,
  taker: Order,
  spec: InstrumentSpec,
  book: OrderBook,
): ProposedFill | 'none' | 'stopped' {
  if (!wouldTake(taker, book)) return 'none';
  let looked = 0;
  let first: ProposedFill | 'none' | 'stopped' = 'none';
  book.look(taker.side, taker.limit, (id, owner, tick, available) => {
    if (++looked > MAKERS_PER_ORDER_MAX) {
      first = 'stopped';
      return false;
    }
    if (owner === taker.owner && taker.selfTradeMode !== 'none') {
      if (taker.selfTradeMode !== 'cancelMaker') first = 'stopped';
      return taker.selfTradeMode === 'cancelMaker';
    }
    const wanted = wantedAt(taker, spec, tick, available);
    if (wanted === 0) return false;
    const maker = step.state.orders.get(id)!;
    const lots = maker.reduceOnly
      ? (Math.min(wanted, reducibleLots(symbolAccountOf(step, maker), maker.side)) as Lots)
      : wanted;
    const fill = { order: maker, tick, lots };
    // A maker that cannot trade leaves the book when the order meets it; the next maker is first.
    if (lots === 0 || !fillCoverage(step, spec, fill).covered) return true;
    first = fill;
    return false;
  });
  return first;
}

/** The lots that the order asks for, or that its money buys. */
const wantedAt = (taker: Order, spec: InstrumentSpec, tick: Tick, available: Lots): Lots =>
  taker.quoteAmount === undefined
    ? (Math.min(taker.left, available) as Lots)
    : affordableLots(taker, spec, tick, available);
