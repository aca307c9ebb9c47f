/** All rows so far, computed again from the first event after each change. */
import { type NaiveBill, naiveBills } from './bill-rows.ts';
import { type TrackedState, trackedStates } from './copy-rows.ts';
import {
  type BookTrade,
  bookTrades,
  type ClosedPosition,
  closedPositions,
  type EmittedFill,
  emittedFills,
} from './fill-rows.ts';
import { type WithdrawalState, withdrawalStates } from './money-rows.ts';
import { type OrderState, orderStates } from './order-rows.ts';
import type { EmittedEvents, EmittedTransfer, RecordedRun } from './recorded-run.ts';
import { type TriggerState, triggerStates } from './trigger-rows.ts';

export interface Known {
  readonly emitted: readonly EmittedEvents[];
  readonly transfers: readonly EmittedTransfer[];
  readonly orders: ReadonlyMap<number, OrderState>;
  readonly allOrders: readonly OrderState[];
  readonly fills: readonly EmittedFill[];
  readonly positions: readonly ClosedPosition[];
  readonly triggers: ReadonlyMap<number, TriggerState>;
  readonly trades: readonly BookTrade[];
  readonly bills: readonly NaiveBill[];
  readonly withdrawals: readonly WithdrawalState[];
  readonly tracked: readonly TrackedState[];
}

let last: { readonly run: RecordedRun; readonly count: number; readonly known: Known } | undefined;

export function knownOf(run: RecordedRun): Known {
  const { emitted, transfers } = run;
  if (last?.run === run && last.count === emitted.length) return last.known;
  const orders = orderStates(emitted);
  // Later events do not change the copy.
  const soFar = [...emitted];
  const known: Known = {
    emitted: soFar,
    transfers,
    orders,
    allOrders: [...orders.values()],
    fills: emittedFills(soFar, orders),
    positions: closedPositions(emitted),
    triggers: triggerStates(emitted, orders),
    trades: bookTrades(soFar),
    bills: naiveBills(emitted, orders),
    withdrawals: withdrawalStates(emitted),
    tracked: trackedStates(emitted),
  };
  last = { run, count: emitted.length, known };
  return known;
}
