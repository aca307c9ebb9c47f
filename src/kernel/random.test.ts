import { expect, test } from 'vitest';
import { seededRandom } from './random.ts';

const numbers = (seed: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: 4 }, () => random.next());
};

test('[CLK-16] the numbers of a seed never change', () => {
  expect(numbers(1)).toMatchInlineSnapshot(`
    [
      393288148,
      2174103013,
      3814759091,
      2092745082,
    ]
  `);
  expect(numbers(42)).toMatchInlineSnapshot(`
    [
      660444221,
      3652823732,
      77672526,
      910233633,
    ]
  `);
});

test('[CLK-16] same seed, same numbers; other seed, other numbers', () => {
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
});

test('[CLK-16] numbers below a bound cover all of it evenly', () => {
  const random = seededRandom(3);
  const counts = new Array<number>(10).fill(0);
  for (let draw = 0; draw < 10_000; draw++) counts[random.below(10)]! += 1;
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  expect(['a', 'b', 'c']).toContain(random.pick(['a', 'b', 'c']));
  const fraction = random.fraction();
  expect(fraction >= 0 && fraction < 1).toBe(true);
});

test('[CLK-16] a forked generator is independent of later draws from its parent', () => {
  const [left, right] = [seededRandom(5), seededRandom(5)];
  const [leftFork, rightFork] = [left.fork('market'), right.fork('market')];
  for (let draw = 0; draw < 10; draw++) left.next();
  expect(leftFork.next()).toBe(rightFork.next());
  expect(seededRandom(5).fork('market').next()).not.toBe(seededRandom(5).fork('makers').next());
});
