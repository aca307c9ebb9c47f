/** Recomputes what must hold of all money, from the accounts themselves. */
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, minus, moneyText, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '../../messages/vocabulary.ts';
import type { HouseWallet, State, Wallet } from '../state.ts';
import { BALANCE_MAX, MAY_OWE, totalOf } from './ledger.ts';

export interface CoinDifference {
  readonly coin: string;
  readonly difference: Amount;
}

/** What users' orders and withdrawals reserve, and what their positions hold, recomputed from those. There are none yet, so it is nothing. */
const heldOf = (_state: State, _uid: Uid, _coin: string): Pick<Wallet, 'locked' | 'margin'> => ({
  locked: ZERO_AMOUNT,
  margin: ZERO_AMOUNT,
});

const houseTotal = (wallet: HouseWallet): Amount => HOUSE_ACCOUNTS.reduce((sum, account) => plus(sum, wallet[account]), ZERO_AMOUNT);

/** For each coin the sum over everybody, the house and the outside world included: zero when nothing was made or lost. */
export function differences({ coins, ledger }: State): readonly CoinDifference[] {
  const sums = new Map<string, Amount>([...coins.keys()].map((coin) => [coin, ZERO_AMOUNT]));
  const add = (coin: string, amount: Amount): void => void sums.set(coin, plus(sums.get(coin) ?? ZERO_AMOUNT, amount));
  for (const wallets of ledger.wallets.values()) for (const [coin, wallet] of wallets) add(coin, totalOf(wallet));
  for (const [coin, wallet] of ledger.house) add(coin, houseTotal(wallet));
  return [...sums].map(([coin, difference]) => ({ coin, difference }));
}

function walletFaults(state: State, uid: Uid, coin: string, wallet: Wallet): string[] {
  const faults: string[] = [];
  const whose = `of user ${uid} in ${coin}`;
  if (!state.coins.has(coin)) faults.push(`a wallet ${whose}, which is not listed`);
  for (const account of USER_ACCOUNTS) {
    const balance = wallet[account];
    if (balance < 0n) faults.push(`${account} ${whose} is ${moneyText(balance)}`);
    if (balance > BALANCE_MAX) faults.push(`${account} ${whose} is beyond its maximum`);
  }
  const held = heldOf(state, uid, coin);
  for (const account of ['locked', 'margin'] as const) {
    const excess = minus(wallet[account], held[account]);
    if (excess !== 0n) faults.push(`${account} ${whose} differs by ${moneyText(excess)} from what holds it`);
  }
  return faults;
}

function houseFaults(coin: string, wallet: HouseWallet): string[] {
  const faults = HOUSE_ACCOUNTS.filter((account) => wallet[account] < 0n && !MAY_OWE.has(account)).map(
    (account) => `${account} of the house in ${coin} is ${moneyText(wallet[account])}`,
  );
  if (wallet.outside > 0n) faults.push(`more ${coin} went outside than ever came in: ${moneyText(wallet.outside)}`);
  return faults;
}

export function auditLedger(state: State): readonly string[] {
  const { wallets, house } = state.ledger;
  const faults = differences(state)
    .filter(({ difference }) => difference !== 0n)
    .map(({ coin, difference }) => `${coin} does not add up: ${moneyText(negate(difference))} is missing`);
  for (const [uid, owned] of wallets) {
    if (!state.accounts.has(uid)) faults.push(`wallets of user ${uid}, who was never created`);
    for (const [coin, wallet] of owned) faults.push(...walletFaults(state, uid, coin, wallet));
  }
  for (const [coin, wallet] of house) faults.push(...houseFaults(coin, wallet));
  for (const [key, { orderId }] of state.depositIds) if (orderId >= state.nextId) faults.push(`deposit ${key} has an id not yet given`);
  return faults;
}
