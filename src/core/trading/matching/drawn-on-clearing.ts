/**
 * What a trade of an inverse contract draws on clearing by what its two sides are about to close
 * (POS-152).
 */
import type { Trade } from './trade.ts';
import type { Step } from '../../transaction/step.ts';
import { type ClearingLevy, type Gain, addsUp, applyLevy, levyOf } from '../positions/clearing-levy.ts';
import { priceOf } from '../../derived/instrument-spec.ts';
import { markOf } from '../../derived/position-margin.ts';
import { symbolAccountOf } from '../../derived/lookups.ts';
import { closingLots } from '../orders/reducible.ts';
import type { Lots } from '../../book/order-book.ts';
import { type Fill, closedBy } from './fill.ts';
import { ZERO_AMOUNT, plus } from '../../../kernel/money.ts';
import { closingOf, feeOfOpening, partOf } from '../positions/fill-position.ts';

/** A trade that may be about to happen. */
type Meeting = Pick<Trade, 'spec' | 'maker' | 'taker' | 'tick' | 'lots'>;

/** Counts what the trade draws; answers what the maker leaves, and what the taker does. */
export function applyLevyOfTrade(step: Step, trade: Meeting): ClearingLevy | undefined {
  const { spec, tick } = trade;
  const price = priceOf(spec, tick);
  if (addsUp(step.state, spec, price)) return undefined;
  return applyLevy(step.state, spec, price, [
    gainOf(step, trade, 'maker'),
    gainOf(step, trade, 'taker'),
  ]);
}

/**
 * Whether the taker would have to leave something to clearing at a price that is worse for him than
 * mark.
 */
export function chargesClearingPastMark(step: Step, meeting: Meeting): boolean {
  const { spec, tick, taker } = meeting;
  if (!spec.inverse) return false;
  const [price, mark] = [priceOf(spec, tick), markOf(step.state, spec)];
  if (taker.side === 'sell' ? price >= mark : price <= mark) return false;
  const levy = levyOf(step.state, spec, price, [
    gainOf(step, meeting, 'maker'),
    gainOf(step, meeting, 'taker'),
  ]);
  return levy !== undefined && levy.amounts[1] > 0n;
}

function gainOf(step: Step, trade: Meeting, role: 'maker' | 'taker'): Gain {
  const { spec, tick, lots, [role]: order } = trade;
  const symbolAccount = symbolAccountOf(step, order);
  const feeRate = symbolAccount.context.futuresFees[role];
  const closing = closingLots(symbolAccount, order, lots);
  const opening = (lots - closing) as Lots;
  const fill: Fill = { symbolAccount, order, spec, tick, closing, opening, feeRate };
  const openingFee =
    opening === 0 ? ZERO_AMOUNT : feeOfOpening(partOf(spec, tick, opening, feeRate));
  const position = closing === 0 ? undefined : closedBy(fill);
  if (position === undefined) return { gained: 0n, fee: openingFee };
  const part = partOf(spec, tick, closing, feeRate);
  const { left, fee } = closingOf(position, part);
  const risen = part.cost - (position.entry.cost - left.cost);
  return { gained: position.side === 'long' ? risen : -risen, fee: plus(fee, openingFee) };
}
