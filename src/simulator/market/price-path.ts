/**
 * The random path of a coin's price: a function of seed, coin and time, so that the price at any
 * time can be computed alone.
 */

import { saltOf, waveAt } from '../../kernel/chance.ts';
import { MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';

/**
 * Waves from seconds to days. Each has four times the period of the one before and over twice its
 * amplitude, slightly more than a random walk.
 */
const WAVES = 9;
const FIRST_PERIOD_MS = 4 * SECOND;
const FIRST_REACH = 0.000_08;
const GROWTH = 2.25;

/** Volatility of each coin relative to the first. */
const LIVELINESS: Readonly<Record<string, number>> = { BTC: 1, ETH: 1.2, SOL: 1.6, XRP: 1.4 };
const LIVELINESS_OF_OTHERS = 1.3;
/** The share of each coin's movement that all coins have in common. */
const SHARED = 0.7;

const wavesOf = (seed: number, name: string): readonly number[] =>
  Array.from({ length: WAVES }, (_, at) => saltOf(seed, `${name} ${at}`));

function swingAt(salts: readonly number[], at: number): number {
  let swing = 0;
  let period = FIRST_PERIOD_MS;
  let reach = FIRST_REACH;
  for (const salt of salts) {
    swing += reach * waveAt(salt, at / period);
    period *= 4;
    reach *= GROWTH;
  }
  return swing;
}

export interface PricePath {
  /**
   * The price at one time as a multiple of that at another. A `liveliness` below one reduces the
   * movement in between.
   */
  ratio(coin: string, from: Timestamp, to: Timestamp, liveliness?: number): number;
  /**
   * The distance of a future's book from its index, as a share of the index. Funding follows from
   * it.
   */
  basis(key: string, at: Timestamp): number;
}

/** The basis changes slowly and stays small. */
const BASIS_PERIOD_MS = 90 * MINUTE;
const BASIS_REACH = 0.000_3;

export function createPricePath(seed: number): PricePath {
  const shared = wavesOf(seed, 'shared');
  const own = new Map<string, readonly number[]>();
  const ownOf = (coin: string): readonly number[] => {
    const known = own.get(coin) ?? wavesOf(seed, coin);
    own.set(coin, known);
    return known;
  };
  const levelAt = (coin: string, at: number): number =>
    (LIVELINESS[coin] ?? LIVELINESS_OF_OTHERS) *
    (SHARED * swingAt(shared, at) + (1 - SHARED) * swingAt(ownOf(coin), at));
  return {
    ratio: (coin, from, to, liveliness = 1) =>
      Math.exp(liveliness * (levelAt(coin, to) - levelAt(coin, from))),
    basis: (key, at) => BASIS_REACH * waveAt(saltOf(seed, `basis ${key}`), at / BASIS_PERIOD_MS),
  };
}
