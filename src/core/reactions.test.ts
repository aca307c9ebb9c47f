/** Checks the table of reactions where the compiler cannot. */
import { expect, test } from 'vitest';
import { PRICE_SOURCES } from '../messages/vocabulary.ts';
import { reactions } from './reactions.ts';
import { reachBy } from './triggers/fire-triggers.ts';

test.each(PRICE_SOURCES)('[TRG-34] the reaction that reaches triggers by %s has a row', (source) =>
  expect(Object.values(reactions).flat()).toContain(reachBy[source]),
);
