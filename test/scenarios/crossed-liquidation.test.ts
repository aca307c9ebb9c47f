/** Liquidation of a crossed account. */
import { describe, expect } from 'vitest';
import { crossedLong, test } from './market.test-support.ts';

describe('a crossed account', () => {
  test.for([
    ['2250.8', '0'],
    ['2250.8000000001', '1'],
  ] as const)(
    '[POS-53] is liquidated at exactly its maintenance, and not one unit above',
    ([money, left], { market }) => {
      market.index('BTC', '50000');
      const [long, short] = [market.joins({ USDT: money }), market.joins({ USDT: '100000' })];
      market.settings(long, 'BTCUSDT', '50', 'crossed');
      market.trade(long, short, '1', 'BTCUSDT', '50000');
      // 2,250.8 − 30 − 2,000 = 220.8 = 48,000 × (0.004 + 0.0006).
      market.index('BTC', '48000');
      expect(market.size(long, 'BTCUSDT', 'long')).toBe(left);
    },
  );

  test('[POS-53][POS-52] is liquidated when its equity meets its maintenance', ({ market }) => {
    const { long } = crossedLong(market);
    market.index('BTC', '47217.2');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.index('BTC', '47217.1');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
  });

  test('[POS-53] is liquidated by the index of its collateral, and by the mark of any position', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2000');
    const other = market.joins({ USDT: '1000000' });
    const [one, two] = [market.joins({ ETH: '3' }), market.joins({ ETH: '3' })];
    for (const uid of [one, two]) market.trade(uid, other, '0.5', 'BTCUSDT', '50000');
    // 3 ETH count 2.85: at 45 dollars 128.25, against 15 borrowed for the fee, its twentieth and
    // 115.
    market.index('ETH', '46');
    expect(market.size(one, 'BTCUSDT', 'long')).toBe('0.5');
    market.index('ETH', '45');
    expect([one, two].map((uid) => market.size(uid, 'BTCUSDT', 'long'))).toEqual(['0', '0']);
    expect(market.emitted('liquidationBegun').map(({ uid }) => uid)).toEqual([one, two]);
  });

  test('[POS-53][POS-69] is liquidated earlier after a change of its wallet alone', ({
    market,
  }) => {
    market.index('SOL', '100');
    const { long } = crossedLong(market);
    const seller = market.joins({ SOL: '100' });
    market.order(seller, 'sell', '10', 'SPOT:SOLUSDT', '100');
    // 400 USDT become 3.996 SOL that count 339.66: 60.34 less for the position, and (50,000 −
    // 2,939.66) / 0.9954 = 47,277.8….
    expect(market.order(long, 'buy', '4', 'SPOT:SOLUSDT', '100')).toBe('accepted');
    market.index('BTC', '47278');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.index('BTC', '47277');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
  });

  test('[POS-58] ends with nothing, and the fund gets what the book paid beyond bankruptcy', ({
    market,
  }) => {
    const { long } = crossedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47100']);
    // 3,000 − 2,900 − 28.26 = 71.74.
    expect([market.available(long), market.debt(long), market.house('insurance')]).toEqual([
      '0',
      'none',
      '71.74',
    ]);
  });

  test('[POS-58][POS-57] a gap through bankruptcy leaves nothing and no debt; the winner gets less', ({
    market,
  }) => {
    const { long, short } = crossedLong(market);
    market.index('BTC', '25000');
    // The backing is 3,000: bankruptcy is at (50,000 − 3,000) / 0.9994 = 47,028.2169….
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47028.2169301581']);
    expect(market.fills(short)).toEqual(['autoDeleverage buy 1 at 47028.2169301581']);
    expect([market.available(long), market.debt(long), market.house('clearing')]).toEqual([
      '0',
      'none',
      '0',
    ]);
  });

  test('[POS-54] its orders that hold margin or money are cancelled first', ({ market }) => {
    const { long } = crossedLong(market);
    market.order(long, 'buy', '0.001', 'BTCUSDT', '30000');
    market.order(long, 'buy', '0.001', 'SPOT:BTCUSDT', '30000');
    market.index('BTC', '47200');
    const ended = market
      .emitted('orderEnded')
      .filter(({ end }) => end.uid === long && end.status === 'cancelled');
    expect(ended.map(({ end }) => [end.category, end.cancelReason])).toEqual([
      ['USDT-FUTURES', 'liquidation'],
      ['SPOT', 'liquidation'],
    ]);
    expect(market.emitted('liquidationBegun')).toHaveLength(1);
  });

  test('[POS-54][POS-77] hedged sides close against each other at mark, without the book and without a fee', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const hedger = market.joins({ USDT: '2100' }, 'hedge');
    const other = market.joins({ USDT: '1000000' });
    market.settings(hedger, 'BTCUSDT', '100', 'crossed');
    market.trade(hedger, other, '1', 'BTCUSDT', '50000', { buy: { positionSide: 'long' } });
    market.trade(other, hedger, '0.9', 'BTCUSDT', '50000', { sell: { positionSide: 'short' } });
    // 2,061 after fees, less 1,800: the two sides need 147.2 + 132.48, the net long of 0.1 only
    // 14.72.
    market.index('BTC', '32000');
    expect(market.fills(hedger)).toEqual(['offset buy 0.9 at 32000', 'offset sell 0.9 at 32000']);
    expect([
      market.size(hedger, 'BTCUSDT', 'long'),
      market.size(hedger, 'BTCUSDT', 'short'),
    ]).toEqual(['0.1', '0']);
    expect(market.emitted('tradeExecuted')).toEqual([]);
  });

  test('[POS-71] the equity is shared among positions by their maintenance', ({ market }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2500');
    const context = market.joins({ USDT: '5000' });
    const other = market.joins({ USDT: '10000000' });
    market.settings(context, 'BTCUSDT', '25', 'crossed');
    market.settings(context, 'ETHUSDT', '25', 'crossed');
    market.trade(context, other, '1', 'BTCUSDT', '50000');
    market.trade(context, other, '10', 'ETHUSDT', '2500');
    // 4,955 after fees, less 4,700, against 208.38 and 115.
    market.index('BTC', '45300');
    expect([
      market.size(context, 'BTCUSDT', 'long'),
      market.size(context, 'ETHUSDT', 'long'),
    ]).toEqual(['0', '0']);
    expect([market.debt(context), market.house('clearing')]).toEqual(['none', '0']);
    expect(market.wallet(context).available < 10n).toBe(true);
  });

  test('[POS-73] collateral of a loss in another coin is taken at its rate and repays it', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2000');
    const context = market.joins({ ETH: '2' });
    const other = market.joins({ USDT: '1000000' });
    market.settings(context, 'BTCUSDT', '20', 'crossed');
    market.trade(context, other, '1', 'BTCUSDT', '50000');
    // 2 ETH count 3,800; the fee was borrowed.
    expect(market.debt(context)).toBe('30 + 0');
    market.index('BTC', '46000');
    expect([market.size(context, 'BTCUSDT', 'long'), market.debt(context)]).toEqual(['0', 'none']);
    const { available } = market.wallet(context, 'ETH');
    expect(available < 10n).toBe(true);
    expect(market.state.ledger.house.get('ETH')!.insurance + available).toBe(20_000_000_000n);
  });

  // 1.999 BTC, one of them bought with a loan of 50,000, now count as zero: at half of 50,000 they
  // repay 49,975, and 25 are written off.
  test.for([
    ['0', '0', '1.999', '-50000'],
    ['50', '0.001', '1.998', '-49950'],
  ] as const)(
    '[POS-190] coins that count 0 repay a loan at half their index: beside %s USDT',
    ([dollars, kept, given, paid], { market }) => {
      market.index('BTC', '50000');
      const context = market.joins({ BTC: '1' });
      const seller = market.joins({ BTC: '10' });
      market.accepted({
        type: 'setCoinLeverage',
        uid: context,
        coin: 'USDT',
        leverage: '5' as never,
      });
      market.order(seller, 'sell', '1', 'SPOT:BTCUSDT', '50000');
      market.order(context, 'buy', '1', 'MARGIN:BTCUSDT', '50000');
      if (dollars !== '0')
        market.accepted({ type: 'deposit', uid: context, coin: 'USDT', size: dollars as never });
      const bitcoin = market.state.coins.get('BTC')!;
      market.accepted({ type: 'listCoin', coin: { ...bitcoin, collateralRate: '0' as never } });
      expect([market.debt(context), market.available(context, 'BTC')]).toEqual(['none', kept]);
      expect([market.house('insurance', 'BTC'), market.house('clearing')]).toEqual([given, paid]);
    },
  );

  test('[POS-191] a loan that no coin covers is written off', ({ market }) => {
    market.index('BTC', '50000');
    const context = market.joins({ BTC: '1' });
    const seller = market.joins({ BTC: '10' });
    market.accepted({
      type: 'setCoinLeverage',
      uid: context,
      coin: 'USDT',
      leverage: '5' as never,
    });
    market.order(seller, 'sell', '1', 'SPOT:BTCUSDT', '50000');
    expect(market.order(context, 'buy', '1', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    expect(market.debt(context)).toBe('50000 + 0');
    // 1.999 BTC count 0.95: at 27,642.6 they count 52,495… against 50,000 and its twentieth.
    market.index('BTC', '27650');
    expect(market.debt(context)).toBe('50000 + 0');
    market.index('BTC', '20000');
    expect([market.debt(context), market.available(context, 'BTC')]).toEqual(['none', '0']);
    expect([
      market.house('insurance', 'BTC'),
      market.house('borrowPool'),
      market.house('clearing'),
    ]).toEqual(['1.999', '0', '-50000']);
  });
});
