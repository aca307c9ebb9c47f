/**
 * Checks orders that waited for their symbol: the makers that they meet when it resumes were
 * unknown when they were placed (ORD-181).
 */

import { tiersAllow } from '../../../formulas/maintenance.ts';
import { orderNeed } from '../../../formulas/margin.ts';
import { type Amount, minus, plus } from '../../../kernel/money.ts';
import { isIsolated, isLimit, mustNotTake } from '../../../messages/vocabulary.ts';
import type { Lots } from '../../book/order-book.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import {
  type InstrumentSpec,
  priceOf,
  rateFromText,
  sizeOf,
} from '../../derived/instrument-spec.ts';
import type { MarketContext } from '../../derived/market-context.ts';
import { markOf } from '../../derived/position.ts';
import { canMargin } from '../../margin/estimate-margin.ts';
import { heldFor } from '../../margin/holds.ts';
import type { Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { coversLoan } from '../risk/exchange.ts';
import type { ProposedFill } from '../risk/proposed-fill.ts';
import { openingValue, openValue, valueInTier } from '../risk/tier-room.ts';
import { averagePrice, lookAhead, openingAtOnce, type PricedLookAhead } from './look-ahead.ts';
import { openingLots } from './open-orders.ts';
import { closingLots } from './reduce-only.ts';

/**
 * True if the account covers what the order opens at once. A sell below mark needs margin at mark;
 * a market buy needs it at the prices that it finds. Both must still be in their tier. For an
 * isolated order each fill checks its own margin.
 */
export function coversWhatOpensAtOnce(step: Step, order: Order, market: MarketContext): boolean {
  const { spec } = market;
  const { uid, limit, left, side } = order;
  if (!spec.futures) return isLoanCoveredAtOnce(step, order, market);
  const opening = stillOpening(step, order);
  if (opening === 0 || isBoundByLimit(order)) return true;
  const mark = markOf(step.state, spec);
  const isolated = isIsolated(order.marginMode);
  if (side === 'sell' && priceOf(spec, limit) >= mark) return true;
  const look: PricedLookAhead = {
    market,
    limit,
    draft: order,
    spec,
    reference: mark,
    quoteAmount: undefined,
  };
  const met = openingAtOnce(look, left, opening);
  if (met === 0) return true;
  const price = side === 'buy' ? averagePrice(look, left) : mark;
  const size = sizeOf(spec, met);
  const leverage = rateFromText(order.leverage!);
  if (
    !tiersAllow(
      spec.tiers,
      plus(valueInTier(price, size), othersValue(step, order, spec)),
      leverage,
    )
  )
    return false;
  // The hold for lots that close after all is released with them.
  const held = heldFor(order, (met + openingLots(order) - opening) as Lots);
  const lacking = minus(
    orderNeed(
      spec.kind,
      price,
      size,
      leverage,
      symbolAccountOf(step, order).context.futuresFees.taker,
    ),
    held,
  );
  return isolated || lacking <= 0n || canMargin(step, uid, spec.instrument.marginCoin, lacking);
}

/**
 * Lots that an earlier order opened meanwhile are closed by this one, although it holds margin to
 * open them.
 */
function stillOpening(step: Step, order: Order): Lots {
  const closing = closingLots(symbolAccountOf(step, order), order, order.left);
  return Math.min(openingLots(order), order.left - closing) as Lots;
}

/** True if what it opens is worth at most its limit: a buy, or a sell that only rests. */
const isBoundByLimit = ({ side, orderType, timeInForce }: Order): boolean =>
  isLimit(orderType) && (side === 'buy' || mustNotTake(timeInForce));

/**
 * A margin sell holds for its value at its limit, and borrows at index. Many that wait could
 * together borrow too much.
 */
function isLoanCoveredAtOnce(step: Step, order: Order, market: MarketContext): boolean {
  const { limit, hold, side } = order;
  if (hold.kind !== 'margin' || side === 'buy') return true;
  const fills: ProposedFill[] = [];
  let left: number = order.left;
  lookAhead({ market, limit, draft: order }, (tick, available) => {
    const lots = Math.min(left, available) as Lots;
    fills.push({ order, tick, lots });
    left -= lots;
    return left > 0;
  });
  return fills.length === 0 || coversLoan(step, market.spec, fills);
}

/** What a side of an instrument is worth without this order. */
const othersValue = (step: Step, order: Order, spec: InstrumentSpec): Amount =>
  minus(
    openValue(step, order.uid, spec, order.side, order.positionSide),
    openingValue(spec, markOf(step.state, spec), order),
  );
