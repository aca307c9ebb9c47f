/** Prices as last heard: the index of each base coin, the mark of each symbol, and what follows from them. */
import { type Amount, money, type Price, ratio } from '../kernel/money.ts';
import type { Event, EventBatch } from '../messages/events.ts';
import type { Instrument } from '../messages/listings.ts';
import type { Category } from '../messages/vocabulary.ts';
import type { View } from './view.ts';

export interface PriceQueries {
  /** The USD index of a coin: one for the dollar and the coins that stand for it, undefined until heard. */
  coinIndex(coin: string): Price | undefined;
  /** The index of a symbol in its quote coin. */
  index(category: Category, symbol: string): Price | undefined;
  mark(category: Category, symbol: string): Price | undefined;
  /** The mark an operator holds the symbol at, if any. */
  pinnedMark(category: Category, symbol: string): Price | undefined;
  /** The last traded price; the index while nothing was traded. */
  last(category: Category, symbol: string): Price | undefined;
}

const ONE: Price = money('1');
const WORTH_A_DOLLAR: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC']);

interface SymbolCoins {
  readonly baseCoin: string;
  readonly quoteCoin: string;
}

interface SavedPrices {
  readonly indexes: Map<string, Price>;
  readonly marks: Map<string, Price>;
  readonly pinned: Map<string, Price>;
  /** By book: SPOT and MARGIN share one. */
  readonly lasts: Map<string, Price>;
  readonly symbols: Map<string, SymbolCoins>;
}

const symbolKey = (category: Category, symbol: string): string => `${category}:${symbol}`;

const copyOf = (prices: SavedPrices): SavedPrices => ({
  indexes: new Map(prices.indexes),
  marks: new Map(prices.marks),
  pinned: new Map(prices.pinned),
  lasts: new Map(prices.lasts),
  symbols: new Map(prices.symbols),
});

const coinsOf = ({ baseCoin, quoteCoin }: Instrument): SymbolCoins => ({ baseCoin, quoteCoin });

export function createPricesView(): View & PriceQueries {
  let prices: SavedPrices = { indexes: new Map(), marks: new Map(), pinned: new Map(), lasts: new Map(), symbols: new Map() };

  const applyEvent = (event: Event): void => {
    switch (event.type) {
      case 'instrumentListed':
        prices.symbols.set(symbolKey(event.instrument.category, event.instrument.symbol), coinsOf(event.instrument));
        return;
      case 'indexPriceMoved':
        prices.indexes.set(event.baseCoin, event.price);
        return;
      case 'markPriceMoved':
        prices.marks.set(symbolKey(event.category, event.symbol), event.price);
        return;
      case 'tradeExecuted':
        prices.lasts.set(symbolKey(event.category, event.symbol), event.price);
        return;
      case 'markPinned':
        if (event.price === undefined) prices.pinned.delete(symbolKey(event.category, event.symbol));
        else prices.pinned.set(symbolKey(event.category, event.symbol), event.price);
    }
  };

  const coinIndex = (coin: string): Price | undefined => (WORTH_A_DOLLAR.has(coin) ? ONE : prices.indexes.get(coin));

  const index = (category: Category, symbol: string): Price | undefined => {
    const coins = prices.symbols.get(symbolKey(category, symbol));
    if (coins === undefined) return undefined;
    const base = coinIndex(coins.baseCoin);
    const quote = coinIndex(coins.quoteCoin);
    if (base === undefined || quote === undefined) return undefined;
    if (quote === ONE) return base;
    // A price in another coin is a ratio of two dollar prices. Nobody pays it, so nobody gains by the rounding; one too small to say is not known.
    const price = ratio(base as bigint as Amount, quote as bigint as Amount, 'nearest') as bigint as Price;
    return price > 0n ? price : undefined;
  };

  return {
    name: 'prices',
    apply: (batch: EventBatch) => {
      for (const event of batch.events) applyEvent(event);
    },
    save: () => copyOf(prices),
    restore: (saved) => {
      prices = copyOf(saved as SavedPrices);
    },

    coinIndex,
    index,
    mark: (category, symbol) => prices.marks.get(symbolKey(category, symbol)),
    pinnedMark: (category, symbol) => prices.pinned.get(symbolKey(category, symbol)),
    last: (category, symbol) => prices.lasts.get(symbolKey(category === 'MARGIN' ? 'SPOT' : category, symbol)) ?? index(category, symbol),
  };
}
