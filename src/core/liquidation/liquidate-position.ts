/** Liquidates an isolated position at the expense of its own margin; the account is not touched. */

import { type Amount, minus, plus } from '../../kernel/money.ts';
import { matchesOrders } from '../../messages/vocabulary.ts';
import type { Moment } from '../derived/derived.ts';
import { specOf } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { maintenanceOf, unrealisedProfit } from '../derived/position.ts';
import { isMarkFrozen } from '../prices/market-prices.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { endOrder, openOrdersOf } from '../trading/orders/open-orders.ts';
import type { Step } from '../transaction/step.ts';
import { reduceTier } from './reduce-tier.ts';
import { takeover } from './takeover.ts';

/**
 * A position waits while its index is stale or its symbol does not match: there is no price to
 * close it at (POS-59, POS-74).
 */
export const canCloseNow = ({ state, at }: Moment, { key, instrument }: InstrumentSpec): boolean =>
  matchesOrders(state.instruments.get(key)?.status) && !isMarkFrozen(state, instrument, at);

/** Equity above maintenance, in the margin coin. */
export const positionBuffer = (state: State, position: Position, spec: InstrumentSpec): Amount =>
  minus(
    plus(position.margin, unrealisedProfit(state, position, spec)),
    maintenanceOf(state, position, spec),
  );

/** Cancels orders that would open the position again, or close what liquidation closes. */
export function endOrdersOn(step: Step, position: Position): void {
  for (const order of [...(openOrdersOf(step.derived, position.uid, position.key)?.all ?? [])])
    if (order.positionMode === 'oneWay' || order.positionSide === position.side)
      endOrder(step, order, 'liquidation');
}

export function liquidatePosition(step: Step, position: Position): void {
  const { state } = step;
  const spec = specOf(step.derived, position.key);
  const isSafe = (): boolean => position.lots === 0 || positionBuffer(state, position, spec) > 0n;
  const maintenance = maintenanceOf(state, position, spec);
  const equity = plus(positionBuffer(state, position, spec), maintenance);
  step.emit({
    type: 'liquidationBegun',
    uid: position.uid,
    positionId: position.id,
    equity,
    maintenance,
  });

  endOrdersOn(step, position);
  step.settle();
  while (!isSafe() && reducesRisk(step, position, spec)) step.settle();
  if (!isSafe()) takeover(step, position, spec, position.margin);
}

/** True if the reduction filled and left more headroom than before. */
function reducesRisk(step: Step, position: Position, spec: InstrumentSpec): boolean {
  const before = positionBuffer(step.state, position, spec);
  return (
    reduceTier(step, position, spec) &&
    position.lots > 0 &&
    positionBuffer(step.state, position, spec) > before
  );
}
