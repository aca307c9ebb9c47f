/**
 * What trades of one account in one direction, one after another, would make of its positions: they
 * close first, as far as there is something to close.
 */
import type { Position } from '../../state/position.ts';
import { type Entry, NO_ENTRY } from '../../../formulas/entry.ts';
import { type Amount, type Price, type Rate, ZERO_AMOUNT, greatest, minus, plus } from '../../../kernel/money.ts';
import { type Match, closedPart } from '../matching/fill.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { reducedBy } from '../orders/reducible.ts';
import type { Lots } from '../../book/order-book.ts';
import { leastClosingOf, partOf } from '../positions/fill-position.ts';

export interface Outcome {
  /** The position that they close of; undefined when they close nothing. */
  readonly closed: Position | undefined;
  /** What is left of it. */
  readonly left: Entry;
  readonly realised: Amount;
  /** Of what they close, as if they took. */
  readonly fees: Amount;
  /** What those of them cost that bring less than their fee. */
  readonly lost: Amount;
  /** What of them opens. */
  readonly openings: readonly Match[];
}

export function outcomeOf(
  symbolAccount: SymbolAccount,
  spec: InstrumentSpec,
  matches: readonly Match[],
  feeRate: Rate,
  mark: Price,
): Outcome {
  const position = reducedBy(symbolAccount, matches[0]!.order.side);
  const openings: Match[] = [];
  let closable: number = position?.lots ?? 0;
  let left = position?.entry ?? NO_ENTRY;
  let realised = ZERO_AMOUNT;
  let fees = ZERO_AMOUNT;
  let lost = ZERO_AMOUNT;
  let isClosing = false;
  for (const match of matches) {
    const { order, tick, lots } = match;
    const closing = closedPart(order, lots, closable);
    if (closing < lots)
      openings.push(closing === 0 ? match : { order, tick, lots: (lots - closing) as Lots });
    if (closing === 0 || position === undefined) continue;
    const part = leastClosingOf(
      { entry: left, side: position.side },
      partOf(spec, tick, closing, feeRate),
      mark,
    );
    left = part.left;
    realised = plus(realised, part.profit);
    fees = plus(fees, part.fee);
    lost = plus(lost, greatest(ZERO_AMOUNT, minus(part.fee, part.profit)));
    closable -= closing;
    isClosing = true;
  }
  return { closed: isClosing ? position : undefined, left, realised, fees, lost, openings };
}
