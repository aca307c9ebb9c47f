/** Reserves of the house, which bound credits and withdrawals, and the kill switch of a coin. */

import { given } from '../../kernel/given.ts';
import {
  type Amount,
  greatest,
  least,
  minus,
  moneyFromText,
  moneyText,
  negate,
  plusLarge,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { HOUSE_ACCOUNTS } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';
import { done, type Handler, reject } from '../transaction/step.ts';
import { normalOperator, recordAct } from './operator-acts.ts';

/** Deposits minus withdrawals. */
export const netDeposits = ({ ledger }: State, coin: string): Amount =>
  negate(ledger.house.get(coin)?.outside ?? ZERO_AMOUNT);

/** What the house can pay: the net deposits, or a known reserve that is smaller. */
export function heldByHouse(state: State, coin: string): Amount {
  const deposited = netDeposits(state, coin);
  const reserve = state.withdrawals.reserves.get(coin);
  return reserve === undefined ? deposited : least(reserve, deposited);
}

/** True if the house can pay the amount in addition to released withdrawals. */
export const canCover = (state: State, coin: string, amount: Amount): boolean =>
  plusLarge(state.withdrawals.outgoing.get(coin) ?? ZERO_AMOUNT, amount) <=
  heldByHouse(state, coin);

/** What users own without loans: the net deposits, less the balances of the house (POS-94). */
function owedToUsers({ ledger }: State, coin: string): Amount {
  const house = ledger.house.get(coin);
  if (house === undefined) return ZERO_AMOUNT;
  let owed = ZERO_AMOUNT;
  for (const account of HOUSE_ACCOUNTS)
    if (account !== 'borrowPool') owed = plusLarge(owed, negate(house[account]));
  return owed;
}

/** True if a credit would exceed a known reserve. */
export function breaksReserve(state: State, coin: string, credit: Amount): boolean {
  const reserve = state.withdrawals.reserves.get(coin);
  return (
    reserve !== undefined &&
    plusLarge(greatest(netDeposits(state, coin), owedToUsers(state, coin)), credit) > reserve
  );
}

/** Reduces a known reserve, which stays at zero if the operator gave it too low. */
export function takeFromReserve(
  { withdrawals: { reserves } }: State,
  coin: string,
  sent: Amount,
): void {
  const reserve = reserves.get(coin);
  if (reserve !== undefined) reserves.set(coin, greatest(minus(reserve, sent), ZERO_AMOUNT));
}

export const setReserve: Handler<'setReserve'> = (
  step,
  { coin, amount: input, operator: givenOperator },
) => {
  const { coins, withdrawals } = step.state;
  const operator = normalOperator(givenOperator);
  if (operator === undefined) return reject('fieldInvalid', 'operator');
  if (!coins.has(coin)) return reject('unknownCoin', 'coin', coin);
  const amount = input === undefined ? undefined : moneyFromText<Amount>(input);
  if (input !== undefined && amount === undefined) return reject('tooFine', 'amount');

  if (amount === undefined) withdrawals.reserves.delete(coin);
  else withdrawals.reserves.set(coin, amount);
  step.emit({ type: 'reserveSet', coin, ...given({ amount }) });
  recordAct(step, {
    operator,
    act: 'setReserve',
    coin,
    detail: amount === undefined ? 'not watched' : moneyText(amount),
  });
  return done;
};

export const switchWithdrawals: Handler<'switchWithdrawals'> = (
  step,
  { coin, on, operator: givenOperator },
) => {
  const { coins, withdrawals } = step.state;
  const operator = normalOperator(givenOperator);
  if (operator === undefined) return reject('fieldInvalid', 'operator');
  if (!coins.has(coin)) return reject('unknownCoin', 'coin', coin);
  if (withdrawals.halted.has(coin) !== on) return done;

  if (on) withdrawals.halted.delete(coin);
  else withdrawals.halted.add(coin);
  step.emit({ type: 'withdrawalsSwitched', coin, on });
  recordAct(step, { operator, act: on ? 'resumeWithdrawals' : 'haltWithdrawals', coin });
  return done;
};
