/** Tests how a story is cut into lines, and that each expectation of a line is checked. */
import { expect, test } from 'vitest';
import { scenario } from './scenario.ts';

test('[REP-37] a line that starts with a bar adds expectations to the line above', () => {
  const { submitted } = scenario(`
    alice  deposits  5 USDT  | alice has 5 USDT
                             | house outside -5 USDT, 1 entryPosted

                             | 1 depositCredited
    bob    deposits  0 USDT
      | refused sizeNotPositive
  `);
  expect(submitted.filter(({ command }) => command.type === 'deposit')).toHaveLength(2);
});

test('[REP-37] an expectation of an added line fails like one of the first line', () => {
  const story = (owed: string): string => `
    alice  deposits  5 USDT  | alice has 5 USDT
                             | house outside -${owed} USDT
  `;
  scenario(story('5'));
  expect(() => scenario(story('6'))).toThrow('said: house outside -6 USDT');
  expect(() => scenario('alice  deposits  5 USDT | alice has 5 USDT | wrong words')).toThrow(
    'no phrase for: wrong words',
  );
});

test('[REP-37] a story that starts with a bar is refused', () => {
  expect(() => scenario('  | alice has 0 USDT')).toThrow('no action before: | alice has 0 USDT');
  expect(() => scenario('\n\n  | nothing\n  alice  deposits  5 USDT')).toThrow('no action before');
});
