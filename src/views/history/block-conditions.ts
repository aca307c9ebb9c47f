/** What can be asked of a block before its rows are read, and by which way it is found. */
import type { Column, Condition } from './table.ts';

const COLUMN_CONDITIONS: Readonly<Record<string, string>> = {
  'uid =': 'uid = ?',
  'category =': 'category = ?',
  'area =': 'category is ?',
  'symbol =': 'symbol = ?',
  'coin =': 'symbol = ?',
  'time >=': 'last_time >= ?',
  'time <=': 'first_time <= ?',
};

/**
 * What of a condition a block answers for all its rows. Bills that have no category are of the area
 * `OTHER`.
 */
export function blockFilter({
  column,
  operator,
  value,
}: Condition): { readonly text: string; readonly value: Column } | undefined {
  const text = COLUMN_CONDITIONS[`${column} ${operator}`];
  if (text === undefined || operator === 'in') return undefined;
  return { text, value: column === 'area' && value === 'OTHER' ? null : value };
}

export function wantedValue(
  conditions: readonly Condition[],
  name: string,
  by: '=' | '>=' | '<=' = '=',
): string | number | undefined {
  for (const { column, operator, value } of conditions)
    if (operator === by && column === name) return value as string | number;
  return undefined;
}

/**
 * Several areas are looked for one by one, each once: each is found in an index, and all of them
 * together in none.
 */
export function areaByArea(conditions: readonly Condition[]): readonly (readonly Condition[])[] {
  const areas = conditions.find(({ column, operator }) => column === 'area' && operator === 'in');
  if (areas?.operator !== 'in') return [conditions];
  const others = conditions.filter((condition) => condition !== areas);
  return [...new Set(areas.value)].map((value) => [
    ...others,
    { column: 'area', operator: '=', value },
  ]);
}

/**
 * The way to the blocks that satisfy conditions: each has all that can be asked of a block before
 * its rows are read.
 */
export function indexFor(conditions: readonly Condition[]): string {
  const has = (name: string): boolean => wantedValue(conditions, name) !== undefined;
  if (!has('uid')) return 'row_blocks_of_kind';
  if (has('symbol') || has('coin')) return 'row_blocks_of_symbol';
  return has('category') || has('area') ? 'row_blocks_of_category' : 'row_blocks_of_user';
}
