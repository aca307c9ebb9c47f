import { expect, test } from 'vitest';
import type { OperatorHandlers, PublicHandlers } from './handlers.ts';

test('[REQ-38] a table that lacks a handler, or has one of the wrong kind, does not compile', () => {
  const whole = {} as PublicHandlers;
  const { getServerTime: _, ...lacking } = whole;
  // @ts-expect-error a row without a handler
  const incomplete: PublicHandlers = lacking;
  const wrong: PublicHandlers = {
    ...whole,
    // @ts-expect-error an answer that is not what the row promises
    getServerTime: () => ({ ok: true, value: { serverTime: 5 } }),
  };
  // @ts-expect-error the operator's table is another one
  const other: OperatorHandlers = whole;
  expect([incomplete, wrong, other]).toHaveLength(3);
});
