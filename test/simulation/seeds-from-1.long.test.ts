import { describe, test } from 'vitest';
import { Seeds } from './seeds.ts';

describe('seeds from 1 on', () => {
  const seeds = new Seeds(1);

  test.each(seeds.all)(
    '[SIM-02][SIM-03][SIM-151] whatever a crowd does, all invariants hold and runs recover: seed %i',
    (seed) => seeds.live(seed),
  );

  test('[SIM-05] together they have met everything that there is to meet', () =>
    seeds.expectAllMet());
});
