/**
 * Checks of consecutive rows: their order, their grid, and price jumps. Missing and repeated rows
 * are counted for the report of an import.
 */
import {
  BadRow,
  JUMP_FACTOR_MAX,
  RECORDED_INTERVALS,
  type RecordedCandle,
  type RecordedTrade,
} from './recorded.ts';

export interface Findings {
  /** Candles that are missing between the first and the last. */
  readonly missing: number;
  /** The longest time without a row. */
  readonly longestGapMs: number;
  /** Rows that repeat the row above. */
  readonly repeated: number;
  /** Rows with a time and without prices. */
  readonly empty: number;
}

const isoOf = (at: number): string => new Date(at).toISOString();

function checkJump(from: bigint, to: bigint): void {
  const [low, high] = from < to ? [from, to] : [to, from];
  if (high > low * JUMP_FACTOR_MAX)
    throw new BadRow(`the price jumps by more than ${JUMP_FACTOR_MAX} times`);
}

/** A file is in order of time, or entirely in reverse order. */
class Direction {
  /** 1 for ascending, -1 for descending; undefined until two times differ. */
  way: 1 | -1 | undefined;
  #last: number | undefined;

  /** Returns the distance of this row from the row above. */
  take(at: number): number {
    const passed = this.#last === undefined ? 0 : at - this.#last;
    if (passed !== 0) {
      this.way ??= passed > 0 ? 1 : -1;
      if (Math.sign(passed) !== this.way) throw new BadRow(`the time ${isoOf(at)} is out of order`);
    }
    this.#last = at;
    return Math.abs(passed);
  }
}

const isSameCandle = (one: RecordedCandle, other: RecordedCandle): boolean =>
  one.open === other.open &&
  one.high === other.high &&
  one.low === other.low &&
  one.close === other.close &&
  one.size === other.size;

function checkShape({ open, high, low, close }: RecordedCandle): void {
  if (high < open || high < close || high < low)
    throw new BadRow('the high is not the highest price');
  if (low > open || low > close) throw new BadRow('the low is not the lowest price');
}

export class CandleChecks {
  readonly #direction = new Direction();
  readonly #intervalMs: number;
  #last: RecordedCandle | undefined;
  #missing = 0;
  #longestGapMs = 0;
  #repeated = 0;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  get isReversed(): boolean {
    return this.#direction.way === -1;
  }

  /** Returns true if the row counts. A row that repeats the row above does not. */
  take(candle: RecordedCandle): boolean {
    checkShape(candle);
    if (candle.at % this.#intervalMs !== 0)
      throw new BadRow(`the time ${isoOf(candle.at)} is off the candles' grid`);
    const passed = this.#direction.take(candle.at);
    const last = this.#last;
    this.#last = candle;
    if (last !== undefined && passed === 0) {
      if (!isSameCandle(last, candle))
        throw new BadRow(`two candles of ${isoOf(candle.at)} differ`);
      this.#repeated++;
      return false;
    }
    this.#countGap(passed);
    if (last !== undefined && this.isReversed) checkJump(candle.close, last.open);
    if (last !== undefined && !this.isReversed) checkJump(last.close, candle.open);
    checkJump(candle.low, candle.high);
    return true;
  }

  findings(empty: number): Findings {
    return {
      missing: this.#missing,
      longestGapMs: this.#longestGapMs,
      repeated: this.#repeated,
      empty,
    };
  }

  #countGap(passed: number): void {
    if (passed <= this.#intervalMs) return;
    this.#missing += passed / this.#intervalMs - 1;
    this.#longestGapMs = Math.max(this.#longestGapMs, passed - this.#intervalMs);
  }
}

export class TradeChecks {
  readonly #direction = new Direction();
  #last: (RecordedTrade & { readonly id: string | undefined }) | undefined;
  #longestGapMs = 0;
  #repeated = 0;

  get isReversed(): boolean {
    return this.#direction.way === -1;
  }

  /** Two equal trades count as two, unless both have the same id. */
  take(trade: RecordedTrade, id: string | undefined): boolean {
    if (trade.size === 0n) throw new BadRow('the size is zero');
    const passed = this.#direction.take(trade.at);
    const last = this.#last;
    this.#last = { ...trade, id };
    if (last === undefined) return true;
    if (id !== undefined && last.id === id) {
      const isSame =
        passed === 0 &&
        last.price === trade.price &&
        last.size === trade.size &&
        last.buys === trade.buys;
      if (!isSame) throw new BadRow(`two trades with the id ${id} differ`);
      this.#repeated++;
      return false;
    }
    this.#longestGapMs = Math.max(this.#longestGapMs, passed);
    checkJump(last.price, trade.price);
    return true;
  }

  findings(empty: number): Findings {
    return { missing: 0, longestGapMs: this.#longestGapMs, repeated: this.#repeated, empty };
  }
}

/**
 * The interval of the candles: the shortest distance between two of the first rows. Rows out of
 * order do not change it, so that they get the refusal for their order.
 */
export function intervalOf(input: readonly number[]): number {
  const times = input.toSorted((one, other) => one - other);
  const steps = times.slice(1).map((at, before) => at - times[before]!);
  const shortest = Math.min(...steps.filter((step) => step > 0));
  if (!Number.isFinite(shortest))
    throw new BadRow('one candle does not show their interval: a file needs at least two');
  if (!RECORDED_INTERVALS.includes(shortest))
    throw new BadRow(`candles are ${shortest / 1_000} s apart, which is not a known interval`);
  return shortest;
}
