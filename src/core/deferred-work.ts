/**
 * Work that is too much for one command. Each part does one bounded slice after every command and
 * every timer; what is left goes on with the next command, and the program sends ticks until
 * nothing is, so that others' orders get in between.
 */

import type { Timestamp } from '../kernel/time.ts';
import { deferredCommissions } from './agents/settle-day.ts';
import { deferredCharges } from './trading/charges/settle-pending-charges.ts';
import { mirroring } from './copy/mirror.ts';
import type { CoreState } from './derived/core-state.ts';
import type { EmittedEvents } from './transaction/emitted-events.ts';
import { runTransaction } from './event-loop.ts';
import { deferredLevels } from './levels/compute-levels.ts';
import type { DeferredWork } from './transaction/step.ts';
import { deferredTriggers } from './triggers/fire-triggers.ts';

/** In this order. */
const parts: readonly DeferredWork[] = [
  deferredCharges,
  deferredTriggers,
  mirroring,
  deferredCommissions,
  deferredLevels,
];

export const hasDeferredWork = (core: CoreState): boolean =>
  parts.some((part) => part.isWaiting(core));

/** One slice of each part, as a cause of its own; `settled` is run after each. */
export function doDeferredWork(
  core: CoreState,
  at: Timestamp,
  emitted: EmittedEvents,
  settled: () => void,
): void {
  for (const part of parts) {
    if (!part.isWaiting(core)) continue;
    runTransaction(core, at, emitted, (step) => part.doPortion(step));
    settled();
  }
}
