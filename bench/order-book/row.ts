/** One line of a measurement, as every bench reports it. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The row this one is compared with, and this value over that one. */
  readonly ratioTo?: string;
  readonly ratio?: number;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)]!;
}
