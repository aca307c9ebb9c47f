/**
 * What a fill costs a crossed account at most, estimated in floating point for the bounds in
 * `headroom.ts`. Of linear contracts only.
 */
import { UNIT } from '../../formulas/exact.ts';
import { approximate, type Rate } from '../../kernel/money.ts';
import type { Side } from '../../messages/vocabulary.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';

/** One, at money's scale. */
export const UNIT_ESTIMATE = approximate(UNIT);

/** Bounds know dollars: linear contracts are margined in them. */
export const isBounded = (spec: InstrumentSpec): boolean => !spec.inverse;

/** What so many lots are worth at so many ticks, in units of the margin coin. */
export const estimatedValue = (spec: InstrumentSpec, ticks: number, lots: number): number =>
  ticks * lots * spec.estimates.tickLot;

/** What a fill at a price loses against mark; nothing when the price is better. */
export function lossAgainstMark(
  spec: InstrumentSpec,
  mark: number,
  side: Side,
  tick: Tick,
  lots: Lots,
): number {
  const worse = side === 'buy' ? tick - mark : mark - tick;
  return worse > 0 ? estimatedValue(spec, worse, lots) : 0;
}

/**
 * How much more must be kept up when a position of so many lots grows: each part at no less than
 * the rate of the tier it lies in.
 */
export function addedMaintenance(
  spec: InstrumentSpec,
  mark: number,
  before: number,
  added: number,
  feeRate: Rate,
): number {
  const rate = rateAt(spec, estimatedValue(spec, mark, before + added));
  return (estimatedValue(spec, mark, added) * (rate + approximate(feeRate))) / UNIT_ESTIMATE;
}

/** The rate of the tier that a value lies in, or of the next one when it is about to. */
export function rateAt({ estimates: { tiers } }: InstrumentSpec, value: number): number {
  for (const { end, rate } of tiers) if (value < end) return rate;
  return tiers.at(-1)!.rate;
}

/** Value / leverage. */
export const estimatedMargin = (value: number, leverage: Rate): number =>
  (value * UNIT_ESTIMATE) / approximate(leverage);

/** The highest leverage that the tier of a value surely allows; 0 when that is not sure. */
export function leverageAllowed({ estimates: { tiers } }: InstrumentSpec, value: number): number {
  for (const { end, leverageMax } of tiers) if (value < end) return leverageMax;
  return 0;
}
