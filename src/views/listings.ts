/** Listings: coins with their chains, instruments with their limits and status. */
import { inTableOrder } from '../kernel/codec.ts';
import { invariant } from '../kernel/invariant.ts';
import { type Coin, coinCodec, type Instrument, instrumentCodec } from '../messages/listings.ts';
import type { Category, InstrumentStatus } from '../messages/vocabulary.ts';
import { symbolKey } from './symbol-keys.ts';
import type { View } from './view.ts';

export interface ListedInstrument {
  readonly instrument: Instrument;
  readonly status: InstrumentStatus;
}

export interface ListingQueries {
  /** In the order they were first listed. */
  coins(): readonly Coin[];
  coin(name: string): Coin | undefined;
  /** In the order they were first listed; only one category if given. */
  instruments(category?: Category): readonly ListedInstrument[];
  instrument(category: Category, symbol: string): ListedInstrument | undefined;
}

interface SavedListings {
  readonly coins: Map<string, Coin>;
  readonly instruments: Map<string, ListedInstrument>;
}

export function createListingsView(): View<'listings'> & ListingQueries {
  let coins = new Map<string, Coin>();
  let instruments = new Map<string, ListedInstrument>();

  return {
    name: 'listings',
    on: {
      coinListed: ({ coin }) => void coins.set(coin.coin, coin),
      instrumentListed: ({ instrument }) => {
        const key = symbolKey(instrument.category, instrument.symbol);
        instruments.set(key, { instrument, status: instruments.get(key)?.status ?? 'normal' });
      },
      instrumentStatusChanged: ({ category, symbol, status }) => {
        const key = symbolKey(category, symbol);
        const listed = instruments.get(key);
        invariant(listed !== undefined, 'the status of a listed instrument changes');
        instruments.set(key, { ...listed, status });
      },
    },
    save: (): SavedListings => ({ coins: new Map(coins), instruments: new Map(instruments) }),
    restore: (saved) => {
      const listings = saved as SavedListings;
      coins = new Map(
        [...listings.coins].map(([name, coin]) => [name, inTableOrder(coinCodec, coin)]),
      );
      instruments = new Map(
        [...listings.instruments].map(([key, { instrument, status }]) => [
          key,
          { instrument: inTableOrder(instrumentCodec, instrument), status },
        ]),
      );
    },

    coins: () => [...coins.values()],
    coin: (name) => coins.get(name),
    instruments: (category) => {
      const all = [...instruments.values()];
      return category === undefined
        ? all
        : all.filter((listed) => listed.instrument.category === category);
    },
    instrument: (category, symbol) => instruments.get(symbolKey(category, symbol)),
  };
}
