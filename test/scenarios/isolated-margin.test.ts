import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

describe('money in and out', () => {
  test('[ISO-09] money moves between the wallet and the pair, and each pair has its own', () => {
    expect([market.available(alice), market.pair(alice)]).toEqual(['1000', '1000']);
    expect(market.transfer(alice, 'in', '100', 'USDT', 'ETHUSDT')).toBe('accepted');
    expect(market.transfer(alice, 'out', '1000')).toBe('accepted');
    expect([
      market.available(alice),
      market.pair(alice),
      market.pair(alice, 'USDT', 'ETHUSDT'),
    ]).toEqual(['1900', '0', '100']);
  });

  test('[ISO-09] no more than is there, in coins of the pair, in pairs that there are', () => {
    expect(market.transfer(alice, 'in', '1000.0000000001')).toBe('insufficientBalance');
    expect(market.transfer(alice, 'in', '1000')).toBe('accepted');
    expect(market.transfer(alice, 'out', '2000.0000000001')).toBe('pairBalanceInsufficient');
    expect(market.transfer(alice, 'out', '2000')).toBe('accepted');
    expect(market.transfer(alice, 'in', '0')).toBe('sizeNotPositive');
    expect(market.transfer(alice, 'in', '0.00000000001')).toBe('tooFine');
    expect(market.transfer(alice, 'in', '1', 'ETH')).toBe('coinNotOfPair');
    expect(market.transfer(alice, 'in', '1', 'USDT', 'NOPEUSDT')).toBe('noIsolatedMargin');
  });

  test('[ISO-159] a transfer named twice happens once, and its name is no order name', () => {
    expect(market.transfer(alice, 'in', '100', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    const first = market.last!.outcome;
    expect(market.transfer(alice, 'in', '100.0', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    expect(market.last!.outcome).toEqual(first);
    expect(market.transfer(alice, 'in', '101', 'USDT', 'BTCUSDT', 'mine')).toBe(
      'duplicateClientOid',
    );
    expect(market.pair(alice)).toBe('1100');
    expect(
      market.places(alice, {
        side: 'buy',
        size: '0.001',
        price: '50000',
        loanType: 'normal',
        clientOid: 'mine',
      }),
    ).toBe('accepted');
    market.passes(6 * HOUR);
    expect(market.transfer(alice, 'in', '100', 'USDT', 'BTCUSDT', 'mine')).toBe('accepted');
    expect(market.pair(alice)).toBe('1150 + 50 locked');
  });

  test('[ISO-25] a name used for a spot order means that order on isolated margin too', () => {
    expect(
      market.places(alice, { side: 'buy', size: '0.001', price: '50000', clientOid: 'once' }),
    ).toBe('accepted');
    expect(
      market.places(alice, {
        side: 'buy',
        size: '0.001',
        price: '50000',
        loanType: 'normal',
        clientOid: 'once',
      }),
    ).toBe('duplicateClientOid');
    const asked = {
      side: 'buy',
      size: '0.002',
      price: '50000',
      loanType: 'normal',
      clientOid: 'twice',
    } as const;
    const first = market.rests(alice, asked);
    expect(market.rests(alice, asked)).toBe(first);
    expect(market.pair(alice)).toBe('900 + 100 locked');
    expect(market.places(alice, { ...asked, loanType: 'autoLoan' })).toBe('duplicateClientOid');
  });

  test('[ISO-12] what leaves never takes the debts above nine tenths of what is left', () => {
    market.borrow(alice, '5000');
    // 5000 of debts need 5000 × 10/9 = 5555.5555555556 of assets; there are 6000.
    expect(market.transfer(alice, 'out', '444.4444444445')).toBe('transferTooLarge');
    expect(market.last!.outcome).toMatchObject({ refusal: { detail: '444.4444444444' } });
    expect(market.transfer(alice, 'out', '444.4444444444')).toBe('accepted');
    expect(market.available(alice)).toBe('1444.4444444444');
  });

  test('[ISO-12] the other coin leaves at the index', () => {
    market.transfer(bob, 'in', '0.1', 'BTC');
    market.borrow(bob, '900');
    // 900 of debts need 1000 of assets; there are 900 and 6000, so 5900 or 0.0983333333 may leave.
    expect(market.transfer(bob, 'out', '0.0983333334', 'BTC')).toBe('transferTooLarge');
    expect(market.transfer(bob, 'out', '0.0983333333', 'BTC')).toBe('accepted');
  });

  test('[ISO-12] a pair that owes gives nothing out while its coins are too far apart in price for an index', () => {
    market.index('ETH', '3000');
    expect(market.transfer(bob, 'in', '0.1', 'BTC', 'ETHBTC')).toBe('accepted');
    expect(market.borrow(bob, '0.5', 'BTC', 'ETHBTC')).toBe('accepted');
    market.index('ETH', '0.000001');
    expect(market.transfer(bob, 'out', '0.6', 'BTC', 'ETHBTC')).toBe('transferTooLarge');
    expect(market.repay(bob, '0.5', 'BTC', 'ETHBTC')).toBe('accepted');
    expect(market.transfer(bob, 'out', '0.1', 'BTC', 'ETHBTC')).toBe('accepted');
  });

  test('[ISO-28] what the account leans on does not leave it for a pair', () => {
    const carol = market.joins({ USDT: '1000' });
    market.order(bob, 'sell', '0.08', 'BTCUSDT', '60000');
    market.order(carol, 'buy', '0.08', 'BTCUSDT', '60000');
    // 1000 less a fee of 4800 × 0.0006 less a tenth of 4800.
    expect(market.transfer(carol, 'in', '517.1200000001')).toBe('insufficientBalance');
    expect(market.transfer(carol, 'in', '517.12')).toBe('accepted');
  });

  test('[ISO-29] what comes out of a pair pays back what the account owes of that coin first', () => {
    const carol = market.joins({ USDT: '1000', BTC: '1' });
    market.transfer(carol, 'in', '1000');
    market.places(bob, { side: 'sell', size: '0.01', price: '60000' });
    market.places(carol, { side: 'buy', size: '0.01', price: '60000', category: 'MARGIN' });
    expect(market.debt(carol)).toBe('600 + 0');
    expect(market.transfer(carol, 'out', '700')).toBe('accepted');
    expect([market.debt(carol), market.available(carol)]).toEqual(['none', '100']);
  });
});

describe('loans', () => {
  test('[ISO-08][ISO-14] a pair borrows up to nine times its own at ten times leverage', () => {
    expect(market.borrow(alice, '9000.0000000001')).toBe('loanTooLarge');
    expect(market.borrow(alice, '9000')).toBe('accepted');
    expect([market.pair(alice), market.owes(alice), market.house('borrowPool')]).toEqual([
      '10000',
      '9000',
      '-9000',
    ]);
    expect(market.borrow(alice, '0.0000000001')).toBe('loanTooLarge');
  });

  test('[ISO-14] the other coin at the index: nine times 1000 is 0.15 at 60000', () => {
    expect(market.borrow(alice, '0.1500000001', 'BTC')).toBe('loanTooLarge');
    expect(market.borrow(alice, '0.15', 'BTC')).toBe('accepted');
    expect([market.pair(alice, 'BTC'), market.owes(alice, 'BTC')]).toEqual(['0.15', '0.15']);
  });

  test('[ISO-14] money of another pair or of the wallet lets a pair borrow nothing', () => {
    expect(market.borrow(alice, '1', 'USDT', 'ETHUSDT')).toBe('symbolClosed');
    market.index('ETH', '3000');
    expect(market.borrow(alice, '1', 'USDT', 'ETHUSDT')).toBe('loanTooLarge');
    expect(market.borrow(alice, '1', 'ETH')).toBe('coinNotOfPair');
  });

  test('[ISO-08][ISO-26] repaying takes no more than is owed, with the money of the pair alone', () => {
    market.borrow(alice, '500');
    expect(market.repay(alice, '0.1', 'BTC')).toBe('nothingOwed');
    expect(market.repay(alice, '200')).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['1300', '300']);
    market.transfer(alice, 'in', '1000');
    market.places(alice, { side: 'buy', size: '0.0375', price: '60000', loanType: 'normal' });
    expect(market.pair(alice)).toBe('50 + 2250 locked');
    expect(market.repay(alice, '50.0000000001')).toBe('pairBalanceInsufficient');
    expect(market.repay(alice, '50')).toBe('accepted');
    expect(market.owes(alice)).toBe('250');
    market.cancels(alice, [...market.state.orders.values()].at(-1)!.id);
    expect(market.repay(alice, '9999')).toBe('accepted');
    expect(market.last!.outcome).toMatchObject({ value: { repaid: 2_500_000_000_000n, owed: 0n } });
    expect([market.pair(alice), market.owes(alice), market.house('borrowPool')]).toEqual([
      '2000',
      '0',
      '0',
    ]);
  });

  test('[ISO-21] every full hour costs the principal times the hourly rate, and repaying pays interest first', () => {
    market.borrow(alice, '8000');
    market.passes(HOUR - 1);
    expect(market.owes(alice)).toBe('8000');
    market.passes(1);
    // 8000 × 0.00000125 = 0.01.
    expect(market.owes(alice)).toBe('8000 + 0.01');
    market.passes(2 * HOUR);
    expect(market.owes(alice)).toBe('8000 + 0.03');
    market.repay(alice, '1.03');
    expect([market.owes(alice), market.house('interest')]).toEqual(['7999', '0.03']);
    market.repay(alice, '8000');
    market.passes(5 * HOUR);
    expect(market.owes(alice)).toBe('0');
  });

  test('[ISO-21] a rate too small for the smallest unit is rounded up', () => {
    market.borrow(alice, '0.0000000001');
    market.passes(HOUR);
    expect(market.owes(alice)).toBe('0.0000000001 + 0.0000000001');
  });
});

describe('orders', () => {
  test('[ISO-07][ISO-10] a normal order spends what the pair has and no more', () => {
    expect(
      market.places(alice, { side: 'buy', size: '0.016667', price: '60000', loanType: 'normal' }),
    ).toBe('pairBalanceInsufficient');
    expect(
      market.places(alice, { side: 'buy', size: '0.016666', price: '60000', loanType: 'normal' }),
    ).toBe('accepted');
    expect(market.pair(alice)).toBe('0.04 + 999.96 locked');
    expect(market.available(alice)).toBe('1000');
    // A seller in the spot book meets it: both trade in one book.
    market.places(bob, { side: 'sell', size: '0.016666', price: '60000' });
    // 0.016666 less a thousandth of it.
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['0.04', '0.016649334']);
    expect(market.available(alice, 'BTC')).toBe('0');
    expect(
      market.places(alice, { side: 'sell', size: '0.01665', price: '60000', loanType: 'normal' }),
    ).toBe('pairBalanceInsufficient');
  });

  test('[ISO-33] only an order of a pair has a loan type', () => {
    const asked = { side: 'buy', size: '0.01', price: '60000', loanType: 'normal' } as const;
    for (const category of ['SPOT', 'USDT-FUTURES', 'COIN-FUTURES'] as const) {
      const symbol = category === 'COIN-FUTURES' ? 'BTCUSD' : 'BTCUSDT';
      expect(market.places(alice, { ...asked, category, symbol }), category).toBe('fieldInvalid');
    }
    expect(market.places(alice, { ...asked, category: 'MARGIN' })).toBe('accepted');
  });

  test('[ISO-10] a market buy is given in quote coin', () => {
    market.places(bob, { side: 'sell', size: '1', price: '60000' });
    expect(market.places(alice, { side: 'buy', size: '600', loanType: 'normal' })).toBe('accepted');
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['400', '0.00999']);
    expect(market.places(alice, { side: 'buy', size: '2400', loanType: 'autoLoan' })).toBe(
      'accepted',
    );
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0',
      '0.04995',
      '2000',
    ]);
  });

  test('[ISO-10] an order that repays pays back with what it brings in', () => {
    goLong(market, alice, bob);
    market.places(bob, { side: 'buy', size: '1', price: '62000' });
    expect(
      market.places(alice, { side: 'sell', size: '0.05', price: '62000', loanType: 'normal' }),
    ).toBe('accepted');
    // 0.05 × 62000 = 3100, less 3.1.
    expect([market.pair(alice), market.owes(alice)]).toEqual(['3096.9', '8000']);
    expect(
      market.places(alice, { side: 'sell', size: '0.05', price: '62000', loanType: 'autoRepay' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['3096.9', '4903.1']);
    expect(market.places(alice, { side: 'sell', size: '0.1', loanType: 'autoLoanAndRepay' })).toBe(
      'accepted',
    );
    // It has 0.04985 and borrows 0.05015; 6200 − 6.2 repay the 4903.1 that are left.
    expect([market.owes(alice), market.owes(alice, 'BTC'), market.pair(alice)]).toEqual([
      '0',
      '0.05015',
      '4387.6',
    ]);
  });

  test('[ISO-10] an order that neither borrows nor repays leaves the loan alone', () => {
    market.borrow(alice, '1000');
    market.places(bob, { side: 'sell', size: '1', price: '60000' });
    expect(
      market.places(alice, { side: 'buy', size: '0.02', price: '60000', loanType: 'autoRepay' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['800', '1000']);
    expect(
      market.places(alice, { side: 'buy', size: '0.1', price: '60000', loanType: 'autoRepay' }),
    ).toBe('pairBalanceInsufficient');
  });

  test('[ISO-14][ISO-15] an order borrows what its pair lacks when it is placed, as far as leverage goes', () => {
    // 10000 = 1000 of her own and 9000: 0.166666 at 60000 is 9999.96, one lot more is beyond.
    expect(
      market.places(alice, { side: 'buy', size: '0.166667', price: '60000', loanType: 'autoLoan' }),
    ).toBe('loanTooLarge');
    expect(
      market.places(alice, { side: 'buy', size: '0.166666', price: '60000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 9999.96 locked', '8999.96']);
  });

  test('[ISO-15][ISO-154] what an order borrowed and did not spend is repaid when it ends', () => {
    const order = market.rests(alice, {
      side: 'buy',
      size: '0.1',
      price: '60000',
      loanType: 'autoLoan',
    });
    expect(market.owes(alice)).toBe('5000');
    market.places(bob, { side: 'sell', size: '0.04', price: '60000' });
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 3600 locked', '5000']);
    market.cancels(alice, order);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0',
      '0.03996',
      '1400',
    ]);
  });

  test('[ISO-15] what a better price left unspent pays back what was borrowed for it, and no more than that', () => {
    market.places(bob, { side: 'sell', size: '0.05', price: '58000' });
    market.places(bob, { side: 'sell', size: '0.05', price: '59000' });
    // It holds 6000, of which 5000 are borrowed, and spends 2900 and 2950.
    expect(
      market.places(alice, { side: 'buy', size: '0.1', price: '60000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0',
      '0.0999',
      '4850',
    ]);
    expect(market.repay(alice, '4850')).toBe('pairBalanceInsufficient');
    market.transfer(alice, 'in', '990');
    market.places(bob, { side: 'sell', size: '0.02', price: '49000' });
    // 1000 are held and 10 borrowed; of the 20 that are not spent, 10 are her own.
    expect(
      market.places(alice, { side: 'buy', size: '0.02', price: '50000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['10', '4850']);
  });

  test('[ISO-15] a loan taken by hand is not paid back by the end of an order', () => {
    market.borrow(alice, '1000');
    const order = market.rests(alice, {
      side: 'buy',
      size: '0.04',
      price: '60000',
      loanType: 'autoLoan',
    });
    expect(market.owes(alice)).toBe('1400');
    market.cancels(alice, order);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['2000', '1000']);
  });

  test('[ISO-31] what is paid back for an open order is not paid back again by its end', () => {
    const order = market.rests(alice, {
      side: 'buy',
      size: '0.1',
      price: '50000',
      loanType: 'autoLoan',
    });
    market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: '4000' as DecimalText });
    market.transfer(alice, 'in', '4000');
    expect([market.owes(alice), market.repay(alice, '4000'), market.owes(alice)]).toEqual([
      '4000',
      'accepted',
      '0',
    ]);
    expect(market.borrow(alice, '3000')).toBe('accepted');
    market.cancels(alice, order);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['8000', '3000']);
  });

  test('[ISO-31] loans taken by hand are paid back first, then those of open orders, the oldest first', () => {
    market.borrow(alice, '500');
    const first = market.rests(alice, {
      side: 'buy',
      size: '0.05',
      price: '50000',
      loanType: 'autoLoan',
    });
    const second = market.rests(alice, {
      side: 'buy',
      size: '0.04',
      price: '50000',
      loanType: 'autoLoan',
    });
    // 1000 of her own and 500 taken by hand are in the first, which borrowed 1000; the second
    // borrowed all of its 2000.
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 4500 locked', '3500']);
    market.transfer(alice, 'in', '800');
    expect([market.repay(alice, '800'), market.owes(alice)]).toEqual(['accepted', '2700']);
    market.cancels(alice, second);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 2500 locked', '700']);
    market.borrow(alice, '100');
    market.cancels(alice, first);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['1900', '100']);
  });

  test('[ISO-31] so it is with what a fill brings in and pays back', () => {
    goLong(market, alice, bob);
    market.transfer(alice, 'in', '100');
    const order = market.rests(alice, {
      side: 'buy',
      size: '0.01',
      price: '50000',
      loanType: 'autoLoan',
    });
    expect(market.owes(alice)).toBe('8400');
    market.places(bob, { side: 'buy', size: '1', price: '60000' });
    expect(
      market.places(alice, {
        side: 'sell',
        size: '0.14985',
        price: '60000',
        loanType: 'autoRepay',
      }),
    ).toBe('accepted');
    // 8991 less a thousandth repay all of it.
    expect([market.pair(alice), market.owes(alice)]).toEqual(['582.009 + 500 locked', '0']);
    market.borrow(alice, '50');
    market.cancels(alice, order);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['1132.009', '50']);
  });

  test('[ISO-16] no fill takes a pair to where it would be liquidated: the order is refused instead', () => {
    market.borrow(alice, '9000');
    market.places(bob, { side: 'sell', size: '1', price: '64000' });
    // For 9600 she would get 0.14985, worth 8991, beside 400: 9000 of 9391 is more than 95 %.
    expect(
      market.places(alice, { side: 'buy', size: '0.15', price: '64000', loanType: 'normal' }),
    ).toBe('insufficientMargin');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['10000', '9000']);
    // For 6400 she gets 0.0999, worth 5994, beside 3600: 9000 of 9594 is less.
    expect(
      market.places(alice, { side: 'buy', size: '0.1', price: '64000', loanType: 'normal' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['3600', '0.0999']);
  });

  test('[ISO-16] a resting order is held to it when it is met', () => {
    market.borrow(alice, '9000');
    market.places(alice, { side: 'buy', size: '0.15', price: '60000', loanType: 'normal' });
    // Assets of 10000 in quote coin do not fall with the index, but what she would buy does.
    market.index('BTC', '56000');
    market.places(bob, { side: 'sell', size: '0.15', price: '60000' });
    expect(market.ends(alice)).toEqual(['moneyGone']);
    expect(market.pair(alice)).toBe('10000');
  });

  // 0.02 bitcoin at 28,465 and 10,800 that are owed: at 11,368.4211 it is lost, and each side of a
  // trade with itself costs 0.5693.
  test.each([
    ['0.2', 'insufficientMargin', []],
    ['0.3', 'accepted', ['normal sell 0.02 at 28465', 'normal buy 0.02 at 28465']],
  ])(
    '[ISO-158][ORD-83] a pair that trades with itself pays for both sides, with %s more in it',
    (more, answer, fills) => {
      const carol = market.joins({ USDT: '1', BTC: '0.02' });
      market.transfer(carol, 'in', '0.02', 'BTC');
      expect([market.borrow(carol, '10800'), market.transfer(carol, 'in', more)]).toEqual([
        'accepted',
        'accepted',
      ]);
      market.index('BTC', '28465');
      expect(
        market.places(carol, { side: 'buy', size: '0.02', price: '28465', loanType: 'normal' }),
      ).toBe('accepted');
      expect(
        market.places(carol, { side: 'sell', size: '0.02', price: '28465', loanType: 'normal' }),
      ).toBe(answer);
      expect([market.fills(carol), market.emitted('isolatedLiquidationBegun')]).toEqual([
        fills,
        [],
      ]);
    },
  );

  // 4,000 and 0.0999 bitcoin at 54,807 are 9,475.2193, of which 9,000 are owed: at 9,473.6842 it is
  // lost. 0.02 bought costs 1.09614, of which one half is her own order in the pair, which costs
  // 0.54807 more, and the other her order beside it.
  test.each([
    ['0.1', ['fokNotFull']],
    ['0.2', ['filled', 'filled', 'filled']],
  ])(
    '[ISO-158][ORD-83] also where it trades with the account beside it, with %s more in it',
    (more, ends) => {
      market.borrow(alice, '9000');
      market.places(bob, { side: 'sell', size: '0.1', price: '60000' });
      market.places(alice, { side: 'buy', size: '0.1', price: '60000', loanType: 'normal' });
      market.accepted({ type: 'deposit', uid: alice, coin: 'BTC', size: '0.01' as never });
      market.transfer(alice, 'in', more);
      market.index('BTC', '54807');
      const order = { size: '0.01', price: '54807' } as const;
      market.places(alice, { ...order, side: 'sell', loanType: 'normal' });
      market.places(alice, { ...order, side: 'sell' });
      market.places(alice, {
        ...order,
        side: 'buy',
        size: '0.02',
        loanType: 'normal',
        timeInForce: 'fok',
      });
      expect(market.ends(alice)).toEqual(ends);
    },
  );

  test('[ISO-16] a pair that owes trades nothing while its coins are too far apart in price for an index', () => {
    market.index('ETH', '3000');
    const friend = market.joins({ ETH: '10' });
    market.transfer(bob, 'in', '0.1', 'BTC', 'ETHBTC');
    market.borrow(bob, '0.5', 'BTC', 'ETHBTC');
    const order = { symbol: 'ETHBTC', size: '10', price: '0.06' } as const;
    const status = (input: 'halted' | 'normal') =>
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'SPOT',
        symbol: 'ETHBTC',
        status: input,
      });
    status('halted');
    market.rests(bob, { ...order, side: 'buy', loanType: 'normal' });
    market.rests(friend, { ...order, side: 'sell' });
    market.index('ETH', '0.000001');
    status('normal');
    market.checkMoney();
    expect([market.pair(bob, 'ETH', 'ETHBTC'), market.owes(bob, 'BTC', 'ETHBTC')]).toEqual([
      '0',
      '0.5',
    ]);
  });

  test('[ISO-28] the money of a pair backs nothing outside of it, and an order of a pair needs nothing outside', () => {
    expect(market.places(alice, { side: 'buy', size: '0.02', price: '60000' })).toBe(
      'insufficientBalance',
    );
    expect(market.transfer(alice, 'out', '1000')).toBe('accepted');
    expect(market.places(alice, { side: 'buy', size: '0.02', price: '60000' })).toBe('accepted');
    expect(
      market.places(alice, { side: 'buy', size: '0.01', price: '60000', loanType: 'autoLoan' }),
    ).toBe('loanTooLarge');
  });
});

test('[ISO-23][ISO-31] an order that holds more of a loan than is owed is found by the audit', () => {
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '50000',
    loanType: 'autoLoan',
  });
  const { hold } = market.state.orders.get(order)! as unknown as { hold: { borrowed: bigint } };
  hold.borrowed += 1n;
  expect(market.engine.audit().violations).toEqual([
    `orders of user ${alice} in BTCUSDT hold more borrowed USDT than is owed`,
  ]);
  hold.borrowed -= 1n;
  market.checkMoney();
});

test('[ISO-23] a pair out of balance with the ledger, its orders or the pool is found by the audit', () => {
  goLong(market, alice, bob);
  const wallet = market.state.isolatedPairs.get(alice)!.get('BTCUSDT')!.get('BTC')!;
  const debt = market.state.isolatedDebts.get('BTCUSDT')!.get(alice)!.get('USDT')!;
  wallet.isolated = (wallet.isolated + 1n) as never;
  debt.principal = (debt.principal - 1n) as never;
  const found = market.engine.audit().violations.join('\n');
  expect(found).toContain(
    `isolated of user ${alice} in BTC differs by -0.0000000001 from its pairs`,
  );
  expect(found).toContain('loans of USDT differ by -0.0000000001 from what the pool has lent');
  wallet.isolated = (wallet.isolated - 1n) as never;
  debt.principal = (debt.principal + 1n) as never;
  market.checkMoney();
});
