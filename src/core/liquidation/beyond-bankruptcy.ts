/**
 * Trades in the book beyond the bankruptcy price at the expense of the insurance fund, price by
 * price. Each order may spend what the fund has left after the trades before it: a resting order
 * can fail its risk check and expose the next price (POS-184, ORD-71).
 */
import { splitEntry } from '../../formulas/entry.ts';
import { forcedCloseRate, inverseFee, quoteFee } from '../../formulas/fees.ts';
import { profit as profitAt } from '../../formulas/profit.ts';
import { countOf } from '../../kernel/count.ts';
import { type Amount, minus, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { otherSide, type Side } from '../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type OrderBook, type Tick } from '../book/order-book.ts';
import { bookOf } from '../derived/derived.ts';
import { feeRatesFor } from '../derived/fee-rates.ts';
import { type InstrumentSpec, priceOf, sizeOf } from '../derived/instrument-spec.ts';
import { insuranceOf } from '../ledger/ledger.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { closeInBook, closingSide } from '../trading/orders/engine-orders.ts';
import { MAKERS_PER_ORDER_MAX } from '../trading/orders/open-orders.ts';
import { mustAvoidLevy, tickNoWorse, worseTick } from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';

type Closable = Pick<Position, 'uid' | 'side' | 'entry'>;

/** What closing `lots` at `price` realises, less the fee of a forced close. */
function proceeds(
  state: State,
  { uid, side, entry }: Closable,
  spec: InstrumentSpec,
  lots: Lots,
  price: Price,
): Amount {
  const size = sizeOf(spec, lots);
  const { closed } = splitEntry(entry, size);
  const rate = forcedCloseRate(feeRatesFor(state, uid, spec.category));
  const fee = spec.inverse ? inverseFee(closed, price, rate) : quoteFee(price, size, rate);
  return minus(profitAt(spec.kind, side, closed, price), fee);
}

const earnedBy = ({ realisedProfit, closeFees }: Position): Amount =>
  minus(realisedProfit, closeFees);

/** The lots that the fund can pay for, if all of them together lack `missing`. */
function payable(lots: Lots, missing: Amount, fund: Amount): Lots {
  if (fund <= 0n) return NO_LOTS;
  return missing <= fund ? lots : (countOf((BigInt(lots) * fund) / missing) as Lots);
}

/** Counts the orders at the best price, up to `MAKERS_PER_ORDER_MAX`. */
function countWaiting(book: OrderBook, takerSide: Side, best: Tick): number {
  let count = 0;
  book.look(takerSide, best, () => ++count < MAKERS_PER_ORDER_MAX);
  return count;
}

/** The prices between which the fund pays. */
export interface FundReach {
  readonly bankruptcy: Price;
  readonly worst: Tick;
}

/**
 * Ends when the position is closed, the fund is used up, or no order is left within the reach. An
 * order that leaves others at its price has met the most makers it may, so it is the last (ORD-73).
 * The same number also bounds all prices together (POS-186): a book may have thousands of crowded
 * ones.
 */
export function closeBeyondBankruptcy(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  { bankruptcy, worst }: FundReach,
): void {
  const { state } = step;
  const book = bookOf(step.derived, spec);
  const side = closingSide(position);
  const makers = otherSide(side);
  const isWorse = (one: Tick, other: Tick): boolean =>
    one !== other && worseTick(position, one, other) === one;
  const close = {
    executionKind: 'liquidation',
    avoidsLevy: mustAvoidLevy(step, position, spec, bankruptcy),
  } as const;
  let [met, waited, paid] = [tickNoWorse(spec, position, bankruptcy), 0, ZERO_AMOUNT];
  while (position.lots > 0 && waited < MAKERS_PER_ORDER_MAX) {
    const limit = book.best(makers);
    if (limit === undefined || !isWorse(limit, met) || isWorse(limit, worst)) return;
    const before = { ...position };
    const there = Math.min(book.lotsAt(makers, limit), position.lots) as Lots;
    const atBankruptcy = proceeds(state, before, spec, there, bankruptcy);
    const missing = minus(atBankruptcy, proceeds(state, before, spec, there, priceOf(spec, limit)));
    const lots = payable(
      there,
      missing,
      minus(insuranceOf(state, spec.instrument.marginCoin), paid),
    );
    if (lots === 0) return;
    waited += countWaiting(book, side, limit);
    const filled = closeInBook(step, position, spec, { ...close, lots, limit });
    step.endPart();
    if (filled === lots && lots < there) return;
    const earned = minus(earnedBy(position), earnedBy(before));
    if (filled > 0)
      paid = plus(paid, minus(proceeds(state, before, spec, filled, bankruptcy), earned));
    met = limit;
  }
}
