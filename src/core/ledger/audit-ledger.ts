/** Audits the ledger: balances, holds and the sum of all money. */
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  moneyText,
  negate,
  plusLarge,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '../../messages/vocabulary.ts';
import type { Derived } from '../derived/derived.ts';
import { holdOf } from '../derived/derived.ts';
import type { HouseWallet, State, Wallet } from '../state/state.ts';
import { MAY_BE_NEGATIVE, totalOf } from './ledger.ts';

export interface CoinDifference {
  readonly coin: string;
  readonly difference: Amount;
}

/** Money reserved by orders, withdrawals and isolated positions, by user and coin. */
class Reserved {
  readonly #locked = new Map<string, Amount>();
  readonly #margin = new Map<string, Amount>();

  constructor(state: State, derived: Derived) {
    for (const { uid, hold } of state.orders.values())
      if (hold.kind === 'wallet') add(this.#locked, `${uid} ${hold.coin}`, hold.amount);
    for (const { row } of state.withdrawals.live.values())
      add(this.#locked, `${row.uid} ${row.coin}`, holdOf(row));
    for (const positions of state.positions.values())
      for (const { uid, key, margin } of positions.values())
        add(this.#margin, `${uid} ${derived.spec.get(key)?.instrument.marginCoin}`, margin);
  }

  /** The users and coins with reserved money, as `uid coin`. */
  names(): Iterable<string> {
    return [...this.#locked, ...this.#margin]
      .filter(([, amount]) => amount !== 0n)
      .map(([name]) => name);
  }

  of(uid: Uid, coin: string): Pick<Wallet, 'locked' | 'margin'> {
    const name = `${uid} ${coin}`;
    return {
      locked: this.#locked.get(name) ?? ZERO_AMOUNT,
      margin: this.#margin.get(name) ?? ZERO_AMOUNT,
    };
  }
}

const add = (sums: Map<string, Amount>, name: string, amount: Amount): void =>
  void sums.set(name, plusLarge(sums.get(name) ?? ZERO_AMOUNT, amount));

const houseTotal = (wallet: HouseWallet): Amount =>
  HOUSE_ACCOUNTS.reduce((sum, account) => plusLarge(sum, wallet[account]), ZERO_AMOUNT);

/** The sum of each coin over all users and the house, which is zero unless money was lost. */
export function differences({ coins, ledger }: State): readonly CoinDifference[] {
  const sums = new Map<string, Amount>([...coins.keys()].map((coin) => [coin, ZERO_AMOUNT]));
  for (const wallets of ledger.wallets.values())
    for (const [coin, wallet] of wallets) add(sums, coin, totalOf(wallet));
  for (const [coin, wallet] of ledger.house) add(sums, coin, houseTotal(wallet));
  return [...sums].map(([coin, difference]) => ({ coin, difference }));
}

function walletFaults(
  state: State,
  all: Reserved,
  uid: Uid,
  coin: string,
  wallet: Wallet,
): string[] {
  const faults: string[] = [];
  const whose = `of user ${uid} in ${coin}`;
  if (!state.coins.has(coin)) faults.push(`the wallet ${whose} has a coin that is not listed`);
  for (const account of USER_ACCOUNTS) {
    const balance = wallet[account];
    if (balance < 0n) faults.push(`${account} ${whose} is ${moneyText(balance)}`);
  }
  const held = all.of(uid, coin);
  for (const account of ['locked', 'margin'] as const) {
    const excess = minus(wallet[account], held[account]);
    if (excess !== 0n)
      faults.push(`${account} ${whose} differs by ${moneyText(excess)} from the sum of its holds`);
  }
  return faults;
}

function houseFaults(coin: string, wallet: HouseWallet): string[] {
  const faults = HOUSE_ACCOUNTS.filter(
    (account) => wallet[account] < 0n && !MAY_BE_NEGATIVE.has(account),
  ).map((account) => `${account} of the house in ${coin} is ${moneyText(wallet[account])}`);
  if (wallet.exchanging !== 0n)
    faults.push(`${moneyText(wallet.exchanging)} ${coin} is left in an unfinished trade`);
  if (wallet.outside > 0n)
    faults.push(`${coin} withdrawals exceed deposits by ${moneyText(wallet.outside)}`);
  return faults;
}

export function auditLedger(state: State, derived: Derived): readonly string[] {
  const held = new Reserved(state, derived);
  const { wallets, house } = state.ledger;
  const faults = differences(state)
    .filter(({ difference }) => difference !== 0n)
    .map(
      ({ coin, difference }) =>
        `${coin} does not add up: ${moneyText(negate(difference))} is missing`,
    );
  for (const [uid, owned] of wallets) {
    if (!state.accounts.has(uid)) faults.push(`user ${uid} has wallets but does not exist`);
    for (const [coin, wallet] of owned)
      faults.push(...walletFaults(state, held, uid, coin, wallet));
  }
  const known = new Set(
    [...wallets].flatMap(([uid, owned]) => [...owned.keys()].map((coin) => `${uid} ${coin}`)),
  );
  for (const name of held.names())
    if (!known.has(name)) faults.push(`${name} has holds but no wallet`);
  for (const [coin, wallet] of house) faults.push(...houseFaults(coin, wallet));
  for (const [key, { orderId }] of state.depositIds)
    if (orderId >= state.nextId) faults.push(`deposit ${key} has an unassigned id`);
  return faults;
}
