/** The texts under which views keep what belongs to a symbol or a book: made once each, since making one for every event costs more than all else. */
import type { Category } from '../messages/vocabulary.ts';

/** Of one category; whoever asks for symbols that are not listed makes no more than these. */
const KEYS_MAX = 10_000;
const keys = new Map<Category, Map<string, string>>();

function keysOf(category: Category): Map<string, string> {
  const known = keys.get(category);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  keys.set(category, made);
  return made;
}

export function symbolKey(category: Category, symbol: string): string {
  const ofCategory = keysOf(category);
  const known = ofCategory.get(symbol);
  if (known !== undefined) return known;
  const key = `${category}:${symbol}`;
  if (ofCategory.size < KEYS_MAX) ofCategory.set(symbol, key);
  return key;
}

/** SPOT and MARGIN share a book. */
export const bookKey = (category: Category, symbol: string): string => symbolKey(category === 'MARGIN' ? 'SPOT' : category, symbol);
