/**
 * One command being executed: the state it may change, the time it happens at, and where its events
 * go.
 */
import type { CoreState, Moment } from '../derived/core-state.ts';
import type { Event, EventOf, EventType } from '../../messages/events.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import { type Ok, type Refused, type Result, ok, refuse } from '../../kernel/result.ts';
import { type Rejection, type RejectionReason, rejection } from '../../messages/rejections.ts';
import type { Id } from '../../kernel/ids.ts';

export interface DeferredWork {
  /** Answers at once, however much is waiting. */
  isWaiting(core: CoreState): boolean;
  /** Does one bounded slice and keeps the rest in the state. */
  doPortion(step: Step): void;
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
  field?: string,
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
