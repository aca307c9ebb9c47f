import { afterEach, expect, test } from 'vitest';
import { killLoop } from './kill-loop.ts';
import { endAll, temporaryFolder } from './server.ts';

afterEach(endAll);

/**
 * Enough for kills while starting, snapshots, replays and a look at everybody to come in between;
 * `npm run kill` goes on for as long as one likes.
 */
const CYCLES = 24;
/**
 * Another one each day, so that more and more of the possible moments are met; the same all day, so
 * that a failure can be looked at.
 */
const SEED = Math.floor(Date.now() / 86_400_000);

test(`[RUN-23][RUN-27] killed ${CYCLES} times under load (seed ${SEED}), every start knows all that was acknowledged, once, and adds up`, async () => {
  const { kills, acknowledged, unanswered, snapshots, replays } = await killLoop({
    folder: temporaryFolder(),
    cycles: CYCLES,
    seed: SEED,
  });
  expect(kills).toBe(CYCLES);
  // A load that never was in the middle of anything would prove nothing.
  expect(acknowledged).toBeGreaterThan(20 * CYCLES);
  expect(unanswered).toBeGreaterThan(CYCLES);
  expect(snapshots).toBeGreaterThan(0);
  expect(replays).toBeGreaterThan(0);
});
