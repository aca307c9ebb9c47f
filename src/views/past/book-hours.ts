/**
 * One hour of a book before the exchange began, minute by minute. Prices are in whole ticks and
 * sizes in whole lots, drawn from the growth of the coins.
 */
import { bitsAt, chanceAt, saltOf } from '../../kernel/chance.ts';
import { HOUR, MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import type { PastBook } from '../../messages/past.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { Growth } from './growth.ts';
import { MONEY_UNIT, type Units, unitsOf } from './units.ts';

/** Candles of trades, of the mark or of the index. */
export type PastKind = 'trades' | 'mark' | 'index';

/** The columns of a row. A quote volume is in ticks times lots. */
export const [OPEN, HIGH, LOW, CLOSE, LOTS, VALUE] = [0, 1, 2, 3, 4, 5];
export const ROW = 6;

export const MINUTES = HOUR / MINUTE;

/**
 * The relative volume of each hour of a day in UTC: lowest at night in Asia, highest after America
 * has opened.
 */
const RHYTHM = [
  0.9, 0.9, 0.85, 0.8, 0.75, 0.7, 0.75, 0.85, 0.95, 1, 1, 0.95, 1.05, 1.3, 1.6, 1.6, 1.45, 1.3,
  1.15, 1.05, 1, 0.95, 0.9, 0.95,
];
/** The average volume of a minute, in dollars. */
const FUTURES_DOLLARS = 30_000;
const SPOT_DOLLARS = 10_000;

/**
 * The length of a wick beyond open and close, as a share of the price of a coin with average
 * volatility.
 */
const WICK = 0.000_45;
/** The mark and the index are averages, so their wicks are shorter. */
const WICK_OF: Readonly<Record<PastKind, number>> = {
  trades: WICK,
  mark: WICK / 4,
  index: WICK / 8,
};
/**
 * The largest distance of the index from the last price, as a share of it. The mark covers more
 * than half of that distance.
 */
const BASIS = 0.000_3;
const BASIS_OF: Readonly<Record<PastKind, number>> = { trades: 0, mark: 0.6, index: 1 };

const BYTE = 256;

export class BookHours {
  readonly begin: Timestamp;
  readonly end: Timestamp;
  readonly units: Units;
  readonly #lastHour: Timestamp;
  readonly #base: Growth;
  readonly #quote: Growth | undefined;
  readonly #salts: {
    readonly shape: number;
    readonly lots: number;
    readonly basis: number;
    readonly trades: number;
  };
  readonly #ends: Readonly<Record<PastKind, number>>;
  readonly #worths = new Float64Array(MINUTES + 1);
  readonly #legs = new Float64Array(2 * LEGS);
  readonly #quoteWorths = new Float64Array(MINUTES + 1);

  constructor(seed: number, book: PastBook, begin: Timestamp, end: Timestamp) {
    this.begin = begin;
    this.end = end;
    this.#lastHour = startOf(end - 1, HOUR);
    const lastMinutes = Math.ceil((end - this.#lastHour) / MINUTE);
    this.#base = new Growth(seed, book.baseCoin, lastMinutes);
    const isInDollars = book.quoteDollars === MONEY_UNIT;
    this.#quote = isInDollars ? undefined : new Growth(seed, book.quoteCoin, lastMinutes);
    const key = `${book.category}:${book.symbol}`;
    const salt = (use: string): number => saltOf(seed, `past ${use} of ${key}`);
    this.#salts = {
      shape: salt('shape'),
      lots: salt('lots'),
      basis: salt('basis'),
      trades: salt('trades'),
    };
    this.units = unitsOf(book, isFutures(book.category) ? FUTURES_DOLLARS : SPOT_DOLLARS);
    this.#ends = {
      trades: this.units.ticksOf(book.last),
      mark: this.units.ticksOf(book.mark ?? book.index),
      index: this.units.ticksOf(book.index),
    };
  }

  /** The number of minutes that the past has of an hour: all, except in the last hour. */
  minutesIn(hour: number): number {
    return Math.min(MINUTES, Math.ceil((this.end - hour) / MINUTE));
  }

  /** The minutes of an hour, a row each. `into` has room for sixty. */
  fill(into: Float64Array, kind: PastKind, hour: number): void {
    const hoursBack = (this.#lastHour - hour) / HOUR;
    const worths = this.#priceLine(kind, hour, hoursBack);
    const wick = WICK_OF[kind] * this.#base.liveliness * this.#base.dayMood(hoursBack);
    const minutes = this.minutesIn(hour);
    const isTraded = kind === 'trades';
    const usual = this.units.lots * RHYTHM[(hour / HOUR) % 24]!;
    const salt = this.#salts.shape;
    for (let minute = 0; minute < minutes; minute++) {
      const place = hour / MINUTE + minute;
      const bits = bitsAt(salt, place);
      const open = worths[minute]!;
      const close = worths[minute + 1]!;
      const reach = wick * open;
      const row = minute * ROW;
      into[row + OPEN] = open;
      into[row + HIGH] = Math.max(open, close) + Math.floor((reach * (bits & 0xff)) / BYTE);
      into[row + LOW] = Math.max(
        1,
        Math.min(open, close) - Math.floor((reach * ((bits >>> 8) & 0xff)) / BYTE),
      );
      into[row + CLOSE] = close;
      into[row + LOTS] = 0;
      into[row + VALUE] = 0;
      if (isTraded) this.#addVolume(into, row, place, usual);
    }
  }

  /** The prices at the beginning of each minute and at the end, in ticks. */
  #priceLine(kind: PastKind, hour: number, hoursBack: number): Float64Array {
    const worths = this.#worths;
    this.#base.fill(worths, hoursBack);
    this.#quote?.fill(this.#quoteWorths, hoursBack);
    const minutes = this.minutesIn(hour);
    const [from, to] = [this.#basisAt(hour), hoursBack === 0 ? 0 : this.#basisAt(hour + HOUR)];
    const [end, share] = [this.#ends[kind], BASIS_OF[kind]];
    const quotes = this.#quote === undefined ? undefined : this.#quoteWorths;
    for (let minute = 0; minute <= minutes; minute++) {
      const basis = share * (from + ((to - from) * minute) / minutes);
      const worth = quotes === undefined ? worths[minute]! : worths[minute]! / quotes[minute]!;
      worths[minute] = Math.max(1, Math.floor(end * worth * (1 + basis) + 0.5));
    }
    return worths;
  }

  #basisAt(hour: number): number {
    return BASIS * (2 * chanceAt(this.#salts.basis, hour / HOUR) - 1);
  }

  /** Volume is higher in volatile hours and in minutes with large moves. */
  #addVolume(into: Float64Array, row: number, place: number, usual: number): void {
    const start = place * MINUTE;
    const lasts = Math.min(MINUTE, this.end - start) / MINUTE;
    const open = into[row + OPEN]!;
    const moved = Math.min(
      3,
      Math.abs(into[row + CLOSE]! - open) / (open * this.#base.liveliness * 0.000_7),
    );
    const drawn = bitsAt(this.#salts.lots, place) >>> 16;
    const requested = usual * lasts * (0.4 + drawn / 2 ** 16) * (0.6 + 0.6 * moved);
    // Each of the four legs has at least one lot.
    const lots = 4 + Math.floor(requested);
    into[row + LOTS] = lots;
    const legs = this.#legs;
    fillLegs(legs, into, row, this.shapeAt(place));
    into[row + VALUE] =
      legs[0]! * legs[4]! + legs[1]! * legs[5]! + legs[2]! * legs[6]! + legs[3]! * legs[7]!;
  }

  /** The random bits of a minute, which decide its legs. */
  shapeAt(place: number): number {
    return bitsAt(this.#salts.shape, place);
  }

  /** A draw for the trades of a minute. */
  bitsOfTrades(place: number, leg: number): number {
    return bitsAt(this.#salts.trades, place * 4 + leg);
  }
}

/** The trades of a minute at its open, both extremes and its close, each with a price and lots. */
export const LEGS = 4;

/**
 * The legs of a minute. Random bits decide their order and sizes. `legs` has first the prices, then
 * the lots.
 */
export function fillLegs(legs: Float64Array, rows: Float64Array, row: number, bits: number): void {
  const isHighFirst = (bits & 0x10000) !== 0;
  const rest = rows[row + LOTS]! - LEGS;
  const first = Math.floor((rest * ((bits >>> 17) & 0x1f)) / 96);
  const second = Math.floor((rest * ((bits >>> 22) & 0x1f)) / 96);
  const third = Math.floor((rest * (bits >>> 27)) / 96);
  legs[0] = rows[row + OPEN]!;
  legs[1] = rows[row + (isHighFirst ? HIGH : LOW)]!;
  legs[2] = rows[row + (isHighFirst ? LOW : HIGH)]!;
  legs[3] = rows[row + CLOSE]!;
  legs[4] = 1 + first;
  legs[5] = 1 + second;
  legs[6] = 1 + third;
  legs[7] = 1 + rest - first - second - third;
}
