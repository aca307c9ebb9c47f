/** Passes each trade on to the streams of its book. */
import type { EventBatch } from '../../messages/events.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { TradeRow } from '../../views/market-rows.ts';
import { bookKey } from '../../views/symbol-keys.ts';

export interface TapeListener {
  trade(trade: TradeRow): void;
  /** A recording has replaced earlier trades. */
  pastChanged?(): void;
}

export class TradeTape {
  /** By book: SPOT and MARGIN share one. */
  readonly #listeners = new Map<string, Set<TapeListener>>();

  /** Returns what ends it. */
  listen(category: Category, symbol: string, listener: TapeListener): () => void {
    const key = bookKey(category, symbol);
    const listeners = this.#listeners.get(key) ?? new Set();
    this.#listeners.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(key);
    };
  }

  readonly onBatch = ({ at, events }: EventBatch): void => {
    if (this.#listeners.size === 0) return;
    for (const event of events) {
      if (event.type === 'recordingImported' || event.type === 'pastSet') this.#changePast();
      if (event.type !== 'tradeExecuted') continue;
      const listeners = this.#listeners.get(bookKey(event.category, event.symbol));
      if (listeners === undefined) continue;
      const { tradeId, price, size, takerSide } = event;
      for (const listener of listeners) listener.trade({ tradeId, price, size, takerSide, at });
    }
  };

  #changePast(): void {
    for (const listeners of this.#listeners.values())
      for (const listener of listeners) listener.pastChanged?.();
  }
}
