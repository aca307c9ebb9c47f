/** Value, profit, margin and fee of contracts, linear and inverse. */
import type { NaiveInstrument, NaiveOrder } from './naive-state.ts';
import { ceiling, floor, UNIT } from './whole-units.ts';

/**
 * An inverse contract has a value in dollars and is paid in its coin. A linear one has a size in
 * its base coin and is paid in dollars.
 */
export const inverse = ({ category }: NaiveInstrument): boolean => category === 'COIN-FUTURES';

/** A dollar value, at 10^-20, as an exact fraction of the margin coin. */
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

/** Part of the maintenance margin and of the bankruptcy price, and paid by fills of the close. */
export const forcedCloseRate = ({ taker }: NaiveInstrument): bigint => taker;

export const fillRate = ({ instrument, forced }: NaiveOrder, isTaker: boolean): bigint =>
  forced ? forcedCloseRate(instrument) : instrument[isTaker ? 'taker' : 'maker'];

export const needFor = (
  instrument: NaiveInstrument,
  price: bigint,
  size: bigint,
  leverage: bigint,
): bigint =>
  marginFor(instrument, price, size, leverage) +
  feeFor(instrument, price, price * size, instrument.taker);

/** Value at a price, at 10^-20. An inverse contract keeps the dollar value of its entry. */
export const valueAt = (
  instrument: NaiveInstrument,
  price: bigint,
  size: bigint,
  cost: bigint,
): bigint => (inverse(instrument) ? cost : price * size);

/**
 * Long: size × (price − entry), or value × (1 / entry − 1 / price). Both are (size × price − cost)
 * divided by one or by the price.
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

export interface Held {
  readonly instrument: NaiveInstrument;
  readonly size: bigint;
  readonly cost: bigint;
}

/** Value / leverage at the entry price. */
export const marginAtEntry = ({ instrument, size, cost }: Held, leverage: bigint): bigint =>
  inverse(instrument) ? ceiling(size * UNIT, leverage) : ceiling(cost, leverage);
