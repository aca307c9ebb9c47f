/** Deleveraging: which opposite positions close, at which price, and with which result. */
import { describe, expect } from 'vitest';
import { isolatedLong, type Market, test } from './market.test-support.ts';

const reduced = (market: Market) =>
  market
    .emitted('fillSettled')
    .flatMap(({ fill }) => (fill.executionKind === 'autoDeleverage' ? [fill.uid] : []));

describe('opposite positions', () => {
  // The older account traded something else first; its short is the younger of two with equal
  // gains.
  test('[POS-57] with equal gains are reduced by age of the position, not of the account', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [first, second, rich] = [
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '100000' }),
      market.joins({ USDT: '1000000' }),
    ];
    const long = market.joins({ USDT: '2530' });
    market.settings(long, 'BTCUSDT', '20', 'isolated');
    market.trade(first, rich, '1', 'ETHUSDT', '3000');
    market.trade(long, second, '1', 'BTCUSDT', '50000');
    market.trade(rich, first, '1', 'BTCUSDT', '50000');
    market.index('BTC', '47700');
    expect([reduced(market), market.size(first, 'BTCUSDT', 'short')]).toEqual([[second], '1']);
  });

  // The position at 20 times is bankrupt at 47,528.5…, above the bid, and closes against bold. The
  // one at 10 times is bankrupt at 45,000 / 0.9994: it sells 0.4 to calm, whose rank is still below
  // that of the one in the middle.
  test('[POS-57][POS-75] are ranked again after each takeover', ({ market }) => {
    market.index('BTC', '50000');
    const [one, other] = [market.joins({ USDT: '2530' }), market.joins({ USDT: '5030' })];
    const [bold, middling] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    const [calm, rich] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
    for (const [uid, leverage] of [
      [one, '20'] as const,
      [other, '10'] as const,
      [bold, '50'] as const,
      [middling, '20'] as const,
      [calm, '5'] as const,
    ])
      market.settings(uid, 'BTCUSDT', leverage, 'isolated');
    market.trade(one, bold, '1', 'BTCUSDT', '50000');
    market.trade(other, middling, '0.6', 'BTCUSDT', '50000');
    market.trade(other, calm, '0.4', 'BTCUSDT', '50000');
    market.trade(rich, calm, '0.6', 'BTCUSDT', '50000');
    market.order(calm, 'buy', '0.4', 'BTCUSDT', '45100', { reduceOnly: true });
    market.index('BTC', '45200');
    expect(market.fills(one)).toEqual(['liquidation sell 1 at 47528.5171102662']);
    expect(market.fills(other)).toEqual([
      'liquidation sell 0.4 at 45100',
      'liquidation sell 0.6 at 45027.0162097259',
    ]);
    expect([reduced(market), market.size(calm, 'BTCUSDT', 'short')]).toEqual([
      [bold, middling],
      '0.6',
    ]);
  });

  test('[POS-76][POS-192] that gain at bankruptcy close at it; the rest at entry price', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    market.index('BTC', '47720');
    const late = market.joins({ USDT: '100000' });
    market.settings(late, 'BTCUSDT', '2', 'isolated');
    market.trade(short, late, '0.6', 'BTCUSDT', '40000', { buy: { reduceOnly: true } });
    market.index('BTC', '30000');
    expect(market.fills(long)).toEqual([
      'liquidation sell 0.4 at 47528.5171102662',
      'liquidation sell 0.6 at 40000',
    ]);
    expect([market.fills(short), market.fills(late)]).toEqual([
      ['autoDeleverage buy 0.4 at 47528.5171102662'],
      ['autoDeleverage buy 0.6 at 40000'],
    ]);
    expect(market.available(long)).toBe('0');
  });

  // A half of the short of 1 is left: of two closing orders of a half one fits exactly.
  test('[POS-187] keep a close that just fits; orders that open or close the other side stay', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [poor, rich] = [market.joins({ USDT: '1265' }), market.joins({ USDT: '1000000' })];
    const hedged = market.joins({ USDT: '1000000' }, 'hedge');
    market.settings(poor, 'BTCUSDT', '20', 'isolated');
    market.trade(hedged, rich, '0.3', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    market.trade(poor, hedged, '0.5', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    market.trade(rich, hedged, '0.5', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    for (const [side, size, price, positionSide] of [
      ['sell', '0.3', '60000', 'long'],
      ['sell', '0.1', '60000', 'short'],
      ['buy', '0.5', '40000', 'short'],
      ['buy', '0.5', '40001', 'short'],
    ] as const)
      expect(market.order(hedged, side, size, 'BTCUSDT', price, { positionSide })).toBe('accepted');
    const olderClose = market.state.accounts.get(hedged)!.openOrders[2];
    market.index('BTC', '47700');
    expect(market.fills(hedged)).toEqual(['autoDeleverage buy 0.5 at 47528.5171102662']);
    const cancelled = market.emitted('orderEnded').filter(({ end }) => end.status === 'cancelled');
    expect(cancelled.map(({ end }) => [end.orderId, end.cancelReason])).toEqual([
      [olderClose, 'autoDeleverage'],
    ]);
  });

  // 3,000 less a fee of 1, and less 1,000 in an isolated position. An order holds all of that, and
  // 2,000 were borrowed for an ether. The close brings in 0.1 × 2,471.4828897338 and the isolated
  // margin.
  test.for([
    ['crossed', '0.074975', '2999', '1752.8517110267 + 0'],
    ['isolated', '0.049975', '1999', '752.8517110267 + 0'],
  ] as const)(
    '[POS-196] repay with the proceeds of their close, and with no more: %s',
    ([marginMode, size, free, owed], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '2000');
      const [long, seller] = [market.joins({ USDT: '253' }), market.joins({ ETH: '10' })];
      const short = market.joins({ USDT: '3000', ETH: '5' });
      market.settings(long, 'BTCUSDT', '20', 'isolated');
      market.settings(short, 'BTCUSDT', '5', marginMode);
      market.trade(long, short, '0.1', 'BTCUSDT', '50000');
      expect(market.order(short, 'buy', size, 'SPOT:BTCUSDT', '40000')).toBe('accepted');
      const [held] = market.state.accounts.get(short)!.openOrders;
      market.order(seller, 'sell', '1', 'SPOT:ETHUSDT', '2000');
      expect(market.order(short, 'buy', '1', 'MARGIN:ETHUSDT', '2000')).toBe('accepted');
      market.accepted({
        type: 'cancelOrders',
        uid: short,
        orders: [{ orderId: held!, clientOid: undefined }],
      });
      expect([market.available(short), market.debt(short)]).toEqual([free, '2000 + 0']);
      market.index('BTC', '47700');
      expect(market.fills(short)).toEqual(['autoDeleverage buy 0.1 at 47528.5171102662']);
      expect([market.available(short), market.debt(short)]).toEqual([free, owed]);
    },
  );
});
