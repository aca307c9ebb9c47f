import { describe, expect, test } from 'vitest';
import type { Id, Sequence } from '../../kernel/ids.ts';
import { type Interval, WEEK } from '../../kernel/intervals.ts';
import { type Amount, money, type Price, type Rate, type Size } from '../../kernel/money.ts';
import { DAY, HOUR, MINUTE, startOf, type Timestamp } from '../../kernel/time.ts';
import type { Event } from '../../messages/events.ts';
import { FundingRatesView } from '../funding-rates.ts';
import { createListingsView } from '../listings.ts';
import { PriceCandlesView } from '../price-candles.ts';
import { createPricesView } from '../prices.ts';
import { TradesView } from '../trades.ts';
import { feeding } from '../view.ts';
import { DrawnPast } from './drawn-past.ts';
import { PAST_END, pastOf } from './past.test-support.ts';

const BOOK = ['USDT-FUTURES', 'BTCUSDT'] as const;
/** A past of three days, and trades after its end. */
function lists() {
  const drawn = new DrawnPast(pastOf(1, 3 * DAY), 0);
  const past = {
    of: (category: string, symbol: string) =>
      `${category}${symbol}` === BOOK.join('') ? drawn : undefined,
  };
  const trades = new TradesView(past);
  const [listings, prices] = [createListingsView(), createPricesView()];
  const priceCandles = new PriceCandlesView({ listings, prices, past });
  const rates = new FundingRatesView(past);
  const feed = feeding([listings, prices, trades, priceCandles, rates]);
  let sequence = 0;
  const tell = (after: number, ...events: Event[]): void =>
    feed({ sequence: ++sequence as Sequence, at: (PAST_END + after) as Timestamp, events });
  const [category, symbol] = BOOK;
  return {
    drawn,
    trades,
    priceCandles,
    rates,
    trade: (after: number, price: string, size: string) =>
      tell(after, {
        type: 'tradeExecuted',
        tradeId: (1_000_000 + sequence) as Id,
        ...{
          category,
          symbol,
          takerSide: 'buy',
          price: money<Price>(price),
          size: money<Size>(size),
        },
      }),
    mark: (after: number, price: string) =>
      tell(after, { type: 'markPriceMoved', category, symbol, price: money<Price>(price) }),
    fund: (after: number) =>
      tell(after, {
        type: 'fundingSettled',
        ...{ category, symbol, rate: money<Rate>('0.0002'), at: (PAST_END + after) as Timestamp },
      } as Event),
    candles: (
      interval: Interval,
      window: { startTime?: number; endTime?: number; limit?: number } = {},
    ) => trades.candles(category, symbol, windowOf(interval, window)),
  };
}

const windowOf = (
  interval: Interval,
  { startTime, endTime, limit = 100_000 }: { startTime?: number; endTime?: number; limit?: number },
) => ({
  interval,
  startTime: startTime as Timestamp | undefined,
  endTime: endTime as Timestamp | undefined,
  limit,
});

describe('candles before and after the start', () => {
  test('[VIEW-51] the minute in which the past ends is one candle with the trades after it', () => {
    const { drawn, trade, candles } = lists();
    const [before] = drawn.candles('trades', MINUTE, {
      from: 0,
      to: PAST_END,
      limit: 1,
      newest: true,
    });
    // The past ends at 12:34:56.789.
    trade(1_000, '61000', '2');
    trade(5_000, '60500', '1');
    const [joined, next] = candles(MINUTE, { limit: 2 });
    expect(joined).toEqual({
      ...before,
      high: money<Price>('61000'),
      close: money<Price>('61000'),
      baseVolume: (before!.baseVolume + money<Size>('2')) as Size,
      quoteVolume: (before!.quoteVolume + money<Amount>('122000')) as Amount,
    });
    expect(next).toMatchObject({
      start: startOf(PAST_END, MINUTE) + MINUTE,
      open: money('60500'),
      baseVolume: money('1'),
    });
  });

  test.each([5 * MINUTE, HOUR, DAY, WEEK, 'month'] as const)(
    '[VIEW-51] no interval of %s is missing or repeated',
    (interval) => {
      const { drawn, trade, candles } = lists();
      for (let after = 0; after < 2 * HOUR; after += MINUTE) trade(after, '60100', '0.5');
      const rows = candles(interval);
      const alone = drawn.candles('trades', interval, {
        from: 0,
        to: Number.POSITIVE_INFINITY,
        limit: 100_000,
        newest: false,
      });
      expect(new Set(rows.map(({ start }) => start)).size).toBe(rows.length);
      expect(rows.slice(0, alone.length - 1)).toEqual(alone.slice(0, -1));
      const volume = (of: typeof rows) => of.reduce((sum, { baseVolume }) => sum + baseVolume, 0n);
      expect(volume(rows) - volume(alone)).toBe(money('60'));
      expect(rows.at(-1)!.close).toBe(money('60100'));
    },
  );

  test('[VIEW-50] a page with a start has the oldest candles, one without has the newest, and the end is excluded', () => {
    const { trade, candles } = lists();
    for (let after = 0; after < 30 * MINUTE; after += MINUTE) trade(after, '60100', '0.5');
    const all = candles(MINUTE);
    const from = all.length - 40;
    expect(candles(MINUTE, { startTime: all[from]!.start, limit: 20 })).toEqual(
      all.slice(from, from + 20),
    );
    expect(candles(MINUTE, { startTime: all[from]!.start })).toEqual(all.slice(from));
    expect(candles(MINUTE, { endTime: all[from]!.start, limit: 5 })).toEqual(
      all.slice(from - 5, from),
    );
    expect(candles(MINUTE, { endTime: all[from]!.start + 1, limit: 5 })).toEqual(
      all.slice(from - 4, from + 1),
    );
    expect(candles(MINUTE, { limit: 35 })).toEqual(all.slice(-35));
    expect(candles(MINUTE, { limit: 10 })).toEqual(all.slice(-10));
    expect(candles(MINUTE, { startTime: all[from]!.start, endTime: all[from]!.start })).toEqual([]);
  });

  test('[VIEW-50] pages of any size neither lose nor repeat a candle', () => {
    const { trade, candles } = lists();
    for (let after = 0; after < 30 * MINUTE; after += MINUTE) trade(after, '60100', '0.5');
    const all = candles(5 * MINUTE);
    for (const limit of [1, 7, 100, 1_000]) {
      const walked = [];
      for (
        let since = 0, page = candles(5 * MINUTE, { startTime: since, limit });
        page.length > 0;
      ) {
        walked.push(...page);
        since = page.at(-1)!.start + 1;
        page = candles(5 * MINUTE, { startTime: since, limit });
      }
      expect(walked).toEqual(all);
    }
  });

  test('[VIEW-51] candles of the mark continue those of the past', () => {
    const { drawn, mark, priceCandles } = lists();
    mark(2 * MINUTE, '60200');
    const now = (PAST_END + 4 * MINUTE) as Timestamp;
    const rows = priceCandles.candles('mark', ...BOOK, windowOf(MINUTE, { limit: 6 }), now);
    const before = drawn.candles('mark', MINUTE, { from: 0, to: PAST_END, limit: 3, newest: true });
    // 12:32, 12:33 and 12:34 of the past, then 12:36 and later: there was no price at 12:35.
    expect(rows.map(({ close }) => close)).toEqual([
      ...before.map(({ close }) => close),
      ...Array.from({ length: 3 }, () => money('60200')),
    ]);
  });
});

describe('trades, figures and funding before and after the start', () => {
  test('[VIEW-51] pages of trades continue into the past', () => {
    const { drawn, trade, trades } = lists();
    for (let count = 0; count < 5; count++) trade(count * 1_000, '60100', '0.5');
    const page = (below: number) =>
      trades.trades(...BOOK, { below, from: 0, to: Number.POSITIVE_INFINITY, limit: 8 });
    const first = page(Number.POSITIVE_INFINITY);
    const past = drawn.trades({
      below: Number.POSITIVE_INFINITY,
      from: 0,
      to: Number.POSITIVE_INFINITY,
      limit: 11,
    });
    expect(first.slice(5)).toEqual(past.slice(0, 3));
    expect(page(first.at(-1)!.tradeId)).toEqual(past.slice(3, 11));
  });

  test('[VIEW-52] an hour after the end the figures of a day include 23 hours of the past', () => {
    const { drawn, trade, trades } = lists();
    trade(MINUTE, '70000', '2');
    const now = (PAST_END + HOUR) as Timestamp;
    const from = startOf(now - DAY, MINUTE) + MINUTE;
    const minutes = drawn.candles('trades', MINUTE, {
      from,
      to: PAST_END,
      limit: 10_000,
      newest: false,
    });
    expect(minutes.length).toBe(23 * 60);
    const sum = minutes.reduce((total, { baseVolume }) => total + baseVolume, 0n);
    const day = trades.day(...BOOK, now);
    expect(day.open).toBe(minutes[0]!.open);
    expect(day.high).toBe(money('70000'));
    expect(day.low).toBe(
      minutes.map(({ low }) => low).toSorted((left, right) => (left < right ? -1 : 1))[0],
    );
    expect(day.baseVolume).toBe(sum + money<Size>('2'));
    expect(trades.day(...BOOK, (PAST_END + DAY + MINUTE) as Timestamp)).toEqual({
      baseVolume: 0n,
      quoteVolume: 0n,
    });
  });

  test('[VIEW-52] the price at midnight is that of the past if midnight was in the past', () => {
    const { drawn, trade, trades } = lists();
    const midnight = startOf(PAST_END, DAY);
    const [hour] = drawn.candles('trades', HOUR, {
      from: midnight,
      to: PAST_END,
      limit: 1,
      newest: false,
    });
    trade(MINUTE, '70000', '2');
    expect(trades.openSince(...BOOK, midnight)).toBe(hour!.open);
    expect(trades.openSince(...BOOK, (midnight + DAY) as Timestamp)).toBeUndefined();
  });

  test('[VIEW-51] pages of funding rates continue into the past', () => {
    const { drawn, fund, rates } = lists();
    fund(8 * HOUR);
    fund(16 * HOUR);
    const past = drawn.fundingRates(0, 100);
    expect(rates.settled(...BOOK, 0, 3).map(({ at }) => at)).toEqual([
      PAST_END + 16 * HOUR,
      PAST_END + 8 * HOUR,
      past[0]!.at,
    ]);
    expect(rates.settled(...BOOK, 3, 3)).toEqual(past.slice(1, 4));
    expect(rates.settled(...BOOK, 1, 2)[1]).toEqual(past[0]);
  });
});
