/** The record of what an account owes in one coin. */
import { type Amount, ZERO_AMOUNT } from '../../kernel/money.ts';

export interface Debt {
  principal: Amount;
  interest: Amount;
  /** The part of the principal without a maintenance requirement: losses of closes (POS-173). */
  exemptPrincipal?: Amount;
}

export const NO_DEBT: Readonly<Debt> = Object.freeze({
  principal: ZERO_AMOUNT,
  interest: ZERO_AMOUNT,
});
