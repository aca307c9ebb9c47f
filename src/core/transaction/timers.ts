/**
 * What falls due: in order of time, at one time as `sooner` says. Timers are state, so they survive
 * crashes and replay.
 */
import type { Timer, TimerKind } from '../state/timer.ts';
import { type Step, takeId } from './step.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { invariant } from '../../kernel/invariant.ts';
import { heapPop, heapPush } from '../../kernel/heap.ts';

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

export function sooner(left: Timer, right: Timer): boolean {
  if (left.due !== right.due) return left.due < right.due;
  const [one, other] = [rankOf(left), rankOf(right)];
  return one === other ? left.id < right.id : one < other;
}

export function setTimer(step: Step, due: Timestamp, kind: TimerKind, subject: string): void {
  invariant(due > step.at, 'a timer falls due later than now, so that time always gets on');
  invariant(step.state.timers.length < TIMERS_MAX, 'timers stay below their maximum');
  heapPush(step.state.timers, { due, id: takeId(step), kind, subject }, sooner);
}

/** The next timer due at or before a moment, taken off the heap. */
export function takeDueTimer(timers: Timer[], until: Timestamp): Timer | undefined {
  const next = timers[0];
  return next !== undefined && next.due <= until ? heapPop(timers, sooner) : undefined;
}

/**
 * Calls off whatever was to fall due for a subject. Walks every timer: for what operators do, not
 * for what traders do.
 */
export function dropTimers({ state }: Step, of: TimerKind, about: string): void {
  const kept = state.timers.filter(({ kind, subject }) => kind !== of || subject !== about);
  state.timers = [];
  for (const timer of kept) heapPush(state.timers, timer, sooner);
}
