/**
 * Gives the hash of the whole state for status queries. Hashing blocks the main thread, so a large
 * state is hashed only while it is idle. Under load the last known hash is given with its sequence.
 * It comes from the last idle moment or from a snapshot, which has a thread of its own.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '../core/engine.ts';
import type { Sequence } from '../kernel/ids.ts';
import type { Clock } from '../kernel/time.ts';

export interface HashedState {
  readonly sequence: Sequence;
  readonly stateHash: string;
}

/** A hash that takes no longer is computed at once. */
const UNNOTICED_MS = 20;
/** The state counts as idle when no command was executed for this long. */
const QUIET_MS = 50;
const PATIENCE_MS = 400;
/**
 * A state that takes longer is never hashed here, not even when idle, because the next call would
 * wait. Millions of client ids make such a state.
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

  /** Takes a hash that was computed elsewhere. */
  learn({ sequence, stateHash }: HashedState): void {
    if (this.#last === undefined || sequence > this.#last.sequence)
      this.#last = { sequence, stateHash };
  }

  /** The hash of the current state; for a large state under load, the last known one. */
  async latest(): Promise<HashedState> {
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
