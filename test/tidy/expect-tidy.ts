/**
 * The expectation of all tidy tests: no violations, otherwise a list that reads like a to-do list.
 */
import { expect } from 'vitest';
import { type Fault, faultText } from './source-text.ts';

export function expectTidy(faults: readonly Fault[]): void {
  if (faults.length > 0) expect.fail(['', ...faults.map(faultText)].join('\n'));
}
