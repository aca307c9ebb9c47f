/** Proceeds of a close repay a loan; money that was free before stays free for the opening part. */
import { describe, expect } from 'vitest';
import { test } from './market.test-support.ts';

describe('an isolated order that turns its position', () => {
  test('[POS-196] repays with the proceeds of the close, and opens with money that was free before', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [trader, maker] = [
      market.joins({ USDT: '200', BTC: '1' }),
      market.joins({ USDT: '100000', BTC: '1' }),
    ];
    market.settings(trader, 'BTCUSDT', '25', 'isolated');
    market.trade(trader, maker, '0.003', 'BTCUSDT', '50000');
    // An order holds 176.4 + 2.646, so that a buy on margin has 14.864 of its 500 and borrows the
    // rest; then the order releases its hold.
    expect(market.order(trader, 'buy', '0.09', 'BTCUSDT', '49000')).toBe('accepted');
    market.trade(trader, maker, '0.01', 'MARGIN:BTCUSDT', '50000');
    market.accepted({ type: 'cancelAllOrders', uid: trader, category: 'USDT-FUTURES' });
    expect([market.available(trader), market.debt(trader)]).toEqual(['179.046', '485.136 + 0']);

    market.order(maker, 'buy', '0.1', 'BTCUSDT', '50500');
    // It holds 100 + 1.5 for 0.05 at 50,000; at 50,500 they need 101 + 1.515.
    expect(market.order(trader, 'sell', '0.053', 'BTCUSDT', '50000')).toBe('accepted');
    expect([market.size(trader, 'BTCUSDT', 'short'), market.wallet(trader).margin]).toEqual([
      '0.05',
      1_010_000_000_000n,
    ]);
    // The close brought 6 + 1.5 − 0.0909.
    expect([market.available(trader), market.debt(trader)]).toEqual(['76.531', '477.7269 + 0']);
  });
});
