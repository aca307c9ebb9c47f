/**
 * Checks whether an account covers proposed fills, and if not, by how much it is short (ORD-71).
 * Each kind of margin has one row in the table.
 */

import { isIsolated } from '../../../messages/vocabulary.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { Acceptance, Order } from '../../state/order.ts';
import type { Step } from '../../transaction/step.ts';
import { crossedCoverage, crossedSelfTradeCoverage, fastPathCoversBothSides } from './crossed.ts';
import { exchangeCoverage, exchangeSelfTradeCoverage } from './exchange.ts';
import { isolatedCoverage, isolatedSelfTradeCoverage } from './isolated.ts';
import { pairCoverage, pairSelfTradeCoverage } from './pair.ts';
import {
  COVERED,
  type Coverage,
  firstShort,
  type Proposal,
  type ProposedFill,
  type SelfTrade,
} from './proposed-fill.ts';

/** Futures are crossed or isolated; coins are exchanged in the account or in a pair. */
type MarginKind = 'crossed' | 'isolated' | 'exchange' | 'pair';

interface Check {
  readonly coverage: (step: Step, proposal: Proposal) => Coverage;
  readonly selfTradeCoverage: (step: Step, trade: SelfTrade) => Coverage;
}

const CHECKS: Readonly<Record<MarginKind, Check>> = {
  crossed: { coverage: crossedCoverage, selfTradeCoverage: crossedSelfTradeCoverage },
  isolated: { coverage: isolatedCoverage, selfTradeCoverage: isolatedSelfTradeCoverage },
  exchange: { coverage: exchangeCoverage, selfTradeCoverage: exchangeSelfTradeCoverage },
  pair: { coverage: pairCoverage, selfTradeCoverage: pairSelfTradeCoverage },
};

function marginKindOf({ hold, marginMode }: Order, spec: InstrumentSpec): MarginKind {
  if (hold.kind === 'isolated') return 'pair';
  if (!spec.futures) return 'exchange';
  return isIsolated(marginMode) ? 'isolated' : 'crossed';
}

/** The hold of a proposed order is not set aside yet. */
export function fillCoverage(
  step: Step,
  spec: InstrumentSpec,
  fill: ProposedFill,
  acceptance: Acceptance = 'accepted',
): Coverage {
  // Engine orders must close; the fund pays what the account lacks.
  if (fill.order.executionKind !== 'normal') return COVERED;
  const check = CHECKS[marginKindOf(fill.order, spec)];
  return check.coverage(step, { spec, fills: [fill], acceptance });
}

/**
 * Checks fills of one account that settle without a check between them. Each is covered by itself;
 * the account must cover all of them.
 */
export function fillsCoverage(
  step: Step,
  spec: InstrumentSpec,
  fills: readonly ProposedFill[],
): Coverage {
  if (fills.length < 2) return COVERED;
  return firstShort(
    byMarginKind(spec, fills)
      .filter(({ some }) => some.length > 1)
      .map(({ kind, some }) => () => {
        return CHECKS[kind].coverage(step, { spec, fills: some, acceptance: 'accepted' });
      }),
  );
}

/** One trade of a taker with an order of its own account. */
export function ownTradeCoverage(
  step: Step,
  spec: InstrumentSpec,
  taker: Order,
  made: ProposedFill,
  acceptance: Acceptance = 'accepted',
): Coverage {
  const taken = { ...made, order: taker };
  if (!isIsolated(made.order.marginMode) && fastPathCoversBothSides(step, spec, taken, made.tick))
    return COVERED;
  return selfTradeCoverage(step, { spec, taker, fills: [taken, made], acceptance });
}

/** Each side is covered by itself; both sides together must be covered too. */
export function selfTradeCoverage(step: Step, trade: SelfTrade): Coverage {
  const { spec, taker, fills } = trade;
  const made = fills.find(({ order }) => order !== taker);
  if (made === undefined || taker.executionKind !== 'normal') return COVERED;
  if (spec.futures) return CHECKS[marginKindOf(made.order, spec)].selfTradeCoverage(step, trade);
  const hasBothSides = (some: readonly ProposedFill[]): boolean =>
    new Set(some.map(({ order }) => order.side)).size > 1;
  return firstShort(
    byMarginKind(spec, fills)
      .filter(({ some }) => hasBothSides(some))
      .map(({ kind, some }) => () => {
        return CHECKS[kind].selfTradeCoverage(step, { ...trade, fills: some });
      }),
  );
}

/**
 * An account has one kind of margin in a futures market; coins may be in the account and in a pair.
 */
function byMarginKind(
  spec: InstrumentSpec,
  fills: readonly ProposedFill[],
): { readonly kind: MarginKind; readonly some: readonly ProposedFill[] }[] {
  const kinds = new Set(fills.map(({ order }) => marginKindOf(order, spec)));
  return [...kinds].map((kind) => ({
    kind,
    some: fills.filter(({ order }) => marginKindOf(order, spec) === kind),
  }));
}
