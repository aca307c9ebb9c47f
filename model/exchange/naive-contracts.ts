/** Value, profit, margin and fee of contracts, linear and inverse. */
import type { NaiveInstrument } from './naive-state.ts';
import { ceiling, floor, UNIT } from './whole-units.ts';

/**
 * A coin-margined contract is worth a number of dollars, paid in the coin; any other so much of its
 * base coin, paid in dollars.
 */
export const inverse = ({ category }: NaiveInstrument): boolean => category === 'COIN-FUTURES';

/** So many dollars, at 10^-20, as an exact fraction of the coin that margin is paid in. */
export const inCoin = (
  instrument: NaiveInstrument,
  value: bigint,
  price: bigint,
): [bigint, bigint] => [value, inverse(instrument) ? price : UNIT];

/** Value / leverage, and the fee of a value, both rounded up. */
export function marginFor(
  instrument: NaiveInstrument,
  price: bigint,
  size: bigint,
  leverage: bigint,
): bigint {
  const [value, per] = inCoin(instrument, price * size, price);
  return ceiling(value * UNIT, per * leverage);
}

export function feeFor(
  instrument: NaiveInstrument,
  price: bigint,
  value: bigint,
  rate: bigint,
): bigint {
  const [amount, per] = inCoin(instrument, value, price);
  return ceiling(amount * rate, per * UNIT);
}

export const needFor = (
  instrument: NaiveInstrument,
  price: bigint,
  size: bigint,
  leverage: bigint,
): bigint =>
  marginFor(instrument, price, size, leverage) +
  feeFor(instrument, price, price * size, instrument.taker);

/**
 * What is held is worth this at a price, at 10^-20: an inverse contract always the dollars it was
 * opened with.
 */
export const valueAt = (
  instrument: NaiveInstrument,
  price: bigint,
  size: bigint,
  cost: bigint,
): bigint => (inverse(instrument) ? cost : price * size);

/**
 * Long: size × (price − entry), or value × (1 / entry − 1 / price). Both are (size × price − cost)
 * divided by something.
 */
export function profitOf(
  instrument: NaiveInstrument,
  side: 'long' | 'short',
  size: bigint,
  cost: bigint,
  price: bigint,
): bigint {
  const [amount, per] = inCoin(instrument, size * price - cost, price);
  return floor(side === 'long' ? amount : -amount, per);
}

/** What is held, whoever holds it. */
export interface Held {
  readonly instrument: NaiveInstrument;
  readonly size: bigint;
  readonly cost: bigint;
}

/** Value / leverage as it was when the position was opened. */
export const marginAtEntry = ({ instrument, size, cost }: Held, leverage: bigint): bigint =>
  inverse(instrument) ? ceiling(size * UNIT, leverage) : ceiling(cost, leverage);
