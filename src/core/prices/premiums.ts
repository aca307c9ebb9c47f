/**
 * How far the book of a future stands from its index, looked at every five seconds on the clock. A
 * look is a timer, and timers are set only while there is something to see: once a book has stood
 * still for as long as the average reaches back, nobody looks until it moves again, so an idle
 * exchange is idle (PRC-16).
 */

import { holdPremium, NO_PREMIUMS, premiumRate, UNCOUNTED } from '../../formulas/funding.ts';
import {
  lastLook,
  lookedAtAgain,
  middleOf,
  nextLook,
  PREMIUM_SAMPLE_SPACING,
  PREMIUM_WINDOW,
  type PremiumSamples,
  samplePremium,
} from '../../formulas/mark-price.ts';
import { type Price, type Rate, ZERO_RATE } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import type { Category } from '../../messages/vocabulary.ts';
import { bookOf, specOf } from '../derived/derived.ts';
import type { MarketContext } from '../derived/market-context.ts';
import { type InstrumentSpec, priceOf } from '../derived/instrument-spec.ts';
import type { Premium } from '../state/market.ts';
import type { Timer } from '../state/timer.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { setTimer } from '../transaction/timers.ts';
import { indexPriceOf, isSymbolIndexStale } from '../derived/coin-prices.ts';
import { moveMark } from './mark-prices.ts';

/** Of a symbol that was not looked at so far, nor held. */
export function keepPremium({ state, at }: Step, { key, held }: MarketContext): Premium {
  const countedUntil = held.size > 0 ? lastLook(at) : UNCOUNTED;
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

function middlePrice(step: Step, spec: InstrumentSpec): Price | undefined {
  const book = bookOf(step.derived, spec);
  const [buy, sell] = [book.best('buy'), book.best('sell')];
  return buy === undefined || sell === undefined
    ? undefined
    : middleOf(priceOf(spec, buy), priceOf(spec, sell));
}

/**
 * What the book stands above its index the mark follows, and what share of the index that is
 * funding counts: both can change alone.
 */
function standsAsSeen(
  instrument: Instrument,
  premium: Premium | undefined,
  middle: Price | undefined,
  index: Price,
): boolean {
  const stands = middle === undefined ? 0n : middle - index;
  return (
    stands === (premium?.samples.at(-1)?.premium ?? 0n) &&
    premiumRateAt(instrument, middle, index) === (premium?.rate ?? ZERO_RATE)
  );
}

const premiumRateAt = (instrument: Instrument, middle: Price | undefined, index: Price): Rate =>
  middle === undefined ? ZERO_RATE : premiumRate(middle, index, instrument);

/** Sets a timer when the book stands otherwise than when it was last looked at. */
function watchPremium(step: Step, market: MarketContext, premium: Premium | undefined): void {
  const { state, at } = step;
  const { key, spec } = market;
  const index = indexPriceOf(state, spec.instrument);
  if (index === undefined || isSymbolIndexStale(state, spec.instrument, at)) return;
  const middle = middlePrice(step, spec);
  if (
    standsAsSeen(spec.instrument, premium, middle, index) &&
    (premium === undefined || isSettled(premium.samples))
  )
    return;
  (premium ?? keepPremium(step, market)).watched = true;
  setTimer(step, nextLook(at), 'markSample', key);
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

/** Waiting orders come into the book together, and each tells only itself. */
export const watchBookOfResumed: Reaction<'instrumentStatusChanged'> = (
  step,
  { category, symbol },
) => watchFuture(step, category, symbol);

export const watchBooksOfIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const { instrument } of step.state.instruments.values())
    if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin)
      watchFuture(step, instrument.category, instrument.symbol);
};

/** Its terms say how far a premium counts. */
export const watchBookOfListed: Reaction<'instrumentListed'> = (step, { instrument }) =>
  watchFuture(step, instrument.category, instrument.symbol);

/** With the market off no index is stale: books that moved while theirs was are looked at again. */
export const watchAllBooks: Reaction<'marketSwitched'> = (step) => {
  for (const { instrument } of step.state.instruments.values())
    watchFuture(step, instrument.category, instrument.symbol);
};

/** Counts the premium that has held since it was last counted, once for every five seconds. */
export function countPremium(premium: Premium, until: Timestamp): void {
  const times = Math.floor((until - premium.countedUntil) / PREMIUM_SAMPLE_SPACING);
  if (times <= 0) return;
  premium.tally = holdPremium(premium.tally, premium.rate, times);
  premium.countedUntil = (premium.countedUntil + times * PREMIUM_SAMPLE_SPACING) as Timestamp;
}

/**
 * Whether another look at a book that stays as it is would find the same average: time since the
 * last one, in which nobody looked, does not count.
 */
function isSettled(samples: PremiumSamples): boolean {
  const last = samples.at(-1);
  if (last === undefined) return true;
  if (samples.some(({ premium }) => premium !== last.premium)) return false;
  return last.premium === 0n || samples[0]!.at <= last.at - PREMIUM_WINDOW;
}

/**
 * Looks at a book. A stale index says nothing about now, so then nobody looks, and the mark stays
 * what it was (PRC-11).
 */
export function sampleMark(step: Step, timer: Timer): void {
  const { state, at } = step;
  const premium = state.premiums.get(timer.subject)!;
  const spec = specOf(step.derived, timer.subject);
  const index = indexPriceOf(state, spec.instrument);
  premium.watched = false;
  if (index === undefined || isSymbolIndexStale(state, spec.instrument, at)) return;

  const middle = middlePrice(step, spec);
  countPremium(premium, at);
  premium.samples = samplePremium(lookedAtAgain(premium.samples, at), at, index, middle);
  premium.rate = premiumRateAt(spec.instrument, middle, index);
  moveMark(step, spec.instrument);
  if (isSettled(premium.samples)) {
    premium.samples = endsOf(premium.samples);
    return;
  }
  premium.watched = true;
  setTimer(step, nextLook(at), 'markSample', timer.subject);
}

/**
 * Of samples that are all alike the first and the last say everything; without a premium there is
 * nothing to say.
 */
const endsOf = (samples: PremiumSamples): PremiumSamples =>
  samples.at(-1)?.premium === 0n ? [] : [samples[0]!, samples.at(-1)!];
