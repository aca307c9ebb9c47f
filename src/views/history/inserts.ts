/**
 * Writes rows into the history file: statements made ready once, since a query builder would put them together anew for every row. A table that
 * has a column `rest` keeps apart only what it is asked by: everything else of a row is one text there, a list in JSON, in the order of the
 * table's columns.
 */
import type Database from 'libsql';
import type { Sequence } from '../../kernel/ids.ts';
import { type Column, type Columns, type Packed, SEQUENCE_PLACE } from './table.ts';
import { type TableName, tableNamed } from './tables.ts';

export const REST_COLUMN = 'rest';

/** Rows that go into the file in one statement: each call into SQLite costs as much as a third of a row. */
const ROWS_AT_ONCE = 20;

class TableInsert {
  readonly #one: Database.Statement;
  readonly #many: Database.Statement;
  readonly #width: number;
  /** Places of a row's columns: those the table has, and those that go into its text. */
  readonly #apart: readonly number[];
  readonly #together: readonly number[];

  constructor(database: Database.Database, name: TableName) {
    const { name: table, columnNames } = tableNamed(name);
    const listed = database.prepare(`select name from pragma_table_info('${table}')`).all() as readonly { readonly name: string }[];
    const has = new Set(listed.map((column) => column.name));
    const hasRest = has.has(REST_COLUMN);
    const places = columnNames.map((column, place) => [place, column] as const);
    this.#apart = places.filter(([, column]) => !hasRest || has.has(column)).map(([place]) => place);
    this.#together = places.filter(([, column]) => hasRest && !has.has(column)).map(([place]) => place);
    const columns = [...this.#apart.map((place) => columnNames[place]!), ...(hasRest ? [REST_COLUMN] : [])];
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const insert = (rows: number): Database.Statement =>
      database.prepare(`insert into ${table} (${columns.join(', ')}) values ${Array(rows).fill(row).join(', ')}`);
    this.#one = insert(1);
    this.#many = insert(ROWS_AT_ONCE);
  }

  run(rows: Iterable<readonly Column[]>): void {
    let values: Column[] = [];
    for (const columns of rows) {
      for (const place of this.#apart) values.push(columns[place]!);
      if (this.#together.length > 0) values.push(this.#restOf(columns));
      if (values.length < this.#width * ROWS_AT_ONCE) continue;
      this.#many.run(values);
      values = [];
    }
    for (let at = 0; at < values.length; at += this.#width) this.#one.run(values.slice(at, at + this.#width));
  }

  #restOf(columns: readonly Column[]): string {
    return JSON.stringify(this.#together.map((place) => columns[place]!));
  }
}

export class Inserts {
  readonly #database: Database.Database;
  readonly #tables = new Map<TableName, TableInsert>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** Rows at or below the applied sequence are there already. */
  insertAfter(applied: Sequence, name: TableName, values: readonly Packed[]): void {
    if (values.length === 0) return;
    this.#insertInto(name).run(rowsAfter(applied, name, values));
  }

  #insertInto(name: TableName): TableInsert {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const insert = new TableInsert(this.#database, name);
    this.#tables.set(name, insert);
    return insert;
  }
}

function* rowsAfter(applied: Sequence, name: TableName, values: readonly Packed[]): Iterable<readonly Column[]> {
  const table = tableNamed(name);
  for (let at = 0; at < values.length; at += table.columnNames.length)
    if ((values[at + SEQUENCE_PLACE] as number) > applied) yield table.columnsAt(values, at);
}

/** A row of the file with all of its columns side by side. */
export function wholeColumns(name: TableName, columns: Columns): Columns {
  const rest = columns[REST_COLUMN];
  if (typeof rest !== 'string') return columns;
  const together = tableNamed(name).columnNames.filter((column) => !(column in columns));
  const values = JSON.parse(rest) as readonly Column[];
  return { ...columns, ...Object.fromEntries(together.map((column, place) => [column, values[place]!])) };
}
