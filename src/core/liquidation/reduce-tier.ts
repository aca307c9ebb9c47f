/** Reduces a position to the next lower tier. It then needs less margin a unit, and may be safe. */
import { UNIT } from '../../formulas/exact.ts';
import { tierOf } from '../../formulas/maintenance.ts';
import { tierValueAt } from '../../formulas/profit.ts';
import { countOf } from '../../kernel/count.ts';
import type { Amount } from '../../kernel/money.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { markOf } from '../derived/position.ts';
import type { Position } from '../state/position.ts';
import { closeInBook } from '../trading/orders/engine-orders.ts';
import {
  backingOf,
  bandTick,
  betterTick,
  mustAvoidLevy,
  takeoverPrice,
  tickNoWorse,
  worstWithoutHouse,
} from '../trading/risk/backing.ts';
import type { Step } from '../transaction/step.ts';

/** The most lots of a position that are worth at most `value` at mark. */
function lotsWorth({ state }: Step, position: Position, spec: InstrumentSpec, value: Amount): Lots {
  const each = spec.inverse
    ? position.entry.cost / BigInt(position.lots)
    : markOf(state, spec) * spec.lotSize;
  const worth = (value * UNIT) / (each > 0n ? each : 1n);
  return worth < BigInt(position.lots) ? (countOf(worth) as Lots) : position.lots;
}

/** How many lots a position has above the next lower tier; none in the lowest. */
export function lotsToLowerTier(step: Step, position: Position, spec: InstrumentSpec): Lots {
  const value = tierValueAt(spec.kind, position.entry, markOf(step.state, spec));
  const tier = tierOf(spec.tiers, value);
  if (position.lots === 0 || tier.fromValue === 0n) return NO_LOTS;
  return (position.lots - lotsWorth(step, position, spec, tier.fromValue)) as Lots;
}

/**
 * Closes down to the lower tier, no worse than bankruptcy and the price band. True if all of it
 * filled.
 */
export function reduceTier(step: Step, position: Position, spec: InstrumentSpec): boolean {
  const lots = lotsToLowerTier(step, position, spec);
  if (lots === 0) return false;

  const band = bandTick(step.state, spec, position);
  const bankruptcy = takeoverPrice(step, position, spec, backingOf(step, position));
  const limit =
    bankruptcy === undefined
      ? band
      : betterTick(
          position,
          band,
          tickNoWorse(spec, position, worstWithoutHouse(step, position, spec, bankruptcy)),
        );
  const filled = closeInBook(step, position, spec, {
    lots,
    limit,
    executionKind: 'reduce',
    avoidsLevy: mustAvoidLevy(step, position, spec, bankruptcy),
  });
  step.endPart();
  return filled === lots;
}
