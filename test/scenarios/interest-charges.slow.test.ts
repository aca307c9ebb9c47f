/** Hourly interest of more borrowers than one command charges. */

import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { IsolatedMarket } from './isolated-market.test-support.ts';
import { type Market, test } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

describe('interest of many accounts', () => {
  /** The given number of accounts bought 0.001 BTC each with 50 borrowed USDT. */
  function borrowers(market: Market, count: number): Uid[] {
    market.index('BTC', '50000');
    const seller = market.joins({ BTC: '10' });
    market.order(seller, 'sell', '5', 'SPOT:BTCUSDT', '50000');
    return Array.from({ length: count }, () => {
      const uid = market.joins({ BTC: '0.01' });
      expect(market.order(uid, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
      return uid;
    });
  }
  const interested = (market: Market): Uid[] => market.emitted('debtChanged').map(({ uid }) => uid);

  test('[CLK-27] is charged at once for 100 accounts', ({ market }) => {
    const accountContexts = borrowers(market, 100);
    market.passes(HOUR);
    expect([interested(market), market.engine.hasDeferredWork()]).toEqual([accountContexts, false]);
  });

  test('[CLK-27] is charged for 100 accounts per command, on the debt at the full hour', ({
    market,
  }) => {
    const accountContexts = borrowers(market, 101);
    const last = accountContexts[100]!;
    market.passes(HOUR);
    expect(interested(market)).toEqual(accountContexts.slice(0, 100));
    // 50 × 0.00000125, and nothing yet for the new loan.
    expect(market.order(last, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    expect([market.debt(last), market.engine.hasDeferredWork()]).toEqual([
      '100 + 0.0000625',
      false,
    ]);
  });

  test('[CLK-27] of pairs is charged for 100 per command too, and before a pair is liquidated', () => {
    const pairs = new IsolatedMarket();
    pairs.index('BTC', '60000');
    const bob = pairs.joins({ USDT: '1000000', BTC: '100' });
    const accountContexts = Array.from({ length: 202 }, () => {
      const uid = pairs.joins({ USDT: '10' });
      pairs.submit({
        type: 'transferIsolated',
        uid,
        symbol: 'BTCUSDT',
        coin: 'USDT',
        amount: decimal('10'),
        direction: 'in',
        clientOid: undefined,
      });
      pairs.submit({
        type: 'borrowIsolated',
        uid,
        symbol: 'BTCUSDT',
        coin: 'USDT',
        amount: decimal('80'),
      });
      return uid;
    });
    const last = accountContexts[201]!;
    pairs.places(bob, { side: 'sell', size: '0.0015', price: '60000' });
    expect(
      pairs.places(last, { side: 'buy', size: '0.0015', price: '60000', loanType: 'normal' }),
    ).toBe('accepted');
    pairs.passes(HOUR);
    const emitted = (): Uid[] => pairs.emitted('isolatedDebtChanged').map(({ uid }) => uid);
    // 80 × 0.00000125.
    expect([emitted(), pairs.owes(accountContexts[99]!), pairs.owes(last)]).toEqual([
      accountContexts.slice(0, 100),
      '80 + 0.0001',
      '80',
    ]);
    pairs.index('BTC', '55000');
    expect(emitted()[0]).toBe(last);
    expect(pairs.emitted('isolatedLiquidationBegun')).toMatchObject([
      { uid: last, debts: 800_001_000_000n },
    ]);
    expect(emitted()).not.toContain(accountContexts[200]);
    pairs.passes(0);
    expect([emitted(), pairs.engine.hasDeferredWork()]).toEqual([
      accountContexts.slice(199, 201),
      false,
    ]);
    pairs.checkMoney();
    pairs.checkReplay();
  });
});
