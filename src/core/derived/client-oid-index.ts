/**
 * Finds the row that remembers a client id, among millions, by touching one place of one table:
 * most ids that are asked for are new, and a hash that is not there needs no comparing of texts. It
 * follows from the rows in the state.
 */
import { type ClientOid, UID_FIRST, type Uid } from '../../kernel/ids.ts';

/** What only this process knows, as two words. */
interface Salt {
  readonly one: number;
  readonly other: number;
}

const WORD = 2 ** 32;

const PLACES_AT_FIRST = 1 << 12;

/** A place is two words: the hash of a name, and one more than the number of its row. */
const PLACE_WORDS = 2;

const FREE = 0;

/** Rounds after the last word, for the hash to depend on all of it. */
const LAST_ROUNDS = 3;

/** Four characters of a name as one word; the last word has what is left of it, and its length. */
function wordOf(name: ClientOid, at: number): number {
  const { length } = name;
  if (at + 4 <= length)
    return (
      name.charCodeAt(at) |
      (name.charCodeAt(at + 1) << 8) |
      (name.charCodeAt(at + 2) << 16) |
      (name.charCodeAt(at + 3) << 24)
    );
  let word = length << 24;
  for (let left = at; left < length; left++) word |= name.charCodeAt(left) << (8 * (left - at));
  return word;
}

/**
 * HalfSipHash with one round for a word: who does not know the salt cannot reckon names that have
 * one hash. A hash that anybody can reckon would let a single user give his orders a hundred
 * thousand such names, and every order of his, and many another's, would be held against all of
 * them (ORD-105).
 */
function hashOf(salt: Salt, uid: Uid, clientOid: ClientOid): number {
  let a = salt.one;
  let b = salt.other;
  let c = salt.one ^ 0x6c796765;
  let d = salt.other ^ 0x74656462;
  const words = (clientOid.length >>> 2) + 1;
  for (let round = -1; round < words + LAST_ROUNDS; round++) {
    const word = round < 0 ? uid - UID_FIRST : round < words ? wordOf(clientOid, round * 4) : 0;
    if (round === words) c ^= 0xff;
    d ^= word;
    a = (a + b) | 0;
    b = ((b << 5) | (b >>> 27)) ^ a;
    a = (a << 16) | (a >>> 16);
    c = (c + d) | 0;
    d = ((d << 8) | (d >>> 24)) ^ c;
    a = (a + d) | 0;
    d = ((d << 7) | (d >>> 25)) ^ a;
    c = (c + b) | 0;
    b = ((b << 13) | (b >>> 19)) ^ c;
    c = (c << 16) | (c >>> 16);
    a ^= word;
  }
  return b ^ d;
}

/** Whether a row, by its number, has this name. */
export type RowHasName = (row: number, uid: Uid, clientOid: ClientOid) => boolean;

export class ClientOidIndex {
  readonly #salt: Salt;
  #table = new Int32Array(PLACES_AT_FIRST * PLACE_WORDS);
  #used = 0;

  /** Which salt it is decides where rows are found, and never which. */
  constructor(salt: number) {
    this.#salt = { one: salt | 0, other: Math.floor(salt / WORD) | 0 };
  }

  find(uid: Uid, clientOid: ClientOid, hasName: RowHasName): number | undefined {
    const taken =
      this.#table[this.#placeOf(hashOf(this.#salt, uid, clientOid), uid, clientOid, hasName) + 1]!;
    return taken === FREE ? undefined : taken - 1;
  }

  /** A name that is there already is from now on that of the newer row. */
  set(uid: Uid, clientOid: ClientOid, row: number, hasName: RowHasName): void {
    const hash = hashOf(this.#salt, uid, clientOid);
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
    for (let place = 0; place < old.length; place += PLACE_WORDS)
      if (old[place + 1]! > first) kept += 1;
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
      if (taken === FREE || (table[place] === hash && hasName(taken - 1, uid, clientOid)))
        return place;
      place = (place + PLACE_WORDS) & mask;
    }
  }
}
