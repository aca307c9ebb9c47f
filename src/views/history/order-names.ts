/**
 * Where orders of a name are: for each stored order one number that says whose name leads to which
 * stretch of ids. Two names may share a number, and a stretch is looked through for the name
 * itself, so nothing depends on it but time. Numbers of orders placed one after another lie near
 * each other, so that storing them touches few pages however large the file has grown.
 */
import type Database from 'libsql';
import type { Uid } from '../../kernel/ids.ts';
import { yieldThread } from './yield-thread.ts';

/** Ids that a stretch spans: so far apart the rows of a block may be. */
export const STRETCH_IDS = 2 ** 16;
/**
 * Of one era numbers are looked for at one place: half a million ids. Storing touches the pages of
 * the present era, so a longer one makes storing dearer (four times, when a million orders shared
 * one), and a shorter one makes more places to look at.
 */
const STRETCHES_PER_ERA = 2 ** 3;
const HASHES = 2 ** 26;
/** Numbers that go into the file in one statement, between two breaths. */
const NUMBERS_AT_ONCE = 500;

export const rangeOf = (id: number): number => Math.floor(id / STRETCH_IDS);

const FIRST = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;
const mixed = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

/** FNV-1a over whose name it is and its bytes. */
function hashOf(uid: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = mixed(mixed(FIRST, uid & 0xff_ff), uid >>> 16);
  for (let at = start; at < end; at++) hash = mixed(hash, bytes[at]!);
  return (hash ^ (hash >>> 16)) & (HASHES - 1);
}

const firstNumberOf = (era: number, hash: number): number =>
  (era * HASHES + hash) * STRETCHES_PER_ERA;

const NUMBERS_PER_ERA = firstNumberOf(1, 0);
/**
 * Walks from era to era within one statement: an exchange of years has hundred thousands of them,
 * and asking for each costs ten times the walk.
 */
const STRETCHES_OF_HASH = `with recursive eras (first) as (
  values (?) union all select first + ${NUMBERS_PER_ERA} from eras where first + ${NUMBERS_PER_ERA} <= (select max(number) from order_names)
) select number from eras cross join order_names where number >= first and number < first + ${STRETCHES_PER_ERA} order by number`;

export class OrderNames {
  readonly #database: Database.Database;
  #fresh: number[] = [];
  #insert: Database.Statement | undefined;
  #find: Database.Statement | undefined;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Takes an order whose name stands in bytes, length first. */
  add(uid: number, id: number, bytes: Buffer, at: number): void {
    const start = at + 4;
    const hash = hashOf(uid, bytes, start, start + bytes.readUInt32LE(at));
    const range = rangeOf(id);
    this.#fresh.push(
      firstNumberOf(Math.floor(range / STRETCHES_PER_ERA), hash) + (range % STRETCHES_PER_ERA),
    );
  }

  /** Stores what was added since, within the transaction of whoever calls. */
  store(): void {
    const numbers = Float64Array.from(this.#fresh).sort();
    this.#fresh = [];
    this.#insert ??= this.#database.prepare(
      'insert or ignore into order_names (number) select value from json_each(?)',
    );
    for (let at = 0; at < numbers.length; at += NUMBERS_AT_ONCE) {
      this.#insert.run([JSON.stringify([...numbers.subarray(at, at + NUMBERS_AT_ONCE)])]);
      yieldThread();
    }
  }

  /** Forgets what was added and not stored. */
  drop(): void {
    this.#fresh = [];
  }

  /** The stretches in which a user may have orders of a name, oldest first. */
  rangesOf(uid: Uid, name: string): readonly number[] {
    const bytes = Buffer.from(name);
    const hash = hashOf(uid, bytes, 0, bytes.length);
    this.#find ??= this.#database.prepare(STRETCHES_OF_HASH);
    const found = this.#find.all([firstNumberOf(0, hash)]) as readonly {
      readonly number: number;
    }[];
    return found.map(
      ({ number }) =>
        Math.floor(number / NUMBERS_PER_ERA) * STRETCHES_PER_ERA + (number % STRETCHES_PER_ERA),
    );
  }
}
