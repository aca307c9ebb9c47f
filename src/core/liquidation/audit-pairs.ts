/** Recomputes the sums of isolated pairs: wallets, what orders lock, and what the pool lent. */

import type { Uid } from '../../kernel/ids.ts';
import { type Amount, least, minus, moneyText, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { IsolatedAccount } from '../../messages/vocabulary.ts';
import { walletOf } from '../ledger/ledger.ts';
import { pairDebtOf } from '../margin/pair-debts.ts';
import type { State } from '../state/state.ts';

const ACCOUNTS: readonly IsolatedAccount[] = ['isolated', 'isolatedLocked'];

class Sums {
  readonly #sums = new Map<string, Amount>();

  add(key: string, amount: Amount): void {
    this.#sums.set(key, plus(this.of(key), amount));
  }
  of(key: string): Amount {
    return this.#sums.get(key) ?? ZERO_AMOUNT;
  }
  keys(): Iterable<string> {
    return this.#sums.keys();
  }
}

function* walletsOfPairs({ isolatedPairs }: State) {
  for (const [uid, pairs] of isolatedPairs)
    for (const [symbol, wallets] of pairs)
      for (const [coin, wallet] of wallets) yield { uid, symbol, coin, wallet };
}

function walletFaults(state: State): string[] {
  const faults: string[] = [];
  const parts = new Sums();
  for (const { uid, symbol, coin, wallet } of walletsOfPairs(state))
    for (const account of ACCOUNTS) {
      parts.add(`${account} of user ${uid} in ${coin}`, wallet[account]);
      if (wallet[account] < 0n)
        faults.push(
          `${account} of user ${uid} in ${coin} of ${symbol} is ${moneyText(wallet[account])}`,
        );
    }
  for (const [uid, wallets] of state.ledger.wallets)
    for (const coin of wallets.keys())
      for (const account of ACCOUNTS) {
        const key = `${account} of user ${uid} in ${coin}`;
        const difference = minus(walletOf(state.ledger, uid, coin)[account], parts.of(key));
        if (difference !== 0n)
          faults.push(`${key} differs by ${moneyText(difference)} from its pairs`);
      }
  return faults;
}

function lockedFaults(state: State): string[] {
  const faults: string[] = [];
  const held = new Sums();
  for (const { id, uid, hold, loanType } of state.orders.values()) {
    if ((loanType !== undefined) !== (hold.kind === 'isolated'))
      faults.push(`order ${id} has a hold of the wrong kind`);
    if (hold.kind === 'isolated') held.add(`${uid} ${hold.symbol} ${hold.coin}`, hold.amount);
  }
  for (const { uid, symbol, coin, wallet } of walletsOfPairs(state)) {
    const difference = minus(wallet.isolatedLocked, held.of(`${uid} ${symbol} ${coin}`));
    if (difference !== 0n)
      faults.push(
        `${symbol} of user ${uid} has ${moneyText(difference)} ${coin} locked that no order holds`,
      );
  }
  return faults;
}

function debtFaults(state: State): string[] {
  const faults: string[] = [];
  const lent = new Sums();
  for (const debts of state.debts.values())
    for (const [coin, { principal }] of debts) lent.add(coin, principal);
  for (const [symbol, debtors] of state.isolatedDebts)
    for (const [uid, debts] of debtors) {
      if (debts.size === 0)
        faults.push(`user ${uid} is listed as a debtor of ${symbol} and owes nothing`);
      for (const [coin, { principal, interest }] of debts) {
        lent.add(coin, principal);
        if (principal < 0n || interest < 0n)
          faults.push(`user ${uid} has a negative debt of ${coin} in ${symbol}`);
      }
    }
  for (const coin of new Set([...lent.keys(), ...state.ledger.house.keys()])) {
    const difference = plus(lent.of(coin), state.ledger.house.get(coin)?.borrowPool ?? ZERO_AMOUNT);
    if (difference !== 0n)
      faults.push(
        `loans of ${coin} differ by ${moneyText(difference)} from what the pool has lent`,
      );
  }
  return faults;
}

/**
 * Borrowed money that an open order still holds must be owed: it repays no loan before the order
 * ends.
 */
function loanFaults(state: State): string[] {
  const unspent = new Sums();
  for (const { uid, hold } of state.orders.values())
    if (hold.kind === 'isolated')
      unspent.add(`${hold.symbol} ${uid} ${hold.coin}`, least(hold.amount, hold.borrowed));
  return [...unspent.keys()].flatMap((key) => {
    const [symbol = '', uid = '', coin = ''] = key.split(' ');
    const { principal } = pairDebtOf(state, { uid: Number.parseInt(uid, 10) as Uid, symbol }, coin);
    return unspent.of(key) > principal
      ? [`orders of user ${uid} in ${symbol} hold more borrowed ${coin} than is owed`]
      : [];
  });
}

export const auditPairs = (state: State): readonly string[] => [
  ...walletFaults(state),
  ...lockedFaults(state),
  ...debtFaults(state),
  ...loanFaults(state),
];
