/** The reported profit of positions that are taken over, to the last unit. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Amount, moneyText, ZERO_AMOUNT } from '../../src/kernel/money.ts';
import { crossedLong, isolatedLong, type Market, test } from './market.test-support.ts';

/**
 * Net profits of the user's positions that the last command closed, after fees and funding, as in
 * history.
 */
function netProfits(market: Market, uid: Uid): string[] {
  const closed = market.emitted('positionClosed').filter(({ position }) => position.uid === uid);
  return closed.map(
    ({ position: { realisedProfit, funding = ZERO_AMOUNT, openFees, closeFees } }) =>
      moneyText((realisedProfit + funding - openFees - closeFees) as Amount),
  );
}

describe('a position that is taken over', () => {
  test('[POS-85][POS-193] sold above the bankruptcy price loses all its margin', ({ market }) => {
    const { long } = isolatedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '3', 'BTCUSDT', '47600');
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47600']);
    // The margin of 2,500 and the opening fee of 30. The fund gets 2,500 − 2,400 − 28.56 = 71.44.
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([
      ['-2530'],
      '0',
      '71.44',
    ]);
  });

  test('[POS-85] closed against another loses as much, although that costs no fee', ({
    market,
  }) => {
    const { long } = isolatedLong(market);
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47528.5171102662']);
    expect([netProfits(market, long), market.available(long)]).toEqual([['-2530'], '0']);
  });

  test('[POS-85] backed by the account loses its backing', ({ market }) => {
    const { long } = crossedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([
      ['-3030'],
      '0',
      '71.74',
    ]);
  });

  test("[POS-85] paid for by the fund loses its backing, and not the book's larger loss", ({
    market,
  }) => {
    const first = crossedLong(market);
    const bidder = market.joins({ USDT: '1000000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    expect(market.available(first.long)).toBe('0');
    market.index('BTC', '50000');
    const { long } = crossedLong(market);
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47000');
    market.index('BTC', '47000');
    // 3,000 − 3,000 − 28.2 are missing, and the fund has 71.74.
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47000']);
    expect([netProfits(market, long), market.available(long), market.house('insurance')]).toEqual([
      ['-3030'],
      '0',
      '43.54',
    ]);
  });

  test('[POS-56][POS-85] whose fee the fund pays leaves no loan', ({ market }) => {
    crossedLong(market);
    const bidder = market.joins({ USDT: '1000000' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    market.index('BTC', '50000');
    const { long } = isolatedLong(market);
    market.accepted({ type: 'deposit', uid: long, coin: 'ETH', size: '1' as DecimalText });
    market.index('ETH', '3000');
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47500');
    market.index('BTC', '47500');
    // The loss is the margin, so the fee of 28.5 was borrowed, and the fund has 71.74.
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47500']);
    expect([market.available(long), market.debt(long), market.house('insurance')]).toEqual([
      '0',
      'none',
      '43.24',
    ]);
  });

  // As above, with 1,000 on hold for an order and 3,000 borrowed for an ether. The hold paid the
  // fee of 28.5 and gets it back.
  test('[POS-70][POS-197] repays no loan with the fee that the fund pays, nor with other money', ({
    market,
  }) => {
    crossedLong(market);
    const bidder = market.joins({ USDT: '1000000', ETH: '10' });
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
    market.index('BTC', '47200');
    market.index('BTC', '50000');
    const { long } = isolatedLong(market);
    market.index('ETH', '3000');
    for (const [coin, size] of [['ETH', '5'] as const, ['USDT', '1000'] as const])
      market.accepted({ type: 'deposit', uid: long, coin, size: size as DecimalText });
    expect(market.order(long, 'buy', '0.025', 'SPOT:BTCUSDT', '40000')).toBe('accepted');
    const [held] = market.state.accounts.get(long)!.openOrders;
    market.order(bidder, 'sell', '1', 'SPOT:ETHUSDT', '3000');
    expect(market.order(long, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
    market.accepted({
      type: 'cancelOrders',
      uid: long,
      orders: [{ orderId: held!, clientOid: undefined }],
    });
    expect([market.available(long), market.debt(long)]).toEqual(['1000', '3000 + 0']);
    market.order(bidder, 'buy', '1', 'BTCUSDT', '47500');
    market.index('BTC', '47500');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47500']);
    expect([market.available(long), market.debt(long), market.house('insurance')]).toEqual([
      '1000',
      '3000 + 0',
      '43.24',
    ]);
  });

  // A short of 1 from 50,000 with 3,000 is bankrupt at 53,000, and the fund pays for up to 0.4 %
  // more, 53,212. At 53,040 with a fee of 31.824 it can pay for 0.9988. It gains the fee that the
  // rest does not cost: 71.74 − 0.9988 × 71.824 + 0.0012 × 31.780….
  test.for([
    ['53000', ['liquidation buy 1 at 53000'], '39.94'],
    ['53039.9', ['liquidation buy 1 at 53039.9'], '0.01606'],
    [
      '53040',
      ['liquidation buy 0.9988 at 53040', 'liquidation buy 0.0012 at 52968.2190685588'],
      '0.0403259177',
    ],
  ] as const)(
    '[POS-181] if short, is bought back at %s as far as the fund can pay for it',
    ([ask, fills, insurance], { market }) => {
      crossedLong(market);
      const bidder = market.joins({ USDT: '1000000' });
      market.order(bidder, 'buy', '1', 'BTCUSDT', '47100');
      market.index('BTC', '47200');
      market.index('BTC', '50000');
      const short = market.joins({ USDT: '3010' });
      market.settings(short, 'BTCUSDT', '20', 'crossed');
      market.trade(market.joins({ USDT: '1000000' }), short, '1', 'BTCUSDT', '50000');
      expect([market.available(short), market.house('insurance')]).toEqual(['3000', '71.74']);
      market.order(bidder, 'sell', '1', 'BTCUSDT', ask);
      market.index('BTC', '53000');
      expect([market.fills(short), market.available(short), market.house('insurance')]).toEqual([
        fills,
        '0',
        insurance,
      ]);
    },
  );

  // A long of 1 from 50,000 with 0.05 bitcoin is bankrupt at 50,030 / 1.05 = 47,647.619…. A sale at
  // 47,700 loses 50,000 / 47,700 − 1 and a fee of 30 / 47,700, which leaves 0.0011530397. At 47,500
  // the loss is 0.0032631579 too large, so the fund pays for 0.3533 of it. It gains the fee of the
  // rest.
  test('[POS-181] in an inverse contract, is sold as far as the fund can pay for it in the coin', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.pin('BTCUSD', '50000');
    const [bidder, other] = [market.joins({ BTC: '100' }), market.joins({ BTC: '100' })];
    const takenOver = (bid: string, mark: string): Uid => {
      const long = market.joins({ BTC: '0.0506' });
      market.settings(long, 'BTCUSD', '20', 'isolated');
      market.trade(long, other, '1', 'BTCUSD', '50000');
      market.order(bidder, 'buy', '1', 'BTCUSD', bid);
      market.pin('BTCUSD', mark);
      return long;
    };
    const first = takenOver('47700', '47800');
    expect([market.fills(first), market.house('insurance', 'BTC')]).toEqual([
      ['liquidation sell 1 at 47700'],
      '0.0011530397',
    ]);
    market.pin('BTCUSD', '50000');
    const second = takenOver('47500', '47600');
    expect([market.fills(second), market.house('insurance', 'BTC')]).toEqual([
      ['liquidation sell 0.3533 at 47500', 'liquidation sell 0.6467 at 47647.6190476191'],
      '0.0004073425',
    ]);
  });

  test('[POS-194] outside the book loses its margin even if its loss is larger', ({ market }) => {
    const { long, short } = isolatedLong(market);
    const late = market.joins({ USDT: '1000000' });
    market.trade(short, late, '1', 'BTCUSDT', '26000');
    market.index('BTC', '25000');
    // The short from 26,000 would lose at the bankruptcy price, so both close at its entry price.
    expect([market.fills(long), market.fills(late)]).toEqual([
      ['liquidation sell 1 at 26000'],
      ['autoDeleverage buy 1 at 26000'],
    ]);
    expect([netProfits(market, long), market.available(long), netProfits(market, late)]).toEqual([
      ['-2530'],
      '0',
      ['-5.2'],
    ]);
  });

  // Trades of 2 and 1 at prices a tenth apart leave a fraction in the entry price. The rounding
  // costs the counterparty nothing.
  test.for([
    [
      'long',
      ['26000', '26000.1'],
      '25000',
      'liquidation sell 1 at 26000.0333333333',
      'autoDeleverage buy 1 at 26000.0333333333',
    ],
    [
      'short',
      ['74000', '74000.1'],
      '75000',
      'liquidation buy 1 at 74000.0333333334',
      'autoDeleverage sell 1 at 74000.0333333334',
    ],
  ] as const)(
    '[POS-192] outside the book a %s is closed at the entry price of the other',
    ([side, [two, one], mark, closed, reduced], { market }) => {
      market.index('BTC', '50000');
      const [trader, other, late] = [
        market.joins({ USDT: '2530' }),
        market.joins({ USDT: '1000000' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(trader, 'BTCUSDT', '20', 'isolated');
      const trade = (buys: Uid, sells: Uid, size: string, price: string) =>
        market.trade(buys, sells, size, 'BTCUSDT', price);
      if (side === 'long') trade(trader, other, '1', '50000');
      else trade(other, trader, '1', '50000');
      for (const [size, price] of [
        ['2', two],
        ['1', one],
      ] as const)
        if (side === 'long') trade(other, late, size, price);
        else trade(late, other, size, price);
      market.index('BTC', mark);
      expect([market.fills(trader), market.fills(late)]).toEqual([[closed], [reduced]]);
    },
  );
});
