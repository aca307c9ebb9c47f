/**
 * Closes what nobody in the book wants against the opposite positions that have gained most for
 * what they risked (POS-57).
 */
import { ceilingDivide, floorDivide } from '../../formulas/exact.ts';
import { type Amount, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { markOf, otherPositionSide } from '../derived/position.ts';
import type { Position } from '../state/position.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { isMarkBeyond } from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';
import { closeAgainst, levyAgainst, type Party, profitOf } from './close-outside.ts';

/**
 * Opposite positions, the next to be reduced first. The holder's own come last: they are reduced
 * only when there is nobody else.
 */
function ranking(
  { state, derived }: Step,
  closing: Position,
  spec: InstrumentSpec,
): readonly Position[] {
  const ranked = derived.rankings.of(state, spec, otherPositionSide(closing.side));
  const isOwn = ({ uid }: Position): boolean => uid === closing.uid;
  return ranked.some(isOwn)
    ? [...ranked.filter((position) => !isOwn(position)), ...ranked.filter(isOwn)]
    : ranked;
}

const lotsOf = (closing: Position, opposite: Position): Lots =>
  Math.min(closing.lots, opposite.lots) as Lots;

const partiesOf = (closing: Position, opposite: Position): readonly [Party, Party] => [
  [closing, 'liquidation'],
  [opposite, 'autoDeleverage'],
];

/** Answers what came into the wallet of whoever is closed, if the opposite position is his own. */
function reduce(
  step: Step,
  spec: InstrumentSpec,
  closing: Position,
  opposite: Position,
  price: Price,
): Amount {
  settlePendingCharges(step, opposite.uid);
  const [, reduced] = closeAgainst(
    step,
    spec,
    partiesOf(closing, opposite),
    lotsOf(closing, opposite),
    price,
  );
  // They may be more than one cause tells of.
  step.endPart();
  return opposite.uid === closing.uid ? reduced!.toWallet : ZERO_AMOUNT;
}

/**
 * Whether an opposite position is closed at the bankruptcy price: while it gains by that, and of a
 * gain its dues never take all. Who is taken over may draw on clearing as well, and has nothing
 * left to leave there: the house would pay it, and friends who had arranged it would live on that.
 * So he does not go there, unless the mark has gone further (POS-157).
 */
function goesAtBankruptcy(
  step: Step,
  spec: InstrumentSpec,
  closing: Position,
  opposite: Position,
  price: Price,
): boolean {
  const lots = lotsOf(closing, opposite);
  if (profitOf(opposite, spec, lots, price) < 0n) return false;
  if (isMarkBeyond(step, closing, spec, price)) return true;
  const levy = levyAgainst(step, spec, partiesOf(closing, opposite), lots, price);
  return levy === undefined || levy.amounts[0] === 0n;
}

/**
 * Where a position is closed that does not go at the bankruptcy price: at mark, or where it neither
 * gains nor loses if the mark has gone beyond that. Otherwise whoever had sold just below the
 * bankruptcy price of his own friend would be paid all of his gain by the house (POS-192).
 */
function priceForRest(
  { state }: Step,
  spec: InstrumentSpec,
  { side, entry }: Position,
  bankruptcy: Price | undefined,
): Price {
  const mark = markOf(state, spec);
  const even = (
    side === 'short' ? floorDivide(entry.cost, entry.size) : ceilingDivide(entry.cost, entry.size)
  ) as Price;
  const isBeyond = (one: Price, other: Price): boolean =>
    side === 'short' ? one < other : one > other;
  return bankruptcy !== undefined && isBeyond(mark, even) && isBeyond(even, bankruptcy)
    ? even
    : mark;
}

/**
 * First at the bankruptcy price, with those who still gain by it. Whatever is then left is closed
 * with the next in rank where that does not lose by it, and the house pays the difference: nobody
 * is made to pay for a loss that is not his. What the holder got for an opposite position of his
 * own is his to keep.
 */
export function deleverage(
  step: Step,
  closing: Position,
  spec: InstrumentSpec,
  bankruptcy: Price | undefined,
): Amount {
  if (closing.lots === 0) return ZERO_AMOUNT;
  const ranked = ranking(step, closing, spec);
  let own = ZERO_AMOUNT;
  for (const opposite of ranked) {
    if (bankruptcy === undefined || closing.lots === 0) break;
    if (opposite.lots === 0 || !goesAtBankruptcy(step, spec, closing, opposite, bankruptcy))
      continue;
    own = plus(own, reduce(step, spec, closing, opposite, bankruptcy));
  }
  for (const opposite of ranked) {
    if (closing.lots === 0) break;
    if (opposite.lots > 0)
      own = plus(
        own,
        reduce(step, spec, closing, opposite, priceForRest(step, spec, opposite, bankruptcy)),
      );
  }
  return own;
}
