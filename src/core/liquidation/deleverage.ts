/**
 * Closes what the book does not take against opposite positions, ranked by profit and leverage
 * (POS-57).
 */
import { ceilingDivide, floorDivide } from '../../formulas/exact.ts';
import { type Amount, type Price, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Lots } from '../book/order-book.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { markOf, otherPositionSide } from '../derived/position.ts';
import type { Position } from '../state/position.ts';
import { settlePendingCharges } from '../trading/charges/settle-charges.ts';
import { isMarkPastBankruptcy } from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';
import { closeAgainst, levyAgainst, type Party, profitOf } from './close-outside.ts';

/** Opposite positions in the order of their reduction; those of the same account come last. */
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

/** Returns what the account's own wallet received, if the opposite position is its own. */
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
  // Together they may emit more events than one transaction may.
  step.endPart();
  return opposite.uid === closing.uid ? reduced!.toWallet : ZERO_AMOUNT;
}

/**
 * An opposite position closes at the bankruptcy price only if it does not lose by it. Nor does it
 * if the position under takeover would owe a levy there: the house would pay it, and colluding
 * accounts could extract that. The exception is a mark beyond the bankruptcy price (POS-157).
 */
function closesAtBankruptcy(
  step: Step,
  spec: InstrumentSpec,
  closing: Position,
  opposite: Position,
  price: Price,
): boolean {
  const lots = lotsOf(closing, opposite);
  if (profitOf(opposite, spec, lots, price) < 0n) return false;
  if (isMarkPastBankruptcy(step, closing, spec, price)) return true;
  const levy = levyAgainst(step, spec, partiesOf(closing, opposite), lots, price);
  return levy === undefined || levy.amounts[0] === 0n;
}

/**
 * The closing price for the rest: the mark, or the opposite entry price if the mark is beyond it.
 * Otherwise the house would pay the whole gain of an account that had sold just below the
 * bankruptcy price of a colluding one (POS-192).
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
 * Closes at the bankruptcy price first. The rest closes in the same ranking at a price at which the
 * opposite position does not lose, and the house pays the difference. Returns what the account got
 * for opposite positions of its own, which it keeps.
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
    if (opposite.lots === 0 || !closesAtBankruptcy(step, spec, closing, opposite, bankruptcy))
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
