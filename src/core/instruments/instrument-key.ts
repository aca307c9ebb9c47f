/** How the core names an instrument: a symbol means something only together with its category. */
import type { Instrument } from '../../messages/listings.ts';
import type { Category } from '../../messages/vocabulary.ts';

/** Keys of what was ever listed, so that the hot path finds them instead of putting them together: a text made anew is hashed anew. */
const known = new Map<Category, Map<string, string>>();
/** A few exchanges at their fullest, in one process. */
const KEYS_KEPT_MAX = 20_000;

const joined = (category: Category, symbol: string): string => `${category}:${symbol}`;

export const instrumentKey = (category: Category, symbol: string): string => known.get(category)?.get(symbol) ?? joined(category, symbol);

export function keyOf({ category, symbol }: Instrument): string {
  const symbols = known.get(category) ?? new Map<string, string>();
  if (symbols.size === 0) known.set(category, symbols);
  const key = symbols.get(symbol) ?? joined(category, symbol);
  if (symbols.size < KEYS_KEPT_MAX) symbols.set(symbol, key);
  return key;
}
