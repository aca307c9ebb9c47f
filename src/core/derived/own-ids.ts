/**
 * Ids by their holder, in the order they came: what concerns one is found without looking at
 * everybody's.
 */
import type { Id, Uid } from '../../kernel/ids.ts';

const NONE: ReadonlySet<Id> = new Set();

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
    return this.#ids.get(uid) ?? NONE;
  }

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** Everybody who has some. */
  accountContexts(): Iterable<Uid> {
    return this.#ids.keys();
  }

  /** How many there are of all holders: for the audit. */
  get size(): number {
    let count = 0;
    for (const own of this.#ids.values()) count += own.size;
    return count;
  }
}
