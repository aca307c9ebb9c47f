/** Reduces a position to the tier below its own: a smaller one needs less behind each part of it, and may then be safe. */
import { UNIT } from '../../formulas/exact.ts';
import { tierOf } from '../../formulas/maintenance.ts';
import { tierValueAt } from '../../formulas/profit.ts';
import { countOf } from '../../kernel/count.ts';
import type { Amount } from '../../kernel/money.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import type { Terms } from '../instruments/terms.ts';
import { markOf } from '../margin/position-margin.ts';
import type { Position } from '../positions/position.ts';
import type { Step } from '../step.ts';
import { backingOf, bandTick, betterTick, hasNothingLeft, takeOverPrice, tickNoWorse, worstPaid } from './backing.ts';
import { closeInBook } from './engine-orders.ts';

/** As many lots of a position as are worth no more than a value at mark. */
function lotsWorth({ state }: Step, position: Position, terms: Terms, value: Amount): Lots {
  const each = terms.inverse ? position.entry.cost / BigInt(position.lots) : markOf(state, terms) * terms.lotSize;
  const worth = (value * UNIT) / (each > 0n ? each : 1n);
  return worth < BigInt(position.lots) ? (countOf(worth) as Lots) : position.lots;
}

/** How many lots a position is above the tier below its own; none in the lowest. */
export function lotsToLowerTier(step: Step, position: Position, terms: Terms): Lots {
  const value = tierValueAt(terms.kind, position.entry, markOf(step.state, terms));
  const tier = tierOf(terms.tiers, value);
  if (position.lots === 0 || tier.fromValue === 0n) return NO_LOTS;
  return (position.lots - lotsWorth(step, position, terms, tier.fromValue)) as Lots;
}

/** Closes down to the lower tier, no worse than bankruptcy and the price band; whether all of that found somebody in the book. */
export function reduceTier(step: Step, position: Position, terms: Terms): boolean {
  const lots = lotsToLowerTier(step, position, terms);
  if (lots === 0) return false;

  const band = bandTick(step.state, terms, position);
  const bankruptcy = takeOverPrice(step, position, terms, backingOf(step, position));
  const limit =
    bankruptcy === undefined
      ? band
      : betterTick(position, band, tickNoWorse(terms, position, worstPaid(step, position, terms, bankruptcy)));
  const filled = closeInBook(step, position, terms, {
    lots,
    limit,
    executionKind: 'reduce',
    leavesNothing: hasNothingLeft(step, position, terms, bankruptcy),
  });
  step.endPart();
  return filled === lots;
}
