/** What becomes of a pair that owes too much of what it has. */
import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_INSTRUMENTS } from '../../src/app/world/instruments.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { goLong, goShort, type IsolatedMarket, pairOfAlice } from './isolated-market.test-support.ts';

let market: IsolatedMarket;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

/** Everything but the pair, to be compared. */
const outside = (): string[] => ['USDT', 'BTC'].map((coin) => market.available(alice, coin));

describe('liquidation', () => {
  test('[ISO-11][ISO-17] a long pair is liquidated where its debts reach 95 % of its assets, and not before', () => {
    goLong(market, alice, bob);
    // 8000 = 0.95 × 0.14985 × 56196.547….
    market.index('BTC', '56196.55');
    expect(market.told('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '56196.54');
    expect(market.told('isolatedLiquidationBegun')).toMatchObject([{ uid: alice, symbol: 'BTCUSDT', debts: 80_000_000_000_000n }]);
  });

  test('[ISO-19] its coins are sold in the book until the debt is repaid, and the rest stays', () => {
    goLong(market, alice, bob);
    market.places(bob, { side: 'buy', size: '1', price: '56000' });
    const before = outside();
    market.index('BTC', '56196.54');
    // 8000 / (56000 × 0.999) = 0.14300015, in lots 0.143001: 8008.056 less 8.008056 less 8000.
    expect(market.fills(alice)).toEqual(['liquidation sell 0.143001 at 56000']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual(['0.047944', '0.006849', '0']);
    expect([market.house('insurance'), market.house('borrowPool')]).toEqual(['0', '0']);
    expect(outside()).toEqual(before);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-19] a short pair buys back what it owes', () => {
    goShort(market, alice, bob);
    market.places(bob, { side: 'sell', size: '1', price: '63500' });
    // 0.15 × 63276.34 = 9491.451 is 95 % of 9991 (9491.45) or more.
    market.index('BTC', '63276.33');
    expect(market.told('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '63276.34');
    // 0.15 / 0.999 = 0.15015015, in lots 0.150151, for 9534.5885; a thousandth of it is the fee.
    expect(market.fills(alice)).toEqual(['liquidation buy 0.150151 at 63500']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice, 'BTC')]).toEqual(['456.4115', '0.000000849', '0']);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-20] what the book does not take at a twentieth from the index goes to the insurance fund at that', () => {
    // At three times leverage a pair is liquidated at five sixths.
    const listed = DEFAULT_INSTRUMENTS.find(({ category, symbol }) => category === 'MARGIN' && symbol === 'BTCUSDT')!;
    market.accepted({ type: 'listInstrument', instrument: { ...listed, leverageMax: '3' as DecimalText } });
    market.transfer(alice, 'in', '1000');
    market.places(bob, { side: 'sell', size: '0.09', price: '60000' });
    expect(market.places(alice, { side: 'buy', size: '0.09', price: '60000', loanType: 'autoLoan' })).toBe('accepted');
    expect([market.pair(alice, 'BTC'), market.owes(alice)]).toEqual(['0.08991', '3400']);
    // 3400 = 5/6 × 0.08991 × 45378.71…. A bid below a twentieth from it is not taken.
    market.places(bob, { side: 'buy', size: '1', price: '43000' });
    market.index('BTC', '45378.72');
    expect(market.told('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '45378');
    expect(market.fills(alice)).toEqual([]);
    // 3400 / (45378 × 0.95) = 0.0788696587 goes, and 0.08991 less that stays.
    const taken = 788_696_587n;
    expect(market.house('insurance', 'BTC')).toBe(moneyText(taken as never));
    expect([market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([moneyText((899_100_000n - taken) as never), '0']);
    market.checkMoney();
  });

  test('[ISO-19][ISO-20] coins are not given away below what repays the debt: the fund takes a pair over that is worth less', () => {
    goLong(market, alice, bob);
    const before = outside();
    market.places(bob, { side: 'buy', size: '1', price: '40000' });
    market.index('BTC', '40000');
    expect(market.fills(alice)).toEqual([]);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual(['0', '0', '0']);
    // The fund had nothing to pay the 8000 with: clearing owes them, and the fund has the coins.
    expect([market.house('insurance', 'BTC'), market.house('insurance'), market.house('clearing')]).toEqual(['0.14985', '0', '-8000']);
    expect(outside()).toEqual(before);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-20] the fund takes over a short pair that is worth less', () => {
    goShort(market, alice, bob);
    market.index('BTC', '80000');
    expect([market.pair(alice), market.owes(alice, 'BTC')]).toEqual(['0', '0']);
    expect([market.house('insurance'), market.house('clearing', 'BTC')]).toEqual(['9991', '-0.15']);
  });

  test('[ISO-18] orders are cancelled first, and when that is enough nothing else happens', () => {
    // 900 of her own money and 5100 borrowed for the order rest; 100 and 900 borrowed by hand are in bitcoin.
    market.places(bob, { side: 'sell', size: '0.016', price: '60000' });
    market.borrow(alice, '860');
    market.places(alice, { side: 'buy', size: '0.016', price: '60000', loanType: 'normal' });
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['900', '0.015984']);
    market.places(alice, { side: 'buy', size: '0.12', price: '50000', loanType: 'autoLoan' });
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 6000 locked', '5960']);
    // 5960 of 6000 + 0.015984 × 16000 = 6255.7 is 95.3 %; without the order 860 of 900 + 255.7 is 74 %.
    market.index('BTC', '16000');
    expect(market.told('isolatedLiquidationBegun').length).toBe(1);
    expect(market.ends(alice)).toEqual(['liquidation']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual(['900', '0.015984', '860']);
  });

  test('[ISO-11] one pair is liquidated and another of the same user is not', () => {
    market.index('ETH', '3000');
    market.transfer(alice, 'in', '1000', 'USDT', 'ETHUSDT');
    expect(market.borrow(alice, '9000', 'USDT', 'ETHUSDT')).toBe('accepted');
    goLong(market, alice, bob);
    market.index('BTC', '40000');
    expect(market.owes(alice)).toBe('0');
    expect([market.pair(alice, 'USDT', 'ETHUSDT'), market.owes(alice, 'USDT', 'ETHUSDT')]).toEqual(['10000', '9000']);
  });

  test('[ISO-28] liquidating the account leaves its pairs alone', () => {
    const carol = market.joins({ USDT: '1000' });
    market.transfer(carol, 'in', '500');
    market.places(carol, { side: 'buy', size: '0.001', price: '50000', loanType: 'normal' });
    market.order(bob, 'sell', '0.08', 'BTCUSDT', '60000');
    expect(market.order(carol, 'buy', '0.08', 'BTCUSDT', '60000')).toBe('accepted');
    market.order(bob, 'buy', '1', 'BTCUSDT', '52000');
    market.index('BTC', '53000');
    expect(market.told('liquidationBegun').map(({ uid }) => uid)).toContain(carol);
    expect(market.pair(carol)).toBe('450 + 50 locked');
  });

  test.for(['MARGIN', 'SPOT'] as const)('[ISO-22] a pair waits while its symbol is halted, which %s is', (category) => {
    goLong(market, alice, bob);
    market.places(bob, { side: 'buy', size: '1', price: '57500' });
    market.accepted({ type: 'setInstrumentStatus', category, symbol: 'BTCUSDT', status: 'halted' });
    market.index('BTC', '55000');
    expect([market.owes(alice), market.fills(alice)]).toEqual(['8000', []]);
    market.accepted({ type: 'setInstrumentStatus', category, symbol: 'BTCUSDT', status: 'normal' });
    expect([market.owes(alice), market.fills(alice)]).toEqual(['0', ['liquidation sell 0.13927 at 57500']]);
  });

  test('[ISO-22] interest on a stale index liquidates nobody until a price is heard', () => {
    goLong(market, alice, bob);
    market.index('BTC', '56196.55');
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(HOUR);
    expect(market.owes(alice)).toBe('8000 + 0.01');
    market.index('BTC', '56196.55');
    expect(market.owes(alice)).toBe('0');
  });

  test('[ISO-30] while its index is stale a pair borrows nothing and, owing, gives nothing out; it may repay', () => {
    market.borrow(alice, '100');
    market.accepted({ type: 'switchMarket', on: true });
    const order = { side: 'buy', size: '0.1', price: '50000', loanType: 'autoLoan' } as const;
    market.passes(9_999);
    expect([market.borrow(alice, '1'), market.transfer(alice, 'out', '1')]).toEqual(['accepted', 'accepted']);
    market.passes(1);
    expect([market.borrow(alice, '1'), market.places(alice, order), market.transfer(alice, 'out', '1')]).toEqual([
      'symbolClosed',
      'symbolClosed',
      'transferTooLarge',
    ]);
    expect([market.transfer(alice, 'in', '1'), market.repay(alice, '101'), market.owes(alice)]).toEqual(['accepted', 'accepted', '0']);
    expect(market.transfer(alice, 'out', '1')).toBe('accepted');
    market.index('BTC', '60000');
    expect([market.borrow(alice, '1'), market.places(alice, order)]).toEqual(['accepted', 'accepted']);
  });

  test.each([
    ['halted', 'accepted'],
    ['cancelOnly', 'symbolClosed'],
    ['off', 'symbolClosed'],
  ] as const)(
    '[ORD-27][ISO-08] a pair borrows for orders that its symbol will take: %s is %s; paying back is always possible',
    (status, expected) => {
      market.borrow(alice, '500');
      market.accepted({ type: 'setInstrumentStatus', category: 'MARGIN', symbol: 'BTCUSDT', status });
      expect([market.borrow(alice, '100'), market.repay(alice, '500')]).toEqual([expected, 'accepted']);
      expect(market.owes(alice)).toBe(expected === 'accepted' ? '100' : '0');
    },
  );

  test('[ISO-21][ISO-17] interest alone can take a pair there', () => {
    goLong(market, alice, bob);
    market.index('BTC', '56196.55');
    market.passes(HOUR);
    expect(market.told('isolatedLiquidationBegun').length).toBe(1);
    expect(market.owes(alice)).toBe('0');
  });
});
