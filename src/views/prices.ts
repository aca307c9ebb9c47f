/**
 * Latest prices: the index of each base coin, the mark of each symbol, and values derived from
 * them.
 */
import { isTooOld } from '../formulas/index-age.ts';
import { DOLLAR_INDEX, isDollar, symbolIndex } from '../formulas/index-price.ts';
import type { Price } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Instrument } from '../messages/listings.ts';
import type { Category } from '../messages/vocabulary.ts';
import { bookKey, symbolKey } from './symbol-keys.ts';
import type { View } from './view.ts';

export interface PriceQueries {
  /**
   * The USD index of a coin: one for the dollar and coins pegged to it, undefined before the first
   * price.
   */
  coinIndex(coin: string): Price | undefined;
  /**
   * Whether a coin's index is stale; never with the market off. On a fast clock it ages by the wall
   * clock, because the market sets prices at that pace (MKT-21).
   */
  isStale(coin: string, now: Timestamp): boolean;
  /** Whether a symbol's mark is frozen, because its index is stale. */
  isFrozen(category: Category, symbol: string, now: Timestamp): boolean;
  /** The index of a symbol in its quote coin. */
  index(category: Category, symbol: string): Price | undefined;
  mark(category: Category, symbol: string): Price | undefined;
  /** The mark pinned by an operator, if any. */
  pinnedMark(category: Category, symbol: string): Price | undefined;
  /** The last traded price; the index before the first trade. */
  last(category: Category, symbol: string): Price | undefined;
}

interface SymbolCoins {
  readonly baseCoin: string;
  readonly quoteCoin: string;
}

interface SavedPrices {
  marketOn: boolean;
  /** The clock's rate: more than one on a fast clock. */
  pace: number;
  readonly indexes: Map<string, { readonly price: Price; readonly updatedAt: Timestamp }>;
  readonly marks: Map<string, Price>;
  readonly pinned: Map<string, Price>;
  /** By book: SPOT and MARGIN share one. */
  readonly lasts: Map<string, Price>;
  readonly symbols: Map<string, SymbolCoins>;
}

const copyOf = (prices: SavedPrices): SavedPrices => ({
  marketOn: prices.marketOn,
  pace: prices.pace,
  indexes: new Map(prices.indexes),
  marks: new Map(prices.marks),
  pinned: new Map(prices.pinned),
  lasts: new Map(prices.lasts),
  symbols: new Map(prices.symbols),
});

const coinsOf = ({ baseCoin, quoteCoin }: Instrument): SymbolCoins => ({ baseCoin, quoteCoin });

export function createPricesView(): View<'prices'> & PriceQueries {
  let prices: SavedPrices = {
    marketOn: false,
    pace: 1,
    indexes: new Map(),
    marks: new Map(),
    pinned: new Map(),
    lasts: new Map(),
    symbols: new Map(),
  };

  const coinIndex = (coin: string): Price | undefined =>
    isDollar(coin) ? DOLLAR_INDEX : prices.indexes.get(coin)?.price;

  const isStale = (coin: string, now: Timestamp): boolean =>
    prices.marketOn &&
    !isDollar(coin) &&
    isTooOld(prices.indexes.get(coin)?.updatedAt, now, prices.pace);

  const index = (category: Category, symbol: string): Price | undefined => {
    const coins = prices.symbols.get(symbolKey(category, symbol));
    return coins === undefined
      ? undefined
      : symbolIndex(coinIndex(coins.baseCoin), coinIndex(coins.quoteCoin));
  };

  return {
    name: 'prices',
    on: {
      instrumentListed: ({ instrument }) =>
        void prices.symbols.set(
          symbolKey(instrument.category, instrument.symbol),
          coinsOf(instrument),
        ),
      clockMoved: ({ clock: { fast, frozenAt } }) => {
        prices.pace = frozenAt === undefined ? (fast?.rate ?? 1) : 1;
      },
      marketSwitched: ({ on }) => {
        prices.marketOn = on;
      },
      indexPriceMoved: ({ baseCoin, price }, updatedAt) =>
        void prices.indexes.set(baseCoin, { price, updatedAt }),
      markPriceMoved: ({ category, symbol, price }) =>
        void prices.marks.set(symbolKey(category, symbol), price),
      tradeExecuted: ({ category, symbol, price }) =>
        void prices.lasts.set(symbolKey(category, symbol), price),
      markPinned: ({ category, symbol, price }) => {
        if (price === undefined) prices.pinned.delete(symbolKey(category, symbol));
        else prices.pinned.set(symbolKey(category, symbol), price);
      },
    },
    save: () => copyOf(prices),
    restore: (saved) => {
      prices = copyOf(saved as SavedPrices);
    },

    coinIndex,
    isStale,
    isFrozen: (category, symbol, now) => {
      const key = symbolKey(category, symbol);
      const coins = prices.symbols.get(key);
      return (
        coins !== undefined &&
        !prices.pinned.has(key) &&
        (isStale(coins.baseCoin, now) || isStale(coins.quoteCoin, now))
      );
    },
    index,
    mark: (category, symbol) => prices.marks.get(symbolKey(category, symbol)),
    pinnedMark: (category, symbol) => prices.pinned.get(symbolKey(category, symbol)),
    last: (category, symbol) =>
      prices.lasts.get(bookKey(category, symbol)) ?? index(category, symbol),
  };
}
