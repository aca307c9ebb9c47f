/**
 * Random populations of leaders and followers. Sizes and shares add up, no copy ends twice, and no
 * follower is missed.
 */
import { expect, test } from 'vitest';
import type { TrackedOrderCloser } from '../../src/messages/copy-trading.ts';
import { CopyPopulation } from './copy-population.ts';

const CLOSERS: readonly TrackedOrderCloser[] = ['leader', 'follower', 'takeProfit', 'stopLoss'];

const SEEDS = 4;
const STEPS = 300;

test('[CPY-57] populations stay consistent after every command, and every reason to end a copy occurs', () => {
  const closers = new Map<string, number>();
  let [ended, missed, shared] = [0, 0, 0n];
  for (let seed = 1; seed <= SEEDS; seed++) {
    const population = new CopyPopulation(seed);
    population.run(STEPS);
    population.checkRuns();
    population.market.checkReplay();
    ended += population.model.ended;
    missed += population.missed;
    shared += population.model.shared;
    for (const [closer, count] of population.model.closers)
      closers.set(closer, (closers.get(closer) ?? 0) + count);
  }
  for (const closer of CLOSERS) expect(closers.get(closer) ?? 0, closer).toBeGreaterThan(0);
  expect([ended > 50, missed > 50, shared > 0n]).toEqual([true, true, true]);
});
