/** Closes of copies without a counterparty, and the copy while they wait. */
import { describe, expect, vi } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { test } from './copy-market.test-support.ts';

const BITCOIN = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const ETHER = { category: 'USDT-FUTURES', symbol: 'ETHUSDT', index: '2450' } as const;

describe('a copy with a pending close', () => {
  test("[CPY-60][CPY-183] does not count the pending size in the follower's share", ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '1');
    market.clearQuotes();
    expect(market.order(market.maker, 'buy', '0.5', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.5');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.5'], ['1']]);
    expect(market.close(bob, 'long', '0.2', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.order(market.maker, 'buy', '0.2', 'BTCUSDT')).toBe('accepted');
    expect(market.sizes(bob)).toEqual(['0.8']);
    market.order(market.maker, 'buy', '0.3', 'BTCUSDT', '49900');
    expect(market.sizes(bob)).toEqual(['0.5']);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49900');
    market.close(alice, 'long', '0.1');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.4'], ['0.4']]);
  });

  test('[CPY-23] closes with it what its leader closes meanwhile, once there is a bid', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '1');
    market.clearQuotes();
    for (const size of ['0.5', '0.2']) {
      expect(market.close(alice, 'long', size, 'BTCUSDT', '50000')).toBe('accepted');
      market.order(market.maker, 'buy', size, 'BTCUSDT');
    }
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.3'], ['1']]);
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '50000');
    expect([market.fills(bob), market.sizes(bob)]).toEqual([['normal sell 0.7 at 50000'], ['0.3']]);
  });

  test('[CPY-25] keeps waiting completely once its own price was reached', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '1');
    expect(market.tpsl(bob, market.copies(bob)[0]!.id, { stopLoss: '49900' })).toBe('accepted');
    market.clearQuotes();
    expect(market.close(alice, 'long', '0.5', 'BTCUSDT', '49900')).toBe('accepted');
    market.order(market.maker, 'buy', '0.5', 'BTCUSDT');
    // Half of it by the leader, all of it by the price of that trade.
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.5'], ['1']]);
    expect(market.close(alice, 'long', '0.1', 'BTCUSDT', '49950')).toBe('accepted');
    market.order(market.maker, 'buy', '0.1', 'BTCUSDT');
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '49950');
    expect([market.sizes(alice), market.fills(bob)]).toEqual([['0.4'], ['normal sell 1 at 49950']]);
    expect(market.ended(bob)).toMatchObject([{ closer: 'stopLoss', closed: '1' }]);
  });

  // Both end at a price where 0.1 trades, which is just enough for one of them.
  test.for([
    ['long', 'buy', 'sell', '49900'],
    ['short', 'sell', 'buy', '50100'],
  ] as const)(
    '[CPY-159] of two %ss that one price ends the oldest goes first',
    ([side, others, taker, price], { market }) => {
      const alice = market.leader();
      const [bob, carol] = [market.follower(alice), market.follower(alice)];
      market.open(alice, side, '0.5');
      for (const uid of [carol, bob])
        expect(market.tpsl(uid, market.copies(uid)[0]!.id, { stopLoss: price })).toBe('accepted');
      market.clearQuotes();
      expect(market.order(market.maker, others, '0.6', 'BTCUSDT', price)).toBe('accepted');
      expect(market.order(market.joins({ USDT: '100000' }), taker, '0.1', 'BTCUSDT')).toBe(
        'accepted',
      );
      expect([market.sizes(bob), market.sizes(carol)]).toEqual([[], ['0.5']]);
    },
  );

  test('[CLK-12][CPY-172] keeps waiting after a restart, in the same order', ({ market }) => {
    const alice = market.leader();
    const [bob, carol] = [market.follower(alice), market.follower(alice)];
    market.open(alice, 'long', '1');
    market.clearQuotes();
    expect(market.close(alice, 'long', '0.5', 'BTCUSDT', '50000')).toBe('accepted');
    market.order(market.maker, 'buy', '0.5', 'BTCUSDT');
    market.engine.restore(market.engine.serialize());
    market.check();
    market.order(market.maker, 'buy', '0.7', 'BTCUSDT', '50000');
    expect([market.sizes(bob), market.sizes(carol)]).toEqual([['0.5'], ['0.8']]);
  });

  // A mirrored close stops at the copy limit; its stop-loss goes to the band.
  test('[CPY-25][CPY-69] goes to the band once its own price is reached', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '1');
    expect(market.tpsl(bob, market.copies(bob)[0]!.id, { stopLoss: '49000' })).toBe('accepted');
    market.clearQuotes();
    expect(market.close(alice, 'long', '0.5', 'BTCUSDT', '50000')).toBe('accepted');
    market.order(market.maker, 'buy', '0.5', 'BTCUSDT');
    expect(market.sizes(bob)).toEqual(['1']);
    const friend = market.joins({ USDT: '100000' });
    market.trade(friend, market.maker, '0.1', 'BTCUSDT', '49000');
    expect(market.sizes(bob)).toEqual(['1']);
    market.check();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '48000');
    expect([market.fills(bob), market.ended(bob)]).toMatchObject([
      ['normal sell 1 at 48000'],
      [{ closer: 'stopLoss', closed: '1' }],
    ]);
  });

  // At a hundred times bob has 970 after a fee of 30. With the mark at 50,000 a bid at 49,000 would
  // cost 1,000 and 29.4 more.
  test('[CPY-174] that cannot be paid is tried again after a minute, not with every order', ({
    market,
  }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: '1000' }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(alice, 'long', '1');
    expect(market.sizes(bob)).toEqual(['1']);
    const tries = (): string[] =>
      market
        .emitted('orderEnded')
        .filter(({ end }) => end.uid === bob)
        .map(({ end }) => end.cancelReason ?? 'filled');
    market.clearQuotes();
    market.order(market.maker, 'buy', '10', 'BTCUSDT', '49000');
    market.close(alice, 'long', '1');
    expect([tries(), market.sizes(bob)]).toEqual([['moneyGone'], ['1']]);
    market.passes(59_999);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '48000');
    expect(tries()).toEqual([]);
    market.passes(1);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '48000');
    expect([tries(), market.sizes(bob)]).toEqual([['moneyGone'], ['1']]);
    market.passes(60_000);
    // At 49,059.4 it would cost 940.6 and 29.43564, and a tick higher 940.5 and 29.4357.
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49059.4');
    expect([tries(), market.sizes(bob)]).toEqual([['moneyGone'], ['1']]);
    market.passes(60_000);
    market.order(market.maker, 'buy', '1', 'BTCUSDT', '49059.5');
    expect([tries(), market.sizes(bob)]).toEqual([['filled'], []]);
  });

  // Two percent below mark are 49,000. A band of 1 % ends at 49,500, one of 1.6 % at 49,200, where
  // a bid rests, and one of 1.59 % at 49,205.
  test.for([
    ['0.016', ['normal sell 0.1 at 49200']],
    ['0.0159', []],
  ] as const)(
    '[CPY-172][ORD-33] is closed when its symbol is listed with a band of %s: %s',
    ([wider, sold], { market }) => {
      const list = (rate: string): void => {
        const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
        market.accepted({
          type: 'listInstrument',
          instrument: { ...instrument, priceBandRate: rate as DecimalText },
        });
      };
      const alice = market.leader();
      const bob = market.follower(alice);
      market.open(alice, 'long', '0.1');
      market.clearQuotes();
      for (const price of ['50000', '49200'])
        expect(market.order(market.maker, 'buy', '0.1', 'BTCUSDT', price)).toBe('accepted');
      list('0.01');
      market.close(alice, 'long', '0.1');
      expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], ['0.1']]);
      list(wider);
      expect(market.fills(bob)).toEqual(sold);
    },
  );

  // The bitcoin waits longer. Mirrored closes go to 49,000 and 2,450, and after prices fall by two
  // percent to 48,020 and 2,401, where bids rest.
  test.for([
    [
      'the index of bitcoin and of ether',
      [{ ...BITCOIN, index: '49000' }, ETHER],
      ['BTCUSDT', 'ETHUSDT'],
    ],
    [
      'the index of ether and of bitcoin',
      [ETHER, { ...BITCOIN, index: '49000' }],
      ['ETHUSDT', 'BTCUSDT'],
    ],
    [
      'the mark of bitcoin and the index of ether',
      [{ ...BITCOIN, mark: '49000' }, ETHER],
      ['ETHUSDT', 'BTCUSDT'],
    ],
  ] as const)(
    '[CPY-173] is tried again when its own price moves, one symbol after another: %s',
    ([, input, symbols], { market }) => {
      const alice = market.leader();
      const bob = market.follower(alice, { mode: 'basic', autoCopy: true });
      market.pin('BTCUSDT', undefined);
      market.order(market.maker, 'sell', '2', 'ETHUSDT', '2500');
      market.open(alice, 'long', '0.1');
      market.open(alice, 'long', '1', 'ETHUSDT');
      market.clearQuotes();
      for (const price of ['50000', '48020'])
        market.order(market.maker, 'buy', '0.1', 'BTCUSDT', price);
      for (const price of ['2500', '2401'])
        market.order(market.maker, 'buy', '1', 'ETHUSDT', price);
      market.close(alice, 'long', '0.1');
      market.close(alice, 'long', '1', 'ETHUSDT');
      expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], ['0.1', '1']]);
      const prices = input.map((each) => ({
        ...each,
        releaseMark: false,
        force: false,
      })) as readonly object[];
      market.accepted({ type: 'setPrices', prices: prices as CommandOf<'setPrices'>['prices'] });
      expect([
        market.emitted('tradeExecuted').map(({ symbol }) => symbol),
        market.sizes(bob),
      ]).toEqual([symbols, []]);
    },
  );

  test('[CPY-46] cancels only orders that hold its size, and no more than needed', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.2');
    market.open(alice, 'short', '0.1');
    // The account opens, closes its short, and offers all of its long in two parts.
    expect(market.open(bob, 'long', '0.1', 'BTCUSDT', '40000')).toBe('accepted');
    expect(market.close(bob, 'short', '0.1', 'BTCUSDT', '41000')).toBe('accepted');
    for (const price of ['60000', '61000'])
      expect(market.close(bob, 'long', '0.1', 'BTCUSDT', price)).toBe('accepted');
    market.close(alice, 'long', '0.1');
    expect(market.sizes(bob)).toEqual(['0.1', '0.1']);
    const ticks = market.state.accounts
      .get(bob)!
      .openOrders.map((id) => market.state.orders.get(id)!.limit);
    expect(ticks).toEqual([400_000, 410_000, 610_000]);
  });

  test('[CPY-69] is not examined while no order is close enough', ({ market }) => {
    const alice = market.leader();
    const crowd = Array.from({ length: 60 }, () => market.follower(alice));
    market.open(alice, 'long', '0.01');
    market.settle();
    market.clearQuotes();
    expect(market.order(market.maker, 'buy', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    market.close(alice, 'long', '0.01');
    market.settle();
    expect(market.state.copy.stuck.get('USDT-FUTURES:BTCUSDT')?.size).toBe(crowd.length);
    // They go to 49,000, which is 2 % below mark.
    const looks = vi.spyOn(market.state.positions, 'get');
    const orders = vi.spyOn(market.state.copy.tracked, 'get');
    expect(market.order(market.maker, 'buy', '1', 'BTCUSDT', '48999.9')).toBe('accepted');
    const counts = [looks.mock.calls.length, orders.mock.calls.length];
    looks.mockRestore();
    orders.mockRestore();
    // One copy for all of them, and their original.
    expect(counts).toEqual([1, 2]);
    expect(market.order(market.maker, 'buy', '1', 'BTCUSDT', '49000')).toBe('accepted');
    market.settle();
    expect(crowd.flatMap((uid) => market.sizes(uid))).toEqual([]);
  });
});
