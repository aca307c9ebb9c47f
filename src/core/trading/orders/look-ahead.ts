/** Finds the makers that an order would meet and their prices, without changing anything. */

import { UNIT } from '../../../formulas/exact.ts';
import { type Price, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { priceOf, worthOf } from '../../derived/instrument-spec.ts';
import { MAKERS_PER_ORDER_MAX } from './open-orders.ts';
import type { OrderPlan } from './order-plan.ts';

/** What determines the makers. */
export interface LookAhead extends Pick<OrderPlan, 'market' | 'limit'> {
  readonly draft: Pick<OrderPlan['draft'], 'side'>;
}

/** What determines the makers and the average price. */
export type PricedLookAhead = LookAhead & Pick<OrderPlan, 'spec' | 'reference' | 'quoteAmount'>;

/**
 * Visits the makers that an order would meet, at most `MAKERS_PER_ORDER_MAX`: a refused order pays
 * nothing for the look (ORD-73).
 */
export function lookAhead(
  { market, draft, limit }: LookAhead,
  visit: (tick: Tick, available: Lots) => boolean,
): void {
  let looked = 0;
  market.book.look(
    draft.side,
    limit,
    (_id, _owner, tick, available) => ++looked <= MAKERS_PER_ORDER_MAX && visit(tick, available),
  );
}

/** The worst price at which a market order would fill; the reference price in an empty book. */
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
 * The average price at which a market order would fill, rounded up; the reference price in an empty
 * book.
 */
export function averagePrice(plan: PricedLookAhead, lots: Lots): Price {
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

/** The lots that would open at once. An order closes before it opens. */
export function openingAtOnce(plan: LookAhead, lots: Lots, opening: Lots): Lots {
  let met = 0;
  lookAhead(plan, (_tick, available) => {
    met += available;
    return met < lots;
  });
  return Math.max(0, Math.min(met, lots) - (lots - opening)) as Lots;
}
