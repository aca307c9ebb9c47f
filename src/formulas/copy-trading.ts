/**
 * The arithmetic of copy trading: how much is copied, how far it is closed with its leader, where
 * it ends early, and what it pays.
 */
import { countOf } from '../kernel/count.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { invariant } from '../kernel/invariant.ts';
import {
  type Amount,
  divide,
  greatest,
  least,
  minus,
  money,
  ONE_RATE,
  type Price,
  plus,
  type Rate,
  rateOf,
  type Size,
  sizeFor,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { Instrument } from '../messages/listings.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';

/**
 * What so much of the margin coin opens at a leverage; an inverse contract is margined in its base
 * coin, which is what sizes are in.
 */
export function sizeForAmount(
  kind: ContractKind,
  amount: Amount,
  leverage: Rate,
  price: Price,
): Size {
  const value = rateOf(amount, leverage, 'down');
  return kind === 'inverse' ? (value as bigint as Size) : sizeFor(value, price, 'down');
}

type Sizes = Pick<
  Instrument,
  'sizeStep' | 'sizeMin' | 'marketSizeMax' | 'followSizeMin' | 'followSizeMax'
>;

/**
 * What one copy may be, in whole steps: the symbol's follow limits, as far as a market order may be
 * so small and so large.
 */
export function followLimits({
  sizeStep,
  sizeMin,
  marketSizeMax,
  followSizeMin = sizeMin,
  followSizeMax = marketSizeMax,
}: Sizes) {
  const step = money<Size>(sizeStep);
  const wholeSteps = (size: DecimalText, rounding: 'up' | 'down'): Size =>
    (divide(money<Size>(size), step, rounding) * step) as Size;
  return {
    sizeLeast: greatest(money<Size>(sizeMin), wholeSteps(followSizeMin, 'up')),
    sizeMost: least(wholeSteps(marketSizeMax, 'down'), wholeSteps(followSizeMax, 'down')),
  };
}

/**
 * What a copy keeps when its leader has come down from one number of lots to another: its share of
 * them, rounded up, so that what it closes is rounded down and the last part takes the rest.
 */
export function keptLots(lots: number, leaderLots: number, leaderBefore: number): number {
  invariant(
    leaderLots >= 0 && leaderLots <= leaderBefore && leaderBefore > 0,
    'a leader closes no more than there is',
  );
  return countOf(divide(BigInt(lots) * BigInt(leaderLots), BigInt(leaderBefore), 'up'));
}

const HUNDRED = 100n;

interface OpenedAt {
  readonly entry: Price;
  readonly side: PositionSide;
  readonly leverage: Rate;
}

/**
 * The price at which a position has returned so many percent on its margin: entry × (1 ± ratio /
 * 100 / leverage), to the tick that lies further from the entry. Undefined when no price is that
 * low.
 */
export function priceAtReturn(
  { entry, side, leverage }: OpenedAt,
  end: 'takeProfit' | 'stopLoss',
  ratio: Rate,
  tickPrice: Price,
): Price | undefined {
  const rises = directionOf(side) > 0n === (end === 'takeProfit');
  const [whole, part] = [HUNDRED * leverage, ratio];
  const numerator = entry * (rises ? whole + part : whole - part);
  if (numerator <= 0n) return undefined;
  const price = divide(numerator, whole * tickPrice, rises ? 'up' : 'down') * tickPrice;
  return price > 0n ? (price as Price) : undefined;
}

/** What a copy has earned after its fees. */
export const earnedAfterFees = (profit: Amount, openFee: Amount, closeFee: Amount): Amount =>
  minus(profit, plus(openFee, closeFee));

/**
 * The leader's part of what a copy earned after its fees, rounded down: the follower gains the
 * dust. A loss pays nothing.
 */
export function leaderShare(earned: Amount, profitShare: Rate): Amount {
  invariant(profitShare >= 0n && profitShare <= ONE_RATE, 'a share is a part');
  return earned > 0n ? rateOf(earned, profitShare, 'down') : ZERO_AMOUNT;
}
