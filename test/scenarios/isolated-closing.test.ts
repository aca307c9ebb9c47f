/** Prices and sizes at which liquidation closes a pair in the book. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
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

/** The pair allows three times from here on. */
function lowered(name: string): void {
  const listed = DEFAULT_INSTRUMENTS.find(
    ({ category, symbol }) => category === 'MARGIN' && symbol === name,
  )!;
  market.accepted({
    type: 'listInstrument',
    instrument: { ...listed, leverageMax: '3' as DecimalText },
  });
}

describe('liquidation of a pair', () => {
  // 0.1 × 56,000 less a thousandth are 5,594.4; 95 % of 0.1 × 58,888 is 5,594.36.
  test('[ISO-19] sells all it has if that just repays, also to several bids', () => {
    market.index('BTC', '63000');
    const carol = market.joins({ BTC: '0.1' });
    for (const input of [
      market.transfer(carol, 'in', '0.1', 'BTC'),
      market.borrow(carol, '5594.4'),
      market.transfer(carol, 'out', '5594.4'),
    ])
      expect(input).toBe('accepted');
    for (const size of ['0.05', '0.1']) market.places(bob, { side: 'buy', size, price: '56000' });
    market.index('BTC', '58888');
    expect(market.fills(carol)).toEqual([
      'liquidation sell 0.05 at 56000',
      'liquidation sell 0.05 at 56000',
    ]);
    expect([market.pair(carol), market.pair(carol, 'BTC'), market.owes(carol)]).toEqual([
      '0',
      '0',
      '0',
    ]);
    expect([market.house('insurance'), market.house('insurance', 'BTC')]).toEqual(['0', '0']);
    market.checkMoney();
  });

  // A twentieth below 56,196.5 is 53,386.675. All of the coins repay at 8,000 / 0.14985 / 0.999 =
  // 53,440.1602….
  test.each([
    ['53440.17', ['liquidation sell 0.14985 at 53440.17']],
    ['53440.16', []],
  ])('[ISO-19] sells at %s only if all of its coins repay at that price', (bid, fills) => {
    goLong(market, alice, bob);
    market.places(bob, { side: 'buy', size: '1', price: bid });
    market.index('BTC', '56196.5');
    expect(market.fills(alice)).toEqual(fills);
  });

  // At three times 0.08991 with 3,400 owed are liquidated at 45,378.71, a twentieth below which is
  // 43,109.7745: 3,400 / 43,109.78 / 0.999 = 0.0789473….
  test.each([
    ['43109.78', ['liquidation sell 0.078948 at 43109.78']],
    ['43109.77', []],
  ])('[ISO-19] sells at %s, at most a twentieth from the index', (bid, fills) => {
    lowered('BTCUSDT');
    market.transfer(alice, 'in', '1000');
    market.places(bob, { side: 'sell', size: '0.09', price: '60000' });
    expect(
      market.places(alice, { side: 'buy', size: '0.09', price: '60000', loanType: 'autoLoan' }),
    ).toBe('accepted');
    market.places(bob, { side: 'buy', size: '1', price: bid });
    market.index('BTC', '45378.71');
    expect([market.fills(alice), market.owes(alice)]).toEqual([fills, '0']);
  });

  // A twentieth above 63,276.34 is 66,440.157, and 9,991 pay for 0.150151 at up to 66,539.68.
  test.each([
    ['66440.15', ['liquidation buy 0.150151 at 66440.15']],
    ['66440.16', []],
  ])('[ISO-19] buys at %s, at most a twentieth from the index', (ask, fills) => {
    goShort(market, alice, bob);
    market.places(bob, { side: 'sell', size: '1', price: ask });
    market.index('BTC', '63276.34');
    expect(market.fills(alice)).toEqual(fills);
    expect(market.owes(alice, 'BTC')).toBe('0');
  });

  test.each([
    ['66539.68', ['liquidation buy 0.150151 at 66539.68']],
    ['66539.69', []],
  ])('[ISO-19] buys at %s only if all of its money repays at that price', (ask, fills) => {
    goShort(market, alice, bob);
    market.places(bob, { side: 'sell', size: '1', price: ask });
    market.index('BTC', '64000');
    expect(market.fills(alice)).toEqual(fills);
    expect(market.owes(alice, 'BTC')).toBe('0');
  });

  // 8,000 of 0.14985 × 60,000 = 8,991 are 88.9 %: at ten times that is less than 95 %, and at three
  // more than 5/6.
  test('[ISO-17] starts at once if its symbol is listed with less leverage; other symbols have no effect', () => {
    goLong(market, alice, bob);
    lowered('ETHUSDT');
    expect([market.emitted('isolatedLiquidationBegun'), market.owes(alice)]).toEqual([[], '8000']);
    lowered('BTCUSDT');
    expect([market.emitted('isolatedLiquidationBegun').length, market.owes(alice)]).toEqual([
      1,
      '0',
    ]);
    market.checkMoney();
  });
});

// 4,500 are borrowed by hand and 500 for an order of 6,000. Half of it fills at 58,000: the 100
// left over repay, and 400 remain to be repaid at its end.
test('[ISO-15][ISO-31] an order that repaid a part of its loan repays the rest at its end', () => {
  market.borrow(alice, '4500');
  market.places(bob, { side: 'sell', size: '0.05', price: '58000' });
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '60000',
    loanType: 'autoLoan',
  });
  expect([market.pair(alice), market.owes(alice)]).toEqual(['0 + 3000 locked', '4900']);
  market.cancels(alice, order);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['2600', '4500']);
});

// 8,000 for an hour cost 0.01. An order without a loan leaves debts unchanged at its end.
test('[ISO-15] an order without a loan pays no interest', () => {
  market.borrow(alice, '8000');
  const order = market.rests(alice, {
    side: 'buy',
    size: '0.1',
    price: '50000',
    loanType: 'autoLoan',
  });
  market.passes(3_600_000);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['4000 + 5000 locked', '8000 + 0.01']);
  market.cancels(alice, order);
  expect([market.pair(alice), market.owes(alice)]).toEqual(['9000', '8000 + 0.01']);
});
