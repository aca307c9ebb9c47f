import { describe, test } from 'vitest';
import { Seeds } from './seeds.ts';

describe('seeds from 1 on', () => {
  const seeds = new Seeds(1);

  test.each(seeds.all)(
    '[SIM-02][SIM-03] whatever the crowd does and however lives end, everything holds and comes back: seed %i',
    (seed) => seeds.live(seed),
  );

  test('[SIM-05] together they have met everything that there is to meet', () =>
    seeds.expectAllMet());
});
