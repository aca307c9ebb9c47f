/** What a table of the history store is: how events become its rows, how rows become columns and come back, and how it is asked. */
import type { Id, Sequence } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { PageQuery } from '../pages.ts';
import type { ToldBatch, ToldOf, ToldType } from './recorded-events.ts';

/** Every row has an id that orders its list, the time it is listed under, and the command it came from. */
export interface HistoryRow {
  readonly id: Id;
  readonly time: Timestamp;
  readonly sequence: Sequence;
}

/**
 * What SQLite keeps. Whole numbers are ids, times and sequences, all safe integers. Money is its plain decimal text: exact, the same in every
 * database, and readable by a person; as an integer of the smallest unit it would outgrow 64 bits on the accounts of the house.
 */
export type Column = string | number | null;
export type Columns = Readonly<Record<string, Column>>;

/** The column of a row's property: `clientOid` is kept as `client_oid`. */
export const columnName = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** One thing a row must satisfy; `column` names the row's property. Memory and SQL are asked the same conditions, so they cannot disagree on what a query means. */
export interface Condition {
  readonly column: string;
  readonly operator: '=' | '>=' | '<=';
  readonly value: string | number;
}

/** A value of a row on its way to the worker. Rows travel as one long list of them: that is copied many times faster than objects are. */
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

/** `Name` is the table's name in the database. */
export interface HistoryTable<Row extends HistoryRow, Query extends PageQuery> extends RowColumns<Row> {
  readonly name: string;
  readonly rowsOf: { readonly [Type in ToldType]?: (event: ToldOf<Type>, batch: ToldBatch) => readonly Row[] };
  /** Conditions name columns that hold the same value in a row and in the database: ids, times, words; never money. */
  conditions(query: Query): readonly Condition[];
}

/**
 * A row with every property named, those it lacks as undefined: rows of one table are then alike to the machine, and an object spread
 * together of so many is many times slower to make and to copy.
 */
export type WholeRow<Row> = { readonly [Name in keyof Required<Row>]: Row[Name] };

/** Every text is the empty one or after it; a row without a loan type, which is not of an isolated pair, has none to compare. */
export const HAS_LOAN_TYPE: Condition = { column: 'loanType', operator: '>=', value: '' };

/** The conditions whose value was said; a filter left out filters nothing. */
export function equalTo(values: Readonly<Record<string, string | number | undefined>>): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const [column, value] of Object.entries(values)) if (value !== undefined) conditions.push({ column, operator: '=', value });
  return conditions;
}

export function satisfies(row: HistoryRow, conditions: readonly Condition[]): boolean {
  for (const { column, operator, value } of conditions) {
    const held = (row as unknown as Readonly<Record<string, string | number | undefined>>)[column];
    if (held === undefined) return false;
    if (operator === '=' && held !== value) return false;
    if (operator === '>=' && held < value) return false;
    if (operator === '<=' && held > value) return false;
  }
  return true;
}
