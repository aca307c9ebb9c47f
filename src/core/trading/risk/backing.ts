/**
 * The equity behind a position under takeover. An isolated position has its margin. Crossed
 * positions share the account's equity by their maintenance. If the equity is negative, positions
 * with a loss share the shortfall by their losses, at most what each has lost (POS-71, POS-189).
 */

import { bankruptcyPrice } from '../../../formulas/bankruptcy-price.ts';
import { ceilingDivide, floorDivide, UNIT } from '../../../formulas/exact.ts';
import { forcedCloseRate, NO_FORCED_CLOSE_FEE } from '../../../formulas/fees.ts';
import { neededUsd } from '../../../formulas/margin.ts';
import type { Id, Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  money,
  negate,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { isCrossed, isIsolated } from '../../../messages/vocabulary.ts';
import type { Tick } from '../../book/order-book.ts';
import { specOf } from '../../derived/derived.ts';
import { feeRatesFor } from '../../derived/fee-rates.ts';
import { type InstrumentSpec, tickAt } from '../../derived/instrument-spec.ts';
import { maintenanceOf, markOf, unrealisedProfit } from '../../derived/position.ts';
import { accountMargin, indexOf } from '../../margin/account-margin.ts';
import type { Position } from '../../state/position.ts';
import type { State } from '../../state/state.ts';
import type { Step } from '../../transaction/step.ts';
import { gainAt, levyOf, NO_GAIN } from '../positions/clearing-levy.ts';

export const crossedPositions = (state: State, uid: Uid): Position[] =>
  [...(state.positions.get(uid)?.values() ?? [])]
    .filter(({ marginMode }) => isCrossed(marginMode))
    .sort((one, other) => one.id - other.id);

/**
 * By position, in its margin coin: what closing it may cost its account, counted from its entry.
 * Negative if the close must bring something in.
 */
export function backings(step: Step, uid: Uid): ReadonlyMap<Id, Amount> {
  const { state, derived } = step;
  const { equity, maintenance } = accountMargin(state, derived, uid);
  const parts = crossedPositions(state, uid).map((position) => {
    const spec = specOf(derived, position.key);
    const index = indexOf(state, spec.instrument.marginCoin);
    const profit = unrealisedProfit(state, position, spec);
    const requirement = neededUsd(maintenanceOf(state, position, spec), index);
    return {
      position,
      index,
      profit,
      requirement,
      lost: greatest(ZERO_AMOUNT, neededUsd(negate(profit), index)),
    };
  });
  const totalLoss = parts.reduce((sum, { lost }) => plus(sum, lost), ZERO_AMOUNT);
  const shortfall = least(negate(equity), totalLoss);
  return new Map(
    parts.map(({ position, index, profit, requirement, lost }) => {
      const share =
        equity >= 0n
          ? proportionOf(equity, requirement, maintenance)
          : negate(proportionOf(shortfall, lost, totalLoss));
      return [position.id, minus(inCoin(share, index), profit)];
    }),
  );
}

const proportionOf = (of: Amount, part: Amount, whole: Amount): Amount =>
  whole === 0n ? ZERO_AMOUNT : (floorDivide(of * part, whole) as Amount);

/**
 * Rounded against the fund in both directions: an account loses at most its share, and gets at most
 * the shortfall.
 */
function inCoin(usd: Amount, index: Price): Amount {
  if (index === 0n) return ZERO_AMOUNT;
  return (usd >= 0n ? floorDivide(usd * UNIT, index) : ceilingDivide(usd * UNIT, index)) as Amount;
}

export const backingOf = (step: Step, position: Position): Amount =>
  isIsolated(position.marginMode)
    ? position.margin
    : backings(step, position.uid).get(position.id)!;

/** The bankruptcy price: at which a close just uses up the backing. Undefined if no price does. */
export function takeoverPrice(
  { state }: Step,
  position: Position,
  spec: InstrumentSpec,
  backing: Amount,
): Price | undefined {
  const closeRate = forcedCloseRate(feeRatesFor(state, position.uid, spec.category));
  return bankruptcyPrice(spec.kind, position.side, position.entry, backing, closeRate);
}

/** True if the mark is beyond the bankruptcy price. */
export const isMarkPastBankruptcy = (
  { state }: Step,
  { side }: Position,
  spec: InstrumentSpec,
  bankruptcy: Price,
): boolean =>
  side === 'long' ? markOf(state, spec) < bankruptcy : markOf(state, spec) > bankruptcy;

/**
 * True if the close of a position under takeover must not owe a clearing levy, because it has no
 * equity left. If the mark is beyond the bankruptcy price, it may, and the house pays (POS-159).
 */
export const mustAvoidLevy = (
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  bankruptcy: Price | undefined,
): boolean => bankruptcy !== undefined && !isMarkPastBankruptcy(step, position, spec, bankruptcy);

/**
 * The worst price in the book at which the house pays nothing: the bankruptcy price, or the mark if
 * a close at bankruptcy would owe a clearing levy. The account could not pay it (POS-157).
 */
export function worstWithoutHouse(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  bankruptcy: Price,
): Price {
  const gains = [gainAt(position, spec, position.lots, bankruptcy), NO_GAIN] as const;
  const levy = levyOf(step.state, spec, bankruptcy, gains);
  if (
    levy === undefined ||
    levy.amounts[0] === 0n ||
    isMarkPastBankruptcy(step, position, spec, bankruptcy)
  )
    return bankruptcy;
  return levy.mark;
}

/** The worst tick that is no worse than a price. */
export const tickNoWorse = (spec: InstrumentSpec, position: Position, price: Price): Tick =>
  tickAt(spec, price, position.side === 'long' ? 'up' : 'down');

/** The worst tick within the price band around mark, as for any market order. */
export function bandTick(state: State, spec: InstrumentSpec, position: Position): Tick {
  const mark = markOf(state, spec);
  const width = floorDivide(mark * spec.bandRate, UNIT);
  return tickNoWorse(
    spec,
    position,
    (position.side === 'long' ? mark - width : mark + width) as Price,
  );
}

/**
 * The farthest from mark that the fund pays: the spread of a falling book, but not a lone order far
 * away (POS-182).
 */
const FUND_SLIP = money<Rate>('0.01');

/**
 * The worst tick at which the insurance fund pays: as far beyond mark as the mark is beyond the
 * price at which nothing backs the position, fees aside. It is at least the maintenance rate of the
 * lowest tier from mark, and not more while something backs the position. Otherwise the account
 * could have passed its other money to a colluding account whose order is the next in the book
 * (POS-182).
 */
export function fundTick(
  state: State,
  spec: InstrumentSpec,
  position: Position,
  backing: Amount,
): Tick {
  const isLong = position.side === 'long';
  const mark = markOf(state, spec);
  const partOf = (rate: Rate): Price => floorDivide(mark * rate, UNIT) as Price;
  const { side, entry } = position;
  const bankruptcy = bankruptcyPrice(spec.kind, side, entry, backing, NO_FORCED_CLOSE_FEE) ?? mark;
  const beyond = isLong ? minus(bankruptcy, mark) : minus(mark, bankruptcy);
  const width = least(
    greatest(beyond, partOf(spec.tiers[0]!.rate)),
    partOf(least(FUND_SLIP, spec.bandRate)),
  );
  return tickNoWorse(spec, position, (isLong ? mark - width : mark + width) as Price);
}

export const worseTick = (position: Position, one: Tick, other: Tick): Tick =>
  (position.side === 'long' ? Math.min(one, other) : Math.max(one, other)) as Tick;

export const betterTick = (position: Position, one: Tick, other: Tick): Tick =>
  (position.side === 'long' ? Math.max(one, other) : Math.min(one, other)) as Tick;
