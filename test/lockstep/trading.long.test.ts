import { describe, expect, test } from 'vitest';
import { liveInLockstep, runsInOrder } from '../../model/lockstep/lockstep-runs.ts';

/**
 * Enough to meet a mistake in the ordinary course of trading; `test/simulation` goes on until
 * everything has happened.
 */
const COMMANDS = 2_500;

describe('the naive exchange', () => {
  test('[ORD-72] the engine trades as the obviously right exchange does, to the last unit', {
    timeout: 120_000,
  }, () => {
    const { accepted = 0, trades = 0 } = liveInLockstep(COMMANDS, runsInOrder());
    expect(accepted).toBeGreaterThan(0);
    expect(trades).toBeGreaterThan(0);
  });
});
