/**
 * A clock that can be held: an exchange that begins at a given time stands there until somebody
 * asks something of it.
 */
import type { Clock, Timestamp } from '../kernel/time.ts';

export class HeldClock implements Clock {
  readonly #real: Clock;
  #heldAt: Timestamp | undefined;
  /** What the real clock showed when something began that happens at one moment. */
  #moment: Timestamp | undefined;

  constructor(real: Clock) {
    this.#real = real;
  }

  get isHeld(): boolean {
    return this.#heldAt !== undefined;
  }

  wall(): Timestamp {
    return this.shownAt(this.#moment ?? this.#real.wall());
  }

  /** What it shows when the real clock shows this. */
  shownAt(wall: Timestamp): Timestamp {
    return this.#heldAt ?? wall;
  }

  /**
   * However long it takes, and however fast the exchange clock runs: all that is done meanwhile is
   * done at one time, which is now or `agoMs` before.
   */
  atOneMoment<Value>(run: () => Value, agoMs = 0): Value {
    const around = this.#moment;
    this.#moment = ((around ?? this.#real.wall()) - agoMs) as Timestamp;
    try {
      return run();
    } finally {
      this.#moment = around;
    }
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
