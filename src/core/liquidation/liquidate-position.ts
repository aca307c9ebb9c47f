/** Liquidates an isolated position with what is its own; nothing else of the account is touched. */
import { type Amount, minus, plus } from '../../kernel/money.ts';
import { termsFor } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { maintenanceOf, unrealisedProfit } from '../margin/position-margin.ts';
import { endOrder } from '../orders/end-order.ts';
import { openOrdersOf } from '../orders/open-orders.ts';
import type { Position } from '../positions/position.ts';
import { isMarkFrozen } from '../prices/mark-prices.ts';
import type { State } from '../state.ts';
import type { Moment, Step } from '../step.ts';
import { reduceTier } from './reduce-tier.ts';
import { takeOver } from './take-over.ts';

/** A stale index and a symbol that does not match leave its positions alone: there is no price to close them at (POS-59, POS-74). */
export const isTouchable = ({ state, at }: Moment, { key, instrument }: Terms): boolean =>
  state.instruments.get(key)?.status === 'normal' && !isMarkFrozen(state, instrument, at);

/** What the position has above its maintenance, in its margin coin. */
export const positionSlack = (state: State, position: Position, terms: Terms): Amount =>
  minus(plus(position.margin, unrealisedProfit(state, position, terms)), maintenanceOf(state, position, terms));

/** Orders that would open the position again, or close what is about to be closed. */
export function endOrdersOn(step: Step, position: Position): void {
  for (const order of [...(openOrdersOf(step.derived, position.uid, position.key)?.all ?? [])])
    if (order.positionMode === 'oneWay' || order.positionSide === position.side) endOrder(step, order, 'liquidation');
}

export function liquidatePosition(step: Step, position: Position): void {
  const { state } = step;
  const terms = termsFor(step.derived, position.key);
  const isSafe = (): boolean => position.lots === 0 || positionSlack(state, position, terms) > 0n;
  const maintenance = maintenanceOf(state, position, terms);
  const equity = plus(positionSlack(state, position, terms), maintenance);
  step.emit({ type: 'liquidationBegun', uid: position.uid, positionId: position.id, equity, maintenance });

  endOrdersOn(step, position);
  step.settle();
  while (!isSafe() && helps(step, position, terms)) step.settle();
  if (!isSafe()) takeOver(step, position, terms, position.margin);
}

/** A reduction helps when it went through and left more room than there was. */
function helps(step: Step, position: Position, terms: Terms): boolean {
  const before = positionSlack(step.state, position, terms);
  return reduceTier(step, position, terms) && position.lots > 0 && positionSlack(step.state, position, terms) > before;
}
