/** Mark prices of futures: the index plus a bounded premium of the book, unless they are pinned. */

import { holdPremium, NO_PREMIUMS, premiumRate, UNCOUNTED } from '../../formulas/funding.ts';
import {
  lastSampleTime,
  markPrice,
  midPriceOf,
  nextSampleTime,
  PREMIUM_SAMPLE_SPACING,
  PREMIUM_WINDOW,
  type PremiumSamples,
  resumeSampling,
  samplePremium,
} from '../../formulas/mark-price.ts';
import { type Price, type Rate, ZERO_RATE } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import { type Category, isFutures } from '../../messages/vocabulary.ts';
import { bookOf, specOf } from '../derived/derived.ts';
import { type InstrumentSpec, instrumentKey, keyOf, priceOf } from '../derived/instrument-spec.ts';
import { indexPriceOf, isSymbolIndexStale, type MarketContext } from '../derived/market-context.ts';
import type { Premium } from '../state/market.ts';
import type { State, SymbolPrices } from '../state/state.ts';
import type { Timer } from '../state/timer.ts';
import { type Reaction, type Step, setTimer } from '../transaction/step.ts';

export function ownPrices({ symbolPrices }: State, key: string): SymbolPrices {
  const known = symbolPrices.get(key);
  if (known !== undefined) return known;
  const prices: SymbolPrices = { mark: undefined, pinned: undefined, last: undefined };
  symbolPrices.set(key, prices);
  return prices;
}

/** SPOT and MARGIN share a book, so they share the last price. */
const SHARED = ['SPOT', 'MARGIN'] as const;

function setLast({ state, derived }: Step, category: Category, symbol: string, last: Price): void {
  const market = derived.marketContexts.named(category, symbol);
  if (market !== undefined) (market.prices(state) ?? ownPrices(state, market.key)).last = last;
}

export const moveLastPrice: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) => {
  if (category !== 'SPOT') return setLast(step, category, symbol, price);
  for (const shared of SHARED) setLast(step, shared, symbol, price);
};

const NO_SAMPLES: PremiumSamples = [];

/** The mark price from the index and the last sample of the book; undefined without an index. */
export function currentMarkOf(state: State, instrument: Instrument): Price | undefined {
  const key = keyOf(instrument);
  const pinned = state.symbolPrices.get(key)?.pinned;
  if (pinned !== undefined) return pinned;
  const index = indexPriceOf(state, instrument);
  if (index === undefined) return undefined;
  const samples = state.premiums.get(key)?.samples ?? NO_SAMPLES;
  return markPrice(index, samples, samples.at(-1)?.at ?? state.at);
}

/**
 * A frozen mark price fires no trigger and liquidates no account (PRC-11). A pinned mark does not
 * depend on the index, so it never freezes.
 */
export function isMarkFrozen(state: State, instrument: Instrument, at: Timestamp): boolean {
  return (
    isSymbolIndexStale(state, instrument, at) &&
    state.symbolPrices.get(keyOf(instrument))?.pinned === undefined
  );
}

/** Emits the current mark price if it has changed. */
function moveMark(step: Step, instrument: Instrument): void {
  const { category, symbol } = instrument;
  if (!isFutures(category)) return;
  const key = keyOf(instrument);
  const price = currentMarkOf(step.state, instrument);
  if (price === undefined || price === step.state.symbolPrices.get(key)?.mark) return;

  ownPrices(step.state, key).mark = price;
  step.derived.headroom.invalidateAll();
  step.emit({ type: 'markPriceMoved', category, symbol, price });
}

/** An index affects each symbol with the coin as base or as quote. */
export const moveMarksWithIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const { instrument } of step.state.instruments.values())
    if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin)
      moveMark(step, instrument);
};

export const moveMarkWithPin: Reaction<'markPinned'> = (step, { category, symbol }) =>
  moveMark(step, step.state.instruments.get(instrumentKey(category, symbol))!.instrument);

/** A new symbol has a mark price at once if its coin already has an index. */
export const startMark: Reaction<'instrumentListed'> = (step, { instrument }) =>
  moveMark(step, instrument);

/** Adds the record of a symbol that was neither sampled nor held before. */
export function addPremium({ state, at }: Step, { key, held }: MarketContext): Premium {
  const countedUntil = held.size > 0 ? lastSampleTime(at) : UNCOUNTED;
  const fresh: Premium = {
    samples: [],
    rate: ZERO_RATE,
    tally: NO_PREMIUMS,
    countedUntil,
    watched: false,
  };
  state.premiums.set(key, fresh);
  return fresh;
}

function currentMidPrice(step: Step, spec: InstrumentSpec): Price | undefined {
  const book = bookOf(step.derived, spec);
  const [buy, sell] = [book.best('buy'), book.best('sell')];
  return buy === undefined || sell === undefined
    ? undefined
    : midPriceOf(priceOf(spec, buy), priceOf(spec, sell));
}

/** Compares both the premium, which moves the mark, and its rate, which funding counts. */
function isUnchanged(
  instrument: Instrument,
  premium: Premium | undefined,
  mid: Price | undefined,
  index: Price,
): boolean {
  const premiumNow = mid === undefined ? 0n : mid - index;
  return (
    premiumNow === (premium?.samples.at(-1)?.premium ?? 0n) &&
    premiumRateAt(instrument, mid, index) === (premium?.rate ?? ZERO_RATE)
  );
}

const premiumRateAt = (instrument: Instrument, mid: Price | undefined, index: Price): Rate =>
  mid === undefined ? ZERO_RATE : premiumRate(mid, index, instrument);

/** Sets a timer if the book has moved since its last sample. */
function watchPremium(step: Step, market: MarketContext, premium: Premium | undefined): void {
  const { state, at } = step;
  const { key, spec } = market;
  const index = indexPriceOf(state, spec.instrument);
  if (index === undefined || isSymbolIndexStale(state, spec.instrument, at)) return;
  const mid = currentMidPrice(step, spec);
  if (
    isUnchanged(spec.instrument, premium, mid, index) &&
    (premium === undefined || isSettled(premium.samples))
  )
    return;
  (premium ?? addPremium(step, market)).watched = true;
  setTimer(step, nextSampleTime(at), 'markSample', key);
}

const watchFuture = (step: Step, category: Category, symbol: string): void => {
  const market = step.derived.marketContexts.named(category, symbol);
  if (market === undefined || !market.spec.futures) return;
  const premium = market.premium(step.state);
  if (premium?.watched !== true) watchPremium(step, market, premium);
};

export const watchBookOfAccepted: Reaction<'orderAccepted'> = (step, { order }) =>
  watchFuture(step, order.category, order.symbol);

export const watchBookOfModified: Reaction<'orderModified'> = (step, { order }) =>
  watchFuture(step, order.category, order.symbol);

export const watchBookOfEnded: Reaction<'orderEnded'> = (step, { end }) =>
  watchFuture(step, end.category, end.symbol);

/** Orders that have waited enter the book without an event that concerns the book. */
export const watchBookOfResumed: Reaction<'instrumentStatusChanged'> = (
  step,
  { category, symbol },
) => watchFuture(step, category, symbol);

export const watchBooksOfIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const { instrument } of step.state.instruments.values())
    if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin)
      watchFuture(step, instrument.category, instrument.symbol);
};

/** A listing can change the bound of the premium. */
export const watchBookOfListed: Reaction<'instrumentListed'> = (step, { instrument }) =>
  watchFuture(step, instrument.category, instrument.symbol);

/** Without the simulated market no index is stale, so books that moved meanwhile are sampled. */
export const watchAllBooks: Reaction<'marketSwitched'> = (step) => {
  for (const { instrument } of step.state.instruments.values())
    watchFuture(step, instrument.category, instrument.symbol);
};

/** Counts the premium in force since the last count, once for every five seconds. */
export function countPremium(premium: Premium, until: Timestamp): void {
  const times = Math.floor((until - premium.countedUntil) / PREMIUM_SAMPLE_SPACING);
  if (times <= 0) return;
  premium.tally = holdPremium(premium.tally, premium.rate, times);
  premium.countedUntil = (premium.countedUntil + times * PREMIUM_SAMPLE_SPACING) as Timestamp;
}

/** True if further samples of an unchanged book would not change the average. */
function isSettled(samples: PremiumSamples): boolean {
  const last = samples.at(-1);
  if (last === undefined) return true;
  if (samples.some(({ premium }) => premium !== last.premium)) return false;
  return last.premium === 0n || samples[0]!.at <= last.at - PREMIUM_WINDOW;
}

/** Samples a book. If its index is stale, there is no sample and the mark stays (PRC-11). */
export function sampleMark(step: Step, timer: Timer): void {
  const { state, at } = step;
  const premium = state.premiums.get(timer.subject)!;
  const spec = specOf(step.derived, timer.subject);
  const index = indexPriceOf(state, spec.instrument);
  premium.watched = false;
  if (index === undefined || isSymbolIndexStale(state, spec.instrument, at)) return;

  const mid = currentMidPrice(step, spec);
  countPremium(premium, at);
  premium.samples = samplePremium(resumeSampling(premium.samples, at), at, index, mid);
  premium.rate = premiumRateAt(spec.instrument, mid, index);
  moveMark(step, spec.instrument);
  if (isSettled(premium.samples)) {
    premium.samples = endsOf(premium.samples);
    return;
  }
  premium.watched = true;
  setTimer(step, nextSampleTime(at), 'markSample', timer.subject);
}

/** The first and the last of equal samples suffice; samples without premium are not needed. */
const endsOf = (samples: PremiumSamples): PremiumSamples =>
  samples.at(-1)?.premium === 0n ? [] : [samples[0]!, samples.at(-1)!];
