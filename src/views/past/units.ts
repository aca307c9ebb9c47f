/** Ticks and lots as whole numbers: a day of prices times sizes stays below 2^53. */
import type { Amount, Price, Size } from '../../kernel/money.ts';
import type { PastBook } from '../../messages/past.ts';

/** One, in the units of money. */
export const MONEY_UNIT = 10_000_000_000n;

/**
 * A price grows at most to 2^6 times its value. A minute has at most 2^3 times the average lots,
 * and a day has fewer than 2^11 minutes. The product stays below 2^53.
 */
const TICKS_MAX = 2n ** 23n;
const LOTS_MAX = 2n ** 10n;

export interface Units {
  /** A multiple of the price step. */
  readonly tick: Price;
  /** A multiple of the size step. */
  readonly lot: Size;
  /** The lots of an average minute at the last price. */
  readonly lots: number;
  ticksOf(price: Price): number;
}

export function unitsOf(
  { priceStep, sizeStep, last, quoteDollars }: PastBook,
  minuteDollars: number,
): Units {
  let tick: bigint = priceStep;
  while (last / tick > TICKS_MAX) tick *= 10n;
  const dollars = BigInt(minuteDollars) * MONEY_UNIT;
  // Money has ten decimals. The value of a lot at one tick is a whole number of them, so that
  // volumes add up.
  let lot: bigint = sizeStep;
  const worth = (): bigint => (last * lot * quoteDollars) / MONEY_UNIT / MONEY_UNIT;
  while ((tick * lot) % MONEY_UNIT !== 0n || worth() * LOTS_MAX < dollars) lot *= 10n;
  const lots = Number(dollars / (worth() > 0n ? worth() : 1n));
  const whole = tick;
  return {
    tick: tick as Price,
    lot: lot as Size,
    lots,
    ticksOf: (price) => Math.max(1, Number((2n * price + whole) / (2n * whole))),
  };
}

export const amountOf = (value: bigint, { tick, lot }: Units): Amount =>
  ((value * tick * lot) / MONEY_UNIT) as Amount;
