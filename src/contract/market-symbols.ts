/**
 * Symbols as agents see them: with a suffix that says the market, so that one name stands for one
 * market.
 */
import { CATEGORIES, type Category } from '../messages/vocabulary.ts';

const SUFFIXES: Readonly<Record<Category, string>> = {
  SPOT: '_SPBL',
  MARGIN: '_SPBL-MABL',
  'USDT-FUTURES': '_UMCBL',
  'COIN-FUTURES': '_DMCBL',
  'USDC-FUTURES': '_CMCBL',
};

export const marketSymbol = (category: Category, symbol: string): string =>
  symbol + SUFFIXES[category];

export interface MarketName {
  readonly symbol: string;
  /**
   * Left out when the name has no suffix that is known: then the symbol is meant in every market.
   */
  readonly category?: Category;
}

export function marketNamed(name: string): MarketName {
  const category = CATEGORIES.find((each) => name.endsWith(SUFFIXES[each]));
  return category === undefined
    ? { symbol: name }
    : { category, symbol: name.slice(0, -SUFFIXES[category].length) };
}
