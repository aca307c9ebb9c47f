/** Index of the recent client order ids, by account and id. */
import { type ClientOid, UID_FIRST, type Uid } from '../../kernel/ids.ts';
import { HOUR, type Timestamp } from '../../kernel/time.ts';
import type { ClientOidGeneration, ClientOidUse } from '../state/order.ts';
import type { State } from '../state/state.ts';

/** A secret of this process, as two words. */
interface Salt {
  readonly one: number;
  readonly other: number;
}

const WORD = 2 ** 32;

const INITIAL_PLACES = 1 << 12;

/** A place is two words: the hash of a name, and its row number plus one. */
const PLACE_WORDS = 2;

const FREE = 0;

/** Finalisation rounds after the last word. */
const LAST_ROUNDS = 3;

/** Four characters of a name as one word. The last word has the other characters and the length. */
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
 * HalfSipHash with one round for each word. Without the salt, a user cannot compute names that
 * collide. With a known hash, 100,000 colliding names could slow down the lookups of every order
 * (ORD-105).
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

/** True if the row with this number has this name. */
export type RowHasName = (row: number, uid: Uid, clientOid: ClientOid) => boolean;

export class ClientOidIndex {
  readonly #salt: Salt;
  #table = new Int32Array(INITIAL_PLACES * PLACE_WORDS);
  #used = 0;

  /** The salt changes the layout of the table, but never a result. */
  constructor(salt: number) {
    this.#salt = { one: salt | 0, other: Math.floor(salt / WORD) | 0 };
  }

  find(uid: Uid, clientOid: ClientOid, hasName: RowHasName): number | undefined {
    const taken =
      this.#table[this.#placeOf(hashOf(this.#salt, uid, clientOid), uid, clientOid, hasName) + 1]!;
    return taken === FREE ? undefined : taken - 1;
  }

  /** If the name exists, it now refers to the new row. */
  set(uid: Uid, clientOid: ClientOid, row: number, hasName: RowHasName): void {
    const hash = hashOf(this.#salt, uid, clientOid);
    const place = this.#placeOf(hash, uid, clientOid, hasName);
    if (this.#table[place + 1] === FREE) this.#used += 1;
    this.#table[place] = hash;
    this.#table[place + 1] = row + 1;
  }

  /** True if half of the places are in use. The caller then calls `makeRoom`. */
  get isFull(): boolean {
    return this.#used * PLACE_WORDS * 2 >= this.#table.length;
  }

  /** Drops rows before `first`, renumbers the others from it, and doubles the room. */
  makeRoom(first: number): void {
    const old = this.#table;
    let kept = 0;
    for (let place = 0; place < old.length; place += PLACE_WORDS)
      if (old[place + 1]! > first) kept += 1;
    let places = INITIAL_PLACES;
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

  /** The place of a name, or the free place for it. */
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

export const CLIENT_OID_AGE_MS_MAX = 6 * HOUR;

const GENERATION_MS_MAX = 2 * HOUR;

/** All generations store eight million ids. Above that, the oldest ids expire early. */
export const GENERATION_USES_MAX = 1_000_000;

export const GENERATIONS_MAX = 8;

/** All generations, with one index over their rows. */
export class ClientOids {
  readonly #index: ClientOidIndex;
  readonly #generations: ClientOidGeneration[];
  /** The number of the first row of each generation. Row numbers continue across generations. */
  readonly #firsts: number[] = [];
  /** The number of the next row. */
  #next = 0;

  constructor({ clientOids }: Pick<State, 'clientOids'>, salt: number) {
    this.#index = new ClientOidIndex(salt);
    this.#generations = clientOids;
    for (const { uids, names } of clientOids) {
      this.#firsts.push(this.#next);
      for (let at = 0; at < uids.length; at++) this.#number(uids[at]!, names[at]!);
    }
  }

  /** The latest use of an id, at any age. */
  lastUse(uid: Uid, clientOid: ClientOid): ClientOidUse | undefined {
    const row = this.#index.find(uid, clientOid, this.#hasName);
    const place = row === undefined ? -1 : this.#generationOf(row);
    if (row === undefined || place < 0) return undefined;
    const { orderIds, contents, ats, untold } = this.#generations[place]!;
    const at = row - this.#firsts[place]!;
    const orderId = orderIds[at]!;
    return { orderId, content: contents[at]!, at: ats[at]!, hidesOrderId: untold.has(orderId) };
  }

  remember(
    uid: Uid,
    clientOid: ClientOid,
    { orderId, content, at, hidesOrderId }: ClientOidUse,
  ): void {
    const { uids, names, orderIds, contents, ats, untold } = this.#generationAt(at);
    uids.push(uid);
    names.push(clientOid);
    orderIds.push(orderId);
    contents.push(content);
    ats.push(at);
    if (hidesOrderId) untold.add(orderId);
    this.#number(uid, clientOid);
  }

  #number(uid: Uid, clientOid: ClientOid): void {
    if (this.#index.isFull) this.#makeRoom();
    this.#index.set(uid, clientOid, this.#next, this.#hasName);
    this.#next += 1;
  }

  #makeRoom(): void {
    const first = this.#firsts[0] ?? 0;
    this.#index.makeRoom(first);
    this.#next -= first;
    for (let place = 0; place < this.#firsts.length; place++) this.#firsts[place]! -= first;
  }

  readonly #hasName = (row: number, uid: Uid, clientOid: ClientOid): boolean => {
    const place = this.#generationOf(row);
    if (place < 0) return false;
    const at = row - this.#firsts[place]!;
    const { uids, names } = this.#generations[place]!;
    return uids[at] === uid && names[at] === clientOid;
  };

  /** Negative for a row of an expired generation. */
  #generationOf(row: number): number {
    let place = this.#firsts.length - 1;
    while (place >= 0 && this.#firsts[place]! > row) place -= 1;
    return place;
  }

  /** The current generation. If it is old or full, a new one begins and the oldest expire. */
  #generationAt(at: Timestamp): ClientOidGeneration {
    const generations = this.#generations;
    const last = generations.at(-1);
    if (
      last !== undefined &&
      at - last.since < GENERATION_MS_MAX &&
      last.uids.length < GENERATION_USES_MAX
    ) {
      last.until = at;
      return last;
    }
    while (
      generations.length > 0 &&
      (at - generations[0]!.until >= CLIENT_OID_AGE_MS_MAX || generations.length >= GENERATIONS_MAX)
    ) {
      generations.shift();
      this.#firsts.shift();
    }
    const generation: ClientOidGeneration = {
      since: at,
      until: at,
      uids: [],
      names: [],
      orderIds: [],
      contents: [],
      ats: [],
      untold: new Set(),
    };
    generations.push(generation);
    this.#firsts.push(this.#next);
    return generation;
  }
}
