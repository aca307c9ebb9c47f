/**
 * Where a maker wants orders: a few close to the price, more further out, at prices that do not
 * depend on where the price stands at the moment. So a small move asks for an order or two and not
 * for all of them anew, which keeps the journal small.
 */

import { chanceAt } from '../../kernel/chance.ts';
import type { Side } from '../../messages/vocabulary.ts';
import type { MarketBook } from './market-books.ts';

export interface Level {
  readonly tick: number;
  readonly size: number;
}

/**
 * Prices one `spacing` apart, each order worth between half and one and a half times `worth` in
 * dollars.
 */
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
/** Nobody shows a price closer than this to where he thinks the market is. */
const HALF_SPREAD = 0.000_06;
/** An order stays while the price drifts away from it by so many levels more than are wanted. */
const SPARE_LEVELS = 2;

export interface Ladder {
  /** By tick: what should be there. */
  readonly wanted: ReadonlyMap<number, Level>;
  /** An order at one of these ticks may stay; anywhere else it is in the way or of no use. */
  readonly spare: ReadonlySet<number>;
}

export interface LadderRequest {
  readonly fair: number;
  readonly side: Side;
  /** Compared with the usual. */
  readonly depth: number;
  readonly spread: number;
  /** Dollars for one of the quote coin. */
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
    // Ratios and not distances are even: the rungs are the same whatever the price is.
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
