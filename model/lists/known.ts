/** All rows so far, computed again from the first event after each change. */
import { type NaiveBill, naiveBills } from './bill-rows.ts';
import { type TrackedLife, trackedLives } from './copy-rows.ts';
import {
  type BookTrade,
  bookTrades,
  type ClosedPosition,
  closedPositions,
  type EmittedFill,
  emittedFills,
} from './fill-rows.ts';
import { type WithdrawalLife, withdrawalLives } from './money-rows.ts';
import { type OrderLife, orderLives } from './order-rows.ts';
import type { EmittedEvents, EmittedTransfer, RecordedRun } from './recorded-run.ts';
import { type TriggerLife, triggerLives } from './trigger-rows.ts';

export interface Known {
  readonly emitted: readonly EmittedEvents[];
  readonly transfers: readonly EmittedTransfer[];
  readonly orders: ReadonlyMap<number, OrderLife>;
  readonly allOrders: readonly OrderLife[];
  readonly fills: readonly EmittedFill[];
  readonly positions: readonly ClosedPosition[];
  readonly triggers: ReadonlyMap<number, TriggerLife>;
  readonly trades: readonly BookTrade[];
  readonly bills: readonly NaiveBill[];
  readonly withdrawals: readonly WithdrawalLife[];
  readonly tracked: readonly TrackedLife[];
}

let last: { readonly run: RecordedRun; readonly count: number; readonly known: Known } | undefined;

export function knownOf(run: RecordedRun): Known {
  const { emitted, transfers } = run;
  if (last?.run === run && last.count === emitted.length) return last.known;
  const orders = orderLives(emitted);
  // Later events do not change the copy.
  const soFar = [...emitted];
  const known: Known = {
    emitted: soFar,
    transfers,
    orders,
    allOrders: [...orders.values()],
    fills: emittedFills(soFar, orders),
    positions: closedPositions(emitted),
    triggers: triggerLives(emitted, orders),
    trades: bookTrades(soFar),
    bills: naiveBills(emitted, orders),
    withdrawals: withdrawalLives(emitted),
    tracked: trackedLives(emitted),
  };
  last = { run, count: emitted.length, known };
  return known;
}
