/** A listed instrument has its numbers ready and a book to trade in. */
import { openMarketContext } from '../rebuild.ts';
import type { Reaction } from '../step.ts';

export const openBook: Reaction<'instrumentListed'> = ({ state, derived }, { instrument }) =>
  openMarketContext(state, derived, instrument);
