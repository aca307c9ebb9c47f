/**
 * What stands behind a position when it is taken over. An isolated position has its margin. The
 * crossed positions of an account share its equity by their maintenance; once there is none left,
 * those that lose share what is missing by their losses, none more than it has lost (POS-71).
 */

import { bankruptcyPrice } from '../../../formulas/bankruptcy-price.ts';
import { ceilingDivide, floorDivide, UNIT } from '../../../formulas/exact.ts';
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
  ZERO_RATE,
} from '../../../kernel/money.ts';
import { isCrossed, isIsolated } from '../../../messages/vocabulary.ts';
import type { Tick } from '../../book/order-book.ts';
import { specOf } from '../../derived/derived.ts';
import { feeRateFor } from '../../derived/fee-level.ts';
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
 * By position, in its margin coin: what closing it may cost its account, seen from its entry. Below
 * zero when it must bring something in.
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
  const lostInAll = parts.reduce((sum, { lost }) => plus(sum, lost), ZERO_AMOUNT);
  const missing = least(negate(equity), lostInAll);
  return new Map(
    parts.map(({ position, index, profit, requirement, lost }) => {
      const share =
        equity >= 0n
          ? proportionOf(equity, requirement, maintenance)
          : negate(proportionOf(missing, lost, lostInAll));
      return [position.id, minus(inCoin(share, index), profit)];
    }),
  );
}

const proportionOf = (of: Amount, part: Amount, whole: Amount): Amount =>
  whole === 0n ? ZERO_AMOUNT : (floorDivide(of * part, whole) as Amount);

/**
 * Rounded against the fund for what is taken and for what is given: nobody is taken more than his
 * share, nor given more than is missing.
 */
function inCoin(usd: Amount, index: Price): Amount {
  if (index === 0n) return ZERO_AMOUNT;
  return (usd >= 0n ? floorDivide(usd * UNIT, index) : ceilingDivide(usd * UNIT, index)) as Amount;
}

export const backingOf = (step: Step, position: Position): Amount =>
  isIsolated(position.marginMode)
    ? position.margin
    : backings(step, position.uid).get(position.id)!;

/**
 * The price at which what stands behind a position is just used up; undefined when no price is that
 * bad.
 */
export function takeoverPrice(
  { state }: Step,
  position: Position,
  spec: InstrumentSpec,
  backing: Amount,
): Price | undefined {
  const feeRate = feeRateFor(state, position.uid, spec.category, 'taker');
  return bankruptcyPrice(spec.kind, position.side, position.entry, backing, feeRate);
}

/** Whether the mark has gone where nothing is left behind a position. */
export const isMarkBeyond = (
  { state }: Step,
  { side }: Position,
  spec: InstrumentSpec,
  bankruptcy: Price,
): boolean =>
  side === 'long' ? markOf(state, spec) < bankruptcy : markOf(state, spec) > bankruptcy;

/**
 * Whether a position that must go leaves nothing to clearing, since nothing is left behind it;
 * where the mark has gone further, it is the matter of the house.
 */
export const hasNothingLeft = (
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  bankruptcy: Price | undefined,
): boolean => bankruptcy !== undefined && !isMarkBeyond(step, position, spec, bankruptcy);

/**
 * The worst price in the book that leaves nothing for the house to pay: the bankruptcy price, or
 * the mark where a close at bankruptcy would have to leave something to clearing. Its holder has
 * nothing left to leave there (POS-157).
 */
export function worstPaid(
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
    isMarkBeyond(step, position, spec, bankruptcy)
  )
    return bankruptcy;
  return levy.mark;
}

/** The worst tick at which closing is no worse than a price. */
export const tickNoWorse = (spec: InstrumentSpec, position: Position, price: Price): Tick =>
  tickAt(spec, price, position.side === 'long' ? 'up' : 'down');

/** The worst tick that the price band around the mark allows, as for anybody's market order. */
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
 * How much worse than mark the fund pays for at the most: the spread of a book that falls, and not
 * an order that happens to be the only one there (POS-182).
 */
const FUND_SLIP = money<Rate>('0.01');

/**
 * The worst tick at which the insurance fund pays for a close in the book: as far beyond mark as
 * that has gone beyond where nothing stands behind the position any more, its fee aside. Where
 * something does, no market has moved too far and its holder may have spent the rest of his money
 * with a friend, whose order is the next in the book: so no further then than a position of the
 * lowest tier is worth when it is liquidated.
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
  const usedUp =
    bankruptcyPrice(spec.kind, position.side, position.entry, backing, ZERO_RATE) ?? mark;
  const beyond = isLong ? minus(usedUp, mark) : minus(mark, usedUp);
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
