/**
 * The price of the last trade of each symbol. SPOT and MARGIN trade in one book, so they share it.
 */
import type { Price } from '../../kernel/money.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { Reaction, Step } from '../transaction/step.ts';
import { ownPrices } from '../derived/symbol-prices.ts';

/** Of the book that SPOT and MARGIN share. */
const SHARED = ['SPOT', 'MARGIN'] as const;

function setLast({ state, derived }: Step, category: Category, symbol: string, last: Price): void {
  const market = derived.marketContexts.named(category, symbol);
  if (market !== undefined) (market.prices(state) ?? ownPrices(state, market.key)).last = last;
}

export const moveLastPrice: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) => {
  if (category !== 'SPOT') return setLast(step, category, symbol, price);
  for (const shared of SHARED) setLast(step, shared, symbol, price);
};
