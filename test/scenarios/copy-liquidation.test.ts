/** What liquidation means for tracked orders: their results are what their holders got, not what the book paid to the fund. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const highly = setting({ margin: 'own', leverage: 'own', longLeverage: decimal('50'), shortLeverage: decimal('50') });

describe('a copy in a position that is taken over', () => {
  test('[CPY-54] has lost what its holder has lost, whatever the book paid', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    expect(market.follow(bob, alice, { settings: [highly] })).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '51000');
    market.pin('BTCUSDT', '48500');
    // 5,000 at 50 times had a margin of 100, and opening cost 3.
    expect(market.ended(bob)).toEqual([{ profit: '-96.94', fees: '6.06', share: '0', closer: 'liquidation', closed: '0.1' }]);
    expect(market.available(bob)).toBe('897');
  });

  test('[CPY-54] bears its part by size, beside what was never copied', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.open(bob, 'long', '0.3');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '51000');
    market.pin('BTCUSDT', '48500');
    expect(market.ended(bob)).toMatchObject([{ profit: '-96.94', fees: '6.06', share: '0' }]);
    expect(market.available(bob)).toBe('588');
  });

  test('[CPY-54] has lost its margin where the book is empty, too', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.pin('BTCUSDT', '48500');
    expect(market.ended(bob)).toMatchObject([{ profit: '-100', fees: '3', share: '0', closer: 'liquidation' }]);
    expect(market.available(bob)).toBe('897');
  });

  test('[CPY-54] has lost no more than its margin where the house pays the rest', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    // Whoever is short now gains nothing by buying at bankruptcy, so bob is closed at mark.
    const late = market.joins({ USDT: '100000' });
    market.trade(market.maker, late, '0.2', 'BTCUSDT', '26000');
    market.pin('BTCUSDT', '25500');
    expect(market.ended(bob)).toMatchObject([{ profit: '-100', fees: '3', share: '0', closer: 'liquidation' }]);
    expect(market.available(bob)).toBe('897');
  });
});

describe("a leader's own order in a position that is taken over", () => {
  test('[CPY-54] has lost what he has lost, whatever the book paid, by size', ({ market }) => {
    const alice = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(alice, 'BTCUSDT', '50', 'isolated');
    market.open(alice, 'long', '0.3');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '51000');
    market.pin('BTCUSDT', '48500');
    // As a copy of the same size and leverage.
    expect(market.ended(alice)).toEqual([{ profit: '-96.94', fees: '6.06', share: '0', closer: 'liquidation', closed: '0.1' }]);
    expect(market.available(alice)).toBe('588');
    expect(market.sizes(alice)).toEqual([]);
  });

  test('[CPY-54] is told of once, and with what every part of it brought', ({ market }) => {
    const alice = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(alice, 'BTCUSDT', '50', 'isolated');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    market.open(alice, 'long', '0.1');
    market.close(alice, 'long', '0.05');
    market.clearQuotes();
    market.pin('BTCUSDT', '48500');
    const [row, ...more] = market.ended(alice);
    expect([row?.closed, row?.closer, more]).toEqual(['0.1', 'liquidation', []]);
    // What came in is what he put in, less what each part lost and cost.
    expect(Number(market.available(alice))).toBeCloseTo(1000 + Number(row?.profit) - Number(row?.fees), 8);
  });
});
