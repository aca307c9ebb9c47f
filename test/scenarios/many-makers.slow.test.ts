/** Orders that meet more makers than allowed, or makers at several prices. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Market, test } from './market.test-support.ts';

const endsOf = (market: Market, uid: Uid): string[] =>
  market
    .emitted('orderEnded')
    .filter(({ end }) => end.uid === uid)
    .map(({ end }) => end.cancelReason ?? end.status);

/** The given number of bids of 0.01 at a price, 400 of each account, the most that may be open. */
function bids(market: Market, count: number, price: string, joins: () => Uid): void {
  let uid = joins();
  for (let placed = 0; placed < count; placed++) {
    if (placed > 0 && placed % 400 === 0) uid = joins();
    expect(market.order(uid, 'buy', '0.01', 'BTCUSDT', price)).toBe('accepted');
  }
}

describe('a thousand makers', () => {
  // A bidder at 50,000 with a wallet of 60 would lose 100 at a mark of 40,000, and is skipped.
  test.for([
    [1, 'filled'],
    [2, 'fokNotFull'],
  ] as const)(
    '[ORD-73] a fok order that 999 can fill beside %i who cannot is %s',
    ([poor, end], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      for (let each = 0; each < poor; each++)
        bids(market, 1, '50000', () => market.joins({ USDT: '60' }));
      market.index('BTC', '40000');
      market.pin('BTCUSDT', '40000');
      bids(market, 999, '40000', () => market.joins({ USDT: '100000' }));
      const seller = market.joins({ USDT: '1000000' });
      expect(market.order(seller, 'sell', '9.99', 'BTCUSDT', '40000', { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect(endsOf(market, seller)).toEqual([end]);
      expect(market.size(seller, 'BTCUSDT', 'short')).toBe(end === 'filled' ? '9.99' : '0');
    },
  );

  test.for([
    [999, 'filled', '0.01'],
    [1000, 'tooManyTrades', '0'],
  ] as const)(
    '[ORD-73] an order that cancels %i orders of its own account on the way is %s',
    ([own, end, size], { market }) => {
      market.index('BTC', '50000');
      market.pin('BTCUSDT', '50000');
      const { outcome } = market.accepted({
        type: 'createUser',
        level: 'VIP0',
        positionMode: 'oneWay',
      });
      const { uid: master } = (outcome as { value: { uid: Uid } }).value;
      market.accepted({ type: 'deposit', uid: master, coin: 'USDT', size: '1000' as never });
      market.settings(master, 'BTCUSDT', '10', 'isolated');
      market.accepted({ type: 'setSelfTradeMode', uid: master, selfTradeMode: 'cancelMaker' });
      const sub = (): Uid => {
        const made = market.accepted({
          type: 'createUser',
          level: 'VIP0',
          positionMode: 'oneWay',
          parentUid: master,
        }).outcome;
        const { uid } = (made as { value: { uid: Uid } }).value;
        market.accepted({ type: 'deposit', uid, coin: 'USDT', size: '100000' as never });
        return uid;
      };
      bids(market, own, '50001', sub);
      bids(market, 1, '50000', () => market.joins({ USDT: '1000' }));
      expect(market.order(master, 'sell', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
      expect([endsOf(market, master), market.size(master, 'BTCUSDT', 'short')]).toEqual([
        [end],
        size,
      ]);
      expect(
        market
          .emitted('orderEnded')
          .filter(({ end: { cancelReason } }) => cancelReason === 'selfTrade'),
      ).toHaveLength(own);
    },
  );
});

describe('coins with a collateral rate of zero', () => {
  // 200 cost 100: then all money of the account is worth nothing as collateral, and nothing needs
  // it. For 201 it would owe a half.
  test.for([
    ['200', 'accepted'],
    ['201', 'insufficientMargin'],
  ] as const)(
    '[ORD-71] are bought on margin with all money: %s is %s',
    ([size, answer], { market }) => {
      market.index('XRP', '0.5');
      market.accepted({
        type: 'listCoin',
        coin: { ...market.state.coins.get('XRP')!, collateralRate: '0' as never },
      });
      const [buyer, seller] = [market.joins({ USDT: '100' }), market.joins({ XRP: '1000' })];
      expect(market.order(seller, 'sell', size, 'SPOT:XRPUSDT', '0.5')).toBe('accepted');
      expect(market.order(buyer, 'buy', size, 'MARGIN:XRPUSDT', '0.5')).toBe(answer);
      expect([market.available(buyer), market.debt(buyer)]).toEqual([
        answer === 'accepted' ? '0' : '100',
        'none',
      ]);
    },
  );
});

// A tenth of 24,500 and of 24,450, and fees of 14.7 and 14.67.
test.for([
  ['4924.3699999999', 'insufficientMargin', []],
  ['4924.37', 'accepted', ['normal sell 0.5 at 49000', 'normal sell 0.5 at 48900']],
] as const)(
  '[ORD-89] with %s an isolated market sell needs the margin of the bids that it meets',
  ([money, answer, fills], { market }) => {
    market.index('BTC', '50000');
    market.pin('BTCUSDT', '50000');
    const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
    market.settings(alice, 'BTCUSDT', '10', 'isolated');
    for (const price of ['49000', '48900', '48000'])
      expect(market.order(maker, 'buy', '0.5', 'BTCUSDT', price)).toBe('accepted');
    expect(market.order(alice, 'sell', '1', 'BTCUSDT')).toBe(answer);
    expect(market.fills(alice)).toEqual(fills);
  },
);
