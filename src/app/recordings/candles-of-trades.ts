/** Sums trades into candles of a minute. Trades come in order of time. */
import { MINUTE, startOf } from '../../kernel/time.ts';
import type { RecordedCandle, RecordedTrade } from './recorded.ts';

export class MinuteCandles {
  readonly #onCandle: (candle: RecordedCandle) => void;
  #open: RecordedCandle | undefined;

  constructor(onCandle: (candle: RecordedCandle) => void) {
    this.#onCandle = onCandle;
  }

  take({ at: time, price, size }: RecordedTrade): void {
    const at = startOf(time, MINUTE);
    const open = this.#open;
    if (open === undefined || open.at !== at) {
      this.end();
      this.#open = { at, open: price, high: price, low: price, close: price, size };
      return;
    }
    const [high, low] = [
      price > open.high ? price : open.high,
      price < open.low ? price : open.low,
    ];
    this.#open = { ...open, high, low, close: price, size: open.size + size };
  }

  end(): void {
    if (this.#open !== undefined) this.#onCandle(this.#open);
    this.#open = undefined;
  }
}
