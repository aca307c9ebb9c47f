/**
 * A clock that can be held: an exchange with a given start time shows that time until the first
 * request.
 */
import type { Clock, Timestamp } from '../kernel/time.ts';

export class HeldClock implements Clock {
  readonly #real: Clock;
  #heldAt: Timestamp | undefined;
  /** The real time of an action whose parts all happen at one moment. */
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

  /** The exchange time at this real time. */
  shownAt(wall: Timestamp): Timestamp {
    return this.#heldAt ?? wall;
  }

  /** Runs an action at one exchange time, which is now or `agoMs` earlier, even on a fast clock. */
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
