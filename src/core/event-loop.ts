/**
 * Runs a transaction: a command, a timer or a portion of deferred work. Its events are processed in
 * order, each with its reactions, until none is left.
 */

import { invariant } from '../kernel/invariant.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event, EventOf, EventType } from '../messages/events.ts';
import { commissionPortion } from './agents/commissions.ts';
import { mirrorPortion } from './copy/mirror.ts';
import type { CoreState, Derived } from './derived/derived.ts';
import { type AddAny, addFunctionOf, digestEvent } from './event-digest.ts';
import { checkEntry } from './ledger/ledger.ts';
import { levelPortion } from './levels/fee-levels.ts';
import { EXAMINATIONS_PER_COMMAND_MAX, examine } from './liquidation/examine.ts';
import { liquidatePair } from './liquidation/liquidate-pair.ts';
import { reactions } from './reactions.ts';
import type { State } from './state/state.ts';
import { chargePortion } from './trading/charges/settle-charges.ts';
import type { EmittedEvents, Step } from './transaction/step.ts';
import { firePortion } from './triggers/fire-triggers.ts';

/**
 * Enough for an order that meets the maximum of makers and ends the triggers of each position that
 * they close. More events mean an endless loop.
 */
export const EVENTS_PER_TRANSACTION_MAX = 1_000_000;

/** Credentials and wall clock times differ between two runs, so the digest leaves them out. */
const runsDiffer = (type: EventType): boolean =>
  type === 'keyCreated' || type === 'keyRevoked' || type === 'clockMoved';

type AnyReaction = (step: Step, event: Event) => void;

/** The processing of events of one type, found by one lookup for speed. */
interface EventRoute {
  /** Adds them to the digest; undefined if it leaves them out. */
  readonly add: AddAny | undefined;
  readonly isEntry: boolean;
  readonly reactions: readonly AnyReaction[];
}

const routes = new Map<EventType, EventRoute>();

for (const [type, list] of Object.entries(reactions) as [EventType, readonly AnyReaction[]][])
  routes.set(type, {
    add: runsDiffer(type) ? undefined : addFunctionOf(type),
    isEntry: type === 'entryPosted',
    reactions: list,
  });

/** A running transaction. */
class Transaction implements Step {
  readonly state: State;
  readonly derived: Derived;
  readonly at: Timestamp;
  readonly #events: Event[];
  /** The first event of the current part. */
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
      invariant(false, `a transaction has at most ${EVENTS_PER_TRANSACTION_MAX} events`);
    events.push(event);
  }

  settle(): void {
    const events = this.#events;
    while (this.#next < events.length) {
      const event = events[this.#next++]!;
      const { add, isEntry, reactions } = routes.get(event.type)!;
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
  run: (step: Step) => Value,
): Value {
  emitted.begin(at);
  const step = new Transaction(core, at, emitted);
  core.state.at = at;
  const value = run(step);
  step.settle();
  return value;
}

/** The kinds of deferred work, in the order in which each command does a portion of them. */
const deferredWork: readonly DeferredWork[] = [
  { isWaiting: ({ state }) => state.pendingCharges !== undefined, doPortion: chargePortion },
  { isWaiting: ({ state }) => state.reachedTriggers.size > 0, doPortion: firePortion },
  {
    isWaiting: ({ state, derived }) =>
      state.copy.jobs.length > 0 || state.copy.ended.length > 0 || derived.tracked.stale.hasUpdates,
    doPortion: mirrorPortion,
  },
  { isWaiting: ({ state }) => state.agentBooks.endedDays.length > 0, doPortion: commissionPortion },
  { isWaiting: ({ state }) => state.levels.round !== undefined, doPortion: levelPortion },
];

export const hasDeferredWork = (core: CoreState): boolean =>
  deferredWork.some((work) => work.isWaiting(core));

/** Does a portion of each kind, each in its own transaction. Calls `settled` after each. */
export function doDeferredWork(
  core: CoreState,
  at: Timestamp,
  emitted: EmittedEvents,
  settled: () => void,
): void {
  for (const work of deferredWork) {
    if (!work.isWaiting(core)) continue;
    runTransaction(core, at, emitted, (step) => work.doPortion(step));
    settled();
  }
}

/** Each pair has its own transaction, so that any number of liquidations fits the event limit. */
export function liquidatePairsAtRisk(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  const { pairsAtRisk } = core.derived;
  while (pairsAtRisk.size > 0) {
    const [key, pair] = pairsAtRisk.entries().next().value!;
    pairsAtRisk.delete(key);
    runTransaction(core, at, emitted, (step) => liquidatePair(step, pair));
  }
}

/**
 * Runs after a command or timer has settled. Each examination is a transaction of its own, so the
 * liquidation of all accounts never exceeds what one transaction may emit.
 */
export function liquidateAtRisk(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  for (let count = 0; ; count++) {
    invariant(count < EXAMINATIONS_PER_COMMAND_MAX, 'liquidation ends');
    const uid = core.derived.risk.take();
    if (uid === undefined) break;
    runTransaction(core, at, emitted, (step) => examine(step, uid));
  }
  core.derived.rankings.forget();
}

export interface DeferredWork {
  /** Must be fast for any amount of work. */
  isWaiting(core: CoreState): boolean;
  /** Does one bounded portion, and leaves the rest in the state. */
  doPortion(step: Step): void;
}
