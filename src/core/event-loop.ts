/**
 * Runs one cause, a command or a timer, with everything that follows from it: events in order, each
 * with its reactions, until none is left.
 */
import { invariant } from '../kernel/invariant.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventOf, EventType } from '../messages/events.ts';
import type { CoreState } from './derived/core-state.ts';
import type { Derived } from './derived/derived.ts';
import type { EmittedEvents } from './transaction/emitted-events.ts';
import { type AddAny, addingOf, digestEvent } from './event-digest.ts';
import { checkEntry } from './ledger/check-entry.ts';
import { reactions } from './reactions.ts';
import type { State } from './state/state.ts';
import type { Step } from './transaction/step.ts';

/**
 * Of one command, one timer or a part of one: an order that sweeps as many makers as it may and
 * ends the triggers of every position they close, or ten thousand orders of a symbol that is
 * switched off. Beyond it something breeds itself.
 */
export const EVENTS_PER_TRANSACTION_MAX = 1_000_000;

/**
 * Credentials and the real time differ between two runs of one world, so what speaks of them stays
 * out of what the runs are compared by.
 */
const runsDiffer = (type: EventType): boolean =>
  type === 'keyCreated' || type === 'keyRevoked' || type === 'clockMoved';

type AnyReaction = (step: Step, event: Event) => void;

/**
 * All that happens to events of one type, found at once: events of many shapes take their time to
 * say what they are.
 */
interface Course {
  /** How the digest takes them in; undefined when it does not. */
  readonly add: AddAny | undefined;
  readonly isEntry: boolean;
  readonly reactions: readonly AnyReaction[];
}

const courses = new Map<EventType, Course>();
for (const [type, list] of Object.entries(reactions) as [EventType, readonly AnyReaction[]][])
  courses.set(type, {
    add: runsDiffer(type) ? undefined : addingOf(type),
    isEntry: type === 'entryPosted',
    reactions: list,
  });

/** A cause under way. */
class Transaction implements Step {
  readonly state: State;
  readonly derived: Derived;
  readonly at: Timestamp;
  readonly #events: Event[];
  /** The first of this part. */
  #first: number;
  #next: number;

  constructor({ state, derived }: CoreState, at: Timestamp, { events }: EmittedEvents) {
    this.state = state;
    this.derived = derived;
    this.at = at;
    this.#events = events;
    this.#first = events.length;
    this.#next = events.length;
  }

  emit(event: Event): void {
    const events = this.#events;
    if (events.length - this.#first >= EVENTS_PER_TRANSACTION_MAX)
      invariant(false, `one cause has at most ${EVENTS_PER_TRANSACTION_MAX} events`);
    events.push(event);
  }

  settle(): void {
    const events = this.#events;
    while (this.#next < events.length) {
      const event = events[this.#next++]!;
      const { add, isEntry, reactions } = courses.get(event.type)!;
      if (add !== undefined) digestEvent(this.state.digest, add, event);
      if (isEntry) checkEntry(event as EventOf<'entryPosted'>);
      for (const reaction of reactions) reaction(this, event);
    }
  }

  endPart(): void {
    this.settle();
    this.#first = this.#events.length;
  }
}

export function runTransaction<Value>(
  core: CoreState,
  at: Timestamp,
  emitted: EmittedEvents,
  cause: (step: Step) => Value,
): Value {
  emitted.begin(at);
  const step = new Transaction(core, at, emitted);
  core.state.at = at;
  const value = cause(step);
  step.settle();
  return value;
}
