/** What a handler works with: the state, the exchange time, its events and its timers. */

import { heapPop, heapPush } from '../../kernel/heap.ts';
import type { Id } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Ok, ok, type Refused, type Result, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Writable } from '../../kernel/writable.ts';
import type { CommandField } from '../../messages/command-fields.ts';
import type { CommandOf, CommandType } from '../../messages/commands.ts';
import type { Event, EventMoment, EventOf, EventType } from '../../messages/events.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
import { type Rejection, type RejectionReason, rejection } from '../../messages/rejections.ts';
import type { Moment } from '../derived/derived.ts';
import type { Timer, TimerKind } from '../state/timer.ts';

export class EmittedEvents {
  readonly events: Event[] = [];
  #at: Timestamp;
  #moments: Writable<EventMoment>[] | undefined;

  constructor(at: Timestamp) {
    this.#at = at;
  }

  /** The following events have this time. */
  begin(at: Timestamp): void {
    if (at === this.#at) return;
    this.#moments ??= [{ from: 0, at: this.#at }];
    this.#at = at;
    const last = this.#moments.at(-1)!;
    if (last.from === this.events.length) last.at = at;
    else this.#moments.push({ from: this.events.length, at });
  }

  /** Undefined if all events have the same time. */
  get moments(): readonly EventMoment[] | undefined {
    return this.#moments;
  }
}

export interface Step extends Moment {
  emit(event: Event): void;
  /** Runs all reactions to the events so far, for example between the steps of a liquidation. */
  settle(): void;
  /**
   * The same between parts, for example the orders of a batch. The event limit of a command then
   * counts from zero.
   */
  endPart(): void;
}

/** Refusals first, then changes that cannot fail, then events. A refusal changes nothing. */
export type Handler<Type extends CommandType> = (
  step: Step,
  command: CommandOf<Type>,
) => Result<Outcomes[Type], Rejection>;

export type Handlers = { readonly [Type in CommandType]: Handler<Type> };

export type Reaction<Type extends EventType> = (step: Step, event: EventOf<Type>) => void;

export type Reactions = { readonly [Type in EventType]: readonly Reaction<Type>[] };

export const accept = <Value>(value: Value): Ok<Value> => ok(value);

export const done: Ok<undefined> = ok(undefined);

export const reject = (
  reason: RejectionReason,
  field?: CommandField,
  detail?: string,
): Refused<Rejection> => refuse(rejection(reason, field, detail));

/** An item emits a few events, so a part stays far below the event limit of a transaction. */
export const PART_SIZE_MAX = 10_000;

/** Applies `act` in parts, so that any number of items stays within the event limit (CLK-23). */
export function inParts<Item>(step: Step, items: Iterable<Item>, act: (item: Item) => void): void {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % PART_SIZE_MAX === 0) step.endPart();
  }
}

/** The next id, which is larger than every earlier one. */
export function takeId(step: Step): Id {
  const id = step.state.nextId;
  step.state.nextId = (id + 1) as Id;
  return id;
}

/** Other limits apply long before this one. It stops timers that set more and more timers. */
const TIMERS_MAX = 10_000_000;

/**
 * At one time, the end of a day is first, so that all other work belongs to the new day. Samples of
 * books are next, because they show the time before (PRC-16). Countdowns are last.
 */
function rankOf({ kind }: Timer): number {
  if (kind === 'settlementDayEnd') return 0;
  if (kind === 'markSample') return 1;
  return kind === 'countdown' ? 3 : 2;
}

export function isEarlier(left: Timer, right: Timer): boolean {
  if (left.due !== right.due) return left.due < right.due;
  const [one, other] = [rankOf(left), rankOf(right)];
  return one === other ? left.id < right.id : one < other;
}

export function setTimer(step: Step, due: Timestamp, kind: TimerKind, subject: string): void {
  invariant(due > step.at, 'a timer is due in the future, so that time always advances');
  invariant(step.state.timers.length < TIMERS_MAX, 'timers stay below their maximum');
  heapPush(step.state.timers, { due, id: takeId(step), kind, subject }, isEarlier);
}

/** Removes and returns the next timer due at or before a time. */
export function takeDueTimer(timers: Timer[], until: Timestamp): Timer | undefined {
  const next = timers[0];
  return next !== undefined && next.due <= until ? heapPop(timers, isEarlier) : undefined;
}

/** Removes the timers of a subject. It walks all timers, so only operator commands may use it. */
export function dropTimers({ state }: Step, of: TimerKind, about: string): void {
  const kept = state.timers.filter(({ kind, subject }) => kind !== of || subject !== about);
  state.timers = [];
  for (const timer of kept) heapPush(state.timers, timer, isEarlier);
}
