/**
 * What a fill of a coin-margined contract costs its account at most, estimated in floating point in
 * units of USD: for whoever asks hundreds of makers at once, of whom few accounts have many orders.
 * Bounds of accounts stand for themselves (`headroom.ts`); this says what they are held against.
 */
import type { State } from '../../state/state.ts';
import { type Fill, closedBy, grownBy } from '../matching/fill.ts';
import { approximate } from '../../../kernel/money.ts';
import { indexOf } from '../../margin/account-sums.ts';
import { UNIT_ESTIMATE, estimatedValue, rateAt } from '../../margin/fill-bounds.ts';

/** More than a fill has roundings, each of one unit of the coin. */
const ROUNDINGS = 16;

/**
 * Size × price is worth the same number of USD whatever becomes of the price, so a price worse than
 * mark costs S × |mark − price| / mark in the coin to open, and the share V of what was paid for it
 * × |mark − price| / (mark × price) to close; as much again where clearing has no room left
 * (POS-153).
 */
export function costOfCoinMargined(state: State, fill: Fill): number {
  const { symbolAccount, spec, tick, closing, opening, feeRate } = fill;
  const mark = symbolAccount.market.markTicks(state);
  const index = approximate(indexOf(state, spec.instrument.marginCoin)) / UNIT_ESTIMATE;
  const perUsd = (index * UNIT_ESTIMATE) / (Math.min(mark, tick) * spec.estimates.tick);
  const away = Math.abs(mark - tick) / Math.min(mark, tick);
  const [opened, closed] = [
    estimatedValue(spec, tick, opening),
    estimatedValue(spec, tick, closing),
  ];
  const position = closing === 0 ? undefined : closedBy(fill);
  const paid =
    position === undefined
      ? 0
      : (approximate(position.entry.cost) / UNIT_ESTIMATE) * (closing / position.lots);
  const before = opening === 0 ? 0 : approximate(grownBy(fill)?.entry.cost ?? 0n) / UNIT_ESTIMATE;
  const fee = (Math.max(opened + closed, opened + paid) * approximate(feeRate)) / UNIT_ESTIMATE;
  const requirement =
    (opened * (rateAt(spec, before + opened) + approximate(feeRate))) / UNIT_ESTIMATE;
  return (away * (opened + 2 * paid + closed) + fee + requirement) * perUsd + ROUNDINGS * index;
}
