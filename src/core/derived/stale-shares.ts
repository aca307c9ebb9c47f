/**
 * Copies that have ended and whose shares wait for prices, by holder. While something of a holder's
 * that nothing is heard of makes him wait by itself, no other price is a reason to look at him:
 * what is heard finds those it concerns, however many others wait (CPY-73). It follows from the
 * state.
 */
import { OwnIds } from './own-ids.ts';
import type { Id, Uid } from '../../kernel/ids.ts';

/** What is heard: the index of a coin, or the mark of an instrument. */
export const indexName = (coin: string): string => `index ${coin}`;

export const markName = (key: string): string => `mark ${key}`;

export class StaleShares {
  readonly #ids = new OwnIds();
  /** What each holder waits for; nobody who waits for nothing in particular. */
  readonly #names = new Map<Uid, readonly string[]>();
  readonly #byName = new Map<string, Set<Uid>>();
  /** Whom any price may end the wait of. */
  readonly #byAny = new Set<Uid>();
  /** To be looked at, since something was heard. No command ends with any of them. */
  readonly #known = new Set<Uid>();

  add(uid: Uid, id: Id): void {
    if (this.#ids.of(uid).size === 0) this.#byAny.add(uid);
    this.#ids.add(uid, id);
  }

  delete(uid: Uid, id: Id): void {
    this.#ids.delete(uid, id);
    if (this.#ids.of(uid).size > 0) return;
    this.#takeDown(uid);
    this.#byAny.delete(uid);
    this.#known.delete(uid);
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
    this.#byAny.delete(uid);
    this.#names.set(uid, names);
    for (const name of names)
      this.#byName.set(name, (this.#byName.get(name) ?? new Set<Uid>()).add(uid));
  }

  /**
   * What made a holder wait may be his no longer: the next price, whichever it is, is a reason to
   * look.
   */
  changed(uid: Uid): void {
    if (this.#takeDown(uid)) this.#byAny.add(uid);
  }

  update(name: string): void {
    for (const uid of this.#byName.get(name) ?? []) this.#known.add(uid);
    for (const uid of this.#byAny) this.#known.add(uid);
  }

  updateAll(): void {
    for (const uid of this.#ids.accountContexts()) this.#known.add(uid);
  }

  get isFresh(): boolean {
    return this.#known.size > 0;
  }

  takePrice(): readonly Uid[] {
    const known = [...this.#known];
    this.#known.clear();
    return known;
  }

  #takeDown(uid: Uid): boolean {
    const names = this.#names.get(uid);
    if (names === undefined) return false;
    this.#names.delete(uid);
    for (const name of names) {
      const accountContexts = this.#byName.get(name)!;
      accountContexts.delete(uid);
      if (accountContexts.size === 0) this.#byName.delete(name);
    }
    return true;
  }
}
