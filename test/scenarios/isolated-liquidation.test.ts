/** Liquidation of pairs of isolated spot margin. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import {
  goLong,
  goShort,
  type IsolatedMarket,
  pairOfAlice,
} from './isolated-market.test-support.ts';

let market: IsolatedMarket;

let alice: Uid;

let bob: Uid;

beforeEach(() => {
  ({ market, alice, bob } = pairOfAlice());
});

/** All money outside the pair, for comparison. */
const outside = (): string[] => ['USDT', 'BTC'].map((coin) => market.available(alice, coin));

describe('liquidation', () => {
  test('[ISO-11][ISO-17] a long pair is liquidated when its debts reach 95 % of its assets', () => {
    goLong(market, alice, bob);
    // 8000 = 0.95 × 0.14985 × 56196.547….
    market.index('BTC', '56196.55');
    expect(market.emitted('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '56196.54');
    expect(market.emitted('isolatedLiquidationBegun')).toMatchObject([
      { uid: alice, symbol: 'BTCUSDT', debts: 80_000_000_000_000n },
    ]);
  });

  test('[ISO-19][ISO-164] its coins are sold in the book until the debt is repaid, and the rest stays', () => {
    goLong(market, alice, bob);
    market.places(bob, { side: 'buy', size: '1', price: '56000' });
    const before = outside();
    market.index('BTC', '56196.54');
    // 8000 / (56000 × 0.999) = 0.14300015, in lots 0.143001: 8008.056 less 8.008056 less 8000.
    expect(market.fills(alice)).toEqual(['liquidation sell 0.143001 at 56000']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0.047944',
      '0.006849',
      '0',
    ]);
    expect([market.house('insurance'), market.house('borrowPool')]).toEqual(['0', '0']);
    expect(outside()).toEqual(before);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-19] its coins may go to several bids, and only orders of the pair end', () => {
    goLong(market, alice, bob);
    market.places(alice, { side: 'buy', size: '0.01', price: '40000' });
    market.places(alice, { side: 'sell', size: '0.1', price: '70000', loanType: 'normal' });
    market.places(bob, { side: 'buy', size: '0.1', price: '57000' });
    market.places(bob, { side: 'buy', size: '1', price: '56000' });
    market.index('BTC', '56196.54');
    // 0.1 × 57000 × 0.999 = 5694.3; the other 2305.7 are 0.0412145 at 56000 × 0.999, in lots
    // 0.041215: 2308.04 less 2.30804.
    expect(market.fills(alice)).toEqual([
      'liquidation sell 0.1 at 57000',
      'liquidation sell 0.041215 at 56000',
    ]);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0.03196',
      '0.008635',
      '0',
    ]);
    expect(market.ends(alice)).toEqual(['liquidation', 'filled']);
    expect(market.wallet(alice).locked).toBe(4_000_000_000_000n);
  });

  // A bitcoin at 30 million, above the largest price of the book, which is 2^31 ticks of a cent.
  test('[ISO-20] if no price in the book would repay, the fund takes the pair over', () => {
    market.index('BTC', '30000000');
    expect(market.transfer(bob, 'in', '1', 'BTC')).toBe('accepted');
    expect(market.borrow(bob, '27000000')).toBe('accepted');
    expect(market.transfer(bob, 'out', '27000000')).toBe('accepted');
    market.index('BTC', '28421052.64');
    expect(market.owes(bob)).toBe('27000000');
    market.index('BTC', '28421052.63');
    expect([market.owes(bob), market.pair(bob, 'BTC'), market.fills(bob)]).toEqual(['0', '0', []]);
    // 95 % of the bitcoin are worth less than 27 million.
    expect([market.house('insurance', 'BTC'), market.house('clearing')]).toEqual([
      '1',
      '-27000000',
    ]);
    market.checkReplay();
  });

  test('[ISO-163] more than the largest order, 2147.483647 bitcoin, is bought back by two orders', () => {
    const carol = market.joins({ USDT: '150000000' });
    expect(market.transfer(carol, 'in', '150000000')).toBe('accepted');
    expect([
      market.borrow(carol, '2200', 'BTC'),
      market.transfer(carol, 'out', '2200', 'BTC'),
    ]).toEqual(['accepted', 'accepted']);
    market.accepted({ type: 'deposit', uid: bob, coin: 'BTC', size: '3000' as DecimalText });
    for (const size of ['1000', '1000', '999'])
      market.places(bob, { side: 'sell', size, price: '65000' });
    // 2200 × 64773 is 95 % of 150 million. One order cannot buy 2200 / 0.999: it repays 2147.483647
    // × 0.999 = 2145.336163353.
    market.index('BTC', '64773');
    // The other 54.663836647 / 0.999 are 54.718556 in lots, of which 54.663837444 come in.
    expect(market.fills(carol).map((fill) => fill.replace('liquidation buy ', ''))).toEqual([
      '1000 at 65000',
      '1000 at 65000',
      '147.483647 at 65000',
      '54.718556 at 65000',
    ]);
    expect([market.pair(carol), market.pair(carol, 'BTC'), market.owes(carol, 'BTC')]).toEqual([
      '6856856.805',
      '0.000000797',
      '0',
    ]);
  });

  test('[ISO-20] quote coin below one lot at any price goes to the fund', () => {
    expect(market.transfer(bob, 'in', '1', 'BTC')).toBe('accepted');
    expect(market.transfer(bob, 'in', '0.0001')).toBe('accepted');
    expect(market.borrow(bob, '0.9', 'BTC')).toBe('accepted');
    expect(market.transfer(bob, 'out', '0.9', 'BTC')).toBe('accepted');
    const listed = market.state.coins.get('BTC')!;
    market.accepted({
      type: 'listCoin',
      coin: { ...listed, hourlyInterestRate: '0.2' as DecimalText },
    });
    market.passes(HOUR);
    // 0.9 + 0.18 are owed: the bitcoin repays itself, and 0.0001 are less than a cent for each of
    // 0.08.
    expect([
      market.pair(bob),
      market.pair(bob, 'BTC'),
      market.owes(bob, 'BTC'),
      market.fills(bob),
    ]).toEqual(['0', '0', '0', []]);
    expect([market.house('insurance'), market.house('clearing', 'BTC')]).toEqual([
      '0.0001',
      '-0.08',
    ]);
  });

  test('[ISO-19] a short pair buys back what it owes', () => {
    goShort(market, alice, bob);
    market.places(bob, { side: 'sell', size: '1', price: '63500' });
    // 0.15 × 63276.34 = 9491.451 is 95 % of 9991 (9491.45) or more.
    market.index('BTC', '63276.33');
    expect(market.emitted('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '63276.34');
    // 0.15 / 0.999 = 0.15015015, in lots 0.150151, for 9534.5885; a thousandth of it is the fee.
    expect(market.fills(alice)).toEqual(['liquidation buy 0.150151 at 63500']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice, 'BTC')]).toEqual([
      '456.4115',
      '0.000000849',
      '0',
    ]);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-163] its order takes what the book has, and there is no order for the rest', () => {
    goShort(market, alice, bob);
    market.places(bob, { side: 'sell', size: '0.05', price: '63500' });
    market.index('BTC', '63276.34');
    expect(market.fills(alice)).toEqual(['liquidation buy 0.05 at 63500']);
    expect(
      market.emitted('orderAccepted').map(({ order }) => moneyText(order.size as never)),
    ).toEqual(['0.05']);
    expect(market.emitted('orderEnded').map(({ end }) => end.status)).toEqual(['filled', 'filled']);
    // 9991 − 3175, of which the fund takes 0.10005 × 63276.34 × 1.05 = 6647.33770785 for the rest
    // of the debt.
    expect([market.pair(alice), market.owes(alice, 'BTC')]).toEqual(['168.66229215', '0']);
    market.checkMoney();
  });

  test('[ISO-20] what the book does not take goes to the insurance fund at a twentieth from the index', () => {
    // At three times leverage a pair is liquidated at five sixths.
    const listed = DEFAULT_INSTRUMENTS.find(
      ({ category, symbol }) => category === 'MARGIN' && symbol === 'BTCUSDT',
    )!;
    market.accepted({
      type: 'listInstrument',
      instrument: { ...listed, leverageMax: '3' as DecimalText },
    });
    market.transfer(alice, 'in', '1000');
    market.places(bob, { side: 'sell', size: '0.09', price: '60000' });
    expect(
      market.places(alice, { side: 'buy', size: '0.09', price: '60000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    expect([market.pair(alice, 'BTC'), market.owes(alice)]).toEqual(['0.08991', '3400']);
    // 3400 = 5/6 × 0.08991 × 45378.71…. A bid more than a twentieth below is not taken.
    market.places(bob, { side: 'buy', size: '1', price: '43000' });
    market.index('BTC', '45378.72');
    expect(market.emitted('isolatedLiquidationBegun')).toEqual([]);
    market.index('BTC', '45378');
    expect(market.fills(alice)).toEqual([]);
    // 3400 / (45378 × 0.95) = 0.0788696587 goes, and the rest of 0.08991 stays.
    const taken = 788_696_587n;
    expect(market.house('insurance', 'BTC')).toBe(moneyText(taken as never));
    expect([market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      moneyText((899_100_000n - taken) as never),
      '0',
    ]);
    market.checkMoney();
  });

  test('[ISO-19][ISO-20] the fund takes over a pair that cannot repay, instead of a sale below the debt', () => {
    goLong(market, alice, bob);
    const before = outside();
    market.places(bob, { side: 'buy', size: '1', price: '40000' });
    market.index('BTC', '40000');
    expect(market.fills(alice)).toEqual([]);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '0',
      '0',
      '0',
    ]);
    // The fund has no USDT for the 8000: clearing owes them, and the fund gets the coins.
    expect([
      market.house('insurance', 'BTC'),
      market.house('insurance'),
      market.house('clearing'),
    ]).toEqual(['0.14985', '0', '-8000']);
    expect(outside()).toEqual(before);
    market.checkMoney();
    market.checkReplay();
  });

  test('[ISO-20] the fund takes over a short pair that cannot repay', () => {
    goShort(market, alice, bob);
    market.index('BTC', '80000');
    expect([market.pair(alice), market.owes(alice, 'BTC')]).toEqual(['0', '0']);
    expect([market.house('insurance'), market.house('clearing', 'BTC')]).toEqual(['9991', '-0.15']);
  });

  test('[ISO-18] orders are cancelled first; if that is enough, nothing else happens', () => {
    // An order of 900 own money and 5100 borrowed rests; 100 own and 900 borrowed by hand are in
    // bitcoin.
    market.places(bob, { side: 'sell', size: '0.016', price: '60000' });
    market.borrow(alice, '860');
    market.places(alice, { side: 'buy', size: '0.016', price: '60000', loanType: 'normal' });
    expect([market.pair(alice), market.pair(alice, 'BTC')]).toEqual(['900', '0.015984']);
    market.places(alice, { side: 'buy', size: '0.12', price: '50000', loanType: 'autoLoan' });
    expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 6000 locked', '5960']);
    // 5960 of 6000 + 0.015984 × 16000 = 6255.7 is 95.3 %; without the order 860 of 900 + 255.7 is
    // 74 %.
    market.index('BTC', '16000');
    expect(market.emitted('isolatedLiquidationBegun').length).toBe(1);
    expect(market.ends(alice)).toEqual(['liquidation']);
    expect([market.pair(alice), market.pair(alice, 'BTC'), market.owes(alice)]).toEqual([
      '900',
      '0.015984',
      '860',
    ]);
  });

  test('[ISO-160] another pair of the same user is not liquidated', () => {
    market.index('ETH', '3000');
    market.transfer(alice, 'in', '1000', 'USDT', 'ETHUSDT');
    expect(market.borrow(alice, '9000', 'USDT', 'ETHUSDT')).toBe('accepted');
    goLong(market, alice, bob);
    market.index('BTC', '40000');
    expect(market.owes(alice)).toBe('0');
    expect([market.pair(alice, 'USDT', 'ETHUSDT'), market.owes(alice, 'USDT', 'ETHUSDT')]).toEqual([
      '10000',
      '9000',
    ]);
  });

  test('[ISO-28] liquidating the account does not touch its pairs', () => {
    const carol = market.joins({ USDT: '1000' });
    market.transfer(carol, 'in', '500');
    market.places(carol, { side: 'buy', size: '0.001', price: '50000', loanType: 'normal' });
    market.order(bob, 'sell', '0.08', 'BTCUSDT', '60000');
    expect(market.order(carol, 'buy', '0.08', 'BTCUSDT', '60000')).toBe('accepted');
    market.order(bob, 'buy', '1', 'BTCUSDT', '52000');
    market.index('BTC', '53000');
    expect(market.emitted('liquidationBegun').map(({ uid }) => uid)).toContain(carol);
    expect(market.pair(carol)).toBe('450 + 50 locked');
  });

  test('[ISO-21] a loan of a coin with rate zero costs nothing', () => {
    goLong(market, alice, bob);
    const listed = market.state.coins.get('USDT')!;
    const costs = (rate: string) =>
      market.accepted({
        type: 'listCoin',
        coin: { ...listed, hourlyInterestRate: rate as DecimalText },
      });
    costs('0');
    market.passes(HOUR);
    expect([market.owes(alice), market.emitted('isolatedDebtChanged')]).toEqual(['8000', []]);
    // The lowest positive rate: 8000 × 0.0000000001.
    costs('0.0000000001');
    market.passes(HOUR);
    expect(market.owes(alice)).toBe('8000 + 0.0000008');
  });

  test('[ISO-12][ISO-14] a pair of a symbol without lending gives nothing out until it has repaid', () => {
    market.borrow(alice, '100');
    const listed = DEFAULT_INSTRUMENTS.find(
      ({ category, symbol }) => category === 'MARGIN' && symbol === 'BTCUSDT',
    )!;
    market.accepted({
      type: 'listInstrument',
      instrument: { ...listed, leverageMax: '1' as DecimalText },
    });
    expect([
      market.borrow(alice, '0.0000000001'),
      market.transfer(alice, 'out', '0.0000000001'),
    ]).toEqual(['loanTooLarge', 'transferTooLarge']);
    expect([
      market.owes(alice),
      market.repay(alice, '100'),
      market.transfer(alice, 'out', '1000'),
    ]).toEqual(['100', 'accepted', 'accepted']);
  });

  test('[ISO-21][ISO-17] interest alone can liquidate a pair', () => {
    goLong(market, alice, bob);
    market.index('BTC', '56196.55');
    market.passes(HOUR);
    expect(market.emitted('isolatedLiquidationBegun').length).toBe(1);
    expect(market.owes(alice)).toBe('0');
  });
});
