/**
 * Margin: what positions and orders must have behind them, and what an account has (POS-32 to
 * POS-38, POS-46).
 */
import type { Brand } from '../kernel/brand.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import {
  type Amount,
  decimalTextOf,
  greatest,
  money,
  ONE_RATE,
  type Price,
  plus,
  type Rate,
  type Size,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { Coin, Instrument } from '../messages/listings.ts';
import type { ContractKind } from './contract-kind.ts';
import { ceilingDivide, floorDivide, UNIT, UNIT_SQUARED } from './exact.ts';
import { valueFee } from './fees.ts';

/** Value / leverage, in the margin coin. Rounded up: the user holds the dust. */
export function positionMargin(value: Amount, leverage: Rate): Amount {
  // Nearly all leverages are whole numbers, and then nothing grows beyond 64 bits on the way.
  const times = leverage / UNIT;
  if (value < 0n || times === 0n || times * UNIT !== leverage)
    return ceilingDivide(value * UNIT, leverage) as Amount;
  return ((value + times - 1n) / times) as Amount;
}

/**
 * What an order will be worth, in the margin coin at twice money's decimals: an inverse order of a
 * size is worth that size of the coin.
 */
const orderValue = (kind: ContractKind, price: Price, size: Size): bigint =>
  kind === 'linear' ? price * size : size * UNIT;

/** Price × size / leverage of an order that opens. Rounded up: the user holds the dust. */
export const orderMargin = (kind: ContractKind, price: Price, size: Size, leverage: Rate): Amount =>
  ceilingDivide(orderValue(kind, price, size), leverage) as Amount;

/** The fee an order may cost: as if all of it took. Rounded up: the user holds the dust. */
export const orderFee = (kind: ContractKind, price: Price, size: Size, takerRate: Rate): Amount =>
  ceilingDivide(orderValue(kind, price, size) * takerRate, UNIT_SQUARED) as Amount;

/** Everything an order needs behind it. */
export const orderNeed = (
  kind: ContractKind,
  price: Price,
  size: Size,
  leverage: Rate,
  takerRate: Rate,
): Amount => plus(orderMargin(kind, price, size, leverage), orderFee(kind, price, size, takerRate));

/** The same of a linear order whose value is exact as it stands. */
export const needOfValue = (value: Amount, leverage: Rate, takerRate: Rate): Amount =>
  plus(positionMargin(value, leverage), valueFee(value, takerRate));

const LEVERAGE_AT_FIRST = '10' as DecimalText;

/**
 * What a future begins at for whoever has set nothing: ten times, or what its first tier allows
 * where that is less (ACC-24).
 */
export function leverageAtFirst({ tiers }: Pick<Instrument, 'tiers'>): DecimalText {
  const allowed = tiers[0]?.leverageMax;
  if (allowed === undefined || money<Rate>(allowed) >= money<Rate>(LEVERAGE_AT_FIRST))
    return LEVERAGE_AT_FIRST;
  return decimalTextOf(money<Rate>(allowed));
}

/**
 * What a coin is borrowed at: as the account has set it, or as the coin begins, and no higher than
 * the coin allows now.
 */
export function loanLeverage(
  listed: Pick<Coin, 'leverage' | 'leverageMax'> | undefined,
  own: DecimalText | undefined,
): DecimalText {
  if (listed === undefined) return NO_LEVERAGE;
  if (own === undefined) return listed.leverage;
  return money<Rate>(own) > money<Rate>(listed.leverageMax) ? listed.leverageMax : own;
}
const NO_LEVERAGE = '1' as DecimalText;

/** What an account has in one coin, all in all, and what that coin counts for. */
export interface CoinEquity {
  /** Wallet plus unrealised profit settled in the coin, less borrowed and interest. */
  readonly net: Amount;
  readonly index: Price;
  readonly collateralRate: Rate;
}

/** USD at three times money's decimals: equity before it is rounded. */
export type ExactEquity = Brand<bigint, 'ExactEquity'>;

/** A positive net counts with the coin's collateral rate, a negative one in full. */
export function exactEquity(coins: Iterable<CoinEquity>): ExactEquity {
  let sum = 0n;
  for (const { net, index, collateralRate } of coins)
    sum += net * index * (net > 0n ? collateralRate : ONE_RATE);
  return sum as ExactEquity;
}

/** In USD, rounded down once: the user goes without the dust. */
export const roundedEquity = (exact: ExactEquity): Amount =>
  floorDivide(exact, UNIT_SQUARED) as Amount;
export const equityUsd = (coins: Iterable<CoinEquity>): Amount => roundedEquity(exactEquity(coins));

/**
 * The most of a coin that may leave while equity stays at what is kept or above, to the last unit:
 * what the account has of the coin counts with its collateral rate, and whatever leaves beyond that
 * in full. Undefined for a coin without a price, which may leave as it likes.
 */
export function leavableAbove(
  requirement: Amount,
  equity: ExactEquity,
  { net, index, collateralRate }: CoinEquity,
): Amount | undefined {
  const spare = equity - requirement * UNIT_SQUARED;
  if (spare < 0n) return ZERO_AMOUNT;
  if (index === 0n) return undefined;
  const owned = greatest(net, ZERO_AMOUNT);
  const worth = owned * index * collateralRate;
  if (worth > spare) return (spare / (index * collateralRate)) as Amount;
  return plus(owned, ((spare - worth) / (index * ONE_RATE)) as Amount);
}

/** An amount that must be held, in USD at index. Rounded up: the user holds the dust. */
export const neededUsd = (amount: Amount, index: Price): Amount =>
  ceilingDivide(amount * index, UNIT) as Amount;

/**
 * Maintenance over equity, rounded up to look no safer than it is. No equity with something to
 * maintain shows as 1: it is lost.
 */
export function marginRatio(maintenance: Amount, equity: Amount): Rate {
  if (maintenance <= ZERO_AMOUNT) return 0n as Rate;
  return equity <= 0n ? ONE_RATE : (ceilingDivide(maintenance * UNIT, equity) as Rate);
}
