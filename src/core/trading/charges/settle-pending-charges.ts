/**
 * Charges those who wait for it: a slice after each command, and before that whoever does something
 * (`engine.ts`) or has something done to him. Whatever is about to change somebody's money, loans,
 * orders or positions on behalf of others calls `settlePendingCharges` before it decides by them.
 */
import type { Charge } from '../../state/charges.ts';
import type { DeferredWork, Step } from '../../transaction/step.ts';
import { chargeFunding } from './charge-funding.ts';
import { chargeLoan } from './interest.ts';
import { chargePairLoan } from './pair-interest.ts';
import type { Uid } from '../../../kernel/ids.ts';

const chargeKinds: {
  readonly [Kind in Charge['kind']]: (step: Step, charge: Extract<Charge, { kind: Kind }>) => void;
} = {
  funding: chargeFunding,
  interest: chargeLoan,
  pairInterest: chargePairLoan,
};

function chargeOne<Kind extends Charge['kind']>(
  step: Step,
  charge: Extract<Charge, { kind: Kind }>,
): void {
  chargeKinds[charge.kind](step, charge);
}

export const isWaiting = ({ state }: Step, uid: Uid): boolean =>
  state.pendingCharges?.has(uid) === true;

/**
 * Charges somebody all that he waits to be charged. A look that may still end in a refusal charges
 * nobody: a refused command changes nothing.
 */
export function settlePendingCharges(step: Step, uid: Uid): void {
  const { pendingCharges } = step.state;
  const own = pendingCharges?.get(uid);
  if (pendingCharges === undefined || own === undefined) return;
  pendingCharges.delete(uid);
  if (pendingCharges.size === 0) delete step.state.pendingCharges;
  for (const charge of own) chargeOne(step, charge);
  step.derived.charging.count -= own.length;
}

export const deferredCharges: DeferredWork = {
  isWaiting: ({ state }) => state.pendingCharges !== undefined,
  doPortion: (step) => {
    for (const uid of step.state.pendingCharges!.keys()) {
      if (step.derived.charging.count <= 0) return;
      settlePendingCharges(step, uid);
    }
  },
};
