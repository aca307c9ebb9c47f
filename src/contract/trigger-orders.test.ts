import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { triggerOrderListRows } from './trigger-order-lists.ts';
import { triggerOrderRows } from './trigger-orders.ts';

test('[TRG-65] a user may make every call of trigger orders ten times a second', () => {
  const rows: readonly Endpoint[] = Object.values({
    ...triggerOrderRows,
    ...triggerOrderListRows,
  });
  expect(rows).toHaveLength(9);
  for (const { limit } of rows) expect(limit).toMatchObject({ perSecond: 10 });
});
