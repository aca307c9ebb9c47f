/**
 * Keys of symbols and books in views. Each is built once, because building one per event would
 * dominate the cost of the event.
 */
import type { Category, PositionSide } from '../messages/vocabulary.ts';

/** Limit per category, because queries may name unlisted symbols. */
const KEYS_MAX = 10_000;

/** Keys of a symbol, and of each of its sides. */
interface SymbolKeys {
  readonly symbol: string;
  readonly long: string;
  readonly short: string;
}
const keys = new Map<Category, Map<string, SymbolKeys>>();

function keysOf(category: Category, symbol: string): SymbolKeys {
  let ofCategory = keys.get(category);
  if (ofCategory === undefined) {
    ofCategory = new Map();
    keys.set(category, ofCategory);
  }
  const known = ofCategory.get(symbol);
  if (known !== undefined) return known;
  const key = `${category}:${symbol}`;
  const made = { symbol: key, long: `${key}:long`, short: `${key}:short` };
  if (ofCategory.size < KEYS_MAX) ofCategory.set(symbol, made);
  return made;
}

export const symbolKey = (category: Category, symbol: string): string =>
  keysOf(category, symbol).symbol;

/** Key of a position: its symbol and side. */
export const sideKey = (category: Category, symbol: string, side: PositionSide): string =>
  keysOf(category, symbol)[side];

/** SPOT and MARGIN share a book. */
export const bookKey = (category: Category, symbol: string): string =>
  symbolKey(category === 'MARGIN' ? 'SPOT' : category, symbol);
