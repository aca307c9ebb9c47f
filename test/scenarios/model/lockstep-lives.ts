/** Life after life of the engine beside the naive exchange, until so many commands have been compared. */
import { seededRandom } from '../../../src/kernel/random.ts';
import { type Counters, Lockstep } from './lockstep.ts';

const COMMANDS_PER_LIFE = 1_500;
/** Some live long enough for what gathers slowly. */
const COMMANDS_PER_LONG_LIFE = 12_000;
const LONG_LIVES = 8;
const AUDIT_EVERY = 250;
const SEEDS = 2 ** 31;

interface Life {
  readonly seed: number;
  readonly commands: number;
}

/** The life of that seed first, so that a failure is found again by its own, and then lives that another first seed will hardly have. */
export function* livesFrom(firstSeed: number): Generator<Life> {
  const random = seededRandom(firstSeed);
  for (let seed = firstSeed; ; seed = random.below(SEEDS))
    yield { seed, commands: seed % LONG_LIVES === 0 ? COMMANDS_PER_LONG_LIFE : COMMANDS_PER_LIFE };
}

/** Always the same, and short: those that are asked for, and then as many different ones as there is time for. */
export function* livesInOrder(first: readonly number[] = []): Generator<Life> {
  for (const seed of first) yield { seed, commands: COMMANDS_PER_LIFE };
  for (let seed = 1; ; seed++) yield { seed, commands: COMMANDS_PER_LIFE };
}

/** Throws at the first difference, with the life and the command that show it; answers how often each thing happened. */
export function liveInLockstep(commands: number, lives: Iterable<Life>): Counters {
  const counters: Counters = {};
  let done = 0;
  for (const { seed, commands: length } of lives) {
    const life = new Lockstep(seed, counters);
    for (let at = 0; at < length; at++, done++) {
      try {
        life.step();
        if (at % AUDIT_EVERY === 0) life.audit();
      } catch (failure) {
        if (failure instanceof Error) failure.message = `life ${seed}, command ${at}: ${failure.message}`;
        throw failure;
      }
    }
    if (done >= commands) break;
  }
  return counters;
}
