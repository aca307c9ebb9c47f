/** Prices that triggers look at: each one heard puts those that it reaches in line, in the order in which it meets them. */
import { type Category, hasTriggers, type PriceSource } from '../../messages/vocabulary.ts';
import type { Terms } from '../instruments/terms.ts';
import type { Reaction, Step } from '../step.ts';
import { isSilent, sourcePrice } from './trigger.ts';

function reach(step: Step, terms: Terms, source: PriceSource, price = sourcePrice(step.state, terms, source)): void {
  if (price === undefined || isSilent(step, terms, source)) return;
  for (const { id } of step.derived.triggers.reach(terms.key, source, price)) step.state.reachedTriggers.add(id);
}

/** Of what is listed, which all that has a price is. */
const termsNamed = ({ derived }: Step, category: Category, symbol: string): Terms => derived.marketContexts.named(category, symbol)!.terms;

/** One order trades at several prices; each of them is a price that was heard. */
export const reachByLast: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) =>
  reach(step, termsNamed(step, category, symbol), 'last', price);

export const reachByMark: Reaction<'markPriceMoved'> = (step, { category, symbol, price }) =>
  reach(step, termsNamed(step, category, symbol), 'mark', price);

/** An index that is heard also ends a freeze of the mark, and stands for the last price of a symbol that was never traded. */
export const reachByIndex: Reaction<'indexPriceMoved'> = (step, { baseCoin }) => {
  for (const terms of step.derived.terms.values()) {
    const { instrument, category, key } = terms;
    if (!hasTriggers(category) || (instrument.baseCoin !== baseCoin && instrument.quoteCoin !== baseCoin)) continue;
    reach(step, terms, 'index');
    reach(step, terms, 'mark');
    if (step.state.symbolPrices.get(key)?.last === undefined) reach(step, terms, 'last');
  }
};

/** A pinned mark is not frozen, whatever it was before. */
export const reachByPin: Reaction<'markPinned'> = (step, { category, symbol }) => reach(step, termsNamed(step, category, symbol), 'mark');

/** With the market off no mark is frozen. */
export const reachByAllMarks: Reaction<'marketSwitched'> = (step) => {
  for (const terms of step.derived.terms.values()) if (terms.futures) reach(step, terms, 'mark');
};
