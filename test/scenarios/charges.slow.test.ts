/**
 * Charges of more accounts than one command charges: they wait in a queue and give the same result
 * (CLK-27, CLK-28).
 */

import { describe, expect } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';
import { triggerCommand } from './trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * This number of accounts are long 0.01 BTC at 50,000 against one short; each pays 0.05 USDT every
 * eight hours.
 */
function crowd(
  market: Market,
  count: number,
): { readonly longs: readonly Uid[]; readonly short: Uid } {
  market.index('BTC', '50000');
  const short = market.joins({ USDT: '10000000' });
  expect(market.order(short, 'sell', `${count / 100}`, 'BTCUSDT', '50000')).toBe('accepted');
  const longs = Array.from({ length: count }, () => {
    const uid = market.joins({ USDT: '1000' });
    expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    return uid;
  });
  return { longs, short };
}

/** Accounts that the last command charged, in order. */
const charged = (market: Market): Uid[] => market.emitted('fundingCharged').map(({ uid }) => uid);

/** Runs ticks until no charge is pending; returns the number of charges of each tick. */
function ticks(market: Market): number[] {
  const counts: number[] = [];
  while (market.engine.hasDeferredWork()) {
    market.passes(0);
    counts.push(charged(market).length);
  }
  return counts;
}

const fundingOf = (
  market: Market,
  uid: Uid,
  side: 'long' | 'short' = 'long',
): string | undefined => {
  const funding = market.position(uid, 'BTCUSDT', side)?.funding;
  return funding === undefined ? undefined : moneyText(funding);
};

describe('funding of many accounts', () => {
  test('[CLK-27] is charged at once for 100 accounts', ({ market }) => {
    const { longs, short } = crowd(market, 99);
    market.passes(8 * HOUR);
    expect(charged(market)).toEqual([...longs, short]);
    expect([market.engine.hasDeferredWork(), fundingOf(market, short, 'short')]).toEqual([
      false,
      '4.95',
    ]);
  });

  test('[CLK-27] takes several commands from 101 on; each reports the settlement time', ({
    market,
  }) => {
    const { longs, short } = crowd(market, 100);
    market.passes(8 * HOUR);
    expect(market.emitted('fundingSettled')).toHaveLength(1);
    expect([charged(market), market.engine.hasDeferredWork()]).toEqual([longs, true]);
    market.passes(0);
    expect([charged(market), market.engine.hasDeferredWork()]).toEqual([[short], false]);
    expect([fundingOf(market, longs[99]!), fundingOf(market, short, 'short')]).toEqual([
      '-0.05',
      '5',
    ]);
  });

  test('[CLK-27] takes three commands for 250, and the house keeps nothing', ({ market }) => {
    const { short } = crowd(market, 249);
    const before = market.house('clearing');
    market.passes(8 * HOUR);
    expect([charged(market).length, ...ticks(market)]).toEqual([100, 100, 50]);
    expect([fundingOf(market, short, 'short'), market.house('clearing')]).toEqual([
      '12.45',
      before,
    ]);
  });

  test('[CLK-27] executes orders of others in between', ({ market }) => {
    crowd(market, 250);
    const [one, other] = [market.joins({ USDT: '1000' }), market.joins({ USDT: '1000' })];
    market.passes(8 * HOUR);
    expect(market.order(one, 'buy', '0.001', 'BTCUSDT', '49000')).toBe('accepted');
    expect(charged(market)).toHaveLength(100);
    expect(market.order(other, 'sell', '0.001', 'BTCUSDT', '49000')).toBe('accepted');
    expect([market.fills(one), charged(market).length]).toEqual([
      ['normal buy 0.001 at 49000'],
      51,
    ]);
  });

  test('[CLK-151] is complete when a clock moved by hand arrives, each round at its own time', ({
    market,
  }) => {
    const { longs } = crowd(market, 250);
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: DAY });
    expect([
      charged(market).length,
      fundingOf(market, longs[249]!),
      market.engine.hasDeferredWork(),
    ]).toEqual([753, '-0.15', false]);
  });

  test('[CLK-27] the receiver gets the sum of all payments', ({ market }) => {
    const { short } = crowd(market, 150);
    market.pin('BTCUSDT', '50000.1');
    market.passes(8 * HOUR);
    ticks(market);
    // 150 × 0.0500001 exactly, and the same of 1.5 BTC.
    expect([fundingOf(market, short, 'short'), market.house('rounding')]).toEqual([
      '7.500015',
      '0',
    ]);
  });

  test('[CLK-27][POS-78] shares what isolated positions could pay at the due time', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [short, other] = [market.joins({ USDT: '10000000' }), market.joins({ USDT: '10000000' })];
    market.order(short, 'sell', '1.195', 'BTCUSDT', '50000');
    market.order(other, 'sell', '0.005', 'BTCUSDT', '50000');
    // Isolated at 125 times: a margin of 4 for 500, and a maintenance of 2.3 at 0.46 %.
    const poor = Array.from({ length: 120 }, () => {
      const uid = market.joins({ USDT: '5' });
      market.settings(uid, 'BTCUSDT', '125', 'isolated');
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
      return uid;
    });
    // At 49,832 they have lost 1.68 of 4, and need 2.292272: 0.027728 are left, and they owe
    // 0.049832.
    market.pin('BTCUSDT', '49832');
    market.passes(8 * HOUR);
    ticks(market);
    expect(fundingOf(market, poor[119]!)).toBe('-0.0277279999');
    // 120 × 0.0277279999 are 3.327359988; 0.01386399995 and 3.31349598805 of it are due, both
    // rounded down.
    expect([fundingOf(market, other, 'short'), fundingOf(market, short, 'short')]).toEqual([
      '0.0138639999',
      '3.313495988',
    ]);
    expect([market.house('rounding'), market.house('clearing')]).toEqual(['0.0000000001', '0']);
  });

  test('[CLK-12] a restart in between changes nothing', ({ market }) => {
    crowd(market, 250);
    market.passes(8 * HOUR);
    const again = createEngine();
    again.restore(market.engine.serialize());
    expect(again.stateHash()).toBe(market.engine.stateHash());
    expect(again.audit().violations).toEqual([]);
    for (let count = 0; count < 2; count++)
      expect(again.execute({ type: 'tick' }, market.at).events).toEqual(
        market.submit({ type: 'tick' }).events,
      );
    expect([again.stateHash(), again.hasDeferredWork()]).toEqual([
      market.engine.stateHash(),
      false,
    ]);
  });

  test('[CLK-27] of two hours that passed together is charged for both', ({ market }) => {
    const { longs, short } = crowd(market, 250);
    market.passes(16 * HOUR);
    ticks(market);
    expect([
      fundingOf(market, longs[0]!),
      fundingOf(market, longs[249]!),
      fundingOf(market, short, 'short'),
    ]).toEqual(['-0.1', '-0.1', '25']);
  });

  test('[CLK-27][POS-65] of two hours together is limited by what an isolated position can pay', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const short = market.joins({ USDT: '10000000' });
    market.order(short, 'sell', '1.2', 'BTCUSDT', '50000');
    const longs = Array.from({ length: 120 }, () => {
      const uid = market.joins({ USDT: '5' });
      market.settings(uid, 'BTCUSDT', '125', 'isolated');
      market.order(uid, 'buy', '0.01', 'BTCUSDT');
      return uid;
    });
    // At 49,835 they have lost 1.65 of 4, and need 2.29241: of 0.05759 the first 0.049835 are paid,
    // then the rest.
    market.pin('BTCUSDT', '49835');
    market.passes(16 * HOUR);
    ticks(market);
    expect(
      longs.map((uid) => fundingOf(market, uid)).filter((funding) => funding !== '-0.0575899999'),
    ).toEqual([]);
    expect(moneyText(market.position(longs[119]!, 'BTCUSDT', 'long')!.margin)).toBe('3.9424100001');
  });

  test('[CLK-27] of many hours with fewer than 100 charges each is done by one command', ({
    market,
  }) => {
    const { longs } = crowd(market, 60);
    market.passes(5 * DAY);
    expect([
      charged(market).length,
      fundingOf(market, longs[59]!),
      market.engine.hasDeferredWork(),
    ]).toEqual([915, '-0.75', false]);
  });
});

describe('pending charges are settled first', () => {
  test('[CLK-28] when the account sends a command, also a refused one', ({ market }) => {
    const { longs } = crowd(market, 250);
    const last = longs[249]!;
    market.passes(8 * HOUR);
    expect(market.order(last, 'buy', '100', 'BTCUSDT', '50000')).toBe('insufficientMargin');
    expect([charged(market)[0], charged(market).length]).toEqual([last, 100]);
    market.accepted({
      type: 'setLeverage',
      uid: longs[248]!,
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      leverage: decimal('30'),
    });
    expect(charged(market)[0]).toBe(longs[248]);
  });

  test("[CLK-28] before the account's resting order trades; the closed position includes the payment", ({
    market,
  }) => {
    const { longs } = crowd(market, 250);
    const [last, buyer] = [longs[249]!, market.joins({ USDT: '1000' })];
    expect(market.order(last, 'sell', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    market.passes(8 * HOUR);
    expect(market.order(buyer, 'buy', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    const closed = market
      .emitted('positionClosed')
      .map(({ position }) => [position.uid, moneyText(position.funding!)]);
    expect([closed, charged(market)[0]]).toEqual([[[last, '-0.05']], last]);
  });

  test.for(['fok', 'ioc'] as const)(
    '[CLK-28] before the risk check of an order that is %s',
    (timeInForce, { market }) => {
      const { longs } = crowd(market, 250);
      const [last, buyer] = [longs[249]!, market.joins({ USDT: '1000' })];
      expect(market.order(last, 'sell', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
      market.passes(8 * HOUR);
      expect(market.order(buyer, 'buy', '0.01', 'BTCUSDT', '50000', { timeInForce })).toBe(
        'accepted',
      );
      expect([market.fills(last), charged(market)[0]]).toEqual([
        ['normal sell 0.01 at 50000'],
        last,
      ]);
    },
  );

  test('[CLK-28] before the account is counted as a maker of a fill-or-kill order', ({
    market,
  }) => {
    const { short } = crowd(market, 250);
    const [poor, seller] = [market.joins({ USDT: '14' }), market.joins({ USDT: '1000' })];
    market.settings(poor, 'BTCUSDT', '125', 'crossed');
    market.order(short, 'sell', '0.01', 'BTCUSDT', '50000');
    expect(market.order(poor, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    expect(market.order(poor, 'buy', '0.01', 'BTCUSDT', '49800')).toBe('accepted');
    // With 0.02 the account would have 13.7 − 0.0996 − 5.513 − 3.513 = 4.5744 and need 4.54932: a
    // buffer of 0.025, and it owes 0.0494.
    market.pin('BTCUSDT', '49448.7');
    market.passes(8 * HOUR);
    expect(market.order(seller, 'sell', '0.01', 'BTCUSDT', '49800', { timeInForce: 'fok' })).toBe(
      'accepted',
    );
    expect(market.emitted('orderEnded').map(({ end }) => [end.uid, end.cancelReason])).toEqual([
      [seller, 'fokNotFull'],
    ]);
    expect(charged(market)[0]).toBe(poor);
  });

  test("[CLK-28] before the account's trigger closes a position", ({ market }) => {
    const { longs, short } = crowd(market, 250);
    const last = longs[249]!;
    market.accepted(
      triggerCommand(last, 'sell', { at: '49990', size: '0.01', source: 'mark', reduceOnly: true }),
    );
    market.order(short, 'buy', '1', 'BTCUSDT', '49980');
    market.passes(8 * HOUR);
    market.pin('BTCUSDT', '49990');
    const closed = market
      .emitted('positionClosed')
      .map(({ position }) => [position.uid, moneyText(position.funding!)]);
    expect([closed, charged(market)[0]]).toEqual([[[last, '-0.05']], last]);
  });

  test('[CLK-152] before the account is liquidated', ({ market }) => {
    const { short } = crowd(market, 250);
    const poor = market.joins({ USDT: '2.9' });
    market.settings(poor, 'BTCUSDT', '125', 'crossed');
    market.order(short, 'sell', '0.004', 'BTCUSDT', '50000');
    expect(market.order(poor, 'buy', '0.004', 'BTCUSDT')).toBe('accepted');
    market.passes(8 * HOUR);
    expect(charged(market)).not.toContain(poor);
    market.order(short, 'buy', '0.004', 'BTCUSDT', '49000');
    market.pin('BTCUSDT', '49300');
    expect(market.emitted('liquidationBegun').map(({ uid }) => uid)).toEqual([poor]);
    expect(charged(market)[0]).toBe(poor);
  });

  test('[CLK-152] before the position is deleveraged', ({ market }) => {
    const { longs, short } = crowd(market, 250);
    const poor = market.joins({ USDT: '2530' });
    market.settings(poor, 'BTCUSDT', '20', 'isolated');
    market.order(short, 'sell', '1', 'BTCUSDT', '50000');
    market.order(poor, 'buy', '1', 'BTCUSDT');
    market.passes(8 * HOUR);
    expect(charged(market)).not.toContain(short);
    market.pin('BTCUSDT', '47000');
    const reduced = market
      .emitted('fillSettled')
      .filter(({ fill }) => fill.executionKind === 'autoDeleverage');
    expect(reduced.map(({ fill }) => fill.uid)).toEqual([short]);
    expect(charged(market).slice(0, 2)).toEqual([poor, short]);
    expect(charged(market)).not.toContain(longs[249]);
  });
});
