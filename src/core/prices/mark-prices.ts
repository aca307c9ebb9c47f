/**
 * Mark prices of futures: the index, drawn towards the book by a bounded premium, unless the
 * operator pins them.
 */
import { markPrice, type PremiumSamples } from '../../formulas/mark-price.ts';
import type { Price } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures } from '../../messages/vocabulary.ts';
import { instrumentKey, keyOf } from '../derived/instrument-key.ts';
import type { State } from '../state/state.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { indexPriceOf, isSymbolIndexStale } from '../derived/coin-prices.ts';
import { ownPrices } from '../derived/symbol-prices.ts';

const NO_SAMPLES: PremiumSamples = [];

/**
 * The mark price that follows from what is known now; undefined when nothing is known. The premium
 * is that of the last look at the book.
 */
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
 * A frozen mark stays what it was: nothing fires on it and nobody is liquidated by it. A pinned one
 * does not depend on the index.
 */
export function isMarkFrozen(state: State, instrument: Instrument, at: Timestamp): boolean {
  return (
    isSymbolIndexStale(state, instrument, at) &&
    state.symbolPrices.get(keyOf(instrument))?.pinned === undefined
  );
}

/** Tells the mark that follows from what is known now, when it is another than before. */
export function moveMark(step: Step, instrument: Instrument): void {
  const { category, symbol } = instrument;
  if (!isFutures(category)) return;
  const key = keyOf(instrument);
  const price = currentMarkOf(step.state, instrument);
  if (price === undefined || price === step.state.symbolPrices.get(key)?.mark) return;

  ownPrices(step.state, key).mark = price;
  step.derived.headroom.worldChanged();
  step.emit({ type: 'markPriceMoved', category, symbol, price });
}

/** A coin's index holds for every symbol it stands in, as base or as quote. */
export const moveMarksWithIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const { instrument } of step.state.instruments.values())
    if (instrument.baseCoin === baseCoin || instrument.quoteCoin === baseCoin)
      moveMark(step, instrument);
};

export const moveMarkWithPin: Reaction<'markPinned'> = (step, { category, symbol }) =>
  moveMark(step, step.state.instruments.get(instrumentKey(category, symbol))!.instrument);

/** A symbol listed after its coin's price was heard has a mark at once. */
export const startMark: Reaction<'instrumentListed'> = (step, { instrument }) =>
  moveMark(step, instrument);
