/** Funding that an account or a position cannot pay in full. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { HOUR, MINUTE } from '../../src/kernel/time.ts';
import { fundingOf, pair, settled } from './funding.test-support.ts';
import { isolatedLong, type Market, test } from './market.test-support.ts';

describe('a payer without money', () => {
  /**
   * A long of 50,000 USD against a short that was taken over at 60,000, where both have the same
   * value in coins: 0.8333… and 1.
   */
  function differingEntries(market: Market): [Uid, Uid] {
    const [long, short] = pair(market, { name: 'BTCUSD', money: { BTC: '10' } });
    market.index('BTC', '60000');
    const late = market.joins({ BTC: '10' });
    market.trade(short, late, '1', 'BTCUSD', '60000', { buy: { reduceOnly: true } });
    return [long, late];
  }
  const paidAndReceived = (market: Market, [long, short]: [Uid, Uid]) => [
    fundingOf(market, long, 'long', 'BTCUSD'),
    fundingOf(market, short, 'short', 'BTCUSD'),
  ];

  test('[POS-78][POS-20][POS-94] of an inverse contract: clearing pays the difference of entries', ({
    market,
  }) => {
    const both = differingEntries(market);
    market.passes(8 * HOUR);
    expect(paidAndReceived(market, both)).toEqual(['-0.0000833334', '0.0001']);
    expect(moneyText(market.state.drawnOnClearing.get('BTC')!)).toBe('0.0000166666');
  });

  test('[POS-78][POS-94] beyond that receivers get only what was paid, at any entry', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [alice, bob, carol] = [
      market.joins({ BTC: '1000' }),
      market.joins({ BTC: '1000' }),
      market.joins({ BTC: '1000' }),
    ];
    for (let round = 0; round < 17; round++) {
      market.trade(alice, bob, '10', 'BTCUSD', '30000');
      market.trade(carol, alice, '10', 'BTCUSD', '45000');
      market.trade(bob, carol, '10', 'BTCUSD', '70000');
    }
    const both = differingEntries(market);
    const before = market.house('clearing', 'BTC');
    market.passes(8 * HOUR);
    expect(paidAndReceived(market, both)).toEqual(['-0.0000833334', '0.0000833334']);
    expect(market.house('clearing', 'BTC')).toBe(before);
  });

  // 2,500 + mark − 50,000 less 0.0046 of the mark: one unit above maintenance, the least allowed,
  // and two. The receiver's due is one unit less and has no dust.
  test.for([
    ['47719.5097448264', '0'],
    ['47719.5097448265', '-0.0000000001'],
  ] as const)(
    '[POS-65] nothing is taken from a position without a buffer: at %s %s',
    ([mark, paid], { market }) => {
      const { long, short } = isolatedLong(market);
      market.pin('BTCUSDT', mark);
      market.passes(8 * HOUR);
      expect(settled(market)).toEqual(['0.0001 at 8']);
      expect([fundingOf(market, long, 'long'), fundingOf(market, short, 'short')]).toEqual([
        paid,
        '0',
      ]);
      expect(market.emitted('liquidationBegun').map(({ uid }) => uid)).toEqual([]);
    },
  );

  test('[POS-38][POS-63] what an isolated position receives stays in it', ({ market }) => {
    market.index('BTC', '50000');
    const [long, short] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '3010' })];
    market.settings(short, 'BTCUSDT', '20', 'isolated');
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    market.passes(8 * HOUR);
    expect([
      fundingOf(market, short, 'short'),
      moneyText(market.position(short, 'BTCUSDT', 'short')!.margin),
    ]).toEqual(['5', '2505']);
    expect([moneyText(market.wallet(short).margin), market.available(short)]).toEqual([
      '2505',
      '500',
    ]);
  });

  test('[POS-65] an isolated position pays down to its maintenance at most, and is not liquidated by it', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [long, short] = [market.joins({ USDT: '2530' }), market.joins({ USDT: '100000' })];
    market.settings(long, 'BTCUSDT', '20', 'isolated');
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    // At 47,720 it has 220 against a maintenance of 219.512, and owes funding of 4.772.
    market.index('BTC', '47720');
    market.passes(8 * HOUR);
    expect(fundingOf(market, long, 'long')).toBe('-0.4879999999');
    expect([market.size(long, 'BTCUSDT', 'long'), market.emitted('liquidationBegun')]).toEqual([
      '1',
      [],
    ]);
    // POS-78: the other side receives what was paid.
    expect(fundingOf(market, short, 'short')).toBe('0.4879999999');
  });

  test('[POS-78] receivers get their share of what was paid', ({ market }) => {
    market.index('BTC', '50000');
    const [poor, rich, short] = [
      market.joins({ USDT: '2530' }),
      market.joins({ USDT: '50000' }),
      market.joins({ USDT: '1000000' }),
    ];
    const second = market.joins({ USDT: '1000000' });
    market.settings(poor, 'BTCUSDT', '20', 'isolated');
    market.trade(poor, short, '1', 'BTCUSDT', '50000');
    market.trade(rich, second, '3', 'BTCUSDT', '50000');
    market.index('BTC', '47720');
    market.passes(8 * HOUR);
    // Due are 4.772 and 14.316; paid are 0.4879999999 and 14.316; so 14.8039999999 of 19.088 are
    // shared.
    expect(fundingOf(market, rich, 'long')).toBe('-14.316');
    expect([fundingOf(market, short, 'short'), fundingOf(market, second, 'short')]).toEqual([
      '3.7009999999',
      '11.1029999999',
    ]);
    expect(market.house('rounding')).toBe('0.0000000001');
  });

  test('[POS-65] a crossed position pays from the wallet, then by a loan, and may be liquidated for it', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2000');
    const [long, short] = [market.joins({ ETH: '5' }), market.joins({ USDT: '100000' })];
    market.settings(long, 'BTCUSDT', '20', 'crossed');
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    expect(market.debt(long)).toBe('30 + 0');
    market.passes(8 * HOUR);
    // Seven hours of interest on 30, and the eighth on the debt before or after funding: both are
    // due at the same time.
    expect(market.debt(long)).toMatch(/^35 \+ 0\.0003/);
    market.index('BTC', '41200');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.passes(3 * 8 * HOUR + MINUTE);
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
  });
});
