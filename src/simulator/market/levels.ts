/**
 * Computes a maker's order prices: a few close to the price, more further out, on a grid that does
 * not depend on the price. A small price move therefore replaces one or two orders, which limits
 * the journal.
 */

import { chanceAt } from '../../kernel/chance.ts';
import type { Side } from '../../messages/vocabulary.ts';
import type { MarketBook } from './market-books.ts';

export interface Level {
  readonly tick: number;
  readonly size: number;
}

/** Prices one `spacing` apart, with orders worth 0.5 to 1.5 times `worth` in dollars. */
interface Ring {
  readonly spacing: number;
  readonly levels: number;
  readonly worth: number;
}

const RINGS: readonly Ring[] = [
  { spacing: 0.000_25, levels: 3, worth: 8_000 },
  { spacing: 0.002, levels: 4, worth: 40_000 },
  { spacing: 0.01, levels: 3, worth: 150_000 },
];
/** No order is closer to the maker's fair price than this. */
const HALF_SPREAD = 0.000_06;
/** An order stays while the price moves away, up to this many extra levels. */
const SPARE_LEVELS = 2;

export interface Ladder {
  /** Target orders by tick. */
  readonly wanted: ReadonlyMap<number, Level>;
  /** An order at one of these ticks may stay; others are cancelled. */
  readonly spare: ReadonlySet<number>;
}

export interface LadderRequest {
  readonly fair: number;
  readonly side: Side;
  /** Relative to the usual depth. */
  readonly depth: number;
  readonly spread: number;
  /** The quote coin's value in dollars. */
  readonly quoteDollars: number;
}

export function ladderOf(
  book: MarketBook,
  salt: number,
  { fair, side, depth, spread, quoteDollars }: LadderRequest,
): Ladder {
  const down = side === 'buy' ? -1 : 1;
  const tickOf = (price: number): number =>
    side === 'buy' ? Math.floor(price / book.priceStep) : Math.ceil(price / book.priceStep);
  const nearest = tickOf(fair * (1 + down * HALF_SPREAD * spread));
  const wanted = new Map<number, Level>();
  const spare = new Set<number>();
  for (const [ring, { spacing, levels, worth }] of RINGS.entries()) {
    // The grid is geometric, so that it does not depend on the price.
    const step = spacing * spread;
    const rung = Math.log(fair * (1 + down * HALF_SPREAD * spread)) / step;
    const first = side === 'buy' ? Math.floor(rung) : Math.ceil(rung);
    for (let at = 0; at < levels + SPARE_LEVELS; at++) {
      const place = first + down * at;
      const tick = tickOf(Math.exp(place * step));
      if (tick < 1 || down * (tick - nearest) < 0) continue;
      if (depth > 0) spare.add(tick);
      if (at >= levels || depth === 0) continue;
      const share = 0.5 + chanceAt(salt + ring * 2 + (down + 1) / 2, place);
      const size = (worth * share * depth * book.weight) / (fair * quoteDollars);
      const whole = Math.min(book.sizeMax, Math.max(book.sizeMin, size));
      wanted.set(tick, { tick, size: Math.max(whole, wanted.get(tick)?.size ?? 0) });
    }
  }
  return { wanted, spare };
}
