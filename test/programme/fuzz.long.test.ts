import { afterEach, expect, test } from 'vitest';
import { fuzzRun } from './fuzz/run.ts';
import { endAll, temporaryFolder } from './server.ts';

afterEach(endAll);

/**
 * At this many a seed meets half as many codes and successes again as are asked for below;
 * `npm run fuzz` goes on for as long as one likes.
 */
const REQUESTS = 25_000;
/**
 * Another one each day, so that more and more is tried; the same all day, so that a failure can be
 * looked at.
 */
const SEED = Math.floor(Date.now() / 86_400_000);

test(`[REQ-60][REQ-61][REQ-150][REQ-62] ${REQUESTS} hostile requests (seed ${SEED}) break nothing`, async () => {
  const {
    codes,
    succeeded,
    neverSucceeded: _,
    ...figures
  } = await fuzzRun({ folder: temporaryFolder(), requests: REQUESTS, seed: SEED });
  console.log(JSON.stringify(figures));
  expect(figures.requests).toBe(REQUESTS);
  // A run that is refused at the door, or that meets one refusal only, would prove nothing.
  expect(figures.kinds).toBeGreaterThan(100);
  expect(codes.length).toBeGreaterThan(40);
  expect(succeeded.length).toBeGreaterThan(60);
});
