/**
 * What a trade of an inverse contract would draw on clearing, and who leaves it there. Profit in the coin is d × (S × P − V) / P, so it does not
 * add up when a position changes hands (POS-20): whoever closes is paid what he has gained in USD at the price of the trade, and everybody else is
 * still reckoned at mark. Three friends who pass a position around, at prices of their own choice, would live on it. So once clearing has been drawn on as far as
 * the house stands for it, a close below mark brings a gain, and one above mark costs a loss, at mark as far as the two closes of a trade together
 * would draw more than its fees are (POS-94).
 */
import { ceilingDivide, floorDivide } from '../../formulas/exact.ts';
import { type Amount, greatest, minus, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { seatOf } from '../accounts/holder.ts';
import type { Lots } from '../book/order-book.ts';
import { priceOf } from '../instruments/terms.ts';
import { markOf } from '../margin/position-margin.ts';
import { closingLots } from '../orders/reducible.ts';
import { clearingRoom, countDrawn } from '../positions/clearing-room.ts';
import { closingOf, feeOfOpening, partOf } from '../positions/fill-position.ts';
import type { Step } from '../step.ts';
import { closedBy, type Fill } from './fill.ts';
import type { Trade } from './trade.ts';

/** What each side of a trade leaves to clearing of what its close brings. */
export interface Dues {
  readonly maker: Amount;
  readonly taker: Amount;
  readonly mark: Price;
}

/** Counts what the trade draws. */
export function takeDues(step: Step, trade: Trade): Dues | undefined {
  const { terms, tick } = trade;
  if (!terms.inverse) return undefined;
  const mark = markOf(step.state, terms);
  const price = priceOf(terms, tick);
  if (price === mark) return undefined;
  const [made, taken] = [closeOf(step, trade, 'maker'), closeOf(step, trade, 'taker')];
  const below = mark - price;
  const drawn = ceilingDivide((made.gained + taken.gained) * below, price * mark) as Amount;
  const beyondFees = drawn > 0n ? greatest(ZERO_AMOUNT, minus(drawn, plus(made.fee, taken.fee))) : drawn;
  const { marginCoin } = terms.instrument;
  const due = greatest(ZERO_AMOUNT, minus(beyondFees, clearingRoom(step.state, marginCoin, mark)));
  countDrawn(step.state, marginCoin, minus(beyondFees, due));
  if (due === 0n) return undefined;
  // Who draws pays, two of them by how much; whoever leaves something to clearing as it is pays nothing.
  const [makerDraws, takerDraws] = [made, taken].map(({ gained }) => (gained * below > 0n ? gained * below : 0n)) as [bigint, bigint];
  const ofMaker = floorDivide(due * makerDraws, makerDraws + takerDraws) as Amount;
  return { maker: ofMaker, taker: minus(due, ofMaker), mark };
}

/** What a fill gains in USD by what it closes, at twice money's decimals, and its fee. */
function closeOf(step: Step, trade: Trade, role: 'maker' | 'taker') {
  const { terms, tick, lots, [role]: order } = trade;
  const seat = seatOf(step, order);
  const feeRate = seat.holder.futuresFees[role];
  const closing = closingLots(seat, order, lots);
  const opening = (lots - closing) as Lots;
  const fill: Fill = { seat, order, terms, tick, closing, opening, feeRate };
  const openingFee = opening === 0 ? ZERO_AMOUNT : feeOfOpening(partOf(terms, tick, opening, feeRate));
  const position = closing === 0 ? undefined : closedBy(fill);
  if (position === undefined) return { gained: 0n, fee: openingFee };
  const part = partOf(terms, tick, closing, feeRate);
  const { left, fee } = closingOf(position, part);
  const risen = part.cost - (position.entry.cost - left.cost);
  return { gained: position.side === 'long' ? risen : -risen, fee: plus(fee, openingFee) };
}
