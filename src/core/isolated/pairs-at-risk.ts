/**
 * Liquidates the isolated pairs that were marked, once the command or timer that caused it has
 * settled.
 */
import type { Timestamp } from '../../kernel/time.ts';
import type { CoreState } from '../derived/core-state.ts';
import type { EmittedEvents } from '../emitted-events.ts';
import { runTransaction } from '../event-loop.ts';
import { liquidatePair } from './liquidate-pair.ts';

/**
 * Each is a cause of its own, so that a day on which everybody is liquidated is long, but never too
 * much for one cause.
 */
export function liquidatePairsAtRisk(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  const { pairsAtRisk } = core.derived;
  while (pairsAtRisk.size > 0) {
    const [key, pair] = pairsAtRisk.entries().next().value!;
    pairsAtRisk.delete(key);
    runTransaction(core, at, emitted, (step) => liquidatePair(step, pair));
  }
}
