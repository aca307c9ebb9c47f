/** One crowd on two exchanges: to one of them ticks come whenever they like. */
import { describe, expect, test } from 'vitest';
import type { WorkPortions } from '../../src/core/derived/work-portions.ts';
import { createEngine } from '../../src/core/engine.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import { HOUR, type Timestamp } from '../../src/kernel/time.ts';
import { Population } from '../../src/simulator/population/population.ts';

const SEEDS = [1, 2, 3];
const COMMANDS = 1_000;
/** Little is left to the next command: what is, a tick would go on with. */
const ALL_AT_ONCE: WorkPortions = {
  pendingCharges: 1e9,
  triggers: 1e9,
  mirrors: 1e9,
  commissions: 1e9,
  levels: 1e9,
};

describe('a crowd that goes on', () => {
  test.each(SEEDS)(
    '[SIM-13] is answered the same, to the last number, however often a tick comes in between (seed %i)',
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
      const { sequence: _one, digest: _told, ...before } = alone.state;
      const { sequence: _other, digest: _too, ...after } = ticked.state;
      expect(after).toEqual(before);
    },
  );
});
