/** A clock that can be held: an exchange that begins at a given time stands there until somebody asks something of it. */
import type { Clock, Timestamp } from '../kernel/time.ts';

export class HeldClock implements Clock {
  readonly #real: Clock;
  #heldAt: Timestamp | undefined;

  constructor(real: Clock) {
    this.#real = real;
  }

  get isHeld(): boolean {
    return this.#heldAt !== undefined;
  }

  wall(): Timestamp {
    return this.shownAt(this.#real.wall());
  }

  /** What it shows when the real clock shows this. */
  shownAt(wall: Timestamp): Timestamp {
    return this.#heldAt ?? wall;
  }

  monotonic(): number {
    return this.#real.monotonic();
  }

  hold(at: Timestamp): void {
    this.#heldAt = at;
  }

  release(): void {
    this.#heldAt = undefined;
  }
}
