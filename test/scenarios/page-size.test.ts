import { expect, test } from 'vitest';
import { pageSize } from '../../src/contract/number-fields.ts';
import { ok, refuse } from '../../src/kernel/result.ts';
import { rejection } from '../../src/messages/rejections.ts';

test('[LIST-07] a page size is between one and the maximum, and has a default', () => {
  const limit = pageSize(20, 100);
  const refused = refuse(rejection('fieldOutOfRange', 'limit', '1 to 100'));
  expect(limit.decode(undefined, 'limit')).toEqual(ok(20));
  expect(limit.decode('', 'limit')).toEqual(ok(20));
  expect(limit.decode('1', 'limit')).toEqual(ok(1));
  expect(limit.decode('100', 'limit')).toEqual(ok(100));
  for (const input of ['0', '101', '-1', '1.5', '1e1', 'ten'])
    expect(limit.decode(input, 'limit')).toEqual(refused);
});
