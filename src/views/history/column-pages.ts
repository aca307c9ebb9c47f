/** Pages of rows in columns, with one SQL statement each. */
import { goesNewer, type PageQuery } from '../pages.ts';
import { type AnyKysely, type Columns, columnName, type HistoryRow } from './table.ts';
import { type ColumnTableName, columnTableNamed } from './tables.ts';

export function selectPage(kysely: AnyKysely, name: ColumnTableName, query: PageQuery) {
  const table = columnTableNamed(name);
  let select = kysely.selectFrom(table.name).selectAll();
  for (const { column, operator, value } of table.conditions(query))
    select = select.where(columnName(column), operator, value);
  if (query.idLessThan !== undefined) select = select.where('id', '<', query.idLessThan);
  if (query.idGreaterThan !== undefined) select = select.where('id', '>', query.idGreaterThan);
  return select.orderBy('id', goesNewer(query) ? 'asc' : 'desc').limit(query.limit);
}

export async function columnPage(
  kysely: AnyKysely,
  name: ColumnTableName,
  query: PageQuery,
): Promise<readonly HistoryRow[]> {
  const table = columnTableNamed(name);
  const rows = (await selectPage(kysely, name, query).execute()).map((columns) =>
    table.fromColumns(columns as Columns),
  );
  return goesNewer(query) ? rows.reverse() : rows;
}
