import { expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { money, type Rate } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import type { Event } from '../messages/events.ts';
import { FUNDING_RATES_MAX, FundingRatesView } from './funding-rates.ts';
import { feeding } from './view.ts';

const settled = (symbol: string, at: number): Event => ({
  type: 'fundingSettled',
  category: 'USDT-FUTURES',
  symbol,
  rate: money<Rate>('0.0001'),
  at: at as Timestamp,
  next: (at + 1) as Timestamp,
});

function fed(count: number): FundingRatesView {
  const view = new FundingRatesView({ of: () => undefined });
  const feed = feeding([view]);
  for (let at = 1; at <= count; at++)
    feed({
      sequence: at as Sequence,
      at: at as Timestamp,
      events: [settled('BTCUSDT', at), settled('ETHUSDT', at * 10)],
    });
  return view;
}

const times = (view: FundingRatesView, skipped: number, limit: number): number[] =>
  view.settled('USDT-FUTURES', 'BTCUSDT', skipped, limit).map(({ at }) => at);

test('[POS-90][VIEW-03] a page begins after skipped rows, newest first, also in a restored view', () => {
  const view = fed(5);
  const again = new FundingRatesView({ of: () => undefined });
  again.restore(view.save());
  feeding([view])({ sequence: 6 as Sequence, at: 6 as Timestamp, events: [settled('BTCUSDT', 6)] });
  expect(times(view, 0, 2)).toEqual([6, 5]);
  expect(times(again, 0, 2)).toEqual([5, 4]);
  expect(times(again, 4, 2)).toEqual([1]);
  expect(times(again, 5, 2)).toEqual([]);
  expect(again.settled('COIN-FUTURES', 'BTCUSDT', 0, 2)).toEqual([]);
});

test('[POS-90] the newest two thousand of each symbol are kept', () => {
  const view = fed(FUNDING_RATES_MAX + 1);
  expect(times(view, 0, FUNDING_RATES_MAX + 1)).toHaveLength(2_000);
  expect(times(view, FUNDING_RATES_MAX - 1, 10)).toEqual([2]);
});
