/** History in plain memory: for simulations and tests, and as the simple model for comparison. */
import type { Sequence } from '../../kernel/ids.ts';
import type { PageQuery } from '../pages.ts';
import { pageOf } from '../pages.ts';
import type { HistoryStore } from './history.ts';
import { type HistoryRow, satisfies } from './table.ts';
import { eachRowOf, queriesThrough, type TableName, tableNamed } from './tables.ts';

export function createMemoryHistory(): HistoryStore {
  const rows = new Map<TableName, HistoryRow[]>();
  let applied = 0 as Sequence;

  const add = (name: TableName, row: HistoryRow): void => {
    const known = rows.get(name);
    if (known === undefined) rows.set(name, [row]);
    else known.push(row);
  };

  const list = async (name: TableName, query: PageQuery): Promise<readonly HistoryRow[]> => {
    const conditions = tableNamed(name).conditions(query);
    return pageOf(
      (rows.get(name) ?? []).filter((row) => satisfies(row, conditions)),
      query,
    );
  };

  return {
    ...queriesThrough(list),
    applied: () => applied,
    stored: () => applied,
    apply: (batch) => {
      if (batch.sequence <= applied) return;
      eachRowOf(batch, add);
      applied = batch.sequence;
    },
    lag: () => ({ rows: 0, full: false }),
    room: async () => {},
    sync: async () => applied,
    rebuild: async () => {
      rows.clear();
      applied = 0 as Sequence;
    },
    close: async () => {},
  };
}
