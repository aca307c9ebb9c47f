/** The past of one book from a recording. Rows are read on demand, and sums of hours are cached. */
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
  /** The first row at or after a time. */
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

/** The content of a stored recording, in its own times. */
export interface RecordedRows {
  readonly intervalMs: number;
  readonly candles: RowsByTime<SourceCandle>;
  readonly trades: RowsByTime<SourceTrade>;
}

export type RecordedSource = (hash: string) => RecordedRows;

/** Nearly six years, at about a hundred and fifty bytes an hour. */
const HOURS_KEPT_MAX = 50_000;
/** A candle without trades gives four trades: its open, its extremes and its close. */
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

/** A candle has no recorded quote volume. The mean of its four prices gives an estimate. */
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
  /** A recording has no funding, so the drawn rates stay. */
  readonly #drawn: BookPast | undefined;
  readonly #hours = new Map<number, Candle | undefined>();

  constructor(past: RecordedPast, source: RecordedSource, drawn: BookPast | undefined) {
    this.#past = past;
    this.#source = source;
    this.#drawn = drawn;
    this.begin = (past.from + past.shiftMs) as Timestamp;
    this.end = (past.to + past.shiftMs) as Timestamp;
  }

  /** Mark and index equal the traded prices. */
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

  /** A gap of any length has no candles. */
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

  /** The start of the first candle at or after a time, in exchange time. */
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

  /** The rows of a time range as one candle; undefined in a gap. */
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

  /** Counts trades from the oldest of the newest trades with an id. */
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

/** A rising candle trades at its low before its high, a falling one at its high before its low. */
function turnOf(
  { open, high, low, close }: SourceCandle,
  turn: number,
): { price: Price; buys: boolean } {
  const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
  const price = prices[turn]!;
  return { price: price as Price, buys: turn === 0 ? close >= open : price >= prices[turn - 1]! };
}
