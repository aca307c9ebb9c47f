import { describe, test } from 'vitest';
import { liveSeedsFrom } from './seeds.ts';

describe('the early seeds', () => {
  test('[SIM-02][SIM-03][SIM-05] whatever the crowd does and however lives end, everything holds and comes back', async () => {
    await liveSeedsFrom(1);
  });
});
