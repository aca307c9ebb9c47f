/** Formats the rows of a benchmark for people and programs. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Large numbers without decimals, small ones with three significant digits. */
export const figure = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));

/** One line of a measurement, as every bench reports it. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The row of comparison, and the ratio to it. */
  readonly ratioTo?: string;
  readonly ratio?: number;
  /** Lower is better: a time, a cost, a size. */
  readonly lessIsBetter?: boolean;
}

/** Compares two rows: a ratio above one is better. */
export function compared(row: Measured, other: Measured): Measured {
  const ratio = row.lessIsBetter === true ? other.value / row.value : row.value / other.value;
  return { ...row, ratioTo: other.name, ratio };
}

export function tableOf(rows: readonly Measured[]): string {
  const cells = rows.map(({ name, value, unit, ratio, ratioTo }) => [
    name,
    figure(value),
    unit,
    ratio === undefined ? '' : `${figure(ratio)} ×`,
    ratioTo ?? '',
  ]);
  const head = ['what', 'figure', 'unit', 'ratio', 'against'];
  const all = [head, head.map(() => ''), ...cells];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[], fill: string): string =>
    `| ${row.map((cell, column) => (column === 1 || column === 3 ? cell.padStart(widths[column]!, fill) : cell.padEnd(widths[column]!, fill))).join(' | ')} |`;
  return [
    line(head, ' '),
    line(
      head.map(() => ''),
      '-',
    ),
    ...cells.map((row) => line(row, ' ')),
  ].join('\n');
}
