import { expect, test } from 'vitest';
import type { Endpoint } from './endpoint.ts';
import { triggerOrderListRows } from './trigger-order-lists.ts';
import { triggerOrderRows } from './trigger-orders.ts';

test('[TRG-65] every call of trigger orders may be made ten times a second by a user', () => {
  const rows: readonly Endpoint[] = Object.values({
    ...triggerOrderRows,
    ...triggerOrderListRows,
  });
  expect(rows).toHaveLength(9);
  for (const { limit } of rows) expect(limit).toMatchObject({ perSecond: 10 });
});
