/** The prices of a symbol: one record from the first of them on, changed in place. */
import type { State, SymbolPrices } from '../state/state.ts';

export function ownPrices({ symbolPrices }: State, key: string): SymbolPrices {
  const known = symbolPrices.get(key);
  if (known !== undefined) return known;
  const prices: SymbolPrices = { mark: undefined, pinned: undefined, last: undefined };
  symbolPrices.set(key, prices);
  return prices;
}
