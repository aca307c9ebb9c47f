/** The price of the last trade of each symbol. SPOT and MARGIN trade in one book, so they share it. */
import type { Price } from '../../kernel/money.ts';
import { instrumentKey } from '../instruments/instrument-key.ts';
import type { State } from '../state.ts';
import type { Reaction } from '../step.ts';

/** Of the book that SPOT and MARGIN share. */
const SHARED = ['SPOT', 'MARGIN'] as const;

function setLast({ instruments, symbolPrices }: State, key: string, last: Price): void {
  const prices = symbolPrices.get(key);
  if (prices !== undefined) prices.last = last;
  else if (instruments.has(key)) symbolPrices.set(key, { last });
}

export const moveLastPrice: Reaction<'tradeExecuted'> = ({ state }, { category, symbol, price }) => {
  if (category !== 'SPOT') return setLast(state, instrumentKey(category, symbol), price);
  for (const shared of SHARED) setLast(state, instrumentKey(shared, symbol), price);
};
