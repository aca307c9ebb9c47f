/**
 * Prices that triggers look at: each one heard puts those that it reaches in line, in the order in
 * which it meets them.
 */
import { type Category, hasTriggers, type PriceSource } from '../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { isStale, sourcePrice } from './trigger-price.ts';

function reach(
  step: Step,
  spec: InstrumentSpec,
  source: PriceSource,
  price = sourcePrice(step.state, spec, source),
): void {
  if (price === undefined || isStale(step, spec, source)) return;
  for (const { id } of step.derived.triggers.reach(spec.key, source, price))
    step.state.reachedTriggers.add(id);
}

/** Of what is listed, which all that has a price is. */
const specNamed = ({ derived }: Step, category: Category, symbol: string): InstrumentSpec =>
  derived.marketContexts.named(category, symbol)!.spec;

/** One order trades at several prices; each of them is a price that was heard. */
export const reachByLast: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'last', price);

export const reachByMark: Reaction<'markPriceMoved'> = (step, { category, symbol, price }) =>
  reach(step, specNamed(step, category, symbol), 'mark', price);

/**
 * An index that is heard also ends a freeze of the mark, and stands for the last price of a symbol
 * that was never traded.
 */
export const reachByIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const spec of step.derived.spec.values()) {
    const { instrument, category, key } = spec;
    if (
      !hasTriggers(category) ||
      (instrument.baseCoin !== baseCoin && instrument.quoteCoin !== baseCoin)
    )
      continue;
    reach(step, spec, 'index');
    reach(step, spec, 'mark');
    if (step.state.symbolPrices.get(key)?.last === undefined) reach(step, spec, 'last');
  }
};

/** A pinned mark is not frozen, whatever it was before. */
export const reachByPin: Reaction<'markPinned'> = (step, { category, symbol }) =>
  reach(step, specNamed(step, category, symbol), 'mark');

/** With the market off no mark is frozen. */
export const reachByAllMarks: Reaction<'marketSwitched'> = (step) => {
  for (const spec of step.derived.spec.values()) if (spec.futures) reach(step, spec, 'mark');
};
