/** Settles the pending charges of accounts: funding and interest (CLK-28). */
import type { Uid } from '../../../kernel/ids.ts';
import type { Derived } from '../../derived/derived.ts';
import type { Charge } from '../../state/charges.ts';
import type { Step } from '../../transaction/step.ts';
import { chargeFunding } from './charge-funding.ts';
import { chargeLoan } from './interest.ts';
import { chargePairLoan } from './pair-interest.ts';

export function beginCharging({
  charging,
  portions,
}: Pick<Derived, 'charging' | 'portions'>): void {
  charging.count = portions.pendingCharges;
}

const chargeKinds: {
  readonly [Kind in Charge['kind']]: (step: Step, charge: Extract<Charge, { kind: Kind }>) => void;
} = {
  funding: chargeFunding,
  interest: chargeLoan,
  pairInterest: chargePairLoan,
};

function settleCharge<Kind extends Charge['kind']>(
  step: Step,
  charge: Extract<Charge, { kind: Kind }>,
): void {
  chargeKinds[charge.kind](step, charge);
}

export const hasPendingCharges = ({ state }: Step, uid: Uid): boolean =>
  state.pendingCharges?.has(uid) === true;

/**
 * Settles all pending charges of an account. A check that may still refuse must not call this: a
 * refused command changes nothing.
 */
export function settlePendingCharges(step: Step, uid: Uid): void {
  const { pendingCharges } = step.state;
  const own = pendingCharges?.get(uid);
  if (pendingCharges === undefined || own === undefined) return;
  pendingCharges.delete(uid);
  if (pendingCharges.size === 0) delete step.state.pendingCharges;
  for (const charge of own) settleCharge(step, charge);
  step.derived.charging.count -= own.length;
}

export function chargePortion(step: Step): void {
  for (const uid of step.state.pendingCharges!.keys()) {
    if (step.derived.charging.count <= 0) return;
    settlePendingCharges(step, uid);
  }
}
