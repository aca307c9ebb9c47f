import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { staleness } from '../planted/bug.ts';
import { BUGS } from '../planted/bugs.ts';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

describe('planted bugs', () => {
  test('[SIM-06] there are at least thirty, each can still be planted, and each has its own name', () => {
    expect(BUGS.flatMap((bug) => staleness(REPOSITORY, bug) ?? [])).toEqual([]);
    expect(BUGS.length).toBeGreaterThanOrEqual(30);
    expect(new Set(BUGS.map(({ name }) => name)).size).toBe(BUGS.length);
  });
});
