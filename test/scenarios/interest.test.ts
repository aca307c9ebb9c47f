import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';

/** An account that bought 1 BTC with 50,000 borrowed USDT. */
function borrower(market: Market): Uid {
  market.index('BTC', '50000');
  const [context, seller] = [market.joins({ BTC: '2' }), market.joins({ BTC: '10' })];
  market.order(seller, 'sell', '1', 'SPOT:BTCUSDT', '50000');
  expect(market.order(context, 'buy', '1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
  expect(market.debt(context)).toBe('50000 + 0');
  return context;
}

const timers = (market: Market): number =>
  market.state.timers.filter(({ kind }) => kind === 'interest').length;

describe('interest', () => {
  test('[POS-67] is charged at every full hour on the principal, not on interest', ({ market }) => {
    market.passes(20 * MINUTE);
    const context = borrower(market);
    market.passes(40 * MINUTE - 1);
    expect(market.debt(context)).toBe('50000 + 0');
    market.passes(1);
    // 50,000 × 0.00000125.
    expect(market.debt(context)).toBe('50000 + 0.0625');
    market.passes(10 * HOUR);
    expect(market.debt(context)).toBe('50000 + 0.6875');
  });

  test('[POS-67] is charged only while there is a debt', ({ market }) => {
    market.index('BTC', '50000');
    expect(timers(market)).toBe(0);
    const context = borrower(market);
    expect(timers(market)).toBe(1);
    market.passes(2 * HOUR);
    market.accepted({ type: 'deposit', uid: context, coin: 'USDT', size: '60000' as never });
    const buyer = market.joins({ USDT: '100000' });
    market.order(buyer, 'buy', '0.001', 'SPOT:BTCUSDT', '50000');
    market.order(context, 'sell', '0.001', 'MARGIN:BTCUSDT', '50000');
    expect(market.debt(context)).toBe('none');
    market.passes(HOUR);
    expect(timers(market)).toBe(0);
  });

  test('[POS-68] follows the rate of the coin’s listing, and is rounded up', ({ market }) => {
    const context = borrower(market);
    const coin = market.state.coins.get('USDT')!;
    market.accepted({
      type: 'listCoin',
      coin: { ...coin, hourlyInterestRate: '0.0000000001' as never },
    });
    market.passes(HOUR);
    expect(market.debt(context)).toBe('50000 + 0.000005');
    market.accepted({ type: 'listCoin', coin: { ...coin, hourlyInterestRate: '0' as never } });
    market.passes(HOUR);
    expect(market.debt(context)).toBe('50000 + 0.000005');
    expect(
      market.submit({ type: 'listCoin', coin: { ...coin, hourlyInterestRate: '1.1' as never } })
        .outcome,
    ).toMatchObject({
      refusal: { field: 'hourlyInterestRate' },
    });
  });

  test('[POS-67] is repaid before the principal', ({ market }) => {
    const context = borrower(market);
    market.passes(10 * HOUR);
    expect(market.debt(context)).toBe('50000 + 0.625');
    market.accepted({ type: 'deposit', uid: context, coin: 'USDT', size: '0.5' as never });
    expect(market.debt(context)).toBe('50000 + 0.125');
    market.accepted({ type: 'deposit', uid: context, coin: 'USDT', size: '1' as never });
    expect(market.debt(context)).toBe('49999.125 + 0');
  });

  test('[POS-84] money released by an order is free until the full hour, and then repays before interest', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [context, seller] = [
      market.joins({ BTC: '2', USDT: '40000' }),
      market.joins({ BTC: '10' }),
    ];
    const cancelAll = () => {
      const orders = [...market.state.accounts.get(context)!.openOrders].map((orderId) => ({
        orderId,
        clientOid: undefined,
      }));
      market.accepted({ type: 'cancelOrders', uid: context, orders });
    };
    market.order(context, 'buy', '1', 'SPOT:BTCUSDT', '40000');
    market.order(seller, 'sell', '1', 'SPOT:BTCUSDT', '50000');
    market.order(context, 'buy', '1', 'MARGIN:BTCUSDT', '50000');
    cancelAll();
    expect([market.available(context), market.debt(context)]).toEqual(['40000', '50000 + 0']);
    expect(market.order(context, 'buy', '1', 'SPOT:BTCUSDT', '39000')).toBe('accepted');
    cancelAll();
    market.passes(HOUR);
    // 10,000 × 0.00000125.
    expect([market.available(context), market.debt(context)]).toEqual(['0', '10000 + 0.0125']);
  });

  test('[POS-68] below the smallest unit is one unit', ({ market }) => {
    const context = borrower(market);
    const coin = market.state.coins.get('USDT')!;
    market.accepted({
      type: 'listCoin',
      coin: { ...coin, hourlyInterestRate: '0.0000000001' as never },
    });
    market.accepted({ type: 'deposit', uid: context, coin: 'USDT', size: '0.875' as never });
    market.passes(HOUR);
    // 49,999.125 × 0.0000000001 = 0.0000049999125.
    expect(market.debt(context)).toBe('49999.125 + 0.000005');
  });

  test('[POS-53][POS-67] is a loss that can lead to liquidation', ({ market }) => {
    const context = borrower(market);
    // 2.999 BTC count 2.84905: at 18,427 they count 52,499.4… and at 18,428 52,502.2… against
    // 52,500 with its twentieth.
    market.index('BTC', '18428');
    expect(market.debt(context)).toBe('50000 + 0');
    market.passes(36 * HOUR);
    expect(market.debt(context)).toBe('50000 + 2.25');
    market.passes(HOUR);
    expect(market.debt(context)).toBe('none');
  });
});
