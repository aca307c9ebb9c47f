/**
 * The books of the simulated market, with their steps as plain numbers. A value becomes money only
 * when it is written as a decimal.
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
  /** Relative to a book of normal size. */
  readonly weight: number;
  priceText(price: number): DecimalText;
  sizeText(size: number): DecimalText;
}

/** The most popular books are deeper and busier. */
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

/** A new listing of an instrument is another object. */
const described = new WeakMap<Instrument, MarketBook>();

export function bookOfInstrument(instrument: Instrument): MarketBook {
  const book = described.get(instrument) ?? describeBook(instrument);
  described.set(instrument, book);
  return book;
}

/** All books: SPOT and MARGIN of a symbol share one. */
export function marketBooks(state: State): readonly MarketBook[] {
  const books: MarketBook[] = [];
  for (const { instrument } of state.instruments.values())
    if (instrument.category !== 'MARGIN') books.push(bookOfInstrument(instrument));
  return books;
}

/** Money as a plain number: precise enough to decide on a request. */
export const plainNumber = (value: Parameters<typeof moneyText>[0]): number =>
  Number.parseFloat(moneyText(value));

/** A coin's value in dollars by its index; undefined before its first price. */
export function dollarsOf(state: State, coin: string): number | undefined {
  if (isDollar(coin)) return 1;
  const known = state.indexPrices.get(coin);
  return known === undefined ? undefined : plainNumber(known.price);
}
