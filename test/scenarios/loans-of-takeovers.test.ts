/** Loans of an account during a takeover: only money that stays with the account repays them. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { isolatedLong, type Market, test } from './market.test-support.ts';

/** Buys an ether for 3,000 on a loan. */
function borrows3000(market: Market, uid: Uid): void {
  market.index('ETH', '3000');
  market.accepted({ type: 'deposit', uid, coin: 'ETH', size: '10' as DecimalText });
  market.order(market.joins({ ETH: '10' }), 'sell', '1', 'SPOT:ETHUSDT', '3000');
  expect(market.order(uid, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  expect(market.debt(uid)).toBe('3000 + 0');
}

/** The same while an order holds all the dollars; the order releases them later. */
function borrowsBesideFree(market: Market, uid: Uid, heldSize: string, heldPrice: string): void {
  expect(market.order(uid, 'buy', heldSize, 'SPOT:BTCUSDT', heldPrice)).toBe('accepted');
  const orderId = market.state.accounts.get(uid)!.openOrders.at(-1)!;
  borrows3000(market, uid);
  market.accepted({ type: 'cancelOrders', uid, orders: [{ orderId, clientOid: undefined }] });
}

describe('the loan of an account that', () => {
  test("[POS-70][POS-197] has an isolated position in takeover is not repaid with the fund's gain", ({
    market,
  }) => {
    const { long } = isolatedLong(market);
    market.accepted({ type: 'deposit', uid: long, coin: 'USDT', size: '1000' as DecimalText });
    borrowsBesideFree(market, long, '0.025', '40000');
    expect(market.available(long)).toBe('1000');
    market.order(market.joins({ USDT: '100000' }), 'buy', '1', 'BTCUSDT', '47600');
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47600']);
    expect([market.available(long), market.debt(long), market.house('insurance')]).toEqual([
      '1000',
      '3000 + 0',
      '71.44',
    ]);
  });

  // Sold at 47,500 it has lost its margin, and the fund pays the fee of 28.5. An hour of 3,000
  // costs 0.00375.
  test('[POS-67][POS-70] has no money when the fund pays for its position stays the same, with its interest', ({
    market,
  }) => {
    isolatedLong(market);
    const bidder = market.joins({ USDT: '1000000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47600');
    market.index('BTC', '47700');
    market.index('BTC', '50000');
    const { long } = isolatedLong(market);
    borrows3000(market, long);
    market.passes(HOUR);
    expect([market.available(long), market.debt(long)]).toEqual(['0', '3000 + 0.00375']);
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47500');
    market.index('BTC', '47500');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47500']);
    expect([market.available(long), market.debt(long), market.house('insurance')]).toEqual([
      '0',
      '3000 + 0.00375',
      '42.94',
    ]);
  });

  // The short returns its margin of 1,250 and has earned 1,200 less a fee of 4.76; the remaining
  // 46.455 of the long go to the fund.
  test('[POS-83][POS-197] closes its opposite position with it is repaid with those proceeds', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [both, other] = [
      market.joins({ USDT: '10000' }, 'hedge'),
      market.joins({ USDT: '1000000' }, 'hedge'),
    ];
    market.settings(both, 'BTCUSDT', '20', 'isolated');
    const sides = { buy: { positionSide: 'long' }, sell: { positionSide: 'short' } } as const;
    market.trade(both, other, '1', 'BTCUSDT', '50000', sides);
    market.trade(other, both, '0.5', 'BTCUSDT', '50000', sides);
    borrowsBesideFree(market, both, '0.1243', '50000');
    expect(market.available(both)).toBe('6215');
    market.order(both, 'buy', '0.5', 'BTCUSDT', '47600', { positionSide: 'short' });
    market.order(other, 'buy', '3', 'BTCUSDT', '47550', { positionSide: 'long' });
    market.index('BTC', '47700');
    expect(market.fills(both)).toEqual([
      'liquidation sell 0.5 at 47600',
      'normal buy 0.5 at 47600',
      'liquidation sell 0.5 at 47550',
    ]);
    expect([market.available(both), market.debt(both), market.house('insurance')]).toEqual([
      '6215',
      '554.76 + 0',
      '46.455',
    ]);
  });

  // 3,000 and a gain of 10 × 200 do not cover a loss of 5,200: nothing is left, so that the bitcoin
  // costs 5,000 and the ether brings in 2,000.
  test('[POS-71][POS-197] has several crossed positions in takeover is repaid with the proceeds of one', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [long, other] = [market.joins({ USDT: '3048' }), market.joins({ USDT: '1000000' })];
    for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(long, name, '50', 'crossed');
    market.trade(long, other, '1', 'BTCUSDT', '50000');
    market.trade(long, other, '10', 'ETHUSDT', '3000');
    expect(market.available(long)).toBe('3000');
    market.index('ETH', '3200');
    market.index('BTC', '44800');
    expect(market.emitted('debtChanged').map(({ borrowed }) => borrowed)).toEqual([
      20_000_000_000_000n,
      0n,
    ]);
    expect([market.available(long), market.debt(long)]).toEqual(['0', 'none']);
  });
});
