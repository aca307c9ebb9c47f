/** Orders of isolated spot margin, with their loans and repayments. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { goLong, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;

let alice: Uid;

let bob: Uid;

beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

describe('orders', () => {
  test('[ISO-07][ISO-10] a normal order spends only what the pair has', () => {
    expect(
      market.places(alice, { side: 'buy', size: '0.016667', price: '60000', loanType: 'normal' }),
    ).toBe('pairBalanceInsufficient');
    expect(
      market.places(alice, { side: 'buy', size: '0.016666', price: '60000', loanType: 'normal' }),
    ).toBe('accepted');
    expect(market.pair(alice)).toBe('0.04 + 999.96 locked');
    expect(market.available(alice)).toBe('1000');
    // A seller in the spot book is the counterparty: both trade in one book.
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

  test('[ISO-10] a repaying order repays with its proceeds', () => {
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

  test('[ISO-10] an order that neither borrows nor repays leaves the loan unchanged', () => {
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

  test('[ISO-14][ISO-15] an order borrows at placing what its pair lacks, up to the leverage', () => {
    // 10000 = 1000 own and 9000 borrowed: 0.166666 at 60000 is 9999.96; one lot more is beyond.
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

  test("[ISO-15] money left by a better price repays the order's loan, and no more than that", () => {
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
    // 1000 are held and 10 borrowed; of the unspent 20, 10 are own money.
    expect(
      market.places(alice, { side: 'buy', size: '0.02', price: '50000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['10', '4850']);
  });

  test('[ISO-15] the end of an order does not repay a loan taken by hand', () => {
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

  test('[ISO-31] what was repaid for an open order is not repaid again by its end', () => {
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

  test('[ISO-31] loans taken by hand are repaid first, then those of open orders, oldest first', () => {
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
    // 1000 own and 500 borrowed by hand are in the first, which borrowed 1000; the second borrowed
    // all of its 2000.
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 4500 locked', '3500']);
    market.transfer(alice, 'in', '800');
    expect([market.repay(alice, '800'), market.owes(alice)]).toEqual(['accepted', '2700']);
    market.cancels(alice, second);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 2500 locked', '700']);
    market.borrow(alice, '100');
    market.cancels(alice, first);
    expect([market.pair(alice), market.owes(alice)]).toEqual(['1900', '100']);
  });

  test('[ISO-31] the proceeds of a fill repay in the same order', () => {
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

  test('[ISO-16] a fill that would lead to liquidation refuses the order instead', () => {
    market.borrow(alice, '9000');
    market.places(bob, { side: 'sell', size: '1', price: '64000' });
    // For 9600 the pair would get 0.14985, worth 8991, beside 400: 9000 of 9391 is more than 95 %.
    expect(
      market.places(alice, { side: 'buy', size: '0.15', price: '64000', loanType: 'normal' }),
    ).toBe('insufficientMargin');
    expect([market.pair(alice), market.owes(alice)]).toEqual(['10000', '9000']);
    // For 6400 it gets 0.0999, worth 5994, beside 3600: 9000 of 9594 is less.
    expect(
      market.places(alice, { side: 'buy', size: '0.1', price: '64000', loanType: 'normal' }),
    ).toBe('accepted');
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['3600', '0.0999']);
  });

  test('[ISO-16] a resting order is checked again when it is met', () => {
    market.borrow(alice, '9000');
    market.places(alice, { side: 'buy', size: '0.15', price: '60000', loanType: 'normal' });
    // Assets of 10000 in quote coin do not fall with the index, but the coins to be bought do.
    market.index('BTC', '56000');
    market.places(bob, { side: 'sell', size: '0.15', price: '60000' });
    expect(market.ends(alice)).toEqual(['moneyGone']);
    expect(market.pair(alice)).toBe('10000');
  });

  // 0.02 bitcoin at 28,465, and a debt of 10,800: liquidation is at 11,368.4211, and each side of a
  // self-trade costs 0.5693.
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

  // 4,000 and 0.0999 bitcoin at 54,807 are 9,475.2193, with a debt of 9,000: liquidation is at
  // 9,473.6842. 0.02 bought cost 1.09614. One half meets the pair's own order, which costs 0.54807
  // more; the other meets the account's order.
  test.each([
    ['0.1', ['fokNotFull']],
    ['0.2', ['filled', 'filled', 'filled']],
  ])(
    "[ISO-158][ORD-83] also if it meets the account's own order beside it, with %s more in it",
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

  test('[ISO-16] a pair in debt trades nothing while its price is too extreme for an index', () => {
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

  test('[ISO-28] money of a pair backs nothing outside, and an order of a pair needs nothing outside', () => {
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
