/**
 * Profit shares that wait for a fresh price, by account. A price examines only the accounts that
 * wait for it (CPY-73).
 */

import { earnedAfterFees, leaderShare } from '../../formulas/copy-trading.ts';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { type Amount, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { TrackedOrder } from '../state/copy-state.ts';

const NO_IDS: ReadonlySet<Id> = new Set();

export class OwnIds {
  readonly #ids = new Map<Uid, Set<Id>>();

  add(uid: Uid, id: Id): void {
    const own = this.#ids.get(uid);
    if (own === undefined) this.#ids.set(uid, new Set([id]));
    else own.add(id);
  }

  delete(uid: Uid, id: Id): void {
    const own = this.#ids.get(uid);
    own?.delete(id);
    if (own?.size === 0) this.#ids.delete(uid);
  }

  of(uid: Uid): ReadonlySet<Id> {
    return this.#ids.get(uid) ?? NO_IDS;
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** Every account with an id. */
  uids(): Iterable<Uid> {
    return this.#ids.keys();
  }

  /** The number of ids of all accounts, for the audit. */
  get size(): number {
    let count = 0;
    for (const own of this.#ids.values()) count += own.size;
    return count;
  }
}

const NO_SHARES: ReadonlyMap<string, Amount> = new Map();

/** The leader's share of a copy's profit after fees; zero for an original. */
export const shareDue = (order: TrackedOrder): Amount =>
  order.kind === 'copy'
    ? leaderShare(earnedAfterFees(order.profit, order.openFee, order.closeFee), order.profitShare)
    : ZERO_AMOUNT;

export class SharesDue {
  readonly #byAccount = new Map<Uid, Map<string, Amount>>();

  of(uid: Uid): ReadonlyMap<string, Amount> {
    return this.#byAccount.get(uid) ?? NO_SHARES;
  }

  add(uid: Uid, coin: string, amount: Amount): void {
    if (amount === 0n) return;
    const own = getOrMake(this.#byAccount, uid, () => new Map<string, Amount>());
    const sum = plus(own.get(coin) ?? ZERO_AMOUNT, amount);
    if (sum === 0n) own.delete(coin);
    else own.set(coin, sum);
    if (own.size === 0) this.#byAccount.delete(uid);
  }

  /** For the audit. */
  all(): ReadonlyMap<Uid, ReadonlyMap<string, Amount>> {
    return this.#byAccount;
  }
}

/** Names of prices: the index of a coin, or the mark of an instrument. */
export const indexName = (coin: string): string => `index ${coin}`;

export const markName = (key: string): string => `mark ${key}`;

export class StaleShares {
  readonly #ids = new OwnIds();
  /** The prices that each account waits for. An account in `#waitingForAny` has no entry. */
  readonly #names = new Map<Uid, readonly string[]>();
  readonly #byName = new Map<string, Set<Uid>>();
  /** Accounts that any price may concern. */
  readonly #waitingForAny = new Set<Uid>();
  /** Accounts to examine because of a new price; empty between commands. */
  readonly #updated = new Set<Uid>();

  add(uid: Uid, id: Id): void {
    if (this.#ids.of(uid).size === 0) this.#waitingForAny.add(uid);
    this.#ids.add(uid, id);
  }

  delete(uid: Uid, id: Id): void {
    this.#ids.delete(uid, id);
    if (this.#ids.of(uid).size > 0) return;
    this.#stopWaiting(uid);
    this.#waitingForAny.delete(uid);
    this.#updated.delete(uid);
  }

  of(uid: Uid): ReadonlySet<Id> {
    return this.#ids.of(uid);
  }

  /** Waits for one of these prices, or for any price if there are no names. */
  waitFor(uid: Uid, names: readonly string[]): void {
    this.changed(uid);
    if (names.length === 0) return;
    this.#waitingForAny.delete(uid);
    this.#names.set(uid, names);
    for (const name of names)
      this.#byName.set(name, (this.#byName.get(name) ?? new Set<Uid>()).add(uid));
  }

  /** The reason to wait may have gone, so any next price examines the account. */
  changed(uid: Uid): void {
    if (this.#stopWaiting(uid)) this.#waitingForAny.add(uid);
  }

  update(name: string): void {
    for (const uid of this.#byName.get(name) ?? []) this.#updated.add(uid);
    for (const uid of this.#waitingForAny) this.#updated.add(uid);
  }

  updateAll(): void {
    for (const uid of this.#ids.uids()) this.#updated.add(uid);
  }

  get hasUpdates(): boolean {
    return this.#updated.size > 0;
  }

  takeUpdated(): readonly Uid[] {
    const updated = [...this.#updated];
    this.#updated.clear();
    return updated;
  }

  #stopWaiting(uid: Uid): boolean {
    const names = this.#names.get(uid);
    if (names === undefined) return false;
    this.#names.delete(uid);
    for (const name of names) {
      const uids = this.#byName.get(name)!;
      uids.delete(uid);
      if (uids.size === 0) this.#byName.delete(name);
    }
    return true;
  }
}
