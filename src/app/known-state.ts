/**
 * What is known of the state as a whole, for whoever asks how things are. Hashing all of it stops
 * everything else for as long as it takes, so a large state is hashed when nothing is going on.
 * While commands keep coming, the last hash known is told with its sequence: that of the last quiet
 * moment, or of a snapshot, which is made by a thread of its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../core/engine.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Clock } from '../kernel/time.ts';

export interface HashedState {
  readonly sequence: Sequence;
  readonly stateHash: string;
}

/** What takes no longer than this is done at once: nobody notices. */
const UNNOTICED_MS = 20;
/** Nothing was executed for so long: it is quiet. */
const QUIET_MS = 50;
const PATIENCE_MS = 400;
/**
 * Of a state that takes longer, as it does with millions of client ids, a quiet moment is no
 * excuse: whoever comes in it would wait.
 */
const HELD_UP_MS_MAX = 3_000;

export class KnownState {
  readonly #engine: Pick<Engine, 'sequence' | 'stateHash'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #last: HashedState | undefined;
  #costMs = 0;

  constructor(engine: Pick<Engine, 'sequence' | 'stateHash'>, clock: Pick<Clock, 'monotonic'>) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /** Somebody else has hashed it. */
  learn({ sequence, stateHash }: HashedState): void {
    if (this.#last === undefined || sequence > this.#last.sequence)
      this.#last = { sequence, stateHash };
  }

  /** The state now; of a large one that is changing, as it was last known. */
  async tell(): Promise<HashedState> {
    const isMoment = this.#last === undefined || this.#costMs <= UNNOTICED_MS;
    if (isMoment || (this.#costMs <= HELD_UP_MS_MAX && (await this.#isQuiet())))
      this.#last = this.#hashed();
    return this.#last!;
  }

  #hashed(): HashedState {
    const { sequence } = this.#engine;
    if (this.#last?.sequence === sequence) return this.#last;
    const begun = this.#clock.monotonic();
    const stateHash = this.#engine.stateHash();
    this.#costMs = this.#clock.monotonic() - begun;
    return { sequence, stateHash };
  }

  async #isQuiet(): Promise<boolean> {
    for (let waited = 0; waited < PATIENCE_MS; waited += QUIET_MS) {
      const { sequence } = this.#engine;
      if (sequence === this.#last?.sequence) return true;
      await pause(QUIET_MS);
      if (this.#engine.sequence === sequence) return true;
    }
    return false;
  }
}
