import { expect, test } from 'vitest';
import { UID_FIRST, type Uid } from './ids.ts';
import { BrokenInvariant } from './invariant.ts';
import { UidTable } from './uid-table.ts';

const uidAt = (place: number): Uid => (UID_FIRST + place) as Uid;

test('[ORD-75] each uid with a value keeps it, and other uids have none', () => {
  const table = new UidTable<string>();
  table.set(uidAt(3), 'three');
  table.set(uidAt(0), 'zero');
  table.set(uidAt(3), 'three again');
  expect([uidAt(0), uidAt(1), uidAt(3), uidAt(4), 7 as Uid].map((uid) => table.get(uid))).toEqual([
    'zero',
    undefined,
    'three again',
    undefined,
    undefined,
  ]);
  expect([...table.values()]).toEqual(['zero', 'three again']);
  table.delete(uidAt(3));
  table.delete(uidAt(9));
  expect([...table.values()]).toEqual(['zero']);
});

test('[ORD-75] an invalid uid is refused', () => {
  const table = new UidTable<string>();
  expect(() => table.set(7 as Uid, 'seven')).toThrow(BrokenInvariant);
  expect(() => table.set(uidAt(2 ** 24), 'too many')).toThrow(BrokenInvariant);
});
