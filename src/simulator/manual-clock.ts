/** A clock and a scheduler that advance only on request. */
import type { Scheduler } from '../journal/scheduler.ts';
import { heapPop, heapPush } from '../kernel/heap.ts';
import type { Clock, Timestamp } from '../kernel/time.ts';

interface Appointment {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
}

const sooner = (left: Appointment, right: Appointment): boolean =>
  left.due < right.due || (left.due === right.due && left.order < right.order);

export interface ManualClock extends Clock, Scheduler {
  /** Advances time and runs what falls due, in order. */
  pass(delayMs: number): void;
  /** Moves the wall clock alone, in either direction. */
  jump(byMs: number): void;
}

export function createManualClock(start: Timestamp): ManualClock {
  const appointments: Appointment[] = [];
  let elapsed = 0;
  let wall: number = start;
  let order = 0;
  return {
    wall: () => wall as Timestamp,
    monotonic: () => elapsed,
    soon: (run) => queueMicrotask(run),
    after: (delayMs, run) => {
      let calledOff = false;
      heapPush(
        appointments,
        { due: elapsed + delayMs, order: order++, run: () => (calledOff ? undefined : run()) },
        sooner,
      );
      return () => {
        calledOff = true;
      };
    },
    pass: (delayMs) => {
      const until = elapsed + delayMs;
      for (;;) {
        const next = appointments[0];
        if (next === undefined || next.due > until) break;
        heapPop(appointments, sooner);
        wall += next.due - elapsed;
        elapsed = next.due;
        next.run();
      }
      wall += until - elapsed;
      elapsed = until;
    },
    jump: (byMs) => {
      wall += byMs;
    },
  };
}
