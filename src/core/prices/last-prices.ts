/** The price of the last trade of each symbol. SPOT and MARGIN trade in one book, so they share it. */
import { instrumentKey } from '../instruments/instrument-key.ts';
import type { Reaction } from '../step.ts';

export const moveLastPrice: Reaction<'tradeExecuted'> = (step, { category, symbol, price }) => {
  const { instruments, symbolPrices } = step.state;
  const keys = category === 'SPOT' ? [instrumentKey('SPOT', symbol), instrumentKey('MARGIN', symbol)] : [instrumentKey(category, symbol)];
  for (const key of keys) if (instruments.has(key)) symbolPrices.set(key, { ...symbolPrices.get(key), last: price });
};
