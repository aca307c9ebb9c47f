import { describe, expect, test } from 'vitest';
import { runInLockstep, runsInOrder } from '../../model/lockstep/lockstep-runs.ts';

/**
 * Enough to find a common error in trading; `test/simulation` runs until every counter is reached.
 */
const COMMANDS = 2_500;

describe('the naive exchange', () => {
  test('[ORD-72] the engine trades exactly as the naive exchange does', {
    timeout: 120_000,
  }, () => {
    const { accepted = 0, trades = 0 } = runInLockstep(COMMANDS, runsInOrder());
    expect(accepted).toBeGreaterThan(0);
    expect(trades).toBeGreaterThan(0);
  });
});
