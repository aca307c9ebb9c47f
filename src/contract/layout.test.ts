import { expect, test } from 'vitest';
import { emptyLayout, type Layout, NOWHERE } from './layout.ts';

/** Of objects with these names; undefined where there is none. */
const layoutOf = (...names: readonly string[]): Layout | undefined =>
  names.reduce<Layout | undefined>((layout, name) => layout?.with(name), emptyLayout());

test('[REQ-14] what is kept of a name is the name: its bytes share no memory with bodies and secrets', () => {
  const { quoted } = layoutOf('passphrase')!;
  expect(Buffer.from(quoted).toString()).toBe('"passphrase"');
  expect(quoted.buffer.byteLength).toBe(quoted.length);
});

test('[REQ-10] the same names in the same order have one layout, in which each has its place; others have another', () => {
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
  ['a name of digits, of which many have one hash', ['1024']],
  ['no name', ['']],
  ['a name that a body may say in several ways', ['a"b']],
  ['a name of 33 letters', ['a'.repeat(33)]],
  ['49 names', Array.from({ length: 49 }, (_, at) => `name${at}`)],
])('[REQ-10] %s has no layout', (_, names) => {
  expect(layoutOf(...names)).toBeUndefined();
  expect(layoutOf(...names.slice(0, -1))).toBeDefined();
});

test('[REQ-10] after thousands of layouts all are begun anew, with numbers that were never used', () => {
  const before = layoutOf('kept')!;
  for (let at = 0; at < 2_000; at++) layoutOf(`fresh${at}`);
  const after = layoutOf('kept')!;
  expect(after).not.toBe(before);
  expect(after.number).toBeGreaterThan(before.number);
});
