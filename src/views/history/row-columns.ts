/** Converts rows to columns and back, from one list of the types of properties. */
import { type Amount, money, moneyText } from '../../kernel/money.ts';
import { type Column, columnName, type HistoryRow, type Packed, type RowColumns } from './table.ts';

/** The stored form of a property: unchanged, as the text of money, or as one or zero. */
export interface ColumnKind {
  to(value: Packed): Column;
  from(column: Column): unknown;
}

/** Words, texts, ids and times. */
export const plain: ColumnKind = {
  to: (value) => value as string | number,
  from: (column) => column,
};
export const moneyColumn: ColumnKind = {
  to: (value) => moneyText(value as Amount),
  from: (column) => money<Amount>(column as string),
};
export const flagColumn: ColumnKind = {
  to: (value) => (value === true ? 1 : 0),
  from: (column) => column === 1,
};

type Properties<Row> = { readonly [Name in Exclude<keyof Row, keyof HistoryRow>]-?: ColumnKind };

/** An absent property is null in its column, and absent again in the row that is read. */
export function rowColumns<Row extends HistoryRow>(properties: Properties<Row>): RowColumns<Row> {
  const all: readonly (readonly [name: string, column: string, kind: ColumnKind])[] = [
    ...(['id', 'time', 'sequence'] as const).map((name) => [name, name, plain] as const),
    ...Object.entries<ColumnKind>(properties).map(
      ([name, kind]) => [name, columnName(name), kind] as const,
    ),
  ];
  const kinds = all.map(([, , kind]) => kind);
  return {
    columnNames: all.map(([, column]) => column),
    pack: (row, into) => {
      for (const [name] of all)
        into.push((row as unknown as Readonly<Record<string, Packed | undefined>>)[name] ?? null);
    },
    columnsAt: (packed, at) => {
      const columns: Column[] = [];
      for (let place = 0; place < kinds.length; place++) {
        const value = packed[at + place] ?? null;
        columns.push(value === null ? null : kinds[place]!.to(value));
      }
      return columns;
    },
    fromColumns: (columns) => {
      const row: Record<string, unknown> = {};
      for (const [name, column, kind] of all) {
        const value = columns[column] ?? null;
        if (value !== null) row[name] = kind.from(value);
      }
      return row as unknown as Row;
    },
  };
}
