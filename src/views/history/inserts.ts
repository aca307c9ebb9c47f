/**
 * Writes rows into the history file by prepared statements, because a query builder would build the
 * statement again for every row.
 */

import { deserialize } from 'node:v8';
import type Database from 'libsql';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Sequence } from '../../kernel/ids.ts';
import { type Column, type Packed, SEQUENCE_PLACE } from './table.ts';
import { type ColumnTableName, columnTableNamed } from './tables.ts';
import { yieldThread } from './yield-thread.ts';

/** Rows in one statement. A call into SQLite costs a third as much as a row. */
const ROWS_AT_ONCE = 20;

/**
 * An insert of rows with the given columns. It is prepared at the first use, because a migration
 * may create the table later.
 */
export class StatementInsert {
  readonly #database: Database.Database;
  readonly #text: string;
  readonly #width: number;
  readonly #prepared = new Map<number, Database.Statement>();

  constructor(database: Database.Database, table: string, columns: readonly string[]) {
    this.#database = database;
    this.#text = `insert into ${table} (${columns.join(', ')}) values `;
    this.#width = columns.length;
  }

  run<Row>(rows: Iterable<Row>, columnsOf: (row: Row) => readonly Column[]): void {
    let values: Column[] = [];
    for (const row of rows) {
      for (const column of columnsOf(row)) values.push(column);
      if (values.length < this.#width * ROWS_AT_ONCE) continue;
      this.#statement(ROWS_AT_ONCE).run(values);
      yieldThread();
      values = [];
    }
    for (let at = 0; at < values.length; at += this.#width)
      this.#statement(1).run(values.slice(at, at + this.#width));
  }

  #statement(rows: number): Database.Statement {
    return getOrMake(this.#prepared, rows, () => {
      const row = `(${Array(this.#width).fill('?').join(', ')})`;
      return this.#database.prepare(this.#text + Array(rows).fill(row).join(', '));
    });
  }
}

/** The inserts of tables with a column for each property. */
export class Inserts {
  readonly #database: Database.Database;
  readonly #tables = new Map<ColumnTableName, StatementInsert>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  /** The file already has rows up to the applied sequence. */
  insertAfter(applied: Sequence, name: ColumnTableName, piece: Uint8Array): void {
    const values = deserialize(piece) as readonly Packed[];
    this.#insertInto(name).run(rowsAfter(applied, name, values), (columns) => columns);
  }

  #insertInto(name: ColumnTableName): StatementInsert {
    return getOrMake(this.#tables, name, () => {
      const { name: table, columnNames } = columnTableNamed(name);
      return new StatementInsert(this.#database, table, columnNames);
    });
  }
}

function* rowsAfter(
  applied: Sequence,
  name: ColumnTableName,
  values: readonly Packed[],
): Iterable<readonly Column[]> {
  const table = columnTableNamed(name);
  for (let at = 0; at < values.length; at += table.columnNames.length)
    if ((values[at + SEQUENCE_PLACE] as number) > applied) yield table.columnsAt(values, at);
}
