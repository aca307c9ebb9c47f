/**
 * Where the price of a coin wanders by itself: a function of seed, coin and time, so that every
 * moment of every year can be asked for alone.
 */

import { saltOf, waveAt } from '../../kernel/chance.ts';
import { MINUTE, SECOND, type Timestamp } from '../../kernel/time.ts';

/**
 * Waves from seconds to days. Each is four times as long as the one before and reaches more than
 * twice as far, a little more than chance that adds up.
 */
const WAVES = 9;
const FIRST_PERIOD_MS = 4 * SECOND;
const FIRST_REACH = 0.000_08;
const GROWTH = 2.25;

/** How far the coins wander, compared with the first. */
const LIVELINESS: Readonly<Record<string, number>> = { BTC: 1, ETH: 1.2, SOL: 1.6, XRP: 1.4 };
const LIVELINESS_OF_OTHERS = 1.3;
/** Coins rise and fall together by this much of their way. */
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
   * The price at one moment as a multiple of the price at another. `liveliness` below one damps the
   * way between them.
   */
  ratio(coin: string, from: Timestamp, to: Timestamp, liveliness?: number): number;
  /**
   * How far the book of a future stands from its index, as a share of it: what funding is made of.
   */
  basis(key: string, at: Timestamp): number;
}

/** A basis swings slowly, and never by much. */
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
