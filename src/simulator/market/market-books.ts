/**
 * The books that the simulated market makes, with their steps as plain numbers: nothing here is
 * money until it is written down as a decimal.
 */
import { instrumentKey } from '../../core/derived/instrument-spec.ts';
import type { State } from '../../core/state/state.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { moneyText } from '../../kernel/money.ts';
import type { Instrument } from '../../messages/listings.ts';
import { type Category, isFutures } from '../../messages/vocabulary.ts';

export interface MarketBook {
  readonly key: string;
  readonly category: Category;
  readonly symbol: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly futures: boolean;
  readonly priceStep: number;
  readonly sizeStep: number;
  readonly sizeMin: number;
  readonly sizeMax: number;
  readonly leverageMax: number;
  /** Compared with a book of the usual size. */
  readonly weight: number;
  priceText(price: number): DecimalText;
  sizeText(size: number): DecimalText;
}

/** The books that most look at are deeper and busier. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'USDT-FUTURES:BTCUSDT': 3,
  'USDT-FUTURES:ETHUSDT': 2,
  'SPOT:BTCUSDT': 1.5,
};

const decimalsOf = (step: string): number => step.split('.')[1]?.replace(/0+$/, '').length ?? 0;

function describeBook(instrument: Instrument): MarketBook {
  const { category, symbol, baseCoin, quoteCoin } = instrument;
  const key = instrumentKey(category, symbol);
  const [priceStep, sizeStep] = [
    Number.parseFloat(instrument.priceStep),
    Number.parseFloat(instrument.sizeStep),
  ];
  const [priceDecimals, sizeDecimals] = [
    decimalsOf(instrument.priceStep),
    decimalsOf(instrument.sizeStep),
  ];
  return {
    key,
    category,
    symbol,
    baseCoin,
    quoteCoin,
    futures: isFutures(category),
    priceStep,
    sizeStep,
    sizeMin: Number.parseFloat(instrument.sizeMin),
    sizeMax: Number.parseFloat(instrument.sizeMax),
    leverageMax: Number.parseFloat(instrument.leverageMax),
    weight: WEIGHTS[key] ?? 1,
    priceText: (price) =>
      (Math.max(1, Math.round(price / priceStep)) * priceStep).toFixed(
        priceDecimals,
      ) as DecimalText,
    sizeText: (size) =>
      (Math.round(size / sizeStep) * sizeStep).toFixed(sizeDecimals) as DecimalText,
  };
}

/** An instrument that is listed again is another object. */
const described = new WeakMap<Instrument, MarketBook>();

export function bookOfInstrument(instrument: Instrument): MarketBook {
  const book = described.get(instrument) ?? describeBook(instrument);
  described.set(instrument, book);
  return book;
}

/** Every book there is: SPOT and MARGIN of a symbol share one. */
export function marketBooks(state: State): readonly MarketBook[] {
  const books: MarketBook[] = [];
  for (const { instrument } of state.instruments.values())
    if (instrument.category !== 'MARGIN') books.push(bookOfInstrument(instrument));
  return books;
}

/** Money of the exchange as a plain number: good enough to decide what to ask for. */
export const plainNumber = (value: Parameters<typeof moneyText>[0]): number =>
  Number.parseFloat(moneyText(value));

/** What a coin is worth in dollars by the index; undefined while that was never heard. */
export function dollarsOf(state: State, coin: string): number | undefined {
  if (isDollar(coin)) return 1;
  const known = state.indexPrices.get(coin);
  return known === undefined ? undefined : plainNumber(known.price);
}
