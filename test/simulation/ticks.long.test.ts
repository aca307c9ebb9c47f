/** Runs one crowd on two exchanges, one of which receives extra ticks at random times. */
import { describe, expect, test } from 'vitest';
import type { WorkPortions } from '../../src/core/derived/work-portions.ts';
import { createEngine } from '../../src/core/engine.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { HOUR, type Timestamp } from '../../src/kernel/time.ts';
import { Population } from '../../src/simulator/population/population.ts';

const SEEDS = [1, 2, 3];
const COMMANDS = 1_000;
/** Leaves no work for later commands, because a tick would do that work. */
const ALL_AT_ONCE: WorkPortions = {
  pendingCharges: 1e9,
  triggers: 1e9,
  mirrors: 1e9,
  commissions: 1e9,
  levels: 1e9,
};

describe('two exchanges with one crowd', () => {
  test.each(SEEDS)(
    '[SIM-13] give the same answers and ids, however many ticks one of them receives (seed %i)',
    (seed) => {
      const random = seededRandom(seed);
      const population = new Population(random.fork('crowd'));
      const [alone, ticked] = [
        createEngine({ portions: ALL_AT_ONCE }),
        createEngine({ portions: ALL_AT_ONCE }),
      ];
      let at = 1_700_000_000_000;
      for (let count = 0; count < COMMANDS; count++) {
        const command = population.draw(alone, alone.at);
        const pause = random.below(random.below(30) === 0 ? 2 * HOUR : 20);
        const next = Math.max(at + pause, alone.at) as Timestamp;
        for (let tick = Math.max(at, ticked.at); tick < next; tick += 1 + random.below(pause + 1))
          if (!ticked.hasDeferredWork()) ticked.execute({ type: 'tick' }, tick as Timestamp);
        expect(ticked.execute(command, next).outcome, `command ${count}`).toEqual(
          alone.execute(command, next).outcome,
        );
        at = next;
      }
      const { sequence: _one, digest: _digest, ...before } = alone.state;
      const { sequence: _other, digest: _otherDigest, ...after } = ticked.state;
      expect(after).toEqual(before);
    },
  );
});
