/** A listed instrument has its numbers ready and a book to trade in. */
import { addTerms } from '../derived.ts';
import type { Reaction } from '../step.ts';
import { termsOf } from './terms.ts';

export const openBook: Reaction<'instrumentListed'> = (step, { instrument }) => addTerms(step.derived, termsOf(instrument));
