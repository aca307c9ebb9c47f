/**
 * Defines a table of the history store: how events become rows, how rows are stored and read, and
 * how they are queried.
 */
import type { Kysely } from 'kysely';
import type { Id, Sequence, Uid } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { PageQuery } from '../pages.ts';
import type { EmittedOf, EmittedType, HistoryBatch } from './recorded-events.ts';
import type { RowReader, RowWriter } from './row-bytes.ts';

/**
 * Every row has an id that orders its list, the time for windows, and the sequence of its command.
 */
export interface HistoryRow {
  readonly id: Id;
  readonly time: Timestamp;
  readonly sequence: Sequence;
}

/**
 * The types that SQLite stores. Whole numbers are ids, times and sequences, which are all safe
 * integers. Money is decimal text: exact and readable. As an integer of the smallest unit it would
 * exceed 64 bits on accounts of the exchange. Bytes are blocks.
 */
export type Column = string | number | Uint8Array | null;
export type Columns = Readonly<Record<string, Column>>;

/** The database for code that treats all tables alike and knows only their names. */
export type AnyTables = Record<string, Record<string, unknown>>;
export type AnyKysely = Kysely<AnyTables>;

/** The column of a property: `clientOid` is stored as `client_oid`. */
export const columnName = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A condition on a row; `column` is the name of the property. Memory and SQL use the same
 * conditions, so a query means the same in both.
 */
export type Condition =
  | {
      readonly column: string;
      readonly operator: '=' | '>=' | '<=';
      readonly value: string | number;
    }
  | { readonly column: string; readonly operator: 'in'; readonly value: readonly string[] };

/**
 * A value of a row on its way to the worker. Rows travel as one long list of values, which is
 * copied many times faster than objects.
 */
export type Packed = string | number | bigint | boolean | null;

/** How rows become columns and back. */
export interface RowColumns<Row> {
  /** The order of packed values. The row's id, time and sequence come first. */
  readonly columnNames: readonly string[];
  pack(row: Row, into: Packed[]): void;
  /** The columns of the packed row at a place. */
  columnsAt(packed: readonly Packed[], at: number): Column[];
  fromColumns(columns: Columns): Row;
}

/** The index of the sequence in a packed row. */
export const SEQUENCE_PLACE = 2;

export interface HistoryTable<Row extends HistoryRow, Query extends PageQuery> {
  readonly rowsOf: {
    readonly [Type in EmittedType]?: (
      event: EmittedOf<Type>,
      batch: HistoryBatch,
    ) => readonly Row[];
  };
  /**
   * Conditions compare columns with the same value in a row and in the database: ids, times and
   * words, never money.
   */
  conditions(query: Query): readonly Condition[];
}

/**
 * A table with a column for each property, for infrequent rows. `name` is its name in the database.
 */
export interface ColumnTable<Row extends HistoryRow, Query extends PageQuery>
  extends HistoryTable<Row, Query>,
    RowColumns<Row> {
  readonly name: string;
}

/**
 * The key of a row that is stored as bytes. Lines of the exchange have no user, and money has no
 * category.
 */
export interface RowKey extends HistoryRow {
  readonly uid: Uid | undefined;
  readonly category: Category | undefined;
  /** The symbol or the coin. */
  readonly symbol: string;
}

/** A row of a user or of the exchange. */
export interface OwnedRow extends HistoryRow {
  readonly uid?: Uid | undefined;
}

/** Writes the key of a row, and returns the writer for the rest. */
export type KeyWriter = (
  id: Id,
  time: Timestamp,
  sequence: Sequence,
  uid: Uid | undefined,
  category: Category | undefined,
  symbol: string,
) => RowWriter;

/** How rows become bytes and back. */
export interface RowBytes<Row extends OwnedRow> {
  /**
   * True if queries look for names of rows. The name is then the first text of a row, so that it is
   * found without reading the rest.
   */
  readonly namedFirst?: boolean;
  /**
   * Words at the start of a row that queries compare. Rows with other words are skipped without
   * being read.
   */
  readonly wordsFirst?: readonly { readonly column: string; readonly words: readonly string[] }[];
  /**
   * Writes the rows of `rowsOf` without making objects first. The key of each row comes before the
   * rest.
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
 * A table for frequent rows. They are stored as bytes, many rows of one user and symbol together.
 */
export interface BlockTable<Row extends OwnedRow, Query extends PageQuery>
  extends HistoryTable<Row, Query> {
  readonly bytes: RowBytes<Row>;
}

/**
 * A row with every property, where absent ones are undefined. All rows of a table then have the
 * same hidden class. Objects that are built by spreading are many times slower to make and to copy.
 */
export type WholeRow<Row> = { readonly [Name in keyof Required<Row>]: Row[Name] };

export const asRow = <Row>(row: WholeRow<Row>): Row => row as Row;

/**
 * Every text compares as equal to or greater than an empty one. A row without a loan type belongs
 * to no isolated pair and does not match.
 */
export const HAS_LOAN_TYPE: Condition = { column: 'loanType', operator: '>=', value: '' };

/** The conditions for given values. An absent value sets no condition. */
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
