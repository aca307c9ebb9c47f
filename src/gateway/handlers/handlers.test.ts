import { expect, test } from 'vitest';
import type { OperatorHandlers, PublicHandlers } from './handlers.ts';

test('[REQ-38] a table with a missing handler or one of the wrong type does not compile', () => {
  const whole = {} as PublicHandlers;
  const { getServerTime: _, ...lacking } = whole;
  // @ts-expect-error a row without a handler
  const incomplete: PublicHandlers = lacking;
  const wrong: PublicHandlers = {
    ...whole,
    // @ts-expect-error an answer of another type than the row's response
    getServerTime: () => ({ ok: true, value: { serverTime: 5 } }),
  };
  // @ts-expect-error the operator API has another table
  const other: OperatorHandlers = whole;
  expect([incomplete, wrong, other]).toHaveLength(3);
});
