/** The record of what an account owes in one coin. */
import { type Amount, ZERO_AMOUNT } from '../../kernel/money.ts';

export interface Debt {
  principal: Amount;
  interest: Amount;
  /**
   * Of the principal, what closing at a loss has cost and nothing must be kept up for (POS-173);
   * left out when there is none.
   */
  exemptPrincipal?: Amount;
}

export const NO_DEBT: Readonly<Debt> = Object.freeze({
  principal: ZERO_AMOUNT,
  interest: ZERO_AMOUNT,
});
