/**
 * Queues funding and interest that fall due at a full hour for many accounts. The amounts are fixed
 * at that moment; a few are charged at once, many in portions. An account's charges are settled
 * before anything else changes it, so the result is the same (CLK-27, CLK-153).
 */

import { getOrMake } from '../../../kernel/get-or-make.ts';
import type { Charge } from '../../state/charges.ts';
import type { Step } from '../../transaction/step.ts';

/** True if `count` charges fit into this command and none waits before them. */
export const fitInCommand = ({ state, derived }: Step, count: number): boolean =>
  state.pendingCharges === undefined && count <= derived.charging.count;

export function chargeNow<Kind extends Charge>(
  { derived }: Step,
  pendingCharges: readonly Kind[],
  charge: (one: Kind) => void,
): void {
  for (const one of pendingCharges) charge(one);
  derived.charging.count -= pendingCharges.length;
}

const noCharges = (): Charge[] => [];

export function queueCharges({ state }: Step, pendingCharges: readonly Charge[]): void {
  // An empty queue would never end.
  if (pendingCharges.length === 0) return;
  state.pendingCharges ??= new Map();
  for (const charge of pendingCharges)
    getOrMake(state.pendingCharges, charge.uid, noCharges).push(charge);
}
