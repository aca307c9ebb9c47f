/**
 * The numbers of an instrument, parsed for arithmetic: prices become whole ticks, sizes become
 * whole lots, and a tick of a lot has an exact value.
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

/** Interned keys of listed instruments: a newly built string would be hashed again. */
const knownKeys = new Map<Category, Map<string, string>>();

/** Enough for a few full exchanges in one process. */
const KEYS_CACHED_MAX = 20_000;

const joined = (category: Category, symbol: string): string => `${category}:${symbol}`;

/** The last one returned, because consecutive orders often share a symbol. */
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
  /** The value of one lot for each tick of price, in the quote coin. */
  readonly tickLotValue: Amount;
  readonly lotsMin: Lots;
  readonly lotsMax: Lots;
  readonly marketLotsMax: Lots;
  readonly bandRate: Rate;
  readonly leverageMax: Rate;
  /** Empty for spot. */
  readonly tiers: readonly MarginTier[];
  readonly estimates: Estimates;
  readonly lastConverted: LastConverted;
}

/** The last price and size converted, because a trade converts the same ones repeatedly. */
interface LastConverted {
  tick: number;
  price: Price;
  lots: number;
  size: Size;
}

/** Floating-point values for bounds. The exact computation decides where a bound does not. */
export interface Estimates {
  readonly tick: number;
  readonly tickLot: number;
  /** Each end is slightly below the exact one. */
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
  invariant(value !== undefined, `listing has checked that ${text} is a number`);
  return value;
};

const lotsFromText = (text: DecimalText, step: Step): Lots => {
  const lots = stepsIn(text, step);
  invariant(lots !== undefined, `listing has checked that ${text} is whole lots`);
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
    // The maximums need not be multiples of the size step.
    lotsMax: lotsIn({ lotSize }, known(instrument.sizeMax)),
    marketLotsMax: lotsIn({ lotSize }, known(instrument.marketSizeMax)),
    bandRate: known(instrument.priceBandRate),
    leverageMax: known(instrument.leverageMax),
    tiers,
    estimates: estimatesOf(tickPrice, tickLotValue, tiers),
    lastConverted: { tick: 1, price: tickPrice, lots: 1, size: lotSize },
  };
}

/** For positions, funding and tracked orders, which exist only in futures. */
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

/** The size of so many lots as an amount of the base coin. */
export const coinsIn = (spec: InstrumentSpec, lots: Lots): Amount =>
  sizeOf(spec, lots) as bigint as Amount;

/** The whole lots in a size. */
export const lotsIn = ({ lotSize }: Pick<InstrumentSpec, 'lotSize'>, size: Size): Lots =>
  countOf(size / lotSize) as Lots;

/** Exact, because listing checks that a tick of a lot is worth whole units of money. */
export function worthOf({ tickLotValue }: InstrumentSpec, tick: Tick, lots: Lots): Amount {
  const tickLots = tick * lots;
  return (tickLotValue *
    (Number.isSafeInteger(tickLots) ? BigInt(tickLots) : BigInt(tick) * BigInt(lots))) as Amount;
}

/** The tick at or next to a price, within the valid ticks. */
export function tickAt(spec: InstrumentSpec, price: Price, rounding: Rounding): Tick {
  const tick = divide(price, spec.tickPrice, rounding);
  if (tick < 1n) return 1 as Tick;
  if (tick > BigInt(TICK_MAX)) return TICK_MAX as Tick;
  return countOf(tick) as Tick;
}

/** Enough for a few hundred leverages and a few thousand listed rates. */
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

/** SPOT and MARGIN share a book, which is halted if either of them is. */
export function isBookHalted(
  { instruments }: State,
  { futures, key, instrument }: Pick<InstrumentSpec, 'futures' | 'key' | 'instrument'>,
): boolean {
  if (futures) return keepsOrdersWaiting(instruments.get(key)?.status);
  return SHARED.some((category) =>
    keepsOrdersWaiting(instruments.get(instrumentKey(category, instrument.symbol))?.status),
  );
}
