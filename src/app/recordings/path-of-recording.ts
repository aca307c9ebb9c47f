/** The price of a recording over time, as the simulated market follows it. */
import { MINUTE } from '../../kernel/time.ts';
import type { PricePoint, RecordedPath } from '../../simulator/market/recorded-path.ts';
import type { RecordedCandle } from './recorded.ts';
import type { RecordingFile } from './recording-file.ts';

const UNIT = 1e10;
const numberOf = (units: bigint): number => Number(units) / UNIT;

/** A time range up to this length is read trade by trade. */
const TRADES_SPAN_MAX = MINUTE;
/** The number of candles for the average volume. */
const SAMPLES_MAX = 500;

interface TimedPrice {
  readonly at: number;
  readonly price: number;
}

/** The path of a candle: open, the extreme further from the close, the other extreme, close. */
function wayOf({ at, open, high, low, close }: RecordedCandle, intervalMs: number): TimedPrice[] {
  const prices = close >= open ? [open, low, high, close] : [open, high, low, close];
  return prices.map((price, turn) => ({
    at: at + (turn * intervalMs) / 3,
    price: numberOf(price),
  }));
}

function between(way: readonly TimedPrice[], time: number): number {
  const next = way.findIndex(({ at }) => at > time);
  if (next <= 0) return next === 0 ? way[0]!.price : way.at(-1)!.price;
  const [from, to] = [way[next - 1]!, way[next]!];
  return from.price + ((to.price - from.price) * (time - from.at)) / (to.at - from.at);
}

/** The lowest and the highest price of a time range in their order, and the last. */
function turnsOf(prices: readonly TimedPrice[], last: number): number[] {
  let [low, high] = [prices[0]!, prices[0]!];
  for (const each of prices) {
    if (each.price < low.price) low = each;
    if (each.price > high.price) high = each;
  }
  const turns = low.at <= high.at ? [low.price, high.price] : [high.price, low.price];
  return [...turns, last];
}

export class PathOfRecording implements RecordedPath {
  readonly #file: RecordingFile;
  #sizePerMs: number | undefined;

  constructor(file: RecordingFile) {
    this.#file = file;
  }

  priceAt(time: number): number {
    const { head, candles, trades } = this.#file;
    if (head.kind === 'trades')
      return numberOf(trades.row(Math.max(0, trades.firstFrom(time + 1) - 1)).price);
    const candle = candles.row(Math.max(0, candles.firstFrom(time + 1) - 1));
    return between(wayOf(candle, head.intervalMs), time);
  }

  /** The part after `from`, up to `to`. */
  pointsBetween(from: number, to: number): readonly PricePoint[] {
    const { head } = this.#file;
    const byTrades = head.kind === 'trades' && to - from <= TRADES_SPAN_MAX;
    const { prices, size } = byTrades ? this.#tradesIn(from, to) : this.#candlesIn(from, to);
    const last = this.priceAt(to);
    if (prices.length === 0) return [{ price: last, size }];
    const turns = turnsOf(prices, last);
    return turns.map((price) => ({ price, size: size / turns.length }));
  }

  /**
   * The average volume in a millisecond, from candles that are evenly spread over the recording.
   */
  sizePerMs(): number {
    this.#sizePerMs ??= this.#meanSize();
    return this.#sizePerMs;
  }

  #meanSize(): number {
    const { head, candles } = this.#file;
    const samples = Math.min(SAMPLES_MAX, candles.count);
    let sum = 0;
    for (let each = 0; each < samples; each++)
      sum += numberOf(candles.row(Math.floor((each * candles.count) / samples)).size);
    return sum / samples / head.intervalMs;
  }

  #tradesIn(from: number, to: number): { prices: TimedPrice[]; size: number } {
    const { trades } = this.#file;
    const prices: TimedPrice[] = [];
    let size = 0;
    const end = trades.firstFrom(to + 1);
    for (let at = trades.firstFrom(from + 1); at < end; at++) {
      const row = trades.row(at);
      prices.push({ at: row.at, price: numberOf(row.price) });
      size += numberOf(row.size);
    }
    return { prices, size };
  }

  /** The volume of a candle is spread evenly over its time. */
  #candlesIn(from: number, to: number): { prices: TimedPrice[]; size: number } {
    const { head, candles } = this.#file;
    const { intervalMs } = head;
    const prices: TimedPrice[] = [];
    let size = 0;
    for (let at = Math.max(0, candles.firstFrom(from - intervalMs + 1)); at < candles.count; at++) {
      const candle = candles.row(at);
      if (candle.at >= to) break;
      prices.push(...wayOf(candle, intervalMs).filter((each) => each.at > from && each.at <= to));
      const covered = Math.min(to, candle.at + intervalMs) - Math.max(from, candle.at);
      size += (numberOf(candle.size) * Math.max(0, covered)) / intervalMs;
    }
    return { prices, size };
  }
}
