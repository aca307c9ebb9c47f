/**
 * What a command tells: its events, and when they happened, for time may pass before a command and
 * in one that moves the clock.
 */
import type { Event, EventMoment } from '../../messages/events.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Writable } from '../../kernel/writable.ts';

export class EmittedEvents {
  readonly events: Event[] = [];
  #at: Timestamp;
  #moments: Writable<EventMoment>[] | undefined;

  constructor(at: Timestamp) {
    this.#at = at;
  }

  /** Whatever is told from here on happens at this time. */
  begin(at: Timestamp): void {
    if (at === this.#at) return;
    this.#moments ??= [{ from: 0, at: this.#at }];
    this.#at = at;
    const last = this.#moments.at(-1)!;
    if (last.from === this.events.length) last.at = at;
    else this.#moments.push({ from: this.events.length, at });
  }

  /** Undefined when all of it happened at the time it began with. */
  get moments(): readonly EventMoment[] | undefined {
    return this.#moments;
  }
}
