import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sequence } from '../kernel/ids.ts';
import { money, moneyText, type Price } from '../kernel/money.ts';
import { DAY, HOUR, MINUTE, type Timestamp } from '../kernel/time.ts';
import { DEFAULT_INSTRUMENTS } from '../listings/default-instruments.ts';
import type { Event } from '../messages/events.ts';
import { createListingsView } from './listings.ts';
import { type CandlePrice, PriceCandlesView } from './price-candles.ts';
import { createPricesView } from './prices.ts';
import { feeding } from './view.ts';

/** Midnight UTC. */
const START = 1_788_998_400_000;
const SECOND = 1_000;
const LENGTHS = [MINUTE, 3 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, DAY];

type Row = readonly [start: number, open: string, high: string, low: string, close: string];

const NO_PAST = { of: () => undefined };
const whole = (interval: number) => ({
  interval,
  startTime: undefined,
  endTime: undefined,
  limit: 10_000,
});

function priced() {
  const [listings, prices] = [createListingsView(), createPricesView()];
  const view = new PriceCandlesView({ listings, prices, past: NO_PAST });
  const feed = feeding([listings, prices, view]);
  let sequence = 0;
  const emit = (after: number, ...events: Event[]): void =>
    feed({ sequence: ++sequence as Sequence, at: (START + after) as Timestamp, events });
  const list = (after: number, symbol: string): void => {
    const instrument = DEFAULT_INSTRUMENTS.find(
      (each) => each.category === 'USDT-FUTURES' && each.symbol === symbol,
    )!;
    emit(after, { type: 'instrumentListed', instrument });
  };
  list(0, 'BTCUSDT');
  return {
    view,
    list,
    mark: (after: number, price: string) =>
      emit(after, {
        type: 'markPriceMoved',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        price: money<Price>(price),
      }),
    index: (after: number, baseCoin: string, price: string) =>
      emit(after, { type: 'indexPriceMoved', baseCoin, price: money<Price>(price) }),
    /** Starts are relative to midnight. */
    shown: (
      of: CandlePrice,
      length: number,
      after: number,
      symbol = 'BTCUSDT',
      from = view,
    ): readonly Row[] =>
      from
        .candles(of, 'USDT-FUTURES', symbol, whole(length), (START + after) as Timestamp)
        .map(({ start, open, high, low, close }) => [
          start - START,
          moneyText(open),
          moneyText(high),
          moneyText(low),
          moneyText(close),
        ]),
  };
}

describe('candles of mark prices', () => {
  test('[VIEW-155] begin with the previous price, and repeat it until there is a new one', () => {
    const { mark, shown } = priced();
    mark(10 * SECOND, '60000');
    mark(20 * SECOND, '60300');
    mark(50 * SECOND, '59900');
    mark(3 * MINUTE + SECOND, '60100');
    expect(shown('mark', MINUTE, 4 * MINUTE)).toEqual([
      [0, '60000', '60300', '59900', '59900'],
      [MINUTE, '59900', '59900', '59900', '59900'],
      [2 * MINUTE, '59900', '59900', '59900', '59900'],
      [3 * MINUTE, '59900', '60100', '59900', '60100'],
      [4 * MINUTE, '60100', '60100', '60100', '60100'],
    ]);
    expect(shown('mark', HOUR, 4 * MINUTE)).toEqual([[0, '60000', '60300', '59900', '60100']]);
  });

  test('[VIEW-35] go back a day, or a thousand hours, even if a price was unchanged for longer', () => {
    const { mark, shown } = priced();
    mark(30 * SECOND, '60000');
    const later = 60 * DAY;
    const minutes = shown('mark', MINUTE, later);
    expect([minutes.length, minutes[0], minutes.at(-1)]).toEqual([
      1_441,
      [later - DAY, '60000', '60000', '60000', '60000'],
      [later, '60000', '60000', '60000', '60000'],
    ]);
    const hours = shown('mark', HOUR, later);
    expect([hours.length, hours[0]![0]]).toEqual([1_001, later - 1_000 * HOUR]);
    expect(shown('mark', DAY, later).length).toBe(42);
    expect(shown('mark', MINUTE, later, 'ETHUSDT')).toEqual([]);
  });

  test('[VIEW-155] include the price before the oldest candle', () => {
    const { mark, shown } = priced();
    for (let minute = 0; minute < 1_500; minute++)
      mark(minute * MINUTE + SECOND, String(60_000 + minute));
    const now = 1_499 * MINUTE + SECOND;
    expect(shown('mark', MINUTE, now)[0]).toEqual([
      59 * MINUTE,
      '60058',
      '60059',
      '60058',
      '60059',
    ]);
    expect(shown('mark', 15 * MINUTE, now)[0]).toEqual([
      60 * MINUTE,
      '60059',
      '60074',
      '60059',
      '60074',
    ]);
  });

  test('[VIEW-155] contain every price that was set', () => {
    const known = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 20 * MINUTE }), fc.integer({ min: 1, max: 9 })),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(known, fc.constantFrom(...LENGTHS), (moves, length) => {
        const { view, mark, shown } = priced();
        const updates: { at: number; price: number }[] = [];
        let at = 0;
        for (const [after, price] of moves) {
          at += after;
          updates.push({ at, price });
          mark(at, String(price));
        }
        const rows: Row[] = [];
        for (let start = 0; start <= at && updates.length > 0; start += length) {
          const before = updates.findLast((each) => each.at < start)?.price;
          const within = updates
            .filter((each) => each.at >= start && each.at < start + length)
            .map(({ price }) => price);
          const all = before === undefined ? within : [before, ...within];
          if (all.length === 0) continue;
          rows.push([
            start,
            ...[all[0], Math.max(...all), Math.min(...all), all.at(-1)].map(String),
          ] as unknown as Row);
        }
        const back = length % HOUR === 0 ? 1_000 * HOUR : DAY;
        const floor = length % HOUR === 0 ? HOUR : MINUTE;
        const reached = rows.filter(([start]) => start >= at - (at % floor) - back);
        expect(shown('mark', length, at)).toEqual(reached);
        const again = new PriceCandlesView({
          listings: createListingsView(),
          prices: createPricesView(),
          past: NO_PAST,
        });
        again.restore(view.save());
        expect(shown('mark', length, at, 'BTCUSDT', again)).toEqual(reached);
      }),
      { numRuns: 200 },
    );
  });
});

describe('candles of index prices', () => {
  test('[VIEW-35] exist for every future of the coin, from its listing on', () => {
    const { index, list, shown } = priced();
    index(0, 'BTC', '60000');
    index(0, 'ETH', '3000');
    index(2 * MINUTE, 'ETH', '3100');
    list(3 * MINUTE, 'ETHUSDT');
    index(3 * MINUTE + SECOND, 'ETH', '3050');
    expect(shown('index', MINUTE, 3 * MINUTE)).toEqual(
      [0, 1, 2, 3].map((at) => [at * MINUTE, '60000', '60000', '60000', '60000']),
    );
    expect(shown('index', MINUTE, 3 * MINUTE, 'ETHUSDT')).toEqual([
      [3 * MINUTE, '3100', '3100', '3050', '3050'],
    ]);
    expect(shown('mark', MINUTE, 3 * MINUTE)).toEqual([]);
  });
});
