/**
 * Whether an order that nothing knows of yet could bear its first fill. One that could not would be accepted only to be cancelled before it
 * has traded anything, so it is refused instead (ORD-89). Looks and changes nothing.
 */
import { minus } from '../../kernel/money.ts';
import { seatOf } from '../accounts/holder.ts';
import { type Lots, otherSide, type Tick } from '../book/order-book.ts';
import { type Terms, worthOf } from '../instruments/terms.ts';
import type { Venue } from '../instruments/venue.ts';
import type { Order, Standing } from '../orders/order.ts';
import { reducibleLots } from '../orders/reducible.ts';
import type { Step } from '../step.ts';
import { canFill } from './can-fill.ts';
import { canBearBoth } from './can-fill-together.ts';
import { MAKERS_PER_ORDER_MAX } from './walk.ts';

/** `instead`: an open order whose place it would take, with what that holds. */
export function canBegin(step: Step, taker: Order, { book, terms }: Venue, instead?: Order): boolean {
  const standing: Standing = instead === undefined ? 'asked' : { instead };
  // These two end for a reason of their own when they would trade and cannot.
  if (taker.timeInForce === 'fok' || taker.timeInForce === 'postOnly') return true;
  if (!crosses(taker, book.best(otherSide(taker.side)))) return true;
  let looked = 0;
  let canBear = true;
  book.look(taker.side, taker.limit, (id, owner, tick, available) => {
    if (++looked > MAKERS_PER_ORDER_MAX) return false;
    if (owner === taker.owner && taker.selfTradeMode !== 'none') return taker.selfTradeMode === 'cancelMaker';
    const wanted = wantedAt(taker, terms, tick, available);
    if (wanted === 0) return false;
    const maker = step.state.orders.get(id)!;
    const lots = maker.reduceOnly ? (Math.min(wanted, reducibleLots(seatOf(step, maker), maker.side)) as Lots) : wanted;
    // Whoever cannot trade leaves when he is met, and the next one is the first.
    if (lots === 0 || !canFill(step, maker, terms, tick, lots)) return true;
    canBear = canFill(step, taker, terms, tick, lots, standing) && canTradeWith(step, taker, maker, terms, tick, lots, standing);
    return false;
  });
  return canBear;
}

const crosses = ({ side, limit }: Order, best: Tick | undefined): boolean =>
  best !== undefined && (side === 'buy' ? best <= limit : best >= limit);

/** As many lots as it asks for, or as its money buys. */
function wantedAt({ left, quoteAmount, filledValue }: Order, terms: Terms, tick: Tick, available: Lots): Lots {
  if (quoteAmount === undefined) return Math.min(left, available) as Lots;
  const buys = minus(quoteAmount, filledValue) / worthOf(terms, tick, 1 as Lots);
  return buys >= BigInt(available) ? available : (Number.parseInt(buys.toString(), 10) as Lots);
}

/** Whoever trades with himself pays for both sides with the same money. */
const canTradeWith = (step: Step, taker: Order, maker: Order, terms: Terms, tick: Tick, lots: Lots, standing: Standing): boolean =>
  maker.uid !== taker.uid || canBearBoth(step, terms, [{ order: maker, tick, lots }], [{ order: taker, tick, lots }], standing);
