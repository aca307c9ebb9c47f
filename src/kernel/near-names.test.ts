import { expect, test } from 'vitest';
import { noSuchName } from './near-names.ts';

const NAMES = ['timeout-placed', 'timeout-not-placed', 'unavailable'];

test('[RUN-65] an unknown name is answered with the nearest name and the full list', () => {
  expect(noSuchName('fault', 'timeout-plcd', NAMES)).toBe(
    'there is no fault timeout-plcd; is it timeout-placed? There are timeout-placed, timeout-not-placed, unavailable',
  );
  expect(noSuchName('fault', 'Unavailible', NAMES)).toContain('; is it unavailable? ');
  expect(noSuchName('call', 'getuser', ['getUser', 'getUsers'])).toContain('; is it getUser? ');
});

test('[RUN-65] without a near name, the answer is the full list', () => {
  expect(noSuchName('fault', 'placed', NAMES)).toBe(
    'there is no fault placed; there are timeout-placed, timeout-not-placed, unavailable',
  );
  expect(noSuchName('fault', '', NAMES)).toContain('; there are ');
  expect(noSuchName('fault', 'x'.repeat(1_000_000), NAMES)).toBe(
    `there is no fault ${'x'.repeat(64)}; there are ${NAMES.join(', ')}`,
  );
});
