import { expect, test } from 'vitest';
import type { Sequence, Uid } from '../kernel/ids.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import type { Event } from '../messages/events.ts';
import { DailyOrdersView } from './daily-orders.ts';
import { feeding } from './view.ts';

const batch = (at: number, ...events: Event[]) => ({
  sequence: (at + 1) as Sequence,
  at: at as Timestamp,
  events,
});
const reached = (uid: number, threshold: 'warn' | 'restrict'): Event => ({
  type: 'dailyOrdersReached',
  uid: uid as Uid,
  threshold,
  count: 5,
});

test('[ORD-165] the operator sees the thresholds and the accounts that reached one today, newest first', () => {
  const view = new DailyOrdersView();
  feeding([view])(batch(1, { type: 'dailyOrdersSet', warn: 5, restrict: 9 }));
  feeding([view])(batch(2, reached(1, 'warn')));
  feeding([view])(batch(DAY, reached(2, 'warn'), reached(1, 'restrict')));
  const again = new DailyOrdersView();
  again.restore(view.save());
  for (const each of [view, again]) {
    expect(each.thresholds()).toEqual({ warn: 5, restrict: 9 });
    expect(each.reached(DAY as Timestamp).map(({ uid, threshold }) => [uid, threshold])).toEqual([
      [1, 'restrict'],
      [2, 'warn'],
    ]);
    expect(each.reached((2 * DAY) as Timestamp)).toEqual([]);
  }
  feeding([view])(batch(2 * DAY, { type: 'dailyOrdersSet' }));
  expect(view.thresholds()).toEqual({});
});

test('[ORD-39] a day with many accounts keeps the newest thousand', () => {
  const view = new DailyOrdersView();
  for (let uid = 1; uid <= 1_001; uid++) feeding([view])(batch(uid, reached(uid, 'warn')));
  expect(view.reached(1 as Timestamp)).toHaveLength(1_000);
  expect(view.reached(1 as Timestamp)[0]!.uid).toBe(1_001);
});
