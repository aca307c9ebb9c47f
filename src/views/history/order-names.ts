/**
 * The index of client order ids. For each stored order one number maps the hash of its user and
 * name to a range of ids. Two names may share a number, so a query checks the names within a range.
 * Numbers of consecutive orders are close together, so storing them touches few pages even in a
 * large file.
 */
import type Database from 'libsql';
import type { Uid } from '../../kernel/ids.ts';
import { yieldThread } from './yield-thread.ts';

/** The ids of a range. All rows of a block are within one range. */
export const RANGE_IDS = 2 ** 16;
/**
 * An era spans half a million ids, whose numbers share one region of the file. Storing touches the
 * pages of the current era. A longer era makes storing slower, four times for a million ids. A
 * shorter one makes a query look in more regions.
 */
const RANGES_PER_ERA = 2 ** 3;
const HASHES = 2 ** 26;
/** The numbers in one statement, between two yields. */
const NUMBERS_AT_ONCE = 500;

export const rangeOf = (id: number): number => Math.floor(id / RANGE_IDS);

const FIRST = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;
const mixed = (hash: number, value: number): number => Math.imul(hash ^ value, PRIME);

/** FNV-1a over the uid and the bytes of the name. */
function hashOf(uid: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = mixed(mixed(FIRST, uid & 0xff_ff), uid >>> 16);
  for (let at = start; at < end; at++) hash = mixed(hash, bytes[at]!);
  return (hash ^ (hash >>> 16)) & (HASHES - 1);
}

const firstNumberOf = (era: number, hash: number): number => (era * HASHES + hash) * RANGES_PER_ERA;

const NUMBERS_PER_ERA = firstNumberOf(1, 0);
/**
 * Visits all eras in one statement. An exchange that is years old has a hundred thousand eras, and
 * a query for each costs ten times as much.
 */
const RANGES_OF_HASH = `
  with recursive eras (first) as (
    values (?)
    union all
    select first + ${NUMBERS_PER_ERA} from eras
    where first + ${NUMBERS_PER_ERA} <= (select max(number) from order_names)
  )
  select number from eras cross join order_names
  where number >= first and number < first + ${RANGES_PER_ERA}
  order by number`;

export class OrderNames {
  readonly #database: Database.Database;
  #fresh: number[] = [];
  #insert: Database.Statement | undefined;
  #find: Database.Statement | undefined;

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Adds an order whose name is in bytes, after its length. */
  add(uid: number, id: number, bytes: Buffer, at: number): void {
    const start = at + 4;
    const hash = hashOf(uid, bytes, start, start + bytes.readUInt32LE(at));
    const range = rangeOf(id);
    this.#fresh.push(
      firstNumberOf(Math.floor(range / RANGES_PER_ERA), hash) + (range % RANGES_PER_ERA),
    );
  }

  /** Stores the added numbers in the transaction of the caller. */
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

  /** Drops the numbers that were added and not stored. */
  drop(): void {
    this.#fresh = [];
  }

  /** The ranges that may contain orders of a user's name, oldest first. */
  rangesOf(uid: Uid, name: string): readonly number[] {
    const bytes = Buffer.from(name);
    const hash = hashOf(uid, bytes, 0, bytes.length);
    this.#find ??= this.#database.prepare(RANGES_OF_HASH);
    const found = this.#find.all([firstNumberOf(0, hash)]) as readonly {
      readonly number: number;
    }[];
    return found.map(
      ({ number }) =>
        Math.floor(number / NUMBERS_PER_ERA) * RANGES_PER_ERA + (number % RANGES_PER_ERA),
    );
  }
}
