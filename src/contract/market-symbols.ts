/** Symbols in calls of agents: a suffix names the market, so that each name means one market. */
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
  /** Absent if the name has no known suffix. The symbol is then meant in every market. */
  readonly category?: Category;
}

export function marketNamed(name: string): MarketName {
  const category = CATEGORIES.find((each) => name.endsWith(SUFFIXES[each]));
  return category === undefined
    ? { symbol: name }
    : { category, symbol: name.slice(0, -SUFFIXES[category].length) };
}
