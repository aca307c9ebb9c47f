import { afterEach, expect, test } from 'vitest';
import { killLoop } from './kill-loop.ts';
import { endAll, temporaryFolder } from './server.ts';

afterEach(endAll);

/**
 * Enough cycles to include kills during a start, snapshots, replays and a check of every customer;
 * `npm run kill` runs longer.
 */
const CYCLES = 24;
/**
 * A new seed each day, so that coverage of kill moments grows. It is constant for a day, so that a
 * failure can be repeated.
 */
const SEED = Math.floor(Date.now() / 86_400_000);

test(`[RUN-23][RUN-27] after ${CYCLES} kills under load (seed ${SEED}) everything acknowledged exists once`, async () => {
  const { kills, acknowledged, unanswered, snapshots, replays } = await killLoop({
    folder: temporaryFolder(),
    cycles: CYCLES,
    seed: SEED,
  });
  expect(kills).toBe(CYCLES);
  // If no kill interrupted a request, the test proves nothing.
  expect(acknowledged).toBeGreaterThan(20 * CYCLES);
  expect(unanswered).toBeGreaterThan(CYCLES);
  expect(snapshots).toBeGreaterThan(0);
  expect(replays).toBeGreaterThan(0);
});
