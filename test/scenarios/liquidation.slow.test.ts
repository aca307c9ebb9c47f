/** Liquidation of an isolated position. */
import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { isolatedLong, test } from './market.test-support.ts';

describe('an isolated position', () => {
  test.for([
    ['1220.8', 1],
    ['1220.8000000001', 0],
  ] as const)(
    '[POS-53] is liquidated at exactly its maintenance, and not one unit above',
    ([added, times], { market }) => {
      market.index('BTC', '50000');
      const [long, short] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '100000' })];
      market.settings(long, 'BTCUSDT', '50', 'isolated');
      market.trade(long, short, '1', 'BTCUSDT', '50000');
      const asked = {
        uid: long,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        amount: added as never,
        direction: 'add',
      } as const;
      market.accepted({ type: 'adjustMargin', ...asked });
      // 1,000 + 1,220.8 − 2,000 = 220.8 = 48,000 × (0.004 + 0.0006).
      market.index('BTC', '48000');
      expect(market.emitted('liquidationBegun')).toHaveLength(times);
    },
  );

  test('[POS-53][POS-48] is liquidated when its margin is no longer above its maintenance', ({
    market,
  }) => {
    const { long } = isolatedLong(market);
    market.index('BTC', '47719.51');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('1');
    market.index('BTC', '47719.5');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
    // 2,500 − 2,280.5 is no more than 47,719.5 × (0.004 + 0.0006).
    const [begun] = market.emitted('liquidationBegun');
    expect(begun).toMatchObject({ uid: long, positionId: expect.any(Number) });
    expect([moneyText(begun!.equity), moneyText(begun!.maintenance)]).toEqual([
      '219.5',
      '219.5097',
    ]);
  });

  test('[POS-56] is closed in the book, and the insurance fund gains what was better than bankruptcy', ({
    market,
  }) => {
    const { long } = isolatedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '0.4', 'BTCUSDT', '47600');
    market.order(bidder, 'buy', '3', 'BTCUSDT', '47550');
    market.index('BTC', '47700');
    expect(market.fills(long)).toEqual([
      'liquidation sell 0.4 at 47600',
      'liquidation sell 0.6 at 47550',
    ]);
    // Sold at 47,570 on average with a fee of 28.542: 2,500 − 2,430 − 28.542 = 41.458 are left for
    // the fund.
    expect([market.available(long), market.house('insurance')]).toEqual(['0', '41.458']);
    expect(market.size(bidder, 'BTCUSDT', 'long')).toBe('1');
  });

  test('[POS-55][POS-57] what the book does not take closes against the other side at bankruptcy', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '0.4', 'BTCUSDT', '47600');
    market.order(bidder, 'buy', '0.1', 'BTCUSDT', '47528.5');
    market.index('BTC', '47700');
    // 47,528.5 is worse than bankruptcy by 0.0171…, and the fund is empty.
    expect(market.fills(long)).toEqual([
      'liquidation sell 0.4 at 47600',
      'liquidation sell 0.6 at 47528.5171102662',
    ]);
    expect(market.fills(short)).toEqual(['autoDeleverage buy 0.6 at 47528.5171102662']);
    expect([market.size(short, 'BTCUSDT', 'short'), market.available(long)]).toEqual(['0.4', '0']);
  });

  test('[POS-181] an empty fund sells nothing below bankruptcy; a full one pays what is missing', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    const bidder = market.joins({ USDT: '100000' });
    market.order(bidder, 'buy', '5', 'BTCUSDT', '47000');
    market.index('BTC', '47000');
    expect(market.fills(long)).toEqual(['liquidation sell 1 at 47528.5171102662']);
    expect(market.fills(short)).toEqual(['autoDeleverage buy 1 at 47528.5171102662']);
    // It closes without a fee, so the fund gets the fee that the bankruptcy price includes.
    expect(market.house('insurance')).toBe('28.5171102662');
    market.check();

    market.index('BTC', '50000');
    const other = market.joins({ USDT: '253' });
    market.settings(other, 'BTCUSDT', '20', 'isolated');
    market.trade(other, short, '0.1', 'BTCUSDT', '50000');
    market.index('BTC', '47000');
    // 250 − 300 − 2.82 leaves 52.82 missing, more than the fund has. It pays for a part; the rest
    // closes at bankruptcy.
    const sold = market.fills(other);
    expect(sold).toHaveLength(2);
    expect(sold[0]).toMatch(/^liquidation sell 0\.05\d\d at 47000$/);
    expect(sold[1]).toMatch(/ at 47528\.5171102662$/);
    expect(market.available(other)).toBe('0');
  });

  // 0.03 at 47,000 miss 0.03 × 528.5171… × 0.9994 = 15.846 of 28.517. The other 12.671 pay for
  // 0.0235 of 0.03 × 538.5171… × 0.9994 = 16.146.
  test('[POS-184] what the fund has paid at one price it cannot pay at the next', ({ market }) => {
    const { short } = isolatedLong(market);
    market.index('BTC', '47000');
    expect(market.house('insurance')).toBe('28.5171102662');
    market.index('BTC', '50000');
    const [other, bidder] = [market.joins({ USDT: '253' }), market.joins({ USDT: '100000' })];
    market.settings(other, 'BTCUSDT', '20', 'isolated');
    market.trade(other, short, '0.1', 'BTCUSDT', '50000');
    for (const price of ['47000', '46990'])
      expect(market.order(bidder, 'buy', '0.03', 'BTCUSDT', price)).toBe('accepted');
    market.index('BTC', '47000');
    expect(market.fills(other)).toEqual([
      'liquidation sell 0.03 at 47000',
      'liquidation sell 0.0235 at 46990',
      'liquidation sell 0.0465 at 47528.5171102662',
    ]);
  });

  // At 20 times bankruptcy is at 47,500. The fund goes as far below mark as that is below 47,500,
  // at most 1 % and at least 0.4 %.
  test.for([
    ['47300', '47100', 'liquidation sell 0.01 at 47100'],
    ['47300', '47099.9', 'liquidation sell 0.01 at 47528.5171102662'],
    ['47000', '46530', 'liquidation sell 0.01 at 46530'],
    ['47000', '46529.9', 'liquidation sell 0.01 at 47528.5171102662'],
    ['47500', '47310', 'liquidation sell 0.01 at 47310'],
    ['47500', '47309.9', 'liquidation sell 0.01 at 47528.5171102662'],
    ['47600', '47409.6', 'liquidation sell 0.01 at 47409.6'],
    ['47600', '47409.5', 'liquidation sell 0.01 at 47528.5171102662'],
  ])(
    '[POS-182][POS-183] the fund reaches as far as the mark has moved, or a spread: mark %s, bid %s',
    ([mark, bid, sold], { market }) => {
      const { long, short } = isolatedLong(market);
      const bidder = market.joins({ USDT: '100000' });
      market.index('BTC', '47700');
      // Closed outside the book, which leaves the fund 28.5171102662, many times what the next one
      // lacks.
      expect(market.fills(long)).toEqual(['liquidation sell 1 at 47528.5171102662']);
      market.index('BTC', '50000');
      const other = market.joins({ USDT: '25.3' });
      market.settings(other, 'BTCUSDT', '20', 'isolated');
      market.trade(other, short, '0.01', 'BTCUSDT', '50000');
      market.order(bidder, 'buy', '1', 'BTCUSDT', bid!);
      market.index('BTC', mark!);
      expect(market.fills(other)).toEqual([sold]);
    },
  );

  test('[POS-70] is liquidated with its own margin and orders; the rest of the account stays', ({
    market,
  }) => {
    const { long, short } = isolatedLong(market);
    market.accepted({ type: 'deposit', uid: long, coin: 'USDT', size: '50000' as never });
    market.index('ETH', '3000');
    market.trade(long, short, '1', 'ETHUSDT', '3000');
    market.order(long, 'buy', '0.1', 'BTCUSDT', '40000');
    market.order(long, 'sell', '0.5', 'BTCUSDT', '55000', { reduceOnly: true });
    market.order(long, 'buy', '1', 'SPOT:BTCUSDT', '30000');
    const eth = market.position(long, 'ETHUSDT', 'long')!.id;
    market.index('BTC', '47700');
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('0');
    const ended = market
      .emitted('orderEnded')
      .filter(({ end }) => end.uid === long && end.status === 'cancelled');
    expect(ended.map(({ end }) => [end.symbol, end.cancelReason])).toEqual([
      ['BTCUSDT', 'liquidation'],
      ['BTCUSDT', 'liquidation'],
    ]);
    expect([...market.state.accounts.get(long)!.openOrders]).toHaveLength(1);
    expect([market.position(long, 'ETHUSDT', 'long')?.id, market.available(long)]).toEqual([
      eth,
      '19998.2',
    ]);
  });

  test("[POS-83][POS-70] if it meets the account's own close of the other side, that side keeps its profit", ({
    market,
  }) => {
    market.index('BTC', '50000');
    const both = market.joins({ USDT: '10000' }, 'hedge');
    const other = market.joins({ USDT: '1000000' }, 'hedge');
    market.settings(both, 'BTCUSDT', '20', 'isolated');
    const sides = { buy: { positionSide: 'long' }, sell: { positionSide: 'short' } } as const;
    market.trade(both, other, '1', 'BTCUSDT', '50000', sides);
    market.trade(other, both, '0.5', 'BTCUSDT', '50000', sides);
    market.order(both, 'buy', '0.5', 'BTCUSDT', '47600', { positionSide: 'short' });
    market.order(other, 'buy', '3', 'BTCUSDT', '47550', { positionSide: 'long' });
    expect(market.available(both)).toBe('6215');
    market.index('BTC', '47700');
    expect(market.fills(both)).toEqual([
      'liquidation sell 0.5 at 47600',
      'normal buy 0.5 at 47600',
      'liquidation sell 0.5 at 47550',
    ]);
    // The short returns its margin of 1,250 and has earned 1,200 less a fee of 4.76.
    expect(market.available(both)).toBe('8660.24');
    // The long had 2,500, lost 2,425 and paid 28.545.
    expect(market.house('insurance')).toBe('46.455');
  });

  test("[POS-181] a sale that the fund pays for may go to the account's own order, if it is the best", ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [first, both] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '507' }, 'hedge')];
    const other = market.joins({ USDT: '1000000' }, 'hedge');
    for (const uid of [first, both]) market.settings(uid, 'BTCUSDT', '20', 'isolated');
    const sides = { buy: { positionSide: 'long' }, sell: { positionSide: 'short' } } as const;
    market.order(other, 'sell', '1', 'BTCUSDT', '50000', sides.sell);
    market.order(first, 'buy', '1', 'BTCUSDT', '50000');
    market.trade(both, other, '0.1', 'BTCUSDT', '50000', sides);
    market.trade(other, both, '0.1', 'BTCUSDT', '50000', sides);
    market.order(other, 'buy', '1', 'BTCUSDT', '47700', { positionSide: 'long' });
    market.order(both, 'buy', '0.1', 'BTCUSDT', '47300', { positionSide: 'short' });
    // The first leaves the fund more than the 22.85 that 0.1 at 47,300 brings less than at
    // 47,528.5.
    market.index('BTC', '47300');
    expect(market.fills(both)).toEqual([
      'liquidation sell 0.1 at 47300',
      'normal buy 0.1 at 47300',
    ]);
  });

  // Another account's 50 ether are reduced to the 17.48 of the first tier. Those have a margin of
  // 2,622, lose 1,748 and pay 30.4152: 843.5848 for the fund. One of two colluding accounts sells
  // half to the other at the lowest allowed price: 3,000 − 60 − 2,681.6 − 28.39104 = 230.00896 are
  // left for the rest, which needs 230. It is bankrupt at (50,000 − 230.00896) / 0.9994 =
  // 49,799.87. The only bid is the other's, at half the mark.
  test('[POS-182] is not sold far below mark at the expense of the fund to a sole bidder', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [poor, rich] = [market.joins({ USDT: '10060' }), market.joins({ USDT: '1000000' })];
    market.settings(poor, 'ETHUSDT', '20', 'isolated');
    market.trade(poor, rich, '50', 'ETHUSDT', '3000');
    market.order(rich, 'buy', '50', 'ETHUSDT', '2900');
    market.index('ETH', '2860');
    expect(market.house('insurance')).toBe('843.5848');
    const [one, other] = [market.joins({ USDT: '3000' }), market.joins({ USDT: '100000' })];
    market.settings(one, 'BTCUSDT', '100', 'crossed');
    market.trade(one, other, '2', 'BTCUSDT', '50000');
    for (const price of ['47318.4', '25000']) market.order(other, 'buy', '1', 'BTCUSDT', price);
    expect(market.order(one, 'sell', '1', 'BTCUSDT', '47318.4')).toBe('accepted');
    expect(market.fills(one)).toEqual(['normal sell 1 at 47318.4']);
    market.pin('BTCUSDT', '49999.9');
    expect(market.fills(one)).toEqual(['liquidation sell 1 at 49799.8709625776']);
    // It gains the fee that the close outside the book does not cost: 49,799.87… × 0.0006.
    expect(market.house('insurance')).toBe('873.4647225776');
  });

  test('[POS-54] a large one is reduced tier by tier, as far as needed', ({ market }) => {
    market.index('BTC', '50000');
    const long = market.joins({ USDT: '100000' });
    const short = market.joins({ USDT: '10000000' });
    market.settings(long, 'BTCUSDT', '20', 'isolated');
    // 400,000: in the third tier, with a margin of 20,000. The maintenance at mark 48,000, with a
    // value of 384,000, is 230 + 840 + 184,000 × 0.0106 = 3,020.4.
    market.trade(long, short, '8', 'BTCUSDT', '50000');
    const bidder = market.joins({ USDT: '10000000' });
    market.order(bidder, 'buy', '100', 'BTCUSDT', '47880');
    // At 47,870 the equity is 2,960, the maintenance 230 + 840 + 182,960 × 0.0106 = 3,009.376.
    market.index('BTC', '47870');
    // Down to 200,000 of value, 4.1779 BTC: 3.8221 of them are sold. The equity of 1,545.8… is
    // above the maintenance of less than 1,070.
    expect(market.fills(long)).toEqual(['reduce sell 3.8221 at 47880']);
    expect(market.size(long, 'BTCUSDT', 'long')).toBe('4.1779');
  });
});
