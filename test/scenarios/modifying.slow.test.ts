/** Modifications of open orders: price, size, queue position and holds. */
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { pairOfAlice } from './isolated-market.test-support.ts';
import { MARKET } from './modifying.test-support.ts';
import { scenario } from './scenario.ts';

describe('modifying an order', () => {
  test('[ORD-91] changes price and size and keeps id and client id', () => {
    const world = scenario(`${MARKET}
      alice  buys      0.1 BTCUSDT at 50000 as one
      alice  modifies  one to 0.2 at 51000   | 1 orderModified, order one of alice asks 0.2 at 51000
                                             | best of BTCUSDT is 51000 and none
      alice  modifies  one at 52000          | order one of alice asks 0.2 at 52000
      alice  modifies  one to 0.3            | order one of alice asks 0.3 at 52000
      maker  sells     0.3 BTCUSDT at 52000  | filled, trades 0.3 at 52000
                                             | order one of alice is filled
    `);
    expect(world.engine.state.orders.size).toBe(0);
  });

  test('[ORD-191][ORD-192] is refused without a change, and for an unknown order', () => {
    scenario(`${MARKET}
      alice  buys      0.1 BTCUSDT at 50000 as one
      alice  modifies  one to 0.10 at 50000.0   | refused orderUnchanged
      alice  modifies  one                      | refused orderUnchanged
      alice  modifies  two at 50001             | refused unknownOrder
      bob    modifies  one at 50001             | refused unknownOrder
      alice  cancels   one
      alice  modifies  one at 50001             | refused unknownOrder
    `);
  });

  test('[ORD-192] gives the whole size, which must be above the filled size', () => {
    scenario(`${MARKET}
      alice  buys      0.3 BTCUSDT at 50000 as one
      maker  sells     0.1 BTCUSDT at 50000
      alice  modifies  one to 0.1                | refused sizeTooSmall
      alice  modifies  one to 0.1 at 50001       | refused sizeTooSmall
      alice  modifies  one to 0.1001             | order one of alice asks 0.1001 at 50000
      alice  modifies  one to 0.2 at 50001       | order one of alice asks 0.2 at 50001
                                                 | order one of alice is partiallyFilled
      maker  sells     0.2 BTCUSDT at 50001      | filled 0.1, order one of alice is filled
                                                 | alice is long 0.2 BTCUSDT at 50000.5
    `);
  });

  test('[ORD-191] is refused for a waiting market order', () => {
    scenario(`${MARKET}
      status BTCUSDT   halted
      alice  buys      0.1 BTCUSDT at market as waits   | waits
      alice  modifies  waits to 0.2                     | refused orderNotModifiable
    `);
  });

  test('[ORD-90][ORD-191] works for a spot order and not on isolated margin', () => {
    const { market, alice } = pairOfAlice();
    const [ofPair, ofSpot] = [
      market.rests(alice, { side: 'buy', size: '0.01', price: '50000', loanType: 'normal' }),
      market.rests(alice, { side: 'buy', size: '0.01', price: '50000' }),
    ];
    const modify = (orderId: Id) =>
      market.says({
        type: 'modifyOrder',
        uid: alice,
        orderId,
        price: '50001' as DecimalText,
        replace: false,
        autoCancel: false,
      });
    expect([modify(ofPair), modify(ofSpot)]).toEqual(['orderNotModifiable', 'accepted']);
    expect([market.pair(alice), market.available(alice)]).toEqual(['500 + 500 locked', '499.99']);
  });

  test('[ORD-90] follows the rules of placing; the first broken rule is the answer', () => {
    scenario(`${MARKET}
      alice  buys      0.1 BTCUSDT at 50000 as one
      alice  modifies  one to 0.00005 at 50000.05   | refused priceOffStep
      alice  modifies  one to 0.00005               | refused sizeOffStep
      alice  modifies  one to 0                     | refused sizeTooSmall
      alice  modifies  one to 100000                | refused sizeTooLarge
      alice  modifies  one at 29999.9               | refused priceTooLow
      alice  modifies  one at 30000
      alice  modifies  one at 90000.1               | refused priceTooHigh
      alice  modifies  one to 200                   | refused insufficientMargin
      status BTCUSDT   cancel-only
      alice  modifies  one at 50001                 | refused symbolClosed
      alice  modifies  one to 0.05                  | order one of alice asks 0.05 at 30000
    `);
  });
});

describe('the queue position of a modified order', () => {
  test('[ORD-94] stays if the order gets smaller at its price', () => {
    scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as first
      bob    buys      1 BTCUSDT at 50000 as second
      alice  modifies  first to 0.4
      maker  sells     0.5 BTCUSDT at 50000   | trades 0.4 at 50000 and 0.1 at 50000
                                              | order first of alice is filled
                                              | order second of bob is partiallyFilled
    `);
  });

  test('[ORD-196] goes to the end if it gets larger, or to another price and back', () => {
    scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as first
      bob    buys      1 BTCUSDT at 50000 as second
      alice  modifies  first to 1.1
      maker  sells     1 BTCUSDT at 50000     | order second of bob is filled
                                              | order first of alice is new
      bob    buys      1 BTCUSDT at 50000 as third
      alice  modifies  first at 50001
      alice  modifies  first at 50000
      maker  sells     1 BTCUSDT at 50000     | order third of bob is filled
                                              | order first of alice is new
    `);
  });

  test('[ORD-94] is the same after a restart', () => {
    const world = scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as first
      bob    buys      1 BTCUSDT at 50000 as second
      alice  modifies  first to 1.1
    `);
    const other = createEngine();
    other.restore(world.engine.serialize());
    expect(other.audit().violations).toEqual([]);
  });

  test('[ORD-196] a new price trades at once, and a post-only order that would trade is cancelled', () => {
    scenario(`${MARKET}
      maker  sells     0.4 BTCUSDT at 60001
      alice  buys      1 BTCUSDT at 50000 as one
      alice  modifies  one at 60001          | trades 0.4 at 60001
                                             | order one of alice is partiallyFilled
                                             | best of BTCUSDT is 60001 and none
      maker  sells     0.4 BTCUSDT at 60002
      bob    buys      1 BTCUSDT at 50000 post-only as shy
      bob    modifies  shy at 60001.9        | no trade, order shy of bob is new
      bob    modifies  shy at 60002          | no trade
                                             | order shy of bob is cancelled postOnlyWouldTake
    `);
  });

  test('[ORD-197][ORD-198] in a halted book an order can only shrink; a waiting one keeps its place', () => {
    scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as rests
      status BTCUSDT   halted
      alice  modifies  rests at 50001        | refused symbolClosed
      alice  modifies  rests to 1.5          | refused symbolClosed
      alice  modifies  rests to 0.5          | order rests of alice asks 0.5 at 50000
      alice  buys      1 BTCUSDT at 50001 as waits   | waits
      maker  sells     1 BTCUSDT at 50500 as later   | waits
      alice  modifies  waits to 2 at 50500   | order waits of alice is live
      status BTCUSDT   normal                | order waits of alice is partiallyFilled
                                             | order later of maker is filled
    `);
  });
});

describe('the hold of a modified order', () => {
  test('[ORD-92] is exactly what the order needs now', () => {
    scenario(`${MARKET}
      alice  buys      1 SPOT:BTCUSDT at 50000 as one    | alice has 50000 USDT free
                                                         | alice has 50000 USDT locked
      alice  modifies  one at 40000                      | alice has 60000 USDT free
                                                         | alice has 40000 USDT locked
      alice  modifies  one to 2.5                        | alice has 0 USDT free
                                                         | alice has 100000 USDT locked
      alice  modifies  one to 0.5                        | alice has 80000 USDT free
                                                         | alice has 20000 USDT locked
      maker  sells     0.2 SPOT:BTCUSDT at 40000         | alice has 12000 USDT locked
      alice  modifies  one to 0.4 at 50000               | alice has 10000 USDT locked
                                                         | alice has 82000 USDT free
      alice  cancels   one                               | alice has 92000 USDT free
                                                         | alice has 0 USDT locked
    `);
  });

  test('[ORD-92] may use all free money; one step more is refused and changes nothing', () => {
    scenario(`${MARKET}
      alice  buys      1 SPOT:BTCUSDT at 50000 as one
      alice  modifies  one to 2                          | alice has 0 USDT free
      alice  modifies  one to 1 at 50000
      alice  modifies  one to 2.0001                     | refused insufficientBalance
      alice  modifies  one to 2 at 50000.1               | refused insufficientBalance
                                                         | order one of alice asks 1 at 50000
    `);
  });

  test('[ORD-92] of a crossed order is its margin at its leverage, with its fee', () => {
    // 1 × 60,000 / 10 + 0.06% of 60,000.
    scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as one        | alice has equity 100000 and needs 5030
      alice  modifies  one to 2 at 60000                | alice has equity 100000 and needs 12072
      alice  modifies  one to 1                         | alice has equity 100000 and needs 6036
      alice  modifies  one to 16.56                     | alice has equity 100000 and needs 99956.16
      alice  modifies  one to 16.57                     | refused insufficientMargin
    `);
  });

  test('[ORD-195] of a sell below mark: the tier is checked again if it opens more at mark', () => {
    // At 125 times a position may be worth 50,000: 0.5 × 90,000 and 1.5 × 30,000 are as much, and
    // 1.5 × 60,000 is too much.
    scenario(`${MARKET}
      alice  sets leverage 125 on BTCUSDT
      maker  buys      2 BTCUSDT at 60000
      alice  sells     0.5 BTCUSDT at 90000 as one
      alice  modifies  one to 1.5 at 30000               | refused insufficientMargin
                                                         | order one of alice asks 0.5 at 90000
      alice  modifies  one to 0.8334 at 30000            | refused insufficientMargin
      alice  modifies  one to 0.8333 at 30000            | trades 0.8333 at 60000
                                                         | order one of alice is filled
    `);
  });

  test('[ORD-194] on margin needs no money if the hold and the account get no worse', () => {
    // 10,000 / 3 and a fee of 10, at 49,000 9,800 / 3 and 9.8. The position has lost 2,000 by then,
    // and needs 5,800.
    scenario(`${MARKET}
      carol  deposits  10000 USDT
      carol  buys      0.2 MARGIN:BTCUSDT at 50000 as one
        | carol has equity 10000 and needs 3343.3333333334
      maker  sells     1 BTCUSDT at 60000
      carol  buys      1 BTCUSDT at 60000
      index  BTC       58000
        | carol has equity 7964 and needs 9143.3333333334
      carol  modifies  one at 49000
        | carol has equity 7964 and needs 9076.4666666667
      carol  modifies  one at 49500                       | refused insufficientMargin
                                                          | order one of carol asks 0.2 at 49000
    `);
  });

  /**
   * A sell of 0.1 at 60,000 brings 5,994 of 6,000. 0.1 owed at 64,000 are 6,400 and need a third of
   * that: 2,539.33… are missing. The same are missing with 0.09 at 57,175.694…, which bring
   * 5,140.66… of 7,680. It holds 6,000 / 3 and a fee, as 0.096 at 62,500 do.
   */
  test.for([
    ['0.09 at 57175.69', 'refused insufficientMargin, order one of carol asks 0.1 at 60000'],
    ['0.09 at 57175.7', 'order one of carol asks 0.09 at 57175.7'],
    ['0.096 at 62500', 'order one of carol asks 0.096 at 62500'],
    ['0.096 at 62500.01', 'refused insufficientMargin, order one of carol asks 0.1 at 60000'],
  ] as const)(
    '[ORD-194] a margin order that would borrow becomes %s only if it holds and costs no more',
    ([asked, answer]) => {
      const story = (aside: string, expected: string): string => `
        index  BTC       60000
        index  ETH       3000
        carol  deposits  2006 USDT
        carol  deposits  ${aside}
        carol  sells     0.1 MARGIN:BTCUSDT at 60000 as one | rests
        market on
        clock  advances  9s
        index  BTC       64000
        clock  advances  1s
        carol  modifies  one to ${asked}                    | ${expected}
      `;
      scenario(story('1 USDT', answer));
      // While its ether is stale, an account borrows nothing (ORD-88).
      scenario(story('0.0001 ETH', 'refused priceStale, order one of carol asks 0.1 at 60000'));
    },
  );

  test('[ORD-92] on margin: more coins for the same money may need a loan beyond the free margin', () => {
    // Both hold 27,000 / 3 and a fee of 27; a debt of 0.9 bitcoin needs 54,000 / 3.
    scenario(`${MARKET}
      carol  deposits  10000 USDT
      carol  sells     0.3 MARGIN:BTCUSDT at 90000 as one | carol has equity 10000 and needs 9027
      carol  modifies  one to 0.9 at 30000                | refused insufficientMargin
                                                          | order one of carol asks 0.3 at 90000
    `);
  });

  test('[ORD-92] is zero for the reducing part and covers the opening part', () => {
    scenario(`${MARKET}
      maker  sells     1 BTCUSDT at 60000
      alice  buys      1 BTCUSDT at 60000
      alice  sells     1 BTCUSDT at 61000 as out         | alice has equity 99964 and needs 6000
      alice  modifies  out to 2 at 62000                 | alice has equity 99964 and needs 12237.2
      alice  modifies  out to 1.5 at 62000               | alice has equity 99964 and needs 9118.6
      alice  modifies  out to 1 at 62000                 | alice has equity 99964 and needs 6000
      alice  modifies  out to 2 at 61000                 | alice has equity 99964 and needs 12136.6
      alice  modifies  out to 1 at 61500                 | alice has equity 99964 and needs 6000
    `);
  });
});

test('[ORD-89][ORD-97] a price whose first fill could not be afforded is refused, and the order stays', () => {
  // Ten times isolated: at 55,300 the mark of 50,000 leaves less margin than the maintenance.
  scenario(`
    index  BTC       50000
    alice  deposits  10000 USDT
    maker  deposits  1000000 USDT
    maker  sells     1 BTCUSDT at 55300
    alice  buys      1 BTCUSDT at 50000 isolated as one   | alice has 5030 USDT locked
    alice  modifies  one at 55300                         | refused insufficientMargin
                                                          | order one of alice asks 1 at 50000
                                                          | alice has 5030 USDT locked
    maker  sells     1 BTCUSDT at 55299.9
    alice  modifies  one at 55299.9                       | trades 1 at 55299.9
                                                          | order one of alice is filled
  `);
});

describe('modified closing orders', () => {
  test('[ORD-93] reduce-only orders together fit the position: a modified one is cut to the rest', () => {
    scenario(`${MARKET}
      maker  sells     1 BTCUSDT at 60000
      alice  buys      1 BTCUSDT at 60000
      alice  sells     0.4 BTCUSDT at 61000 reduce-only as first
      alice  sells     0.3 BTCUSDT at 62000 reduce-only as second
      alice  modifies  first to 0.9          | order first of alice asks 0.9 at 61000
                                             | order second of alice is new
      maker  buys      0.9 BTCUSDT at 61000  | trades 0.7 at 61000
                                             | order first of alice is cancelled nothingToReduce
                                             | order second of alice is new
      maker  cancels   all BTCUSDT
      maker  buys      0.3 BTCUSDT at 62000  | trades 0.3 at 62000, order second of alice is filled
                                             | alice is flat in BTCUSDT
    `);
  });

  test('[ORD-93] in hedge mode a close may grow to its own size plus what is available', () => {
    scenario(`${MARKET}
      alice  trades    hedged
      maker  sells     1 BTCUSDT at 60000
      alice  opens     long 1 BTCUSDT at 60000
      alice  closes    long 0.4 BTCUSDT at 61000 as first
      alice  closes    long 0.3 BTCUSDT at 62000 as second
        | alice has 0.7 locked in long BTCUSDT
      alice  modifies  first to 0.7001                       | refused closeTooLarge
      alice  modifies  first to 0.7                          | alice has 1 locked in long BTCUSDT
      alice  modifies  first to 0.2
        | alice has 0.5 locked in long BTCUSDT
      alice  modifies  first to 0.6 at 61500 as third
        | alice has 0.9 locked in long BTCUSDT, order first of alice is cancelled modified
    `);
  });
});

test('[ORD-98] a modification counts as an order of the day; making an order smaller does not', () => {
  scenario(`${MARKET}
    daily  orders warn 2 restrict 3
    alice  buys      1 BTCUSDT at 50000 as one
    alice  modifies  one at 50001               | 1 dailyOrdersReached
    alice  modifies  one to 0.9                 | 0 dailyOrdersReached
    alice  modifies  one at 50002               | 1 dailyOrdersReached
    alice  modifies  one at 50003               | refused dailyOrdersReached
    alice  modifies  one to 0.8                 | order one of alice asks 0.8 at 50002
    alice  cancels   one
  `);
});
