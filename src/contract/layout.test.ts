import { expect, test } from 'vitest';
import { emptyLayout, type Layout, NOWHERE } from './layout.ts';

/** The layout of objects with these names; undefined if there is none. */
const layoutOf = (...names: readonly string[]): Layout | undefined =>
  names.reduce<Layout | undefined>((layout, name) => layout?.with(name), emptyLayout());

test('[REQ-14] a stored name shares no memory with bodies and secrets', () => {
  const { quoted } = layoutOf('passphrase')!;
  expect(Buffer.from(quoted).toString()).toBe('"passphrase"');
  expect(quoted.buffer.byteLength).toBe(quoted.length);
});

test('[REQ-10] objects have one layout if they have the same names in the same order', () => {
  const layout = layoutOf('symbol', 'qty')!;
  expect(layoutOf('symbol', 'qty')).toBe(layout);
  expect(layout.names()).toEqual(['symbol', 'qty']);
  expect(['symbol', 'qty', 'price'].map((name) => layout.placeOf(name))).toEqual([0, 1, NOWHERE]);
  const numbers = [layout, layoutOf('qty', 'symbol')!, layoutOf('symbol')!, emptyLayout()].map(
    ({ number }) => number,
  );
  expect(new Set(numbers).size).toBe(4);
});

test.each([
  ['a name twice', ['a', 'b', 'a']],
  ['of a name of digits, because many have the same hash', ['1024']],
  ['no name', ['']],
  ['of a name that a body can write in several ways', ['a"b']],
  ['of a name of 33 letters', ['a'.repeat(33)]],
  ['49 names', Array.from({ length: 49 }, (_, at) => `name${at}`)],
])('[REQ-10] %s has no layout', (_, names) => {
  expect(layoutOf(...names)).toBeUndefined();
  expect(layoutOf(...names.slice(0, -1))).toBeDefined();
});

test('[REQ-10] after thousands of layouts new ones replace them, with numbers that were never used', () => {
  const before = layoutOf('kept')!;
  for (let at = 0; at < 2_000; at++) layoutOf(`fresh${at}`);
  const after = layoutOf('kept')!;
  expect(after).not.toBe(before);
  expect(after.number).toBeGreaterThan(before.number);
});
