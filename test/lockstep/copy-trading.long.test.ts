import { describe, expect, test } from 'vitest';
import { copyInLockstep } from '../../model/lockstep/lockstep-copy-runs.ts';

/**
 * Enough to meet a mistake in the ordinary course of copying; `test/simulation` goes on until
 * everything has happened.
 */
const COMMANDS = 300;

describe('the naive exchange with leaders and followers', () => {
  test('[CPY-57] the engine mirrors as the obviously right exchange does, to the last unit', {
    timeout: 120_000,
  }, () => {
    const counters = copyInLockstep(COMMANDS, 12);
    for (const name of ['copied', 'closed with its leader', 'closed by its holder', 'share paid'])
      expect(counters[name] ?? 0, name).toBeGreaterThan(0);
  });
});
