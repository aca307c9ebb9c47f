/** How the core names an instrument: a symbol means something only together with its category. */
import type { Category } from '../../messages/vocabulary.ts';
import type { Instrument } from '../../messages/listings.ts';

/**
 * Keys of what was ever listed, so that the hot path finds them instead of putting them together: a
 * text made anew is hashed anew.
 */
const known = new Map<Category, Map<string, string>>();

/** A few exchanges at their fullest, in one process. */
const KEYS_KEPT_MAX = 20_000;

const joined = (category: Category, symbol: string): string => `${category}:${symbol}`;

/** The last one asked for: orders come in crowds. */
let last = { category: '' as Category, symbol: '', key: '' };

export function instrumentKey(category: Category, symbol: string): string {
  if (last.category === category && last.symbol === symbol) return last.key;
  const key = known.get(category)?.get(symbol);
  if (key === undefined) return joined(category, symbol);
  last = { category, symbol, key };
  return key;
}

export function keyOf({ category, symbol }: Instrument): string {
  const symbols = known.get(category) ?? new Map<string, string>();
  if (symbols.size === 0) known.set(category, symbols);
  const key = symbols.get(symbol) ?? joined(category, symbol);
  if (symbols.size < KEYS_KEPT_MAX) symbols.set(symbol, key);
  return key;
}
