/** Mark prices of futures: the index, drawn towards the book by a bounded premium, unless the operator pins them. */
import { type Amount, greatest, least, money, negate, type Price, plus, type Rate, rateOf } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { instrumentKey, keyOf } from '../instruments/instrument-key.ts';
import type { State } from '../state.ts';
import type { Reaction, Step } from '../step.ts';
import { indexPriceOf, isIndexStale } from './coin-prices.ts';

/** The book draws the mark price away from the index by at most half a percent of it. */
const PREMIUM_RATE_MAX = money<Rate>('0.005');
/** What the premium of a symbol is while it has no book to take a middle from. */
const NO_PREMIUM = 0n as Price;

/** Index plus the moving average of (book middle − index), bounded on both sides; the bound is rounded down. */
export function markPriceOf(index: Price, averagePremium: Price): Price {
  const bound = rateOf(index as bigint as Amount, PREMIUM_RATE_MAX, 'down') as bigint as Price;
  return plus(index, greatest(negate(bound), least(averagePremium, bound)));
}

/** The mark price that follows from what is known now; undefined when nothing is known. */
export function currentMarkOf(state: State, instrument: Instrument): Price | undefined {
  const pinned = state.symbolPrices.get(keyOf(instrument))?.pinned;
  if (pinned !== undefined) return pinned;
  const index = indexPriceOf(state, instrument);
  return index === undefined ? undefined : markPriceOf(index, NO_PREMIUM);
}

/** A frozen mark stays what it was: nothing fires on it and nobody is liquidated by it. A pinned one does not depend on the index. */
export function isMarkFrozen(state: State, instrument: Instrument, at: Timestamp): boolean {
  if (state.symbolPrices.get(keyOf(instrument))?.pinned !== undefined) return false;
  return isIndexStale(state, instrument.baseCoin, at) || isIndexStale(state, instrument.quoteCoin, at);
}

function moveMark(step: Step, instrument: Instrument): void {
  const { symbolPrices } = step.state;
  const { category, symbol } = instrument;
  if (!isFutures(category)) return;
  const key = keyOf(instrument);
  const before = symbolPrices.get(key);
  const price = currentMarkOf(step.state, instrument);
  if (price === undefined || price === before?.mark) return;

  symbolPrices.set(key, { ...before, mark: price });
  step.emit({ type: 'markPriceMoved', category, symbol, price });
}

/** A coin's index holds for every symbol it stands in, as base or as quote. */
export const moveMarksWithIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const { instrument } of step.state.instruments.values())
    if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin) moveMark(step, instrument);
};

export const moveMarkWithPin: Reaction<'markPinned'> = (step, { category, symbol }) => {
  const listed = step.state.instruments.get(instrumentKey(category, symbol));
  if (listed !== undefined) moveMark(step, listed.instrument);
};

/** A symbol listed after its coin's price was heard has a mark at once. */
export const startMark: Reaction<'instrumentListed'> = (step, { instrument }) => moveMark(step, instrument);
