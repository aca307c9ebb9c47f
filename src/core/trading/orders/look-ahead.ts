/** Whom an order would meet in its book, and at which prices. Changes nothing. */

import { UNIT } from '../../../formulas/exact.ts';
import { type Price, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { priceOf, worthOf } from '../../derived/instrument-spec.ts';
import { MAKERS_PER_ORDER_MAX } from './open-orders.ts';
import type { OrderPlan } from './order-plan.ts';

/** What decides whom an order would meet. */
export interface Meeting extends Pick<OrderPlan, 'market' | 'limit'> {
  readonly draft: Pick<OrderPlan['draft'], 'side'>;
}

/** The same, and what it is reckoned in. */
export type Finding = Meeting & Pick<OrderPlan, 'spec' | 'reference' | 'quoteAmount'>;

/**
 * The makers that an order would meet, and no more of them than it may: whoever is refused for want
 * of money has paid nothing for the look (ORD-73).
 */
export function lookAhead(
  { market, draft, limit }: Meeting,
  visit: (tick: Tick, available: Lots) => boolean,
): void {
  let looked = 0;
  market.book.look(
    draft.side,
    limit,
    (_id, _owner, tick, available) => ++looked <= MAKERS_PER_ORDER_MAX && visit(tick, available),
  );
}

/** The last price that a market order finds in the book; the reference when it finds nobody. */
export function worstPrice(plan: OrderPlan, lots: Lots): Price {
  let found = 0;
  let worst: Tick | undefined;
  lookAhead(plan, (tick, available) => {
    found += available;
    worst = tick;
    return found < lots;
  });
  return worst === undefined ? plan.reference : priceOf(plan.spec, worst);
}

/**
 * The average price that a market order finds in the book, rounded up; the reference when it finds
 * nobody.
 */
export function foundPrice(plan: Finding, lots: Lots): Price {
  const { spec, reference, quoteAmount } = plan;
  let found = 0;
  let value = ZERO_AMOUNT;
  lookAhead(plan, (tick, available) => {
    const taken = (
      quoteAmount === undefined ? Math.min(available, lots - found) : available
    ) as Lots;
    found += taken;
    value = plus(value, worthOf(spec, tick, taken));
    return quoteAmount === undefined ? found < lots : value < quoteAmount;
  });
  if (found === 0) return reference;
  const size = BigInt(found) * spec.lotSize;
  return ((value * UNIT + size - 1n) / size) as Price;
}

/** Of the lots that open, those that bids are waiting for. It closes before it opens. */
export function metAtOnce(plan: Meeting, lots: Lots, opening: Lots): Lots {
  let met = 0;
  lookAhead(plan, (_tick, available) => {
    met += available;
    return met < lots;
  });
  return Math.max(0, Math.min(met, lots) - (lots - opening)) as Lots;
}
