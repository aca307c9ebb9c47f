import { afterEach, expect, test } from 'vitest';
import { fuzzRun } from './fuzz/run.ts';
import { endAll, temporaryFolder } from './server.ts';

afterEach(endAll);

/**
 * With this many requests a seed meets 1.5 times the codes and successes required below; `npm run
 * fuzz` runs longer.
 */
const REQUESTS = 25_000;
/**
 * A new seed each day, so that coverage grows. It is constant for a day, so that a failure can be
 * repeated.
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
  // A run that the gateway refuses as a whole, or with one code only, would prove nothing.
  expect(figures.kinds).toBeGreaterThan(100);
  expect(codes.length).toBeGreaterThan(40);
  expect(succeeded.length).toBeGreaterThan(60);
});
