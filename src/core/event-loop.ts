/** Runs one cause, a command or a timer, with everything that follows from it: events in order, each with its reactions, until none is left. */
import { addToDigest } from '../kernel/digest.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventOf, EventType } from '../messages/events.ts';
import type { Derived } from './derived.ts';
import { checkEntry } from './invariants.ts';
import { reactions } from './reactions.ts';
import type { State } from './state.ts';
import type { Reaction, Step } from './step.ts';

/**
 * Of one command or one timer: a batch of orders that each sweep as many makers as one may, or a symbol switched off with all its orders.
 * Beyond it something breeds itself.
 */
export const EVENTS_PER_COMMAND_MAX = 1_000_000;

/** The state and what follows from it. */
export interface Exchange {
  readonly state: State;
  readonly derived: Derived;
}

/** Credentials and the real time differ between two runs of one world, so what speaks of them stays out of what the runs are compared by. */
const RUNS_DIFFER: ReadonlySet<EventType> = new Set(['keyCreated', 'keyRevoked', 'clockMoved']);

function react<Type extends EventType>(step: Step, event: EventOf<Type>): void {
  const list: readonly Reaction<Type>[] = reactions[event.type];
  for (const reaction of list) reaction(step, event);
}

export function runCause<Value>({ state, derived }: Exchange, at: Timestamp, events: Event[], cause: (step: Step) => Value): Value {
  const first = events.length;
  const emit = (event: Event): void => {
    invariant(events.length - first < EVENTS_PER_COMMAND_MAX, `one cause has at most ${EVENTS_PER_COMMAND_MAX} events`);
    events.push(event);
  };
  let next = first;
  const settle = (): void => {
    while (next < events.length) {
      const event = events[next++]!;
      if (!RUNS_DIFFER.has(event.type)) addToDigest(state.digest, event);
      if (event.type === 'entryPosted') checkEntry(event);
      react(step, event);
    }
  };
  const step: Step = { state, derived, at, emit, settle };
  state.at = at;
  const value = cause(step);
  settle();
  return value;
}
