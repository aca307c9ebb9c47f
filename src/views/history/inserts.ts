/**
 * Writes rows into the history file: one statement a table, made ready once, since a query builder would put it together anew for every row. A
 * table that has a column `rest` keeps apart only what it is asked by: everything else of a row is one text there, in JSON.
 */
import type Database from 'libsql';
import type { Sequence } from '../../kernel/ids.ts';
import { type Column, type Columns, type Packed, SEQUENCE_PLACE } from './table.ts';
import { type TableName, tableNamed } from './tables.ts';

export const REST_COLUMN = 'rest';

class TableInsert {
  readonly #statement: Database.Statement;
  /** Places of a row's columns: those the table has, and those that go into its text. */
  readonly #apart: readonly number[];
  readonly #together: readonly (readonly [place: number, name: string])[];

  constructor(database: Database.Database, name: TableName) {
    const { name: table, columnNames } = tableNamed(name);
    const listed = database.prepare(`select name from pragma_table_info('${table}')`).all() as readonly { readonly name: string }[];
    const has = new Set(listed.map((column) => column.name));
    const hasRest = has.has(REST_COLUMN);
    const places = columnNames.map((column, place) => [place, column] as const);
    this.#apart = places.filter(([, column]) => !hasRest || has.has(column)).map(([place]) => place);
    this.#together = places.filter(([, column]) => hasRest && !has.has(column));
    const columns = [...this.#apart.map((place) => columnNames[place]!), ...(hasRest ? [REST_COLUMN] : [])];
    this.#statement = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`);
  }

  run(columns: readonly Column[]): void {
    const values: Column[] = this.#apart.map((place) => columns[place]!);
    if (this.#together.length > 0) values.push(this.#restOf(columns));
    this.#statement.run(values);
  }

  #restOf(columns: readonly Column[]): string {
    const rest: Record<string, Column> = {};
    for (const [place, name] of this.#together) if (columns[place] !== null) rest[name] = columns[place]!;
    return JSON.stringify(rest);
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
    const table = tableNamed(name);
    const insert = this.#insertInto(name);
    for (let at = 0; at < values.length; at += table.columnNames.length) {
      const sequence = values[at + SEQUENCE_PLACE] as number;
      if (sequence > applied) insert.run(table.columnsAt(values, at));
    }
  }

  #insertInto(name: TableName): TableInsert {
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const insert = new TableInsert(this.#database, name);
    this.#tables.set(name, insert);
    return insert;
  }
}

/** A row of the file with all of its columns side by side. */
export function wholeColumns(columns: Columns): Columns {
  const rest = columns[REST_COLUMN];
  return typeof rest === 'string' ? { ...columns, ...(JSON.parse(rest) as Columns) } : columns;
}
