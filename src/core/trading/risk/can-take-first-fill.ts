/** What an order that nothing knows of yet would begin with. Looks and changes nothing. */

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
import type { Order, Standing } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { makersOfWhole } from '../matching/fill-or-kill.ts';
import { canAffordSelfTrade } from '../matching/self-trades.ts';
import { MAKERS_PER_ORDER_MAX } from '../orders/open-orders.ts';
import { reducibleLots } from '../orders/reduce-only.ts';
import { affordableLots, canFill, fastPathCovers, fastPathCoversBothSides } from './can-fill.ts';
import type { Match } from './proposed-fill.ts';

/**
 * Whether an order could bear its first fill. One that could not would be accepted only to be
 * cancelled before it has traded anything, so it is refused instead (ORD-89). `instead` is an open
 * order whose place it would take, with what that holds.
 */
export function canTakeFirstFill(
  step: Step,
  taker: Order,
  { book, spec }: MarketContext,
  instead?: Order,
): boolean {
  const standing: Standing = instead === undefined ? 'asked' : { instead };
  // These two end for a reason of their own when they would trade and cannot.
  if (mustFillWhole(taker.timeInForce) || mustNotTake(taker.timeInForce)) return true;
  const best = book.best(otherSide(taker.side));
  if (best === undefined || !isWithin(taker, best)) return true;
  // Whoever can pay for all of it, to himself too where he may meet himself, need not know whom he
  // meets first.
  if (
    fastPathCovers(step, taker, spec, best) &&
    (!canSelfTrade(step, taker) || fastPathCoversTaker(step, taker, spec, best))
  )
    return true;
  const first = firstMatch(step, taker, spec, book);
  if (first === 'none' || first === 'stopped') return true;
  if (!canFill(step, taker, spec, first.tick, first.lots, standing)) return false;
  return first.order.uid !== taker.uid || canAffordSelfTrade(step, spec, taker, first, standing);
}

/** Whether an order of a future may trade with another of the same account. */
const canSelfTrade = (step: Step, taker: Order): boolean =>
  taker.selfTradeMode === 'none' &&
  symbolAccountOf(step, taker).sums(otherSide(taker.side)).left > 0;

const fastPathCoversTaker = (step: Step, taker: Order, spec: InstrumentSpec, best: Tick): boolean =>
  fastPathCoversBothSides(step, taker, spec, taker.limit, taker.left, Math.max(taker.limit, best));

/** Whether an order will trade or rest. One that will do neither takes nobody's place (ORD-102). */
export function willTradeOrRest(step: Step, taker: Order, { book, spec }: MarketContext): boolean {
  if (mustNotTake(taker.timeInForce)) return !wouldTake(taker, book);
  if (mustFillWhole(taker.timeInForce)) return makersOfWhole(step, taker, spec, book) !== undefined;
  const first = firstMatch(step, taker, spec, book);
  return first === 'none'
    ? isLimit(taker.orderType) && mayRest(taker.timeInForce)
    : first !== 'stopped';
}

/** Whether somebody is there within the limit of an order. */
export function wouldTake(taker: Order, book: OrderBook): boolean {
  const best = book.best(otherSide(taker.side));
  return best !== undefined && isWithin(taker, best);
}

const isWithin = ({ side, limit }: Order, tick: Tick): boolean =>
  side === 'buy' ? tick <= limit : tick >= limit;

/**
 * The first maker that an order would trade with, or that self-trade prevention stops it before
 * that.
 */
function firstMatch(
  step: Step,
  taker: Order,
  spec: InstrumentSpec,
  book: OrderBook,
): Match | 'none' | 'stopped' {
  if (!wouldTake(taker, book)) return 'none';
  let looked = 0;
  let first: Match | 'none' | 'stopped' = 'none';
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
    // Whoever cannot trade leaves when he is met, and the next one is the first.
    if (lots === 0 || !canFill(step, maker, spec, tick, lots)) return true;
    first = { order: maker, tick, lots };
    return false;
  });
  return first;
}

/** As many lots as it asks for, or as its money buys. */
const wantedAt = (taker: Order, spec: InstrumentSpec, tick: Tick, available: Lots): Lots =>
  taker.quoteAmount === undefined
    ? (Math.min(taker.left, available) as Lots)
    : affordableLots(taker, spec, tick, available);
