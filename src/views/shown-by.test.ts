/** Holds the table of shown events against the tables of history; the compiler checks the views. */
import { expect, test } from 'vitest';
import { createMemoryHistory } from './history/memory-history.ts';
import { BLOCK_TABLE_NAMES, COLUMN_TABLE_NAMES, tableNamed } from './history/tables.ts';
import { SHOWN_BY } from './shown-by.ts';
import { createViews } from './views.ts';

const EVENTS = Object.keys(SHOWN_BY) as readonly (keyof typeof SHOWN_BY)[];

test('[VIEW-158] history has a table for exactly the events that it is said to store', () => {
  const tables = [...COLUMN_TABLE_NAMES, ...BLOCK_TABLE_NAMES].map(tableNamed);
  const stored = EVENTS.filter((type) => tables.some(({ rowsOf }) => type in rowsOf));
  const said = EVENTS.filter((type) => new Set<string>(SHOWN_BY[type]).has('history'));
  expect(stored).toEqual(said);
  expect(stored).toContain('entryPosted');
});

test('[VIEW-158] no row names a view twice, and every view shows an event', () => {
  const rows: readonly (readonly string[])[] = Object.values(SHOWN_BY);
  for (const row of rows) expect(new Set(row).size).toBe(row.length);
  const saved = createViews(createMemoryHistory()).save() as { views: Record<string, unknown> };
  const names = [...Object.keys(saved.views), 'bills', 'history', 'userStreams'];
  expect(names.sort()).toEqual([...new Set(rows.flat())].sort());
});
