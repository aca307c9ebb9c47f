/**
 * The texts under which views keep what belongs to a symbol or a book: made once each, since making
 * one for every event costs more than all else.
 */
import type { Category, PositionSide } from '../messages/vocabulary.ts';

/** Of one category; whoever asks for symbols that are not listed makes no more than these. */
const KEYS_MAX = 10_000;

/** Of a symbol, and of either side of it. */
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

/** Of a position: its symbol and the side it is on. */
export const sideKey = (category: Category, symbol: string, side: PositionSide): string =>
  keysOf(category, symbol)[side];

/** SPOT and MARGIN share a book. */
export const bookKey = (category: Category, symbol: string): string =>
  symbolKey(category === 'MARGIN' ? 'SPOT' : category, symbol);
