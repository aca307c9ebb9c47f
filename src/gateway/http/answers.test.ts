/** Checks the JSON text of answers. */
import { expect, test } from 'vitest';
import type { Timestamp } from '../../kernel/time.ts';
import { ItemAnswer, successText } from './answers.ts';

const NOW = 1_789_000_000_000 as Timestamp;
const dataIn = (payload: unknown): unknown => JSON.parse(successText(payload, NOW)).data;

test('[ORD-04] a list of orders is written as JSON.stringify writes it, with any mix of refusals', () => {
  const items = [
    new ItemAnswer('1000000000000000042', 'a.B:/c_d-9', '00000', 'success'),
    new ItemAnswer(null, 'replaced', '00000', 'success'),
    new ItemAnswer('', 'two "words" \\ é', '40017', 'Parameter "clientOid" error'),
  ];
  for (const list of [
    items,
    items.slice(1),
    items.slice(0, 1),
    [],
    [...items, { other: 1 }],
    items[0],
    null,
    undefined,
  ]) {
    expect(successText(list, NOW)).toBe(
      `{"code":"00000","msg":"success","requestTime":${NOW},"data":${JSON.stringify(list ?? null)}}`,
    );
    expect(dataIn(list)).toEqual(JSON.parse(JSON.stringify(list ?? null)));
  }
});
