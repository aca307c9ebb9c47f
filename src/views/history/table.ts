/**
 * What a table of the history store is: how events become its rows, how rows are kept and come
 * back, and how it is asked.
 */
import type { Kysely } from 'kysely';
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import type { EmittedOf, EmittedType, HistoryBatch } from './recorded-events.ts';
import type { RowReader, RowWriter } from './row-bytes.ts';

/**
 * Every row has an id that orders its list, the time it is listed under, and the command it came
 * from.
 */
export interface HistoryRow {
  readonly id: Id;
  readonly time: Timestamp;
  readonly sequence: Sequence;
}

/**
 * What SQLite keeps. Whole numbers are ids, times and sequences, all safe integers. Money is its
 * plain decimal text: exact, the same in every database, and readable by a person; as an integer of
 * the smallest unit it would outgrow 64 bits on the accounts of the house. Bytes are blocks.
 */
export type Column = string | number | Uint8Array | null;
export type Columns = Readonly<Record<string, Column>>;

/** The database to code that treats all tables alike: they are known by their names alone. */
export type AnyTables = Record<string, Record<string, unknown>>;
export type AnyKysely = Kysely<AnyTables>;

/** The column of a row's property: `clientOid` is kept as `client_oid`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * One thing a row must satisfy; `column` names the row's property. Memory and SQL are asked the
 * same conditions, so they cannot disagree on what a query means.
 */
export type Condition =
  | {
      readonly column: string;
      readonly operator: '=' | '>=' | '<=';
      readonly value: string | number;
    }
  | { readonly column: string; readonly operator: 'in'; readonly value: readonly string[] };

/**
 * A value of a row on its way to the worker. Rows travel as one long list of them: that is copied
 * many times faster than objects are.
 */
export type Packed = string | number | bigint | boolean | null;

/** How rows become columns and come back. */
export interface RowColumns<Row> {
  /** In the order that values are packed in; the row's id, time and sequence come first. */
  readonly columnNames: readonly string[];
  pack(row: Row, into: Packed[]): void;
  /** The columns of the packed row that begins at a place. */
  columnsAt(packed: readonly Packed[], at: number): Column[];
  fromColumns(columns: Columns): Row;
}

/** Where a packed row has its sequence. */
export const SEQUENCE_PLACE = 2;

export interface HistoryTable<Row extends HistoryRow, Query extends PageQuery> {
  readonly rowsOf: {
    readonly [Type in EmittedType]?: (
      event: EmittedOf<Type>,
      batch: HistoryBatch,
    ) => readonly Row[];
  };
  /**
   * Conditions name columns that hold the same value in a row and in the database: ids, times,
   * words; never money.
   */
  conditions(query: Query): readonly Condition[];
}

/**
 * A table of the database with a column for each property: for what happens now and then. `name` is
 * the table's there.
 */
export interface ColumnTable<Row extends HistoryRow, Query extends PageQuery>
  extends HistoryTable<Row, Query>,
    RowColumns<Row> {
  readonly name: string;
}

/**
 * What a row kept as bytes is found by; lines of the house have no user, and money has no category.
 */
export interface RowKey extends HistoryRow {
  readonly uid: Uid | undefined;
  readonly category: Category | undefined;
  /** Or the coin. */
  readonly symbol: string;
}

/** A row that belongs to somebody, or to the house. */
export interface OwnedRow extends HistoryRow {
  readonly uid?: Uid | undefined;
}

/** Begins a row with its key, and answers what the rest is written to. */
export type KeyWriter = (
  id: Id,
  time: Timestamp,
  sequence: Sequence,
  uid: Uid | undefined,
  category: Category | undefined,
  symbol: string,
) => RowWriter;

/** How rows become bytes and come back. */
export interface RowBytes<Row extends OwnedRow> {
  /**
   * Of rows that are asked for by a name: it is the first thing written, as a text, so that it is
   * found without reading the rest.
   */
  readonly namedFirst?: boolean;
  /**
   * The words a row begins with, where it is asked for by them: rows with others are passed over
   * without being read.
   */
  readonly wordsFirst?: readonly { readonly column: string; readonly words: readonly string[] }[];
  /**
   * Writes what `rowsOf` tells, without making rows of it first; the key of each before the rest of
   * it.
   */
  readonly writesOf: {
    readonly [Type in EmittedType]?: (
      event: EmittedOf<Type>,
      batch: HistoryBatch,
      writeKey: KeyWriter,
    ) => void;
  };
  read(from: RowReader, key: RowKey): Row;
}

/**
 * What comes by the dozen with every call: kept as bytes, many rows of one user's symbol together.
 */
export interface BlockTable<Row extends OwnedRow, Query extends PageQuery>
  extends HistoryTable<Row, Query> {
  readonly bytes: RowBytes<Row>;
}

/**
 * A row with every property named, those it lacks as undefined: rows of one table are then alike to
 * the machine, and an object spread together of so many is many times slower to make and to copy.
 */
export type WholeRow<Row> = { readonly [Name in keyof Required<Row>]: Row[Name] };

export const asRow = <Row>(row: WholeRow<Row>): Row => row as Row;

/**
 * Every text is the empty one or after it; a row without a loan type, which is not of an isolated
 * pair, has none to compare.
 */
export const HAS_LOAN_TYPE: Condition = { column: 'loanType', operator: '>=', value: '' };

/** The conditions whose value was said; a filter left out filters nothing. */
export function equalTo(
  values: Readonly<Record<string, string | number | undefined>>,
): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const [column, value] of Object.entries(values))
    if (value !== undefined) conditions.push({ column, operator: '=', value });
  return conditions;
}

export function satisfies(row: HistoryRow, conditions: readonly Condition[]): boolean {
  for (const { column, operator, value } of conditions) {
    const held = (row as unknown as Readonly<Record<string, string | number | undefined>>)[column];
    if (held === undefined) return false;
    if (operator === 'in' && !value.includes(held as string)) return false;
    if (operator === '=' && held !== value) return false;
    if (operator === '>=' && held < value) return false;
    if (operator === '<=' && held > value) return false;
  }
  return true;
}
