/**
 * Pages of rows that stand in blocks. No block spans more ids than a stretch has, so the blocks in the order of their last ids are nearly the
 * rows in the order of theirs: a page is read from its near edge on, until no block that is left can have a row that belongs to it.
 */

import type Database from 'libsql';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { goesNewer, type PageQuery, pageOf } from '../pages.ts';
import { type OrderNames, STRETCH_IDS } from './order-names.ts';
import { RowReader } from './row-bytes.ts';
import { KEY_BYTES, KeyScan, readRow } from './row-log.ts';
import { type Column, type Condition, type OwnedRow, type RowBytes, satisfies } from './table.ts';
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

/** What is looked for: rows between two ids, both outside, that satisfy conditions. */
interface Wanted {
  readonly name: BlockTableName;
  readonly page: PageQuery;
  readonly conditions: readonly Condition[];
  readonly above: number;
  readonly below: number;
  /** Of orders of a name: its bytes. */
  readonly clientOid?: Buffer;
}

/** Whether the text that stands at a place, length first, has these bytes. */
const textIs = (bytes: Buffer, at: number, text: Buffer): boolean =>
  bytes.readUInt32LE(at) === text.length && bytes.compare(text, 0, text.length, at + 4, at + 4 + text.length) === 0;

const COLUMN_CONDITIONS: Readonly<Record<string, string>> = {
  'uid =': 'uid = ?',
  'category =': 'category = ?',
  'symbol =': 'symbol = ?',
  'coin =': 'symbol = ?',
  'time >=': 'last_time >= ?',
  'time <=': 'first_time <= ?',
};

const wantedValue = (conditions: readonly Condition[], name: string): string | number | undefined => {
  for (const { column, operator, value } of conditions) if (operator === '=' && column === name) return value;
  return undefined;
};

/** A word that rows are asked for: where it stands in a row, and the places in its list that will do. */
interface WantedWord {
  readonly at: number;
  readonly places: ReadonlySet<number>;
}

function wantedWords({ wordsFirst = [] }: RowBytes<OwnedRow>, conditions: readonly Condition[]): readonly WantedWord[] {
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
    const conditions = blockTableNamed(name).conditions(page);
    const id = wantedValue(conditions, 'id') as number | undefined;
    const above = Math.max(page.idGreaterThan ?? 0, id === undefined ? 0 : id - 1);
    const below = Math.min(page.idLessThan ?? Number.POSITIVE_INFINITY, id === undefined ? Number.POSITIVE_INFINITY : id + 1);
    const wanted: Wanted = { name, page, conditions, above, below };
    const clientOid = wantedValue(conditions, 'clientOid');
    if (clientOid !== undefined) return this.#named(wanted, clientOid as string);
    const orderId = wantedValue(conditions, 'orderId');
    return this.#read(orderId === undefined ? wanted : this.#ofOrder(wanted, orderId as Id));
  }

  /** Orders of a name: only in the stretches that the name leads to. */
  #named(wanted: Wanted, name: string): readonly OwnedRow[] {
    const stretches = this.#names.stretchesOf(wantedValue(wanted.conditions, 'uid') as Uid, name);
    const clientOid = Buffer.from(name);
    let found: readonly OwnedRow[] = [];
    for (const stretch of goesNewer(wanted.page) ? stretches : stretches.toReversed()) {
      const above = Math.max(wanted.above, stretch * STRETCH_IDS - 1);
      const below = Math.min(wanted.below, (stretch + 1) * STRETCH_IDS);
      if (above >= below) continue;
      found = pageOf([...found, ...this.#read({ ...wanted, above, below, clientOid })], wanted.page);
      if (found.length >= wanted.page.limit) break;
    }
    return found;
  }

  /** Fills of an order come after it, and none comes after its end. */
  #ofOrder(wanted: Wanted, orderId: Id): Wanted {
    const uid = wantedValue(wanted.conditions, 'uid') as Uid;
    const [ended] = this.page('endedOrders', { uid, orderId, limit: 1 } as PageQuery) as readonly { readonly updatedAt?: number }[];
    const end: readonly Condition[] = ended?.updatedAt === undefined ? [] : [{ column: 'time', operator: '<=', value: ended.updatedAt }];
    return { ...wanted, above: Math.max(wanted.above, orderId), conditions: [...wanted.conditions, ...end] };
  }

  #read(wanted: Wanted): readonly OwnedRow[] {
    const { page, above, below } = wanted;
    const newer = goesNewer(page);
    let found: readonly OwnedRow[] = [];
    const isBeyond = ({ last_id }: Block): boolean => {
      if (found.length < page.limit) return false;
      return newer ? last_id - STRETCH_IDS >= found[0]!.id : last_id < found.at(-1)!.id;
    };
    let cursor = newer ? above : below + STRETCH_IDS;
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

  #rowsIn(block: Block, { name, conditions, above, below, clientOid }: Wanted): readonly OwnedRow[] {
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
  #blocks({ name, page, conditions, above, below }: Wanted, cursor: number, count: number): readonly Block[] {
    const filters = ['kind = ?'];
    const values: Column[] = [name];
    for (const { column, operator, value } of conditions) {
      const filter = COLUMN_CONDITIONS[`${column} ${operator}`];
      if (filter === undefined || operator === 'in') continue;
      filters.push(filter);
      values.push(value);
    }
    const newer = goesNewer(page);
    filters.push('first_id < ?', 'last_id > ?', 'last_id < ?');
    const last = Math.min(below + STRETCH_IDS, Number.MAX_SAFE_INTEGER);
    values.push(Math.min(below, last), ...(newer ? [cursor, last] : [above, Math.min(cursor, last)]), count);
    const text = `select symbol, first_id, last_id, rows from row_blocks where ${filters.join(' and ')} order by last_id ${newer ? 'asc' : 'desc'} limit ?`;
    return this.#prepared(text).all(values) as readonly Block[];
  }

  #prepared(text: string): Database.Statement {
    return getOrMake(this.#statements, text, () => this.#database.prepare(text));
  }
}
