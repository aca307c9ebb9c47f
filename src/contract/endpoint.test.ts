/** Whole requests: their form, and the number of items in a list. */
import { expect, test } from 'vitest';
import type { RejectionReason } from '../messages/rejections.ts';
import { type RequestShape, request, requestOfItems, requestOfList } from './endpoint.ts';
import * as field from './fields.ts';
import type { Raw } from './raw.ts';

const TABLE = { coin: field.text() };
const item = new Map<string, Raw>([['coin', 'USDT']]);
const items = (count: number): readonly Raw[] => Array.from({ length: count }, () => item);

const reasonOf = (
  shape: RequestShape<unknown, unknown>,
  raw: Raw,
): RejectionReason | 'accepted' => {
  const decoded = shape.decode(raw);
  return decoded.ok ? 'accepted' : decoded.refusal.reason;
};

test('[REQ-07] no body, a null body and an empty object all mean a request without fields', () => {
  const shape = request({ coin: field.optional(field.text()) });
  for (const raw of [undefined, null, new Map()])
    expect(shape.decode(raw)).toEqual({ ok: true, value: { coin: undefined } });
  for (const raw of [[], 'text', true]) expect(reasonOf(shape, raw)).toBe('malformedRequest');
});

test.each<[string, RequestShape<unknown, unknown>, RejectionReason]>([
  ['with a result for each item', requestOfItems(TABLE, 3), 'batchTooLarge'],
  ['that is accepted as a whole', requestOfList(TABLE, 3), 'tooManyItems'],
])('[API-12] a list %s has at least one item and at most its maximum', (_, shape, tooMany) => {
  expect([0, 1, 3, 4].map((count) => reasonOf(shape, items(count)))).toEqual([
    'fieldMissing',
    'accepted',
    'accepted',
    tooMany,
  ]);
  for (const raw of [undefined, null, item]) expect(reasonOf(shape, raw)).toBe('malformedRequest');
  expect(shape.decode([item, 'text'])).toMatchObject({
    refusal: { reason: 'fieldInvalid', field: 'body[1]' },
  });
});
