/**
 * The past of one book as it was recorded elsewhere. Rows are read when they are asked for; hours
 * that were added up once are kept.
 */
import type { Id } from '../../kernel/ids.ts';
import {
  type Interval,
  intervalBefore,
  intervalStart,
  nextInterval,
} from '../../kernel/intervals.ts';
import { greatest, least, notional, type Price, plus, type Size } from '../../kernel/money.ts';
import { HOUR, startOf, type Timestamp } from '../../kernel/time.ts';
import type { RecordedPast } from '../../messages/recordings.ts';
import type { Candle, SettledRate, TradeRow } from '../market-rows.ts';
import type { PastKind } from './book-hours.ts';
import type { BookPast, CandlePage, TradePage } from './past-queries.ts';

/** Rows in order of time, found by number or by time. */
interface RowsByTime<Row> {
  readonly count: number;
  row(number: number): Row;
  /** The first at or behind a time. */
  firstFrom(time: number): number;
}

interface SourceCandle {
  readonly at: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly size: bigint;
}

interface SourceTrade {
  readonly at: number;
  readonly price: bigint;
  readonly size: bigint;
  readonly buys: boolean;
}

/** What is read of a kept recording, in its own times. */
export interface RecordedRows {
  readonly intervalMs: number;
  readonly candles: RowsByTime<SourceCandle>;
  readonly trades: RowsByTime<SourceTrade>;
}

export type RecordedSource = (hash: string) => RecordedRows;

/** Nearly six years, at some hundred and fifty bytes an hour. */
const HOURS_KEPT_MAX = 50_000;
/** A candle alone tells of four trades: its open, its extremes and its close. */
const TRADES_PER_CANDLE = 4;

function joined(first: Candle, next: Candle): Candle {
  return {
    start: first.start,
    open: first.open,
    high: greatest(first.high, next.high),
    low: least(first.low, next.low),
    close: next.close,
    baseVolume: plus(first.baseVolume, next.baseVolume),
    quoteVolume: plus(first.quoteVolume, next.quoteVolume),
  };
}

/**
 * What a candle's volume was worth is not recorded: the middle of its four prices stands for it.
 */
function candleOf({ open, high, low, close, size }: SourceCandle, start: Timestamp): Candle {
  const middle = ((open + high + low + close) / 4n) as Price;
  return {
    start,
    ...{ open: open as Price, high: high as Price, low: low as Price, close: close as Price },
    baseVolume: size as Size,
    quoteVolume: notional(middle, size as Size, 'nearest'),
  };
}

export class RecordedBookPast implements BookPast {
  readonly begin: Timestamp;
  readonly end: Timestamp;
  readonly #past: RecordedPast;
  readonly #source: RecordedSource;
  /** Funding is not recorded: what was drawn before stands. */
  readonly #drawn: BookPast | undefined;
  readonly #hours = new Map<number, Candle | undefined>();

  constructor(past: RecordedPast, source: RecordedSource, drawn: BookPast | undefined) {
    this.#past = past;
    this.#source = source;
    this.#drawn = drawn;
    this.begin = (past.from + past.shiftMs) as Timestamp;
    this.end = (past.to + past.shiftMs) as Timestamp;
  }

  /** Mark and index are what was traded. */
  candles(
    _kind: PastKind,
    interval: Interval,
    { from, to, limit, newest }: CandlePage,
  ): readonly Candle[] {
    if (interval !== 'month' && interval < this.#rows.intervalMs) return [];
    const [first, last] = [
      Math.max(from, intervalStart(this.begin, interval)),
      Math.min(to, this.end),
    ];
    return newest
      ? this.#newest(interval, first, last, limit)
      : this.#oldest(interval, first, last, limit);
  }

  trades({ below, from, to, limit }: TradePage): readonly TradeRow[] {
    const count = this.#tradeCount();
    const found: TradeRow[] = [];
    for (let place = Math.min(count, below - this.#past.tradeIdFirst) - 1; place >= 0; place--) {
      if (found.length >= limit) break;
      const trade = this.#trade(place, count);
      if (trade.at < from) break;
      if (trade.at <= to) found.push(trade);
    }
    return found;
  }

  fundingRates(skipped: number, limit: number): readonly SettledRate[] {
    return this.#drawn?.fundingRates(skipped, limit) ?? [];
  }

  get #rows(): RecordedRows {
    return this.#source(this.#past.hash);
  }

  /** A gap has no candles, however long it is. */
  #oldest(interval: Interval, from: number, to: number, limit: number): Candle[] {
    const candles: Candle[] = [];
    let start = intervalStart(from, interval);
    if (start < from) start = nextInterval(start, interval);
    while (start < to && candles.length < limit) {
      const candle = this.#candle(start, Math.min(nextInterval(start, interval), this.end));
      if (candle !== undefined) candles.push(candle);
      const next = candle === undefined ? this.#timeFrom(start) : start;
      if (next === undefined) break;
      const place = intervalStart(next, interval);
      start = place > start ? place : nextInterval(start, interval);
    }
    return candles;
  }

  #newest(interval: Interval, from: number, to: number, limit: number): Candle[] {
    const candles: Candle[] = [];
    let start = to > from ? intervalStart(to - 1, interval) : from - 1;
    while (start >= from && candles.length < limit) {
      const candle = this.#candle(
        start as Timestamp,
        Math.min(nextInterval(start, interval), this.end),
      );
      if (candle !== undefined) candles.push(candle);
      const before = candle === undefined ? this.#timeBefore(start) : start - 1;
      if (before === undefined) break;
      start =
        candle === undefined ? intervalStart(before, interval) : intervalBefore(start, interval);
    }
    return candles.reverse();
  }

  /** When the first candle at or behind a time begins, in exchange time. */
  #timeFrom(at: number): number | undefined {
    const { candles } = this.#rows;
    const number = candles.firstFrom(at - this.#past.shiftMs);
    return number < candles.count ? candles.row(number).at + this.#past.shiftMs : undefined;
  }

  #timeBefore(at: number): number | undefined {
    const { candles } = this.#rows;
    const number = candles.firstFrom(at - this.#past.shiftMs) - 1;
    return number < 0 ? undefined : candles.row(number).at + this.#past.shiftMs;
  }

  #candle(start: Timestamp, until: number): Candle | undefined {
    if (until - start < HOUR || this.#rows.intervalMs >= HOUR) return this.#added(start, until);
    let sum: Candle | undefined;
    for (let hour: number = start; hour < until; hour += HOUR) {
      const candle = this.#hour(hour);
      if (candle !== undefined)
        sum = sum === undefined ? { ...candle, start } : joined(sum, candle);
    }
    return sum;
  }

  #hour(hour: number): Candle | undefined {
    const start = startOf(hour, HOUR);
    if (this.#hours.has(start)) return this.#hours.get(start);
    if (this.#hours.size >= HOURS_KEPT_MAX) this.#hours.clear();
    const candle = this.#added(start, Math.min(start + HOUR, this.end));
    this.#hours.set(start, candle);
    return candle;
  }

  /** The rows from a time until before another as one; undefined of a gap. */
  #added(start: Timestamp, until: number): Candle | undefined {
    const { candles } = this.#rows;
    const { from, to, shiftMs } = this.#past;
    const end = Math.min(until - shiftMs, to);
    let sum: Candle | undefined;
    for (
      let number = candles.firstFrom(Math.max(from, start - shiftMs));
      number < candles.count;
      number++
    ) {
      const row = candles.row(number);
      if (row.at >= end) break;
      const candle = candleOf(row, start);
      sum = sum === undefined ? candle : joined(sum, candle);
    }
    return sum;
  }

  #tradeCount(): number {
    const { trades, candles } = this.#rows;
    const { from, to, tradeIds } = this.#past;
    const inside = <Row>(rows: RowsByTime<Row>): number =>
      rows.firstFrom(to) - rows.firstFrom(from);
    const all = trades.count > 0 ? inside(trades) : inside(candles) * TRADES_PER_CANDLE;
    return Math.min(all, tradeIds);
  }

  /** Of the newest trades that have an id, by their place from the oldest of them. */
  #trade(place: number, count: number): TradeRow {
    const { trades, candles, intervalMs } = this.#rows;
    const { to, shiftMs, tradeIdFirst } = this.#past;
    const tradeId = (tradeIdFirst + place) as Id;
    if (trades.count > 0) {
      const { at, price, size, buys } = trades.row(trades.firstFrom(to) - count + place);
      const takerSide = buys ? 'buy' : 'sell';
      return {
        tradeId,
        price: price as Price,
        size: size as Size,
        takerSide,
        at: (at + shiftMs) as Timestamp,
      };
    }
    const fromEnd = count - 1 - place;
    const row = candles.row(candles.firstFrom(to) - 1 - Math.floor(fromEnd / TRADES_PER_CANDLE));
    const turn = TRADES_PER_CANDLE - 1 - (fromEnd % TRADES_PER_CANDLE);
    const { price, buys } = turnOf(row, turn);
    const at = (row.at +
      shiftMs +
      Math.floor((turn * (intervalMs - 1)) / (TRADES_PER_CANDLE - 1))) as Timestamp;
    const size = (row.size / BigInt(TRADES_PER_CANDLE)) as Size;
    return { tradeId, price, size, takerSide: buys ? 'buy' : 'sell', at };
  }
}

/** A rising candle goes by its low to its high, a falling one by its high to its low. */
function turnOf(
  { open, high, low, close }: SourceCandle,
  turn: number,
): { price: Price; buys: boolean } {
  const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
  const price = prices[turn]!;
  return { price: price as Price, buys: turn === 0 ? close >= open : price >= prices[turn - 1]! };
}
