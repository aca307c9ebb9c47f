import { expect, test } from 'vitest';
import { IdTable } from './id-table.ts';
import type { Id } from './ids.ts';
import { BrokenInvariant } from './invariant.ts';
import { seededRandom } from './random.ts';

const FIRST = 10 ** 15;

test('[VIEW-38] an id table equals a Map after many puts, replacements and removals', () => {
  const random = seededRandom(7);
  const table = new IdTable<string>();
  const map = new Map<Id, string>();
  let next = FIRST;
  for (let step = 0; step < 16_000; step++) {
    // The table grows to a thousand ids, then empties, repeatedly.
    const grows = Math.floor(step / 2_000) % 2 === 0;
    const known = [...map.keys()];
    const isNew = random.fraction() < (grows ? 0.7 : 0.2) || known.length === 0;
    if (isNew) next += 1 + random.below(3);
    const id = isNew ? (next as Id) : random.pick(known);
    if (map.has(id) && random.fraction() < 0.8) {
      table.delete(id);
      map.delete(id);
    } else {
      table.set(id, `value ${step}`);
      map.set(id, `value ${step}`);
    }
    expect(table.get(id)).toBe(map.get(id));
    expect([table.has(id), table.size]).toEqual([map.has(id), map.size]);
    if (step % 500 !== 0) continue;
    for (const [each, value] of map) expect(table.get(each)).toBe(value);
    expect([...table.values()].length).toBe(map.size);
  }
  const byId = [...map].sort(([left], [right]) => left - right);
  expect([...table]).toEqual(byId);
  expect([...table.values()]).toEqual(byId.map(([, value]) => value));
});

test('[VIEW-38] ids with the same preferred slot are found, in any order of removal', () => {
  // Only the low 32 bits of an id are hashed, and these ids share them.
  const ids = [1, 2, 3, 4, 5, 6].map((high) => (5 + high * 2 ** 32) as Id);
  for (const gone of ids) {
    const table = new IdTable<number>();
    for (const id of ids) table.set(id, id);
    table.delete(gone);
    table.delete(gone);
    expect([...table.values()].length).toBe(5);
    expect(ids.map((id) => table.get(id))).toEqual(ids.map((id) => (id === gone ? undefined : id)));
  }
});

test('[VIEW-38] iteration skips ids that are removed meanwhile', () => {
  const ids = [3, 1, 2].map((id) => id as Id);
  const table = IdTable.of(ids.map((id) => [id, `value ${id}`]));
  const seen: string[] = [];
  for (const [id, value] of table) {
    seen.push(value);
    table.delete((id + 1) as Id);
  }
  expect(seen).toEqual(['value 1', 'value 3']);
});

test('[VIEW-38] an id never put is not found, and an invalid id is refused', () => {
  const table = new IdTable<string>();
  expect(table.get(0 as Id)).toBe(undefined);
  expect(table.get(3 as Id)).toBe(undefined);
  expect(() => table.set(0 as Id, 'none')).toThrow(BrokenInvariant);
});
