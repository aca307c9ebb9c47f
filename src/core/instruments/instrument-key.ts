/** How the core names an instrument: a symbol means something only together with its category. */
import type { Instrument } from '../../messages/listings.ts';
import type { Category } from '../../messages/vocabulary.ts';

export const instrumentKey = (category: Category, symbol: string): string => `${category}:${symbol}`;
export const keyOf = ({ category, symbol }: Instrument): string => instrumentKey(category, symbol);
