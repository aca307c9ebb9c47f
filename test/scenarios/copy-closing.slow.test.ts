/**
 * Ends of copies: with their leader, by their follower, or by liquidation; and their profit shares.
 */
import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { bid, decimal } from './copy-closing.test-support.ts';
import { setting, test } from './copy-market.test-support.ts';

describe('closing with the leader', () => {
  test('[CPY-23] originals close oldest first, also in part, and copies by the same share', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice, { settings: [setting({ value: '0.5' })] });
    for (const size of ['0.2', '0.4']) market.open(alice, 'long', size);
    expect(market.sizes(bob)).toEqual(['0.1', '0.2']);
    market.close(alice, 'long', '0.3');
    // All of the first and a quarter of the second.
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.3'], ['0.15']]);
    market.close(alice, 'long', '0.3');
    expect([market.sizes(alice), market.sizes(bob), market.state.copy.tracked.size]).toEqual([
      [],
      [],
      0,
    ]);
  });

  test('[CPY-23] a share below one step stays open, and the last close takes the rest', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice, { settings: [setting({ value: '0.5' })] });
    market.open(alice, 'long', '0.001');
    const kept: string[][] = [];
    for (let count = 0; count < 10; count++) {
      market.close(alice, 'long', '0.0001');
      kept.push(market.sizes(bob));
    }
    expect(kept.map(([size]) => size ?? '0')).toEqual([
      '0.0005',
      '0.0004',
      '0.0004',
      '0.0003',
      '0.0003',
      '0.0002',
      '0.0002',
      '0.0001',
      '0.0001',
      '0',
    ]);
  });

  test('[CPY-158] a share is counted from what the follower has left', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.4');
    market.close(bob, 'long', '0.2');
    market.close(alice, 'long', '0.2');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.2'], ['0.1']]);
  });

  test('[CPY-23] a closing order is mirrored when it is done', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.2');
    market.clearQuotes();
    market.close(alice, 'long', '0.2', 'BTCUSDT', '51000');
    market.order(market.maker, 'buy', '0.1', 'BTCUSDT', '51000');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], ['0.2']]);
    market.check();
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '51000');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], []]);
  });

  test('[CPY-49] a leader closes one tracked order of several, and only its copies close', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    for (const size of ['0.1', '0.2']) market.open(alice, 'long', size);
    const [, second] = market.originals(alice);
    expect(market.closeTracked(alice, { role: 'leader', trackingId: second!.id })).toBe('accepted');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], ['0.1']]);
    expect(market.closeTracked(bob, { role: 'leader' })).toBe('notLeader');
    expect(market.closeTracked(alice, { role: 'leader', trackingId: second!.id })).toBe(
      'unknownTrackedOrder',
    );
  });

  test('[CPY-46][CPY-172] resting closing orders give way; a close without a counterparty is tried again', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.2');
    expect(market.close(bob, 'long', '0.2', 'BTCUSDT', '60000')).toBe('accepted');
    bid(market, '50000', '0.25');
    market.close(alice, 'long', '0.2');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], ['0.15']]);
    expect(
      market
        .emitted('orderEnded')
        .some(({ end }) => end.uid === bob && end.cancelReason === 'reduceOnlyReplaced'),
    ).toBe(true);
    market.check();
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49900');
    expect([market.sizes(bob), market.size(bob, 'BTCUSDT', 'long')]).toEqual([[], '0']);
  });

  test('[CPY-172] in a halted symbol nothing closes; all of it closes when trading resumes', ({
    market,
  }) => {
    const alice = market.leader();
    const followers = Array.from({ length: 60 }, () =>
      market.follower(alice, { settings: [setting({ value: '0.1' })] }),
    );
    market.open(alice, 'long', '0.1');
    market.settle();
    market.close(alice, 'long', '0.1');
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'halted',
    });
    market.settle();
    expect(followers.filter((uid) => market.sizes(uid).length > 0).length).toBe(10);
    market.check();
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'normal',
    });
    expect(followers.filter((uid) => market.sizes(uid).length > 0).length).toBe(0);
  });

  test('[CPY-55] positions from before leading, and fills of unfinished orders, are mirrored to no follower', ({
    market,
  }) => {
    const alice = market.joins({ USDT: '100000' }, 'hedge');
    market.open(alice, 'long', '0.5');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], ['0.1']]);
    market.close(alice, 'long', '0.3');
    expect([market.sizes(alice), market.sizes(bob), market.size(alice, 'BTCUSDT', 'long')]).toEqual(
      [[], [], '0.3'],
    );
    market.clearQuotes();
    market.open(alice, 'long', '0.4', 'BTCUSDT', '49000');
    market.order(market.maker, 'sell', '0.3', 'BTCUSDT', '49000');
    bid(market, '49500');
    market.close(alice, 'long', '0.5');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect([market.sizes(alice), market.sizes(bob), market.size(alice, 'BTCUSDT', 'long')]).toEqual(
      [[], [], '0.1'],
    );
  });

  test('[CPY-182] of two unfinished orders the older one is closed first', ({ market }) => {
    const alice = market.leader();
    market.clearQuotes();
    for (const price of ['49000', '49100']) {
      market.open(alice, 'long', '0.4', 'BTCUSDT', price);
      market.order(market.maker, 'sell', '0.3', 'BTCUSDT', price);
    }
    bid(market, '49500');
    market.close(alice, 'long', '0.35');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect(market.sizes(alice)).toEqual(['0.25']);
  });
});

describe('closing by the follower', () => {
  test('[CPY-24] the oldest copies end first', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    for (const size of ['0.1', '0.2']) market.open(alice, 'long', size);
    market.close(bob, 'long', '0.15');
    expect(market.sizes(bob)).toEqual(['0.15']);
    expect(market.ended(bob)).toMatchObject([{ closed: '0.1', closer: 'follower' }]);
    expect(market.sizes(alice)).toEqual(['0.1', '0.2']);
    expect(market.originals(alice).map(({ copies }) => copies.size)).toEqual([0, 1]);
  });

  test('[CPY-49] by id, by symbol and side, or all of them', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    for (const side of ['long', 'short', 'long'] as const) market.open(alice, side, '0.1');
    const [first] = market.copies(bob);
    expect(market.closeTracked(bob, { trackingId: first!.id })).toBe('accepted');
    expect(market.copies(bob).map(({ side }) => side)).toEqual(['short', 'long']);
    expect(market.closeTracked(bob, { symbol: 'BTCUSDT', side: 'short' })).toBe('accepted');
    expect(market.copies(bob).map(({ side }) => side)).toEqual(['long']);
    expect(market.closeTracked(bob, { symbol: 'NONE' })).toBe('unknownSymbol');
    expect(market.closeTracked(bob, { marginCoin: 'BTC' })).toBe('nothingToClose');
    market.clearQuotes();
    expect(market.closeTracked(bob)).toBe('noLiquidity');
    bid(market, '50000');
    expect(market.closeTracked(bob, { marginMode: 'crossed' })).toBe('accepted');
    expect(market.closeTracked(bob)).toBe('nothingToClose');
  });

  test('[CPY-44] a follower who leaves gets no new copies and keeps the open ones', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.2');
    market.accepted({ type: 'unfollow', uid: bob, leader: alice });
    expect(market.submit({ type: 'unfollow', uid: bob, leader: alice }).outcome).toMatchObject({
      refusal: { reason: 'notFollowing' },
    });
    expect(market.submit({ type: 'unfollow', uid: bob, leader: bob }).outcome).toMatchObject({
      refusal: { reason: 'unknownLeader' },
    });
    market.open(alice, 'long', '0.2');
    expect(market.sizes(bob)).toEqual(['0.2']);
    bid(market, '52000');
    market.close(alice, 'long', '0.4');
    expect(market.ended(bob)).toMatchObject([{ closed: '0.2', closer: 'leader' }]);
    expect(market.ended(bob)[0]!.share).not.toBe('0');
  });

  test('[CPY-44] a follower who leaves before their turn is skipped', ({ market }) => {
    const alice = market.leader();
    const followers = Array.from({ length: 60 }, () =>
      market.follower(alice, { settings: [setting({ value: '0.1' })] }),
    );
    market.open(alice, 'long', '0.1');
    const last = followers.at(-1)!;
    expect(market.sizes(last)).toEqual([]);
    market.accepted({ type: 'unfollow', uid: last, leader: alice });
    market.settle();
    expect([market.sizes(last), market.sizes(followers.at(-2)!)]).toEqual([[], ['0.01']]);
  });
});

describe('money', () => {
  test('[CPY-30] 0.1 from 50,000 to 51,000: profit 100, fees 6.06, a tenth of 93.94 for the leader', ({
    market,
  }) => {
    const alice = market.leader('0.1');
    const bob = market.follower(alice, { settings: [setting({ value: '0.2' })] });
    market.open(alice, 'long', '0.5');
    bid(market, '51000');
    const before = market.available(alice);
    market.close(alice, 'long', '0.5');
    // 0.1 × 50,000 × 0.0006 + 0.1 × 51,000 × 0.0006 = 3 + 3.06.
    expect(market.ended(bob)).toMatchObject([{ profit: '100', fees: '6.06', share: '9.394' }]);
    // The leader's own profit of 500 less a closing fee of 15.3, and the share.
    expect(Number(market.available(alice)) - Number(before)).toBeCloseTo(500 - 15.3 + 9.394, 8);
    expect(market.available(bob)).toBe('100084.546');
  });

  test('[CPY-29] a loss pays no share, nor does a profit below the fees', ({ market }) => {
    const alice = market.leader('0.5');
    const bob = market.follower(alice);
    for (const price of ['49000', '50060']) {
      market.quote('50000');
      market.open(alice, 'long', '0.1');
      bid(market, price);
      market.close(alice, 'long', '0.1');
      expect(market.ended(bob)).toMatchObject([{ share: '0' }]);
      expect(market.emitted('entryPosted').some(({ reason }) => reason === 'profitShare')).toBe(
        false,
      );
    }
    // 0.1 × 60.1 = 6.01 is above the fees of 3 + 3.00606: half of 0.00394, for the first time.
    market.quote('50000');
    market.open(alice, 'long', '0.1');
    bid(market, '50060.1');
    market.close(alice, 'long', '0.1');
    expect(market.ended(bob)).toMatchObject([
      { profit: '6.01', fees: '6.003606', share: '0.003197' },
    ]);
  });

  test('[CPY-45] each copy earns from its own price, not from the average of the position', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    market.quote('52000');
    market.open(alice, 'long', '0.1');
    bid(market, '53000');
    market.close(bob, 'long', '0.2');
    const ended = market.ended(bob);
    expect(ended.map(({ profit }) => profit)).toEqual(['300', '100']);
    // Fees of the close, 0.2 × 53,000 × 0.0006 = 6.36, half each.
    expect(ended.map(({ fees }) => fees)).toEqual(['6.18', '6.3']);
  });

  test('[CPY-32] an ended copy has one row with its opened size', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.4');
    market.close(alice, 'long', '0.1');
    expect(market.emitted('trackedOrderEnded')).toEqual([]);
    market.close(alice, 'long', '0.3');
    const rows = market.emitted('trackedOrderEnded').filter(({ order }) => order.uid === bob);
    expect(
      rows.map(({ order }) => [moneyText(order.openSize), moneyText(order.closedSize)]),
    ).toEqual([['0.4', '0.4']]);
  });
});

describe('liquidation', () => {
  test('[CPY-54] the liquidation of a leader closes the copies', ({ market }) => {
    const alice = market.joins({ USDT: '600' }, 'hedge');
    market.accepted({ type: 'makeLeader', uid: alice, profitShare: decimal('0.1') });
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], ['0.1']]);
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '44000');
    market.pin('BTCUSDT', '44000');
    expect(
      market.emitted('trackedOrderEnded').find(({ order }) => order.uid === alice)?.order.closer,
    ).toBe('liquidation');
    expect([market.sizes(alice), market.sizes(bob), market.ended(bob)[0]?.closer]).toEqual([
      [],
      [],
      'leader',
    ]);
  });

  test('[CPY-54] a liquidated follower loses the copies; leader and other followers go on', ({
    market,
  }) => {
    const alice = market.leader();
    const poor = market.joins({ USDT: '1200' }, 'hedge');
    market.follow(poor, alice);
    const rich = market.follower(alice);
    for (let count = 0; count < 2; count++) market.open(alice, 'long', '0.1');
    expect(market.sizes(poor)).toEqual(['0.1', '0.1']);
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '44000');
    market.pin('BTCUSDT', '44000');
    expect(market.ended(poor).map(({ closer, share }) => [closer, share])).toEqual([
      ['liquidation', '0'],
      ['liquidation', '0'],
    ]);
    expect([market.sizes(alice), market.sizes(rich)]).toEqual([
      ['0.1', '0.1'],
      ['0.1', '0.1'],
    ]);
    expect(market.originals(alice).map(({ copies }) => copies.size)).toEqual([1, 1]);
  });
});
