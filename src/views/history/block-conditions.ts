/**
 * Conditions that select blocks before their rows are read, and the index that finds the blocks.
 */
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
 * The part of a condition that holds for all rows of a block. Bills without a category have the
 * area `OTHER`.
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
 * Splits a query for several areas into one query each. An index finds the blocks of one area, but
 * none finds those of several.
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
 * The index for the given conditions. It has every column that can be compared before rows are
 * read.
 */
export function indexFor(conditions: readonly Condition[]): string {
  const has = (name: string): boolean => wantedValue(conditions, name) !== undefined;
  if (!has('uid')) return 'row_blocks_of_kind';
  if (has('symbol') || has('coin')) return 'row_blocks_of_symbol';
  return has('category') || has('area') ? 'row_blocks_of_category' : 'row_blocks_of_user';
}
