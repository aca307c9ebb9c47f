/**
 * Margin requirements of positions and orders, and the equity of an account (POS-32 to POS-38,
 * POS-46).
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
  // Most leverages are whole numbers; then no intermediate value exceeds 64 bits.
  const times = leverage / UNIT;
  if (value < 0n || times === 0n || times * UNIT !== leverage)
    return ceilingDivide(value * UNIT, leverage) as Amount;
  return ((value + times - 1n) / times) as Amount;
}

/**
 * An order's value in the margin coin, at twice money's decimals. An inverse order's value is its
 * size in the coin.
 */
const orderValue = (kind: ContractKind, price: Price, size: Size): bigint =>
  kind === 'linear' ? price * size : size * UNIT;

/** Price × size / leverage of an opening order. Rounded up: the user holds the dust. */
export const orderMargin = (kind: ContractKind, price: Price, size: Size, leverage: Rate): Amount =>
  ceilingDivide(orderValue(kind, price, size), leverage) as Amount;

/** The largest fee of an order: all of it as taker. Rounded up: the user holds the dust. */
export const orderFee = (kind: ContractKind, price: Price, size: Size, takerRate: Rate): Amount =>
  ceilingDivide(orderValue(kind, price, size) * takerRate, UNIT_SQUARED) as Amount;

/** The margin and fee that an order needs. */
export const orderNeed = (
  kind: ContractKind,
  price: Price,
  size: Size,
  leverage: Rate,
  takerRate: Rate,
): Amount => plus(orderMargin(kind, price, size, leverage), orderFee(kind, price, size, takerRate));

/** `orderNeed` of a linear order whose value is exact. */
export const needOfValue = (value: Amount, leverage: Rate, takerRate: Rate): Amount =>
  plus(positionMargin(value, leverage), valueFee(value, takerRate));

const DEFAULT_LEVERAGE = '10' as DecimalText;

/**
 * Default leverage of a future: ten times, or the maximum of its first tier if that is lower
 * (ACC-24).
 */
export function defaultLeverage({ tiers }: Pick<Instrument, 'tiers'>): DecimalText {
  const allowed = tiers[0]?.leverageMax;
  if (allowed === undefined || money<Rate>(allowed) >= money<Rate>(DEFAULT_LEVERAGE))
    return DEFAULT_LEVERAGE;
  return decimalTextOf(money<Rate>(allowed));
}

/**
 * Leverage for borrowing a coin: the account's setting, or the coin's default, at most the coin's
 * current maximum.
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

/** An account's net amount of one coin, and its weight. */
export interface CoinEquity {
  /** Wallet plus unrealised profit settled in the coin, minus loans and interest. */
  readonly net: Amount;
  readonly index: Price;
  readonly collateralRate: Rate;
}

/** Unrounded equity in USD, at three times money's decimals. */
export type ExactEquity = Brand<bigint, 'ExactEquity'>;

/** A positive net counts with the coin's collateral rate, a negative one in full. */
export function exactEquity(coins: Iterable<CoinEquity>): ExactEquity {
  let sum = 0n;
  for (const { net, index, collateralRate } of coins)
    sum += net * index * (net > 0n ? collateralRate : ONE_RATE);
  return sum as ExactEquity;
}

/** Equity in USD, rounded down once, at the user's expense. */
export const roundedEquity = (exact: ExactEquity): Amount =>
  floorDivide(exact, UNIT_SQUARED) as Amount;
export const equityUsd = (coins: Iterable<CoinEquity>): Amount => roundedEquity(exactEquity(coins));

/**
 * The largest amount of a coin that may leave with equity at or above the requirement. The
 * account's balance counts with its collateral rate, anything beyond it in full. Undefined for a
 * coin without a price, which does not count as collateral.
 */
export function removableAbove(
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

/** A required amount, in USD at index. Rounded up: the user holds the dust. */
export const neededUsd = (amount: Amount, index: Price): Amount =>
  ceilingDivide(amount * index, UNIT) as Amount;

/**
 * Maintenance over equity, rounded up so as not to look safer. Without equity, a requirement shows
 * as 1.
 */
export function marginRatio(maintenance: Amount, equity: Amount): Rate {
  if (maintenance <= ZERO_AMOUNT) return 0n as Rate;
  return equity <= 0n ? ONE_RATE : (ceilingDivide(maintenance * UNIT, equity) as Rate);
}
