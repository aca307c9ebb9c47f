/**
 * Pages of rows in blocks. A block lies within one range of ids, so the order of last ids is nearly
 * the order of rows. A page reads blocks from its near end until no remaining block can hold one of
 * its rows.
 */

import type Database from 'libsql';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { goesNewer, type PageQuery, pageOf } from '../pages.ts';
import { areaByArea, blockFilter, indexFor, wantedValue } from './block-conditions.ts';
import type { EndedOrderRow } from './ended-orders.ts';
import { type OrderNames, RANGE_IDS, rangeOf } from './order-names.ts';
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

/** The number of blocks in the first read; a page often needs only one or two. */
const BLOCKS_AT_ONCE = 4;
const BLOCKS_AT_ONCE_MAX = 64;

interface Block {
  readonly symbol: string;
  readonly first_id: number;
  readonly last_id: number;
  readonly rows: ArrayBuffer;
}

/** The number of blocks in a window, and their lowest and highest id. */
interface Span {
  readonly blocks: number;
  readonly first: number;
  readonly last: number;
}

/** A query: rows that satisfy the conditions, with ids between two exclusive bounds. */
interface Wanted {
  readonly name: BlockTableName;
  readonly page: PageQuery;
  readonly conditions: readonly Condition[];
  readonly above: number;
  readonly below: number;
  /** All blocks with such rows have last ids below this one. */
  readonly blocksBelow: number;
  /** The bytes of a client order ID, if the query has one. */
  readonly clientOid?: Buffer;
}

/** The first id after a range. No block goes beyond it. */
const endOfRange = (range: number): number => (range + 1) * RANGE_IDS;

/** Whether the text at a place, stored after its length, has these bytes. */
const textIs = (bytes: Buffer, at: number, text: Buffer): boolean =>
  bytes.readUInt32LE(at) === text.length &&
  bytes.compare(text, 0, text.length, at + 4, at + 4 + text.length) === 0;

/**
 * A window with fewer blocks is read by its ids alone. In a larger one, a scan from the near end of
 * the page soon finds rows.
 */
const BLOCKS_OF_WINDOW_MAX = 1_024;

const SPAN_OF_WINDOW = `
  select count(*) as blocks, min(first_id) as first, max(last_id) as last from (
    select first_id, last_id from row_blocks indexed by row_blocks_by_time
    where kind = ? and uid = ? and last_time >= ? and last_time < ? and first_time <= ?
    limit ${BLOCKS_OF_WINDOW_MAX}
  )`;

/** A word of a query: its place in a row, and the accepted indexes in its list. */
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
   * Narrows the query to the ids of the user's blocks in its time window. Undefined if there are
   * none.
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

  /** Reads orders of a name, only in the ranges that may have the name. */
  #named(wanted: Wanted, name: string): readonly OwnedRow[] {
    const ranges = this.#names.rangesOf(wantedValue(wanted.conditions, 'uid') as Uid, name);
    const clientOid = Buffer.from(name);
    let found: readonly OwnedRow[] = [];
    for (const range of goesNewer(wanted.page) ? ranges : ranges.toReversed()) {
      const above = Math.max(wanted.above, range * RANGE_IDS - 1);
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
   * Fills of an order have later ids, are in its market and end with it. The order's lifetime is
   * therefore the first time window of the query.
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
      return newer ? last_id - RANGE_IDS >= found[0]!.id : last_id < found.at(-1)!.id;
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

  /** The next blocks after a last id, nearest first. */
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
    const text = `
      select symbol, first_id, last_id, rows from row_blocks indexed by ${indexFor(conditions)}
      where ${filters.join(' and ')} order by last_id ${newer ? 'asc' : 'desc'} limit ?`;
    return this.#prepared(text).all(values) as readonly Block[];
  }

  #prepared(text: string): Database.Statement {
    return getOrMake(this.#statements, text, () => this.#database.prepare(text));
  }
}
