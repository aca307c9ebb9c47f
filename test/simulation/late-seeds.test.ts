import { describe, test } from 'vitest';
import { liveSeedsFrom, SEEDS_PER_FILE } from './seeds.ts';

describe('the late seeds', () => {
  test('[SIM-02][SIM-03][SIM-05] whatever the crowd does and however lives end, everything holds and comes back', async () => {
    await liveSeedsFrom(1 + SEEDS_PER_FILE);
  });
});
