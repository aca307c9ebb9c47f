/**
 * Writes rows as bytes into the history file. Rows of one user and symbol form a block if they are
 * stored together and their ids and times are close. A block is one database row for some hundred
 * rows.
 */
import type Database from 'libsql';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Sequence } from '../../kernel/ids.ts';
import { HOUR } from '../../kernel/time.ts';
import { CATEGORIES } from '../../messages/vocabulary.ts';
import { StatementInsert } from './inserts.ts';
import { type OrderNames, rangeOf } from './order-names.ts';
import { KEY_BYTES, KeyScan, type LogBytes, WORD_BYTES } from './row-log.ts';
import type { Column } from './table.ts';
import { type BlockTableName, blockTableNamed } from './tables.ts';
import { yieldThread } from './yield-thread.ts';

/**
 * A page reads whole blocks. Longer blocks would make pages slower, and shorter ones make storing
 * slower.
 */
const ROWS_PER_BLOCK_MAX = 200;
/** All rows of a block are within one time span of this length. */
export const BLOCK_SPAN_MS = HOUR;
/** Looking at this many rows takes less time than reading the clock. */
const ROWS_PER_YIELD = 64;

const BLOCK_COLUMNS = [
  'kind',
  'uid',
  'category',
  'symbol',
  'first_id',
  'last_id',
  'first_time',
  'last_time',
  'rows',
];

/** An open block: the places of its rows in the log, and their bounds. */
interface Gathered {
  readonly uid: number;
  readonly category: number;
  readonly symbol: number;
  /** The number of its time span. */
  readonly span: number;
  /** Start and end of each row, alternately. */
  places: number[];
  size: number;
  firstId: number;
  lastId: number;
  firstTime: number;
  lastTime: number;
}

const emptied = (uid: number, category: number, symbol: number, span: number): Gathered => ({
  uid,
  category,
  symbol,
  span,
  places: [],
  size: 0,
  firstId: Number.POSITIVE_INFINITY,
  lastId: 0,
  firstTime: Number.POSITIVE_INFINITY,
  lastTime: 0,
});

function addTo(block: Gathered, id: number, time: number, start: number, end: number): void {
  block.places.push(start, end);
  block.size += end - start;
  if (id < block.firstId) block.firstId = id;
  if (id > block.lastId) block.lastId = id;
  if (time < block.firstTime) block.firstTime = time;
  if (time > block.lastTime) block.lastTime = time;
}

function bytesOf({ places, size }: Gathered, log: Int32Array): Uint8Array {
  const words = new Int32Array(size / WORD_BYTES);
  let at = 0;
  for (let place = 0; place < places.length; place += 2) {
    const end = places[place + 1]! / WORD_BYTES;
    for (let from = places[place]! / WORD_BYTES; from < end; from++) words[at++] = log[from]!;
  }
  return new Uint8Array(words.buffer);
}

const CATEGORY_NUMBERS = 2 ** 8;
const SYMBOL_NUMBERS = 2 ** 16;

export class RowBlocks {
  readonly #names: OrderNames;
  readonly #insert: StatementInsert;

  constructor(database: Database.Database, names: OrderNames) {
    this.#names = names;
    this.#insert = new StatementInsert(database, 'row_blocks', BLOCK_COLUMNS);
  }

  /** The file already has rows up to the applied sequence. */
  insertAfter(applied: Sequence, name: BlockTableName, log: LogBytes): void {
    const bytes = Buffer.from(log.bytes.buffer, log.bytes.byteOffset, log.bytes.length);
    const words = new Int32Array(
      log.bytes.buffer,
      log.bytes.byteOffset,
      log.bytes.length / WORD_BYTES,
    );
    const columnsOf = (block: Gathered): readonly Column[] => [
      name,
      block.uid === 0 ? null : block.uid,
      CATEGORIES[block.category] ?? null,
      log.symbols[block.symbol]!,
      block.firstId,
      block.lastId,
      block.firstTime,
      block.lastTime,
      bytesOf(block, words),
    ];
    this.#insert.run(this.#gather(applied, name, bytes), columnsOf);
  }

  *#gather(applied: Sequence, name: BlockTableName, bytes: Buffer): Iterable<Gathered> {
    const { namedFirst = false } = blockTableNamed(name).bytes;
    const users = new Map<number, Map<number, Gathered>>();
    const scan = new KeyScan(bytes);
    for (let rows = 1; scan.next(); rows++) {
      if (rows % ROWS_PER_YIELD === 0) yieldThread();
      if (scan.sequence <= applied) continue;
      const { uid, id, category, symbol } = scan;
      if (namedFirst) this.#names.add(uid, id, bytes, scan.start + KEY_BYTES);
      const blocks = getOrMake(users, uid, () => new Map<number, Gathered>());
      const place = (rangeOf(id) * SYMBOL_NUMBERS + symbol) * CATEGORY_NUMBERS + category;
      const span = Math.floor(scan.time / BLOCK_SPAN_MS);
      const last = blocks.get(place);
      const goesOn =
        last !== undefined && last.span === span && last.places.length < 2 * ROWS_PER_BLOCK_MAX;
      const block = goesOn ? last : emptied(uid, category, symbol, span);
      addTo(block, id, scan.time, scan.start, scan.end);
      if (goesOn) continue;
      if (last !== undefined) yield last;
      blocks.set(place, block);
    }
    for (const blocks of users.values()) yield* blocks.values();
  }
}
