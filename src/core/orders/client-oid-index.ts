/**
 * Finds the row that remembers a client id, among millions, by touching one place of one table: most ids that are asked for are new, and
 * a hash that is not there needs no comparing of texts. It follows from the rows in the state.
 */
import { type ClientOid, UID_FIRST, type Uid } from '../../kernel/ids.ts';

const PLACES_AT_FIRST = 1 << 12;
/** A place is two words: the hash of a name, and one more than the number of its row. */
const PLACE_WORDS = 2;
const FREE = 0;

const FACTOR = 0x9e3779b1;

/** Two characters at a time; the last step spreads the upper bits over the lower, which choose the place. */
function hashOf(uid: Uid, clientOid: ClientOid): number {
  const { length } = clientOid;
  let hash = Math.imul(uid - UID_FIRST, FACTOR) ^ length;
  let at = 1;
  for (; at < length; at += 2) {
    hash = Math.imul(hash ^ (clientOid.charCodeAt(at - 1) | (clientOid.charCodeAt(at) << 16)), FACTOR);
    hash ^= hash >>> 15;
  }
  if (at === length) hash = Math.imul(hash ^ clientOid.charCodeAt(at - 1), FACTOR);
  return hash ^ (hash >>> 13);
}

/** Whether a row, by its number, has this name. */
export type RowHasName = (row: number, uid: Uid, clientOid: ClientOid) => boolean;

export class ClientOidIndex {
  #table = new Int32Array(PLACES_AT_FIRST * PLACE_WORDS);
  #used = 0;

  find(uid: Uid, clientOid: ClientOid, hasName: RowHasName): number | undefined {
    const taken = this.#table[this.#placeOf(hashOf(uid, clientOid), uid, clientOid, hasName) + 1]!;
    return taken === FREE ? undefined : taken - 1;
  }

  /** A name that is there already is from now on that of the newer row. */
  set(uid: Uid, clientOid: ClientOid, row: number, hasName: RowHasName): void {
    const hash = hashOf(uid, clientOid);
    const place = this.#placeOf(hash, uid, clientOid, hasName);
    if (this.#table[place + 1] === FREE) this.#used += 1;
    this.#table[place] = hash;
    this.#table[place + 1] = row + 1;
  }

  /** Half of the places are in use: then whoever keeps the rows makes room. */
  get isFull(): boolean {
    return this.#used * PLACE_WORDS * 2 >= this.#table.length;
  }

  /** Forgets rows before the first, counts the others from it, and has room for as many again. */
  makeRoom(first: number): void {
    const old = this.#table;
    let kept = 0;
    for (let place = 0; place < old.length; place += PLACE_WORDS) if (old[place + 1]! > first) kept += 1;
    let places = PLACES_AT_FIRST;
    while (places < kept * 4) places *= 2;
    this.#table = new Int32Array(places * PLACE_WORDS);
    this.#used = kept;
    for (let place = 0; place < old.length; place += PLACE_WORDS) {
      const taken = old[place + 1]!;
      if (taken > first) this.#putNew(old[place]!, taken - first);
    }
  }

  #putNew(hash: number, taken: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let place = (hash * PLACE_WORDS) & mask;
    while (table[place + 1] !== FREE) place = (place + PLACE_WORDS) & mask;
    table[place] = hash;
    table[place + 1] = taken;
  }

  /** Where a name is, or the free place it would have. */
  #placeOf(hash: number, uid: Uid, clientOid: ClientOid, hasName: RowHasName): number {
    const table = this.#table;
    const mask = table.length - 1;
    let place = (hash * PLACE_WORDS) & mask;
    for (;;) {
      const taken = table[place + 1]!;
      if (taken === FREE || (table[place] === hash && hasName(taken - 1, uid, clientOid))) return place;
      place = (place + PLACE_WORDS) & mask;
    }
  }
}
