import { describe, test } from 'vitest';
import { Seeds } from './seeds.ts';

describe('seeds from 14', () => {
  const seeds = new Seeds(14);

  test.each(seeds.all)(
    '[SIM-02][SIM-03][SIM-151] all invariants hold and all runs recover: seed %i',
    (seed) => seeds.run(seed),
  );

  test('[SIM-05] together the seeds have met everything expected', () => seeds.expectAllMet());
});
