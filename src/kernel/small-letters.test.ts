import { expect, test } from 'vitest';
import { smallLetters } from './small-letters.ts';

test('[WDR-158] names compare without case in the listed alphabets', () => {
  for (const [input, small] of [
    ['ANN', 'ann'],
    ['Élise Müller', 'élise müller'],
    ['ΆΝΝΑ', 'άννα'],
    ['АННА', 'анна'],
    ['ԱՆՆԱ', 'աննա'],
    ['安妮 2', '安妮 2'],
  ] as const)
    expect(smallLetters(input)).toBe(small);
});

test('[WDR-158][CLK-11] a letter that only some runtimes can lower is unchanged', () => {
  // Garay came with Unicode 16.
  expect(smallLetters('A\u{10d50}B')).toBe('a\u{10d50}b');
});
