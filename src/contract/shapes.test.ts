/** Shapes find values that do not conform, and name their place. */
import { expect, test } from 'vitest';
import { publicEndpoints } from './endpoints.ts';
import { exampleOf } from './examples.ts';
import * as shape from './shapes.ts';

const row = shape.object({
  side: shape.word(['buy', 'sell'], 'Side'),
  price: shape.sometimes(shape.text('Price')),
  uid: shape.wholeNumber('User'),
  open: shape.truth('Open'),
  note: shape.textOrNull('Note'),
});
const good = { side: 'buy', uid: 1, open: true, note: null };

test('[API-29] a conforming value has no fault', () => {
  expect(row.faults(good, 'data')).toEqual([]);
  expect(row.faults({ ...good, price: '1', note: 'x' }, 'data')).toEqual([]);
  expect(shape.listOf(row).faults([], 'data')).toEqual([]);
  expect(shape.nothing.faults(null, 'data')).toEqual([]);
});
test('[API-29] each fault names its place', () => {
  const places = (value: unknown): readonly string[] =>
    shape
      .listOf(row)
      .faults(value, 'data')
      .map((fault) => fault.split(':')[0]!);
  expect(places([good, { ...good, side: 'BUY' }])).toEqual(['data[1].side']);
  expect(places([{ ...good, uid: '1' }])).toEqual(['data[0].uid']);
  expect(places([{ ...good, uid: 1.5 }])).toEqual(['data[0].uid']);
  expect(places([{ ...good, open: 'true' }])).toEqual(['data[0].open']);
  expect(places([{ ...good, note: undefined }])).toEqual(['data[0].note']);
  expect(places([{ ...good, price: 1 }])).toEqual(['data[0].price']);
  expect(places([{ ...good, extra: 1 }])).toEqual(['data[0].extra']);
  expect(places([{ side: 'buy', uid: 1, open: true }])).toEqual(['data[0].note']);
  expect(places([null])).toEqual(['data[0]']);
  expect(places({})).toEqual(['data']);
});
test.each(Object.entries(publicEndpoints))(
  '[API-29] the example of %s conforms',
  (_, { response }) => {
    expect((response as shape.Shape<unknown>).faults(exampleOf(response.schema), 'data')).toEqual(
      [],
    );
  },
);
