/**
 * Copy trading formulas: the copied size, partial closes with the leader, early take-profit and
 * stop-loss, and profit share.
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
 * The size that an amount of the margin coin opens at a leverage. An inverse contract is margined
 * in its base coin, which is also the unit of size.
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
 * Limits of one copy in whole steps: the symbol's follow limits, within the limits of a market
 * order.
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
 * The lots a copy keeps when its leader reduces a position: its share, rounded up. So the closed
 * part is rounded down, and the last close takes the rest.
 */
export function copyLotsLeft(lots: number, leaderLots: number, leaderBefore: number): number {
  invariant(
    leaderLots >= 0 && leaderLots <= leaderBefore && leaderBefore > 0,
    'a leader closes at most the open lots',
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
 * The price at which a position has the given return on its margin, in percent: entry × (1 ± ratio
 * / 100 / leverage), to the tick further from the entry. Undefined if that is below any price.
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

/** A copy's profit after fees. */
export const earnedAfterFees = (profit: Amount, openFee: Amount, closeFee: Amount): Amount =>
  minus(profit, plus(openFee, closeFee));

/**
 * The leader's share of a copy's profit after fees, rounded down: the follower gains the dust. A
 * loss pays none.
 */
export function leaderShare(earned: Amount, profitShare: Rate): Amount {
  invariant(profitShare >= 0n && profitShare <= ONE_RATE, 'a profit share is between zero and one');
  return earned > 0n ? rateOf(earned, profitShare, 'down') : ZERO_AMOUNT;
}
