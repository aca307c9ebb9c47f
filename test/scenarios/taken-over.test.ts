/** What a position that was taken over shows its holder: what it has brought him, to the last unit. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, moneyText, ZERO_AMOUNT } from '../../src/kernel/money.ts';
import { crossedLong, isolatedLong, type Market, test } from './market.test-support.ts';

/** What positions of somebody that the last command closed have brought, fees and funding counted, as history shows it. */
function netProfits(market: Market, uid: Uid): string[] {
  const closed = market.told('positionClosed').filter(({ position }) => position.uid === uid);
  return closed.map(({ position: { realisedProfit, funding = ZERO_AMOUNT, openFees, closeFees } }) =>
    moneyText((realisedProfit + funding - openFees - closeFees) as Amount),
  );
}

describe('a position that is taken over', () => {
  test('[POS-85] and sold for more than bankruptcy has lost all its margin', ({ market }) => {
    const { long } = isolatedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '3', 'BTCUSDT', '47600');
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47600']);
    // The margin of 2,500 and the fee of 30 for opening; of that the fund has 2,500 − 2,400 − 28.56 = 71.44.
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([['-2530'], '0', '71.44']);
  });

  test('[POS-85] and closed against another has lost no less, though that costs no fee', ({ market }) => {
    const { long } = isolatedLong(market);
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47528.5171102662']);
    expect([netProfits(market, long), market.available(long)]).toEqual([['-2530'], '0']);
  });

  test('[POS-85] and leans on the account has lost what stood behind it', ({ market }) => {
    const { long } = crossedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([['-3030'], '0', '71.74']);
  });

  test('[POS-85] and for which the fund pays has lost what stood behind it and not what the book took', ({ market }) => {
    const first = crossedLong(market);
    const bidder = market.joins({ USDT: '1000000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    expect(market.available(first.long)).toBe('0');
    market.index('BTC', '50000');
    const { long } = crossedLong(market);
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47000');
    market.index('BTC', '47000');
    // 3,000 − 3,000 − 28.2 are missing, and the fund has 71.74.
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47000']);
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([['-3030'], '0', '43.54']);
  });

  test('[POS-85] outside the book one whose margin does not cover its loss has lost its margin', ({ market }) => {
    const { long, short } = isolatedLong(market);
    const late = market.joins({ USDT: '1000000' });
    market.trade(short, late, '1', 'BTCUSDT', '26000');
    market.index('BTC', '25000');
    // Whoever sold at 26,000 would lose by buying at bankruptcy, so both are closed at that.
    expect([market.fills(long), market.fills(late)]).toEqual([['liquidation sell 1 at 26000'], ['autoDeleverage buy 1 at 26000']]);
    expect([netProfits(market, long), market.available(long), netProfits(market, late)]).toEqual([['-2530'], '0', ['-5.2']]);
  });
});
