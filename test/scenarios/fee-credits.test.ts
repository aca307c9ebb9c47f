/** Credits that pay trading fees, and refunds of fees at the end of a day. */
import { describe, expect } from 'vitest';
import { deduct } from '../../src/core/agents/fee-credits.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, money, moneyText } from '../../src/kernel/money.ts';
import { DAY, type Timestamp } from '../../src/kernel/time.ts';
import { test } from './agents.test-support.ts';

describe('credits that pay fees', () => {
  test('[AGT-150][AGT-151] appear in their column, are refunded to the user and earn no rebate', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { spot: '0.3', futures: '0.3' }));
    for (const [kind, size] of [
      ['spotCoupon', '1'],
      ['futuresCoupon', '0.5'],
      ['experienceFund', '0.2'],
      ['feeDeduction', '0.1'],
      ['spotDiscount', '0.05'],
      ['negativeMakerFee', '0.01'],
    ] as const)
      expect(market.grants(customer, kind, size)).toBe('accepted');
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    const [row] = market.commissions();
    expect(
      Object.entries(row!.deductions).map(([kind, amount]) => `${kind} ${moneyText(amount)}`),
    ).toEqual([
      'feeDeduction 0.1',
      'experienceFund 0.2',
      'spotCoupon 0',
      'futuresCoupon 0.5',
      'spotDiscount 0',
      'negativeMakerFee 0.01',
    ]);
    // 3.6 − 0.81 = 2.79, of which 0.3.
    expect([row!.fee, row!.feePaid, row!.rebate].map(moneyText)).toEqual(['3.6', '2.79', '0.837']);
    expect(market.got('feeRefund', customer)).toBe('0.81');
    expect(market.house('fees')).toBe(
      moneyText((money<Amount>('4.8') - money<Amount>('0.81')) as Amount),
    );
  });

  test('[AGT-151] are used oldest first, in their own coin, and not before they were given', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent));
    market.grants(customer, 'futuresCoupon', '3');
    market.grants(customer, 'experienceFund', '3');
    market.grants(customer, 'experienceFund', '3', 'BTC');
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    // Credits pay all of the fee, so there is no commission and no row.
    expect(market.rows()).toEqual([]);
    expect(
      market.state.agentBooks.credits
        .get(customer)!
        .map(({ kind, coin, left }) => `${kind} ${moneyText(left)} ${coin}`),
    ).toEqual(['experienceFund 2.4 USDT', 'experienceFund 3 BTC']);
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    expect(market.commissions().map(({ feePaid }) => moneyText(feePaid))).toEqual(['1.2']);
  });

  // 0.01 sold for 600 cost 0.6.
  test('[AGT-150] of the other market stay', ({ market, maker }) => {
    const user = market.registers(undefined, { BTC: '1' });
    market.grants(user, 'futuresCoupon', '5');
    market.grants(user, 'spotCoupon', '0.2');
    market.trade(maker, user, '0.01', 'SPOT:BTCUSDT', '60000');
    market.endsDay();
    expect(market.got('feeRefund', user)).toBe('0.2');
  });

  test('[AGT-151] count only if they were given before the end of the day', () => {
    const accrual = {
      coin: 'USDT',
      category: 'SPOT',
      symbol: 'BTCUSDT',
      dealAmount: 0n,
      fee: money('12'),
      negativeMakerFee: 0n,
    };
    const credit = (grantedAt: number) => ({
      creditId: 1,
      coin: 'USDT',
      kind: 'spotCoupon',
      grantedAt,
      left: money('5'),
    });
    const paid = [DAY - 1, DAY, DAY + 1].map(
      (at) => deduct(accrual as never, [credit(at) as never], DAY as Timestamp).refund,
    );
    expect(paid.map(moneyText)).toEqual(['5', '0', '0']);
  });

  test('[AGT-27] also serve users without an agent', ({ market, maker }) => {
    const user = market.registers(undefined);
    market.grants(user, 'futuresCoupon', '1');
    market.trade(user, maker, '0.1', 'BTCUSDT', '60000');
    expect(market.endsDay()).toEqual([]);
    expect(market.got('feeRefund', user)).toBe('1');
  });

  // 0.01 sold brings 599.4 after a fee of 0.6; 0.01 of the future opened and closed cost 0.36 and
  // 0.12; 0.02 bought cost 1,200: the debt is 601.08.
  test("[AGT-27][ORD-22] each refund repays the user's debts first", ({ market, maker }) => {
    const borrower = market.registers(undefined, { BTC: '1' });
    market.trade(maker, borrower, '0.01', 'SPOT:BTCUSDT', '60000');
    market.trade(borrower, maker, '0.01', 'BTCUSDT', '60000');
    market.trade(maker, borrower, '0.01', 'BTCUSDT', '60000');
    expect(market.order(maker, 'sell', '0.02', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect(market.order(borrower, 'buy', '0.02', 'MARGIN:BTCUSDT', '60000')).toBe('accepted');
    expect([market.debt(borrower), market.grants(borrower, 'feeDeduction', '1.08')]).toEqual([
      '601.08 + 0',
      'accepted',
    ]);
    market.endsDay();
    expect(market.moves(borrower)).toEqual([
      'feeRefund 0.6',
      'repay -0.6',
      'feeRefund 0.48',
      'repay -0.48',
    ]);
  });

  test('[AGT-27] are refused for an unknown user or coin, for zero, and beyond a hundred', ({
    market,
    maker,
  }) => {
    expect(market.grants(1 as Uid, 'spotCoupon', '1')).toBe('unknownUser');
    expect(market.grants(maker, 'spotCoupon', '1', 'XYZ')).toBe('unknownCoin');
    expect(market.grants(maker, 'spotCoupon', '0')).toBe('sizeNotPositive');
    expect(market.grants(maker, 'spotCoupon', '0.00000000001')).toBe('tooFine');
    expect(market.grants(maker, 'spotCoupon', '922337203.6854775808')).toBe('balanceLimitExceeded');
    expect(market.grants(maker, 'experienceFund', '922337203.6854775807')).toBe('accepted');
    for (let count = 1; count < 100; count++)
      expect(market.grants(maker, 'spotCoupon', '1')).toBe('accepted');
    expect(market.grants(maker, 'spotCoupon', '1')).toBe('tooManyItems');
  });

  test('[AGT-28] exclude rebates of a negative maker rate, which are paid already', () => {
    const amount = (text: string): Amount => money<Amount>(text);
    const accrual = {
      coin: 'USDT',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      dealAmount: amount('100'),
    } as const;
    const credit = {
      creditId: 1,
      coin: 'USDT',
      kind: 'futuresCoupon',
      grantedAt: 0,
      left: amount('5'),
    } as never as Parameters<typeof deduct>[1][number];
    const deducted = deduct(
      { ...accrual, fee: amount('12'), negativeMakerFee: amount('2') },
      [credit],
      1 as Timestamp,
    );
    expect(
      [
        deducted.deductions.negativeMakerFee,
        deducted.deductions.futuresCoupon,
        deducted.feePaid,
        deducted.refund,
      ].map(moneyText),
    ).toEqual(['2', '5', '5', '5']);
    const more = deduct(
      { ...accrual, fee: amount('1'), negativeMakerFee: amount('2') },
      [],
      1 as Timestamp,
    );
    expect([more.deductions.negativeMakerFee, more.feePaid].map(moneyText)).toEqual(['1', '0']);
  });
});
