/**
 * Copies that have ended and whose shares wait for prices, by holder. While something of a holder's
 * that nothing is heard of makes him wait by itself, no other price is a reason to look at him:
 * what is heard finds those it concerns, however many others wait (CPY-73). It follows from the
 * state.
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

  /** Everybody who has some. */
  uids(): Iterable<Uid> {
    return this.#ids.keys();
  }

  /** How many there are of all holders: for the audit. */
  get size(): number {
    let count = 0;
    for (const own of this.#ids.values()) count += own.size;
    return count;
  }
}

const NO_SHARES: ReadonlyMap<string, Amount> = new Map();

/** The share of what a copy has earned after fees; an original owes nobody. */
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

  /** Everybody's: for the audit. */
  all(): ReadonlyMap<Uid, ReadonlyMap<string, Amount>> {
    return this.#byAccount;
  }
}

/** What is heard: the index of a coin, or the mark of an instrument. */
export const indexName = (coin: string): string => `index ${coin}`;

export const markName = (key: string): string => `mark ${key}`;

export class StaleShares {
  readonly #ids = new OwnIds();
  /** What each holder waits for; nobody who waits for nothing in particular. */
  readonly #names = new Map<Uid, readonly string[]>();
  readonly #byName = new Map<string, Set<Uid>>();
  /** Whom any price may end the wait of. */
  readonly #waitingForAny = new Set<Uid>();
  /** To be looked at, since something was heard. No command ends with any of them. */
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

  /**
   * Until one of them is heard, or `changed` says that it may be another matter. Without names any
   * price counts.
   */
  waitFor(uid: Uid, names: readonly string[]): void {
    this.changed(uid);
    if (names.length === 0) return;
    this.#waitingForAny.delete(uid);
    this.#names.set(uid, names);
    for (const name of names)
      this.#byName.set(name, (this.#byName.get(name) ?? new Set<Uid>()).add(uid));
  }

  /**
   * What made a holder wait may be his no longer: the next price, whichever it is, is a reason to
   * look.
   */
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
