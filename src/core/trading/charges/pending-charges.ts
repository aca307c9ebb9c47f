/**
 * What falls due for everybody at one full hour, funding and interest, and may be too much for one
 * command. Each one's charge is fixed at that moment; a few are charged at once, and of many a
 * slice at a time. Until it is his turn nothing of his may change: whoever does something
 * meanwhile, or has something done to him, is charged first (`charge-waiting.ts`), so that it comes
 * to the same (CLK-27, CLK-153).
 */

import { getOrMake } from '../../../kernel/get-or-make.ts';
import type { Charge } from '../../state/charges.ts';
import type { Step } from '../../transaction/step.ts';

/** Whether so many can be charged now; whoever waits comes first. */
export const areFew = ({ state, derived }: Step, count: number): boolean =>
  state.pendingCharges === undefined && count <= derived.charging.count;

/** For a few; `queueCharges` is for many. */
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
  // A line in which nobody waits would never end.
  if (pendingCharges.length === 0) return;
  state.pendingCharges ??= new Map();
  for (const charge of pendingCharges)
    getOrMake(state.pendingCharges, charge.uid, noCharges).push(charge);
}
