/**
 * An instrument's numbers, ready for arithmetic: prices become whole ticks, sizes whole lots, and a
 * tick of a lot has an exact value.
 */

import type { ContractKind } from '../../formulas/contract-kind.ts';
import { UNIT } from '../../formulas/exact.ts';
import { type MarginTier, marginTiers } from '../../formulas/maintenance.ts';
import { countOf } from '../../kernel/count.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { invariant } from '../../kernel/invariant.ts';
import {
  type Amount,
  approximate,
  divide,
  money,
  moneyFromText,
  notional,
  type Price,
  type Rate,
  type Rounding,
  type Size,
} from '../../kernel/money.ts';
import { type Step, stepOf, stepsIn } from '../../kernel/steps.ts';
import type { Instrument } from '../../messages/listings.ts';
import {
  type Category,
  type FuturesCategory,
  isFutures,
  keepsOrdersWaiting,
} from '../../messages/vocabulary.ts';
import { type Lots, TICK_MAX, type Tick } from '../book/order-book.ts';
import type { State } from '../state/state.ts';

/**
 * Keys of what was ever listed, so that the hot path finds them instead of putting them together: a
 * text made anew is hashed anew.
 */
const knownKeys = new Map<Category, Map<string, string>>();

/** A few exchanges at their fullest, in one process. */
const KEYS_CACHED_MAX = 20_000;

const joined = (category: Category, symbol: string): string => `${category}:${symbol}`;

/** The last one asked for: orders come in crowds. */
let last = { category: '' as Category, symbol: '', key: '' };

export function instrumentKey(category: Category, symbol: string): string {
  if (last.category === category && last.symbol === symbol) return last.key;
  const key = knownKeys.get(category)?.get(symbol);
  if (key === undefined) return joined(category, symbol);
  last = { category, symbol, key };
  return key;
}

export function keyOf({ category, symbol }: Instrument): string {
  const symbols = knownKeys.get(category) ?? new Map<string, string>();
  if (symbols.size === 0) knownKeys.set(category, symbols);
  const key = symbols.get(symbol) ?? joined(category, symbol);
  if (symbols.size < KEYS_CACHED_MAX) symbols.set(symbol, key);
  return key;
}

export interface InstrumentSpec {
  readonly key: string;
  /** SPOT and MARGIN of a symbol share one book. */
  readonly bookKey: string;
  readonly category: Category;
  readonly instrument: Instrument;
  readonly futures: boolean;
  /** Profit, fees and margin of an inverse contract are in the base coin. */
  readonly inverse: boolean;
  readonly kind: ContractKind;
  readonly priceStep: Step;
  readonly sizeStep: Step;
  readonly tickPrice: Price;
  readonly lotSize: Size;
  /** What one lot is worth for each tick of price, in the quote coin. */
  readonly tickLotValue: Amount;
  readonly lotsMin: Lots;
  readonly lotsMax: Lots;
  readonly marketLotsMax: Lots;
  readonly bandRate: Rate;
  readonly leverageMax: Rate;
  /** Of futures; empty for spot. */
  readonly tiers: readonly MarginTier[];
  readonly estimates: Estimates;
  readonly lastConverted: LastConverted;
}

/** A price and a size that were asked for last: those of a trade are asked for again and again. */
interface LastConverted {
  tick: number;
  price: Price;
  lots: number;
  size: Size;
}

/** The same in floating point, for bounds that an exact reckoning stands behind. */
export interface Estimates {
  readonly tick: number;
  readonly tickLot: number;
  /** Each ends a little below where it ends exactly. */
  readonly tiers: readonly {
    readonly end: number;
    readonly rate: number;
    readonly offset: number;
    readonly leverageMax: number;
  }[];
}

const CAUTION = 1e-9;

const estimatesOf = (
  tickPrice: Price,
  tickLotValue: Amount,
  tiers: readonly MarginTier[],
): Estimates => ({
  tick: approximate(tickPrice),
  tickLot: approximate(tickLotValue),
  tiers: tiers.map(({ toValue, rate, offset, leverageMax }) => ({
    end: approximate(toValue) * (1 - CAUTION),
    rate: approximate(rate),
    offset: approximate(offset / UNIT),
    leverageMax: approximate(leverageMax),
  })),
});

const known = <Kind extends Price | Size | Amount | Rate>(text: DecimalText): Kind => {
  const value = moneyFromText<Kind>(text);
  invariant(value !== undefined, `${text} was checked when it was listed`);
  return value;
};

const lotsFromText = (text: DecimalText, step: Step): Lots => {
  const lots = stepsIn(text, step);
  invariant(lots !== undefined, `${text} was checked to be whole lots when it was listed`);
  return lots as Lots;
};

const bookKeyOf = (category: Category, symbol: string): string =>
  instrumentKey(category === 'MARGIN' ? 'SPOT' : category, symbol);

export function specFrom(instrument: Instrument): InstrumentSpec {
  const { category, symbol } = instrument;
  const sizeStep = stepOf(instrument.sizeStep);
  const tickPrice = known<Price>(instrument.priceStep);
  const lotSize = known<Size>(instrument.sizeStep);
  const tickLotValue = notional(tickPrice, lotSize, 'down');
  const tiers = instrument.tiers.length === 0 ? [] : marginTiers(instrument.tiers);
  return {
    key: instrumentKey(category, symbol),
    bookKey: bookKeyOf(category, symbol),
    category,
    instrument,
    futures: isFutures(category),
    inverse: category === 'COIN-FUTURES',
    kind: category === 'COIN-FUTURES' ? 'inverse' : 'linear',
    priceStep: stepOf(instrument.priceStep),
    sizeStep,
    tickPrice,
    lotSize,
    tickLotValue,
    lotsMin: lotsFromText(instrument.sizeMin, sizeStep),
    // A maximum need not be whole lots itself.
    lotsMax: lotsIn({ lotSize }, known(instrument.sizeMax)),
    marketLotsMax: lotsIn({ lotSize }, known(instrument.marketSizeMax)),
    bandRate: known(instrument.priceBandRate),
    leverageMax: known(instrument.leverageMax),
    tiers,
    estimates: estimatesOf(tickPrice, tickLotValue, tiers),
    lastConverted: { tick: 1, price: tickPrice, lots: 1, size: lotSize },
  };
}

/** Of what is known to be a future: positions, funding and tracked orders are of nothing else. */
export function futuresCategoryOf({ category }: Pick<InstrumentSpec, 'category'>): FuturesCategory {
  invariant(isFutures(category), 'positions, funding and tracked orders are in futures');
  return category;
}

export function priceOf({ tickPrice, lastConverted }: InstrumentSpec, tick: Tick): Price {
  if (lastConverted.tick === tick) return lastConverted.price;
  lastConverted.tick = tick;
  lastConverted.price = (tickPrice * BigInt(tick)) as Price;
  return lastConverted.price;
}

export function sizeOf({ lotSize, lastConverted }: InstrumentSpec, lots: Lots): Size {
  if (lastConverted.lots === lots) return lastConverted.size;
  lastConverted.lots = lots;
  lastConverted.size = (lotSize * BigInt(lots)) as Size;
  return lastConverted.size;
}

/** So many lots of coins, as they move between wallets. */
export const coinsIn = (spec: InstrumentSpec, lots: Lots): Amount =>
  sizeOf(spec, lots) as bigint as Amount;

/** How many whole lots there are in a size. */
export const lotsIn = ({ lotSize }: Pick<InstrumentSpec, 'lotSize'>, size: Size): Lots =>
  countOf(size / lotSize) as Lots;

/**
 * Exact: a tick of a lot is worth a whole number of the smallest units, which is checked when an
 * instrument is listed.
 */
export function worthOf({ tickLotValue }: InstrumentSpec, tick: Tick, lots: Lots): Amount {
  const tickLots = tick * lots;
  return (tickLotValue *
    (Number.isSafeInteger(tickLots) ? BigInt(tickLots) : BigInt(tick) * BigInt(lots))) as Amount;
}

/** The tick at or next to a price, kept within what a book can hold. */
export function tickAt(spec: InstrumentSpec, price: Price, rounding: Rounding): Tick {
  const tick = divide(price, spec.tickPrice, rounding);
  if (tick < 1n) return 1 as Tick;
  if (tick > BigInt(TICK_MAX)) return TICK_MAX as Tick;
  return countOf(tick) as Tick;
}

/**
 * Leverages go up to a few hundred and listings say a few thousand rates; more texts than this are
 * read anew.
 */
const TEXTS_CACHED_MAX = 10_000;

const rates = new Map<string, Rate>();

export function rateFromText(text: string): Rate {
  const rate = rates.get(text);
  if (rate !== undefined) return rate;
  const read = money<Rate>(text);
  if (rates.size < TEXTS_CACHED_MAX) rates.set(text, read);
  return read;
}

const SHARED: readonly Category[] = ['SPOT', 'MARGIN'];

/** SPOT and MARGIN share a book, so nothing is matched in it while either of them is halted. */
export function isBookHalted(
  { instruments }: State,
  { futures, key, instrument }: Pick<InstrumentSpec, 'futures' | 'key' | 'instrument'>,
): boolean {
  if (futures) return keepsOrdersWaiting(instruments.get(key)?.status);
  return SHARED.some((category) =>
    keepsOrdersWaiting(instruments.get(instrumentKey(category, instrument.symbol))?.status),
  );
}
