/**
 * Payments of the insurance fund in the book beyond bankruptcy, when resting orders fail their risk
 * check.
 */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { isolatedLong, type Market, test } from './market.test-support.ts';

/** The fund gains 2,500 − 2,400 − 28.56 = 71.44 from a long that is sold at 47,600. */
function fillFund(market: Market): void {
  isolatedLong(market);
  const bidder = market.joins({ USDT: '1000000' });
  market.order(bidder, 'buy', '1', 'BTCUSDT', '47600');
  market.index('BTC', '47700');
  expect(market.house('insurance')).toBe('71.44');
  market.index('BTC', '50000');
}

/**
 * An account with 380 buys 0.3 at 48,000 for a fee of 8.64. At 47,000 it has 71.36 and needs 0.3 ×
 * 47,000 × 0.46 % = 64.86. It cannot afford 0.05 more, which needs 10.81.
 */
function bidsWithoutMoney(market: Market, size: string, price: string): Uid {
  const poor = market.joins({ USDT: '380' });
  market.settings(poor, 'BTCUSDT', '125', 'crossed');
  market.trade(poor, market.joins({ USDT: '1000000' }), '0.3', 'BTCUSDT', '48000');
  expect(market.order(poor, 'buy', size, 'BTCUSDT', price)).toBe('accepted');
  return poor;
}

const ended = (market: Market, uid: Uid) =>
  market
    .emitted('orderEnded')
    .flatMap(({ end }) =>
      end.uid === uid && end.cancelReason !== undefined ? [end.cancelReason] : [],
    );

const ofTakeover = (market: Market): string[] =>
  market
    .emitted('entryPosted')
    .filter(({ reason }) => reason === 'takeover')
    .flatMap(({ lines }) => lines.map(({ account, amount }) => `${account} ${moneyText(amount)}`));

/**
 * The long of 1 from 50,000 needs 47,528.5171… × 0.9994 = 47,500. At 46,550 it gets 46,522.07 and
 * 977.93 are missing: 71.44 pay for 0.073. At 46,990 538.194 are missing: it pays for 0.1327. The
 * rest closes without a fee: 71.44 − 0.073 × 977.93 + 0.927 × 28.5171102662 = 26.4864….
 */
const [AT_46550, AT_46990] = [
  { sold: '0.073 at 46550', rest: '0.927', insurance: '26.4864712167' },
  { sold: '0.1327 at 46990', rest: '0.8673', insurance: '24.7545459338' },
];

const BANKRUPTCY = '47528.5171102662';

describe('beyond bankruptcy', () => {
  test.for([
    ['0.3 at bankruptcy or better', '0.3', '47600', '46550', AT_46550],
    // The fund could pay 53.8194 for it, and then for 0.018 behind it.
    ['0.1 at a price that it pays for', '0.1', '46990', '46550', AT_46550],
    ['0.15 where it pays for 0.1327', '0.15', '46990', '46550', AT_46550],
    ['0.1 before another account at the same price', '0.1', '46990', '46990', AT_46990],
  ] as const)(
    '[POS-184][POS-185][ORD-71] the fund pays no more than it has if a bid is cancelled: %s',
    (row, { market }) => {
      const [, size, price, bid, { sold, rest, insurance }] = row;
      fillFund(market);
      const { long } = isolatedLong(market);
      market.index('BTC', '48000');
      const poor = bidsWithoutMoney(market, size, price);
      const bidder = market.joins({ USDT: '1000000' });
      expect(market.order(bidder, 'buy', '1', 'BTCUSDT', bid)).toBe('accepted');
      market.index('BTC', '47000');
      expect(ended(market, poor)).toEqual(['moneyGone']);
      expect(market.fills(long)).toEqual([
        `liquidation sell ${sold}`,
        `liquidation sell ${rest} at 47528.5171102662`,
      ]);
      expect([market.house('insurance'), market.available(long), market.debt(long)]).toEqual([
        insurance,
        '0',
        'none',
      ]);
      expect(ofTakeover(market).filter((line) => line.startsWith('clearing'))).toEqual([]);
    },
  );

  // 0.02 at 46,990 lack 10.76388 and 0.03 at 46,980 lack 16.44564. The other 44.23048 pay for
  // 0.0452 at 46,550, where one bitcoin lacks 977.93.
  test('[POS-184] each price is paid with what the prices before have left', ({ market }) => {
    fillFund(market);
    const { long } = isolatedLong(market);
    const bidder = market.joins({ USDT: '1000000' });
    market.order(bidder, 'buy', '0.02', 'BTCUSDT', '46990');
    market.order(bidder, 'buy', '0.03', 'BTCUSDT', '46980');
    market.order(bidder, 'buy', '1', 'BTCUSDT', '46550');
    market.index('BTC', '47000');
    expect(market.fills(long)).toEqual([
      'liquidation sell 0.02 at 46990',
      'liquidation sell 0.03 at 46980',
      'liquidation sell 0.0452 at 46550',
      'liquidation sell 0.9048 at 47528.5171102662',
    ]);
    expect(market.available(long)).toBe('0');
  });

  // 0.1 at 46,990 lacks 53.8194, and 0.01 at 46,980 lacks 5.48188: the fund has enough for both.
  test.for([
    [999, true],
    [1000, false],
  ] as const)(
    '[POS-186][ORD-73] if %i orders rest at the first price, it goes to the next: %s',
    ([count, goesOn], { market }) => {
      fillFund(market);
      const { long } = isolatedLong(market);
      const bidders = [1, 2, 3].map(() => market.joins({ USDT: '1000000' }));
      for (let at = 0; at < count; at++)
        expect(market.order(bidders[at % 3]!, 'buy', '0.0001', 'BTCUSDT', '46990')).toBe(
          'accepted',
        );
      expect(market.order(bidders[0]!, 'buy', '0.01', 'BTCUSDT', '46980')).toBe('accepted');
      market.index('BTC', '47000');
      const fills = market.fills(long);
      expect(fills.filter((fill) => fill === 'liquidation sell 0.0001 at 46990')).toHaveLength(
        count,
      );
      const behind = goesOn
        ? ['liquidation sell 0.01 at 46980', `liquidation sell 0.8901 at ${BANKRUPTCY}`]
        : [`liquidation sell 0.9 at ${BANKRUPTCY}`];
      expect(fills.slice(count)).toEqual(behind);
    },
  );
});
