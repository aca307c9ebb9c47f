/** Liquidates the accounts and pairs that the last transaction put at risk, each in a transaction of its own. */
import type { CoreState } from './derived/core-state.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { EmittedEvents } from './transaction/emitted-events.ts';
import { runTransaction } from './event-loop.ts';
import { liquidatePair } from './liquidation/liquidate-pair.ts';
import { invariant } from '../kernel/invariant.ts';
import { LOOKS_PER_CAUSE_MAX, examine } from './liquidation/examine.ts';

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

/**
 * Runs after a command or timer has settled. Each look is a cause of its own, so that a day on
 * which everybody is liquidated is long, but never too much for one cause.
 */
export function liquidateAtRisk(core: CoreState, at: Timestamp, emitted: EmittedEvents): void {
  for (let looks = 0; ; looks++) {
    invariant(looks < LOOKS_PER_CAUSE_MAX, 'liquidation comes to an end');
    const uid = core.derived.risk.take();
    if (uid === undefined) break;
    runTransaction(core, at, emitted, (step) => examine(step, uid));
  }
  core.derived.rankings.forget();
}
