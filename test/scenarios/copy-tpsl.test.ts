/** Take-profit and stop-loss of tracked orders. */
import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { bid, decimal } from './copy-closing.test-support.ts';
import { setting, test } from './copy-market.test-support.ts';

describe('prices', () => {
  test('[CPY-26] ratios of 20 and 10 at ten times from 50,000: 51,000 and 49,500', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice, {
      settings: [setting({ takeProfitRatio: decimal('20'), stopLossRatio: decimal('10') })],
    });
    market.open(alice, 'long', '0.1');
    const [copy] = market.copies(bob);
    expect([moneyText(copy!.takeProfit!), moneyText(copy!.stopLoss!)]).toEqual(['51000', '49500']);
    market.open(alice, 'short', '0.1');
    // 49,999.9 × 0.98 = 48,999.902 and × 1.01 = 50,499.899: to the ticks further away.
    const short = market.copies(bob)[1]!;
    expect([moneyText(short.takeProfit!), moneyText(short.stopLoss!)]).toEqual([
      '48999.9',
      '50499.9',
    ]);
  });

  test('[CPY-25] a last price at the take-profit ends only this copy', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice, { settings: [setting({ takeProfitRatio: decimal('20') })] });
    const carl = market.follower(alice);
    market.open(alice, 'long', '0.1');
    bid(market, '50999.9');
    const dave = market.joins({ USDT: '100000' });
    market.order(dave, 'sell', '0.01', 'BTCUSDT');
    expect([market.sizes(bob), market.sizes(carl)]).toEqual([['0.1'], ['0.1']]);
    bid(market, '51000');
    market.order(dave, 'sell', '0.01', 'BTCUSDT');
    expect(market.ended(bob)).toMatchObject([{ profit: '100', closer: 'takeProfit' }]);
    expect([market.sizes(bob), market.sizes(carl), market.sizes(alice)]).toEqual([
      [],
      ['0.1'],
      ['0.1'],
    ]);
  });

  test('[CPY-25] a stop-loss ends a short when the price has risen to it', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'short', '0.1');
    expect(market.tpsl(bob, market.copies(bob)[0]!.id, { stopLoss: '50500' })).toBe('accepted');
    market.quote('50500');
    market.order(market.joins({ USDT: '100000' }), 'buy', '0.01', 'BTCUSDT');
    expect(market.ended(bob)).toMatchObject([{ closer: 'stopLoss', profit: '-50.01' }]);
  });

  test('[CPY-27] an empty field keeps a price, zero removes it, a price sets it', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    const { id } = market.copies(bob)[0]!;
    const set = (): (string | undefined)[] => {
      const { takeProfit, stopLoss } = market.copies(bob)[0]!;
      return [takeProfit && moneyText(takeProfit), stopLoss && moneyText(stopLoss)];
    };
    expect(market.tpsl(bob, id, { takeProfit: '52000', stopLoss: '48000' })).toBe('accepted');
    expect(set()).toEqual(['52000', '48000']);
    expect(market.tpsl(bob, id, { takeProfit: '53000' })).toBe('accepted');
    expect(set()).toEqual(['53000', '48000']);
    expect(market.tpsl(bob, id, { stopLoss: '0' })).toBe('accepted');
    expect(set()).toEqual(['53000', undefined]);
    expect(market.tpsl(bob, id, {})).toBe('accepted');
    bid(market, '53000');
    market.order(market.joins({ USDT: '100000' }), 'sell', '0.01', 'BTCUSDT');
    expect(market.sizes(bob)).toEqual([]);
  });

  test('[CPY-28] refused on the wrong side of the last price, off the step, or for an order of another user', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    const { id } = market.copies(bob)[0]!;
    expect(market.tpsl(bob, id, { takeProfit: '50000' })).toBe('takeProfitOnWrongSide');
    expect(market.tpsl(bob, id, { takeProfit: '50000.1' })).toBe('accepted');
    expect(market.tpsl(bob, id, { stopLoss: '50000' })).toBe('stopLossOnWrongSide');
    expect(market.tpsl(bob, id, { stopLoss: '49999.9' })).toBe('accepted');
    expect(market.tpsl(bob, id, { stopLoss: '49999.95' })).toBe('priceOffStep');
    expect(market.tpsl(alice, id, { stopLoss: '49000' })).toBe('unknownTrackedOrder');
    expect(market.tpsl(bob, market.originals(alice)[0]!.id, { stopLoss: '49000' })).toBe(
      'unknownTrackedOrder',
    );
    expect(market.tpsl(bob, id, { stopLoss: '0' })).toBe('accepted');
    market.open(alice, 'short', '0.1');
    const short = market.copies(bob)[1]!.id;
    expect(market.tpsl(bob, short, { takeProfit: '49999.9' })).toBe('takeProfitOnWrongSide');
    expect(market.tpsl(bob, short, { stopLoss: '49999.9' })).toBe('stopLossOnWrongSide');
    expect(market.tpsl(bob, short, { takeProfit: '49999.8', stopLoss: '50000' })).toBe('accepted');
  });

  test('[CPY-151] an order that is being closed takes no price', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    bid(market, '50000', '0.1');
    market.close(alice, 'long', '0.1');
    expect(market.sizes(bob)).toEqual(['0.1']);
    expect(market.tpsl(bob, market.copies(bob)[0]!.id, { takeProfit: '60000' })).toBe('copyNotNow');
    bid(market, '50000');
  });

  test("[CPY-52] a leader's take-profit closes the original, and the copies with it", ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    expect(
      market.tpsl(bob, market.originals(alice)[0]!.id, { takeProfit: '51000' }, 'leader'),
    ).toBe('notLeader');
    expect(
      market.tpsl(alice, market.originals(alice)[0]!.id, { takeProfit: '51000' }, 'leader'),
    ).toBe('accepted');
    bid(market, '51000');
    market.order(market.joins({ USDT: '100000' }), 'sell', '0.01', 'BTCUSDT');
    expect(market.ended(alice)).toMatchObject([{ closer: 'takeProfit' }]);
    expect(market.ended(bob)).toMatchObject([{ closer: 'leader' }]);
  });
});
