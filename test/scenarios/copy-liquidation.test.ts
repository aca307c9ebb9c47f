/**
 * Liquidation of tracked orders: their results are what the account got, not what the book paid.
 */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const highly = setting({
  margin: 'own',
  leverage: 'own',
  longLeverage: decimal('50'),
  shortLeverage: decimal('50'),
});

describe('a copy in a position that is taken over', () => {
  test('[CPY-180] loses what its account loses, at any price in the book', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    expect(market.follow(bob, alice, { settings: [highly] })).toBe('accepted');
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '51000');
    market.pin('BTCUSDT', '48500');
    // 5,000 at 50 times had a margin of 100, and opening cost 3.
    expect(market.ended(bob)).toEqual([
      { profit: '-96.94', fees: '6.06', share: '0', closer: 'liquidation', closed: '0.1' },
    ]);
    expect(market.available(bob)).toBe('897');
  });

  test('[CPY-180] loses its part by size, beside an untracked part', ({ market }) => {
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

  test('[CPY-181] loses its margin if the book is empty', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.pin('BTCUSDT', '48500');
    expect(market.ended(bob)).toMatchObject([
      { profit: '-100', fees: '3', share: '0', closer: 'liquidation' },
    ]);
    expect(market.available(bob)).toBe('897');
  });

  test('[CPY-181] loses no more than its margin if the house pays the rest', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    // A short gains nothing by buying at bankruptcy, so bob is closed at mark.
    const late = market.joins({ USDT: '100000' });
    market.trade(market.maker, late, '0.2', 'BTCUSDT', '26000');
    market.pin('BTCUSDT', '25500');
    expect(market.ended(bob)).toMatchObject([
      { profit: '-100', fees: '3', share: '0', closer: 'liquidation' },
    ]);
    expect(market.available(bob)).toBe('897');
  });
});

describe('several copies in a position that is taken over', () => {
  // Two of 0.1 from 50,000 have a margin of 200. The maker's remaining short takes the first at
  // bankruptcy, and the short from 26,000 the second.
  test('[CPY-181] lose alike, regardless of which of them the house paid for', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    for (let count = 0; count < 2; count++) market.open(alice, 'long', '0.1');
    market.clearQuotes();
    const late = market.joins({ USDT: '100000' });
    market.trade(market.maker, late, '0.3', 'BTCUSDT', '26000');
    market.pin('BTCUSDT', '25500');
    const row = { profit: '-100', fees: '3', share: '0', closer: 'liquidation' };
    expect(market.ended(bob)).toMatchObject([row, row]);
    expect(market.available(bob)).toBe('794');
  });

  // A bid of 53,000 takes the first and costs 3.18; the maker takes the second at bankruptcy. The
  // fund gets everything above a loss of 200.
  test('[CPY-181] lose alike, regardless of which of them the book paid more for', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    for (let count = 0; count < 2; count++) market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.joins({ USDT: '100000' }), 'buy', '0.1', 'BTCUSDT', '53000');
    market.pin('BTCUSDT', '48500');
    const row = { share: '0', closer: 'liquidation' };
    expect(market.ended(bob)).toMatchObject([
      { ...row, profit: '-96.82', fees: '6.18' },
      { ...row, profit: '-100', fees: '3' },
    ]);
    expect(market.available(bob)).toBe('794');
  });

  // 0.1 from 50,000 and 0.1 from 49,000 have margins of 100 and 98. Together they lose 198, 99
  // each; the first has lost 50 more than the average, the second 50 less.
  test('[CPY-180] lose alike except for their entry prices', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(bob, 'BTCUSDT', '50', 'isolated');
    market.follow(bob, alice, { settings: [highly] });
    market.open(alice, 'long', '0.1');
    market.quote('49500');
    market.clearQuotes();
    market.order(market.maker, 'sell', '1', 'BTCUSDT', '49500');
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.pin('BTCUSDT', '47000');
    // Margins of 100 and 99: 99.5 each, and 25 more or less by 49,750.
    expect(market.ended(bob)).toMatchObject([
      { profit: '-124.5', fees: '3', share: '0' },
      { profit: '-74.5', fees: '2.97', share: '0' },
    ]);
  });
});

describe("a leader's order in a position that is taken over", () => {
  test('[CPY-180] an original loses its part by size, at any price in the book', ({ market }) => {
    const alice = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(alice, 'BTCUSDT', '50', 'isolated');
    market.open(alice, 'long', '0.3');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    market.open(alice, 'long', '0.1');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '51000');
    market.pin('BTCUSDT', '48500');
    // As a copy of the same size and leverage.
    expect(market.ended(alice)).toEqual([
      { profit: '-96.94', fees: '6.06', share: '0', closer: 'liquidation', closed: '0.1' },
    ]);
    expect(market.available(alice)).toBe('588');
    expect(market.sizes(alice)).toEqual([]);
  });

  test('[CPY-54] is reported once, with the sum of its parts', ({ market }) => {
    const alice = market.joins({ USDT: '1000' }, 'hedge');
    market.settings(alice, 'BTCUSDT', '50', 'isolated');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    market.open(alice, 'long', '0.1');
    market.close(alice, 'long', '0.05');
    market.clearQuotes();
    market.pin('BTCUSDT', '48500');
    const [row, ...more] = market.ended(alice);
    expect([row?.closed, row?.closer, more]).toEqual(['0.1', 'liquidation', []]);
    // Proceeds are the deposits less losses and fees of each part.
    expect(Number(market.available(alice))).toBeCloseTo(
      1000 + Number(row?.profit) - Number(row?.fees),
      8,
    );
  });
});
