/** Closes what nobody in the book wants against the opposite positions that have gained most for what they risked (POS-57). */
import { ceilingAmount, ceilingDivide, floorDivide, UNIT } from '../../formulas/exact.ts';
import { type Amount, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import type { Terms } from '../instruments/terms.ts';
import { markOf, unrealisedProfit } from '../margin/account-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { otherPositionSide, type Position, positionKey } from '../positions/position.ts';
import type { State } from '../state.ts';
import type { Step } from '../step.ts';
import { closeAgainst, profitOf } from './close-outside.ts';

interface Ranked {
  readonly position: Position;
  readonly score: bigint;
}

/** Profit over the value at entry, times the leverage; a loss is divided by it, so that of two losers the one that risked more comes first. */
function scoreOf(state: State, position: Position, terms: Terms): bigint {
  const leverage = rateFromText(position.leverage);
  const value = (terms.inverse ? position.entry.size : ceilingAmount(position.entry.cost)) as bigint;
  const rate = (unrealisedProfit(state, position, terms) * UNIT) / value;
  return rate > 0n ? rate * leverage : (rate * UNIT * UNIT) / leverage;
}

/** Opposite positions, the next to be reduced first. The holder's own come last: they are reduced only when there is nobody else. */
function ranking(state: State, closing: Position, terms: Terms): Position[] {
  const key = positionKey(terms.key, otherPositionSide(closing.side));
  const ranked: Ranked[] = [];
  for (const own of state.positions.values()) {
    const position = own.get(key);
    if (position !== undefined) ranked.push({ position, score: scoreOf(state, position, terms) });
  }
  const isOwn = ({ position }: Ranked): number => (position.uid === closing.uid ? 1 : 0);
  ranked.sort((one, other) => {
    if (isOwn(one) !== isOwn(other)) return isOwn(one) - isOwn(other);
    if (one.score !== other.score) return one.score > other.score ? -1 : 1;
    return one.position.id - other.position.id;
  });
  return ranked.map(({ position }) => position);
}

export interface Deleveraged {
  /** What the holder's own opposite position brought his wallet; of anybody else's, nothing. */
  readonly own: Amount;
  /** What the house bore of the loss. */
  readonly borne: Amount;
}

const NOTHING: Deleveraged = { own: ZERO_AMOUNT, borne: ZERO_AMOUNT };

const together = (one: Deleveraged, other: Deleveraged): Deleveraged => ({
  own: plus(one.own, other.own),
  borne: plus(one.borne, other.borne),
});

function reduce(step: Step, terms: Terms, closing: Position, opposite: Position, price: Price): Deleveraged {
  const lots = Math.min(closing.lots, opposite.lots) as Lots;
  const parts = [
    [closing, 'liquidation'],
    [opposite, 'reduce'],
  ] as const;
  const [closed, reduced] = closeAgainst(step, terms, parts, lots, price);
  // They may be more than one cause tells of.
  step.endPart();
  return { own: opposite.uid === closing.uid ? reduced!.toWallet : ZERO_AMOUNT, borne: closed!.borne };
}

/**
 * Where a position is closed that would lose at the bankruptcy price: at mark, or where it neither gains nor loses if the mark has gone beyond
 * that. Otherwise whoever had sold just below the bankruptcy price of his own friend would be paid all of his gain by the house (POS-76).
 */
function priceForRest({ state }: Step, terms: Terms, { side, entry }: Position, bankruptcy: Price | undefined): Price {
  const mark = markOf(state, terms);
  const even = (side === 'short' ? floorDivide(entry.cost, entry.size) : ceilingDivide(entry.cost, entry.size)) as Price;
  const isBeyond = (one: Price, other: Price): boolean => (side === 'short' ? one < other : one > other);
  return bankruptcy !== undefined && isBeyond(mark, even) && isBeyond(even, bankruptcy) ? even : mark;
}

/**
 * First at the bankruptcy price, with those who still gain by it. Whatever is then left is closed with the next in rank where that does not
 * lose by it, and the house pays the difference: nobody is made to pay for a loss that is not his. What the holder got for an opposite position
 * of his own is his to keep.
 */
export function deleverage(step: Step, closing: Position, terms: Terms, bankruptcy: Price | undefined): Deleveraged {
  if (closing.lots === 0) return NOTHING;
  const ranked = ranking(step.state, closing, terms);
  const isOpen = (opposite: Position): boolean => closing.lots > 0 && opposite.lots > 0;
  const gains = (opposite: Position, price: Price): boolean =>
    profitOf(opposite, terms, Math.min(closing.lots, opposite.lots) as Lots, price) >= 0n;
  let sum = NOTHING;
  for (const opposite of ranked)
    if (bankruptcy !== undefined && isOpen(opposite) && gains(opposite, bankruptcy))
      sum = together(sum, reduce(step, terms, closing, opposite, bankruptcy));
  for (const opposite of ranked)
    if (isOpen(opposite)) sum = together(sum, reduce(step, terms, closing, opposite, priceForRest(step, terms, opposite, bankruptcy)));
  return sum;
}
