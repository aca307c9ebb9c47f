import { describe, expect, test } from 'vitest';
import { copyInLockstep } from '../../model/lockstep/lockstep-copy-runs.ts';

/**
 * Enough to find a common error in copy trading; `test/simulation` runs until every counter is
 * reached.
 */
const COMMANDS = 300;

describe('the naive exchange with leaders and followers', () => {
  test('[CPY-57] the engine mirrors exactly as the naive exchange does', {
    timeout: 120_000,
  }, () => {
    const counters = copyInLockstep(COMMANDS, 12);
    for (const name of ['copied', 'closed with its leader', 'closed by its account', 'share paid'])
      expect(counters[name] ?? 0, name).toBeGreaterThan(0);
  });
});
