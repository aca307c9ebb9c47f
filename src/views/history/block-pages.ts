/**
 * Pages of rows that stand in blocks. No block spans more ids than a stretch has, so the blocks in
 * the order of their last ids are nearly the rows in the order of theirs: a page is read from its
 * near edge on, until no block that is left can have a row that belongs to it.
 */

import type Database from 'libsql';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { goesNewer, type PageQuery, pageOf } from '../pages.ts';
import { areaByArea, blockFilter, indexFor, wantedValue } from './block-conditions.ts';
import type { EndedOrderRow } from './ended-orders.ts';
import { type OrderNames, rangeOf, STRETCH_IDS } from './order-names.ts';
import { BLOCK_SPAN_MS } from './row-blocks.ts';
import { RowReader } from './row-bytes.ts';
import { KEY_BYTES, KeyScan, readRow } from './row-log.ts';
import {
  type Column,
  type Condition,
  equalTo,
  type OwnedRow,
  type RowBytes,
  satisfies,
} from './table.ts';
import { type BlockTableName, blockTableNamed } from './tables.ts';

/** Blocks looked at in one go; a page often needs but one or two. */
const BLOCKS_AT_ONCE = 4;
const BLOCKS_AT_ONCE_MAX = 64;

interface Block {
  readonly symbol: string;
  readonly first_id: number;
  readonly last_id: number;
  readonly rows: ArrayBuffer;
}

/** How many blocks there are of a window, and between which ids. */
interface Span {
  readonly blocks: number;
  readonly first: number;
  readonly last: number;
}

/** What is looked for: rows between two ids, both outside, that satisfy conditions. */
interface Wanted {
  readonly name: BlockTableName;
  readonly page: PageQuery;
  readonly conditions: readonly Condition[];
  readonly above: number;
  readonly below: number;
  /** The last ids of all blocks that may have such rows are below this one. */
  readonly blocksBelow: number;
  /** Of orders of a name: its bytes. */
  readonly clientOid?: Buffer;
}

/** The first id behind a stretch: no block goes on beyond it. */
const endOfRange = (range: number): number => (range + 1) * STRETCH_IDS;

/** Whether the text that stands at a place, length first, has these bytes. */
const textIs = (bytes: Buffer, at: number, text: Buffer): boolean =>
  bytes.readUInt32LE(at) === text.length &&
  bytes.compare(text, 0, text.length, at + 4, at + 4 + text.length) === 0;

/**
 * A window that has fewer blocks than this is read by its ids alone. One that has more is soon met
 * by whoever looks for it from its near edge.
 */
const BLOCKS_OF_WINDOW_MAX = 1_024;

const SPAN_OF_WINDOW = `
  select count(*) as blocks, min(first_id) as first, max(last_id) as last from (
    select first_id, last_id from row_blocks indexed by row_blocks_by_time
    where kind = ? and uid = ? and last_time >= ? and last_time < ? and first_time <= ? limit ${BLOCKS_OF_WINDOW_MAX}
  )`;

/**
 * A word that rows are asked for: where it stands in a row, and the places in its list that will
 * do.
 */
interface WantedWord {
  readonly at: number;
  readonly places: ReadonlySet<number>;
}

function wantedWords(
  { wordsFirst = [] }: RowBytes<OwnedRow>,
  conditions: readonly Condition[],
): readonly WantedWord[] {
  return wordsFirst.flatMap(({ column, words }, place) => {
    const condition = conditions.find((each) => each.column === column);
    if (condition === undefined) return [];
    const wanted = condition.operator === 'in' ? condition.value : [condition.value as string];
    return [{ at: KEY_BYTES + place, places: new Set(wanted.map((word) => words.indexOf(word))) }];
  });
}

export class BlockPages {
  readonly #database: Database.Database;
  readonly #names: OrderNames;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(database: Database.Database, names: OrderNames) {
    this.#database = database;
    this.#names = names;
  }

  page(name: BlockTableName, page: PageQuery): readonly OwnedRow[] {
    let found: readonly OwnedRow[] = [];
    for (const conditions of areaByArea(blockTableNamed(name).conditions(page)))
      found = pageOf([...found, ...this.#page(name, page, conditions)], page);
    return found;
  }

  #page(
    name: BlockTableName,
    page: PageQuery,
    conditions: readonly Condition[],
  ): readonly OwnedRow[] {
    const id = wantedValue(conditions, 'id') as number | undefined;
    const above = Math.max(page.idGreaterThan ?? 0, id === undefined ? 0 : id - 1);
    const below = Math.min(
      page.idLessThan ?? Number.POSITIVE_INFINITY,
      id === undefined ? Number.POSITIVE_INFINITY : id + 1,
    );
    const wanted: Wanted = {
      name,
      page,
      conditions,
      above,
      below,
      blocksBelow: endOfRange(rangeOf(below - 1)),
    };
    const clientOid = wantedValue(conditions, 'clientOid');
    if (clientOid !== undefined) return this.#named(wanted, clientOid as string);
    const orderId = wantedValue(conditions, 'orderId');
    const narrowed = this.#inWindow(
      orderId === undefined ? wanted : this.#ofOrder(wanted, orderId as Id),
    );
    return narrowed === undefined ? [] : this.#read(narrowed);
  }

  /**
   * What a user has of a short while lies between few ids: all that came before and after it is not
   * looked at. Nothing is there when undefined.
   */
  #inWindow(wanted: Wanted): Wanted | undefined {
    const { name, conditions, above, below, blocksBelow } = wanted;
    const uid = wantedValue(conditions, 'uid');
    const start = wantedValue(conditions, 'time', '>=') as number | undefined;
    const end = wantedValue(conditions, 'time', '<=') as number | undefined;
    if (uid === undefined || (start === undefined && end === undefined)) return wanted;
    const last = Math.min(end ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - BLOCK_SPAN_MS);
    const span = this.#prepared(SPAN_OF_WINDOW).get([
      name,
      uid,
      start ?? 0,
      last + BLOCK_SPAN_MS,
      last,
    ]) as Span;
    if (span.blocks === BLOCKS_OF_WINDOW_MAX) return wanted;
    if (span.blocks === 0) return undefined;
    const [first, behind] = [span.first - 1, span.last + 1];
    return {
      ...wanted,
      above: Math.max(above, first),
      below: Math.min(below, behind),
      blocksBelow: Math.min(blocksBelow, behind),
    };
  }

  /** Orders of a name: only in the stretches that the name leads to. */
  #named(wanted: Wanted, name: string): readonly OwnedRow[] {
    const ranges = this.#names.rangesOf(wantedValue(wanted.conditions, 'uid') as Uid, name);
    const clientOid = Buffer.from(name);
    let found: readonly OwnedRow[] = [];
    for (const range of goesNewer(wanted.page) ? ranges : ranges.toReversed()) {
      const above = Math.max(wanted.above, range * STRETCH_IDS - 1);
      const blocksBelow = endOfRange(range);
      const below = Math.min(wanted.below, blocksBelow);
      if (above >= below) continue;
      found = pageOf(
        [...found, ...this.#read({ ...wanted, above, below, blocksBelow, clientOid })],
        wanted.page,
      );
      if (found.length >= wanted.page.limit) break;
    }
    return found;
  }

  /**
   * Fills of an order come after it, in its market, and none comes after its end. Its life is the
   * first window to be looked at.
   */
  #ofOrder(wanted: Wanted, orderId: Id): Wanted {
    const uid = wantedValue(wanted.conditions, 'uid') as Uid;
    const above = Math.max(wanted.above, orderId);
    const [ended] = this.page('endedOrders', {
      uid,
      orderId,
      limit: 1,
    } as PageQuery) as readonly EndedOrderRow[];
    if (ended === undefined) return { ...wanted, above };
    const { category, symbol, time, updatedAt } = ended;
    const run: readonly Condition[] = [
      { column: 'time', operator: '>=', value: time },
      { column: 'time', operator: '<=', value: updatedAt },
    ];
    return {
      ...wanted,
      above,
      conditions: [...run, ...equalTo({ category, symbol }), ...wanted.conditions],
    };
  }

  #read(wanted: Wanted): readonly OwnedRow[] {
    const { page, above, blocksBelow } = wanted;
    const newer = goesNewer(page);
    let found: readonly OwnedRow[] = [];
    const isBeyond = ({ last_id }: Block): boolean => {
      if (found.length < page.limit) return false;
      return newer ? last_id - STRETCH_IDS >= found[0]!.id : last_id < found.at(-1)!.id;
    };
    let cursor = newer ? above : blocksBelow;
    for (let count = BLOCKS_AT_ONCE; ; count = Math.min(count * 2, BLOCKS_AT_ONCE_MAX)) {
      const blocks = this.#blocks(wanted, cursor, count);
      for (const block of blocks) {
        if (isBeyond(block)) return found;
        found = pageOf([...found, ...this.#rowsIn(block, wanted)], page);
      }
      if (blocks.length < count) return found;
      cursor = blocks.at(-1)!.last_id;
    }
  }

  #rowsIn(
    block: Block,
    { name, conditions, above, below, clientOid }: Wanted,
  ): readonly OwnedRow[] {
    const { bytes: codec } = blockTableNamed(name);
    const words = wantedWords(codec, conditions);
    const bytes = Buffer.from(block.rows);
    const scan = new KeyScan(bytes);
    const reader = new RowReader(bytes);
    const rows: OwnedRow[] = [];
    while (scan.next()) {
      if (scan.id <= above || scan.id >= below) continue;
      if (clientOid !== undefined && !textIs(bytes, scan.start + KEY_BYTES, clientOid)) continue;
      if (!words.every(({ at, places }) => places.has(bytes[scan.start + at]!))) continue;
      reader.at = scan.start;
      const row = readRow(codec, reader, () => block.symbol);
      if (satisfies(row, conditions)) rows.push(row);
    }
    return rows;
  }

  /** The next blocks on from a last id, nearest first. */
  #blocks(
    { name, page, conditions, above, below, blocksBelow }: Wanted,
    cursor: number,
    count: number,
  ): readonly Block[] {
    const filters = ['kind = ?'];
    const values: Column[] = [name];
    for (const condition of conditions) {
      const filter = blockFilter(condition);
      if (filter === undefined) continue;
      filters.push(filter.text);
      values.push(filter.value);
    }
    const newer = goesNewer(page);
    filters.push('first_id < ?', 'last_id > ?', 'last_id < ?');
    const last = Math.min(blocksBelow, Number.MAX_SAFE_INTEGER);
    values.push(
      Math.min(below, last),
      ...(newer ? [cursor, last] : [above, Math.min(cursor, last)]),
      count,
    );
    const text = `select symbol, first_id, last_id, rows from row_blocks indexed by ${indexFor(conditions)} where ${filters.join(' and ')} order by last_id ${newer ? 'asc' : 'desc'} limit ?`;
    return this.#prepared(text).all(values) as readonly Block[];
  }

  #prepared(text: string): Database.Statement {
    return getOrMake(this.#statements, text, () => this.#database.prepare(text));
  }
}
