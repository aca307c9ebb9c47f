import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OrderedMap } from './ordered-map.ts';

interface Row {
  readonly key: bigint;
  readonly id: number;
  readonly value: string;
}

const inOrder = (rows: Iterable<Row>): Row[] =>
  [...rows].sort((one, other) =>
    one.key === other.key ? one.id - other.id : one.key < other.key ? -1 : 1,
  );

const place = fc.record({ key: fc.bigInt({ min: 0n, max: 12n }), id: fc.nat(5) });
const step = fc.oneof(
  place.map((at) => ({ kind: 'set' as const, ...at })),
  place.map((at) => ({ kind: 'delete' as const, ...at })),
);

describe('an ordered map', () => {
  test('[POS-69] equals a sorted list after any sequence of sets and deletes', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 120 }),
        fc.bigInt({ min: -1n, max: 13n }),
        (steps, bound) => {
          const map = new OrderedMap<bigint, string>();
          const model = new Map<string, Row>();
          for (const [at, { kind, key, id }] of steps.entries()) {
            const name = `${key}:${id}`;
            if (kind === 'delete') expect(map.delete(key, id)).toBe(model.delete(name));
            else {
              map.set(key, id, `v${at}`);
              model.set(name, { key, id, value: `v${at}` });
            }
            expect(map.size).toBe(model.size);
            expect(map.get(key, id)).toBe(model.get(name)?.value);
          }
          const rows = inOrder(model.values());
          expect([map.first(), map.last()]).toEqual([rows[0], rows.at(-1)]);
          expect([...map.upTo(bound)]).toEqual(rows.filter(({ key }) => key <= bound));
          expect([...map.downTo(bound)]).toEqual(rows.filter(({ key }) => key >= bound).reverse());
        },
      ),
    );
  });

  test('[POS-69] stays shallow: a hundred thousand rising keys are added and removed', () => {
    const map = new OrderedMap<number, number>();
    for (let key = 0; key < 100_000; key++) map.set(key, 0, key);
    for (let key = 0; key < 100_000; key += 2) map.delete(key, 0);
    expect([map.size, map.first()?.key, map.last()?.key]).toEqual([50_000, 1, 99_999]);
    expect([...map.upTo(9)].map(({ key }) => key)).toEqual([1, 3, 5, 7, 9]);
  });
});

test('[TRG-37] removing all entries up to a key equals deleting them one by one', () => {
  for (const count of [0, 1, 2, 3, 6, 7, 8, 14, 15, 40, 200])
    for (const part of [0, 1, 5, count >> 1, count - 1, count]) {
      const [map, other] = [new OrderedMap<number, number>(), new OrderedMap<number, number>()];
      for (let at = 0; at < count; at++)
        for (const each of [map, other]) each.set((at * 7) % count, at, at);
      const expected = [...other.upTo(part - 1)];
      for (const { key, id } of expected) other.delete(key, id);
      expect(map.takeUpTo(part - 1)).toEqual(expected);
      for (const each of [map, other])
        for (let at = 0; at < 20; at++) each.set((at * 13) % 50, 1_000 + at, at);
      for (const { key, id } of [...other.upTo(count >> 2)])
        for (const each of [map, other]) each.delete(key, id);
      expect([...map.all()]).toEqual([...other.all()]);
      expect([map.size, map.first(), map.last()]).toEqual([
        other.size,
        other.first(),
        other.last(),
      ]);
    }
});
