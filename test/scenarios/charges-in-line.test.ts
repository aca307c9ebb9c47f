/** What could come between somebody who waits to be charged and his charge: timers, other people's money, and his own orders that end (CLK-27, CLK-28). */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

function untilNobodyWaits(market: Market): void {
  while (market.engine.hasBacklog()) market.passes(0);
}

describe('a line', () => {
  test('[CLK-27] has somebody in it, also where the command has charged one too many', ({ market }) => {
    market.index('BTC', '50000');
    // Who is long and short at once is charged for both together: 99 and 2.
    const both = market.joins({ USDT: '1000000' }, 'hedge');
    market.accepted({ type: 'setSelfTradeMode', uid: both, selfTradeMode: 'none' });
    market.order(both, 'sell', '1', 'BTCUSDT', '50000', { positionSide: 'short' });
    for (let count = 0; count < 99; count++)
      expect(market.order(market.joins({ USDT: '1000' }), 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    expect(market.order(both, 'buy', '0.01', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe('accepted');
    // Somebody has owed in the last hour, and nobody does when it ends.
    const seller = market.joins({ BTC: '1' });
    const borrower = market.joins({ BTC: '0.01' });
    market.passes(7 * HOUR + 1);
    market.index('BTC', '50000');
    market.order(seller, 'sell', '0.001', 'SPOT:BTCUSDT', '50000');
    expect(market.order(borrower, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    market.accepted({ type: 'deposit', uid: borrower, coin: 'USDT', size: decimal('100') });
    expect(market.debt(borrower)).toBe('none');
    market.passes(HOUR - 1);
    expect(market.told('fundingCharged')).toHaveLength(101);
    expect([market.state.charges, market.engine.hasBacklog()]).toEqual([undefined, false]);
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: HOUR });
  });

  /** 120 are long 0.01 BTC at 50,000, isolated at 125 times: a margin of 4 for 500, and 2.3 to keep up at 0.46 %. */
  function isolatedCrowd(market: Market): readonly Uid[] {
    market.index('BTC', '50000');
    const short = market.joins({ USDT: '10000000' });
    market.order(short, 'sell', '1.2', 'BTCUSDT', '50000');
    return Array.from({ length: 120 }, () => {
      const uid = market.joins({ USDT: '5' });
      market.settings(uid, 'BTCUSDT', '125', 'isolated');
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
      return uid;
    });
  }
  const fundingsOf = (market: Market, uids: readonly Uid[]): Set<string> =>
    new Set(uids.map((uid) => moneyText(market.position(uid, 'BTCUSDT', 'long')!.funding!)));

  test('[CLK-27] is over before the next hour, so that an isolated position pays no more than it can bear', ({ market }) => {
    const poor = isolatedCrowd(market);
    // At 49,832 they have 0.027728 to spare and owe 0.049832 at eight, and again at sixteen.
    market.pin('BTCUSDT', '49832');
    market.passes(16 * HOUR);
    untilNobodyWaits(market);
    expect(fundingsOf(market, poor)).toEqual(new Set(['-0.0277279999']));
  });

  test('[CLK-27][CLK-22] is over before the next hour, however many pass with one command', ({ market }) => {
    const poor = isolatedCrowd(market);
    // Each owes 0.052 every eight hours and gains 20, so of its margin of 4 nothing must stay: 90 times are 4.68.
    market.pin('BTCUSDT', '52000');
    market.passes(30 * DAY);
    untilNobodyWaits(market);
    expect(fundingsOf(market, poor)).toEqual(new Set(['-4']));
  });
});
