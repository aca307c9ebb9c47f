/**
 * What the house pays when somebody's money has run out: the insurance fund to its last unit, and
 * clearing the rest (POS-72).
 */
import type { State } from '../state/state.ts';
import { type Amount, ZERO_AMOUNT, least, minus, negate } from '../../kernel/money.ts';
import type { Movement } from './ledger.ts';

export const insuranceOf = ({ ledger }: State, coin: string): Amount =>
  ledger.house.get(coin)?.insurance ?? ZERO_AMOUNT;

/** The lines by which the house gains so much, or pays it when it is below zero. */
export function houseLines(state: State, coin: string, gained: Amount): Movement[] {
  if (gained >= 0n) return [{ coin, account: 'insurance', amount: gained }];
  const missing = negate(gained);
  const insured = least(missing, insuranceOf(state, coin));
  return [
    { coin, account: 'insurance', amount: negate(insured) },
    { coin, account: 'clearing', amount: negate(minus(missing, insured)) },
  ];
}
