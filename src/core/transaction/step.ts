/**
 * One command being executed: the state it may change, the time it happens at, and where its events
 * go.
 */

import { heapPop, heapPush } from '../../kernel/heap.ts';
import type { Id } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Ok, ok, type Refused, type Result, refuse } from '../../kernel/result.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Writable } from '../../kernel/writable.ts';
import type { CommandField } from '../../messages/command-fields.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import type { Event, EventMoment, EventOf, EventType } from '../../messages/events.ts';
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

export interface Step extends Moment {
  emit(event: Event): void;
  /**
   * Lets everything that follows from the events so far happen now: between the steps of a
   * liquidation.
   */
  settle(): void;
  /**
   * The same between parts, be it the orders of one batch or what concerns everybody: each of them
   * may tell as much as a command may.
   */
  endPart(): void;
}

/**
 * Refusals first, then changes that cannot fail, then events. A refused command has changed
 * nothing.
 */
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

/** Each tells of a handful of things, so that a part stays far below what one cause may tell. */
export const PART_SIZE_MAX = 10_000;

/**
 * For what concerns everybody at once: what follows is let happen part by part, so that no number
 * of them is too many for one cause (CLK-23).
 */
export function inParts<Item>(step: Step, items: Iterable<Item>, act: (item: Item) => void): void {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % PART_SIZE_MAX === 0) step.endPart();
  }
}

/** The next id; larger than every id before it. */
export function takeId(step: Step): Id {
  const id = step.state.nextId;
  step.state.nextId = (id + 1) as Id;
  return id;
}

/** Whoever sets timers refuses work long before this; it only stops a timer that breeds others. */
const TIMERS_MAX = 10_000_000;

/**
 * At one moment a day ends first: whatever happens at midnight is of the new one. Then books are
 * looked at: whether a look was asked for or spared (PRC-16), it tells what stood before that
 * moment. Countdowns end last, whichever of their timers it is that ends them.
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
  invariant(due > step.at, 'a timer falls due later than now, so that time always gets on');
  invariant(step.state.timers.length < TIMERS_MAX, 'timers stay below their maximum');
  heapPush(step.state.timers, { due, id: takeId(step), kind, subject }, isEarlier);
}

/** The next timer due at or before a moment, taken off the heap. */
export function takeDueTimer(timers: Timer[], until: Timestamp): Timer | undefined {
  const next = timers[0];
  return next !== undefined && next.due <= until ? heapPop(timers, isEarlier) : undefined;
}

/**
 * Calls off whatever was to fall due for a subject. Walks every timer: for what operators do, not
 * for what traders do.
 */
export function dropTimers({ state }: Step, of: TimerKind, about: string): void {
  const kept = state.timers.filter(({ kind, subject }) => kind !== of || subject !== about);
  state.timers = [];
  for (const timer of kept) heapPush(state.timers, timer, isEarlier);
}
