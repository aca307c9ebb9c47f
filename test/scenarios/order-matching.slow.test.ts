/** Matching, market buys in quote coin, and the book that spot and margin share. */
import { describe, expect, test } from 'vitest';
import { MAKERS_PER_ORDER_MAX } from '../../src/core/trading/orders/open-orders.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { MARKET } from './order-matching.test-support.ts';
import { scenario } from './scenario.ts';
import { emittedBy } from './trading-expectations.ts';

describe('matching', () => {
  test('[ORD-40] the best price first, then the oldest order', () => {
    scenario(`${MARKET}
      maker  sells   1 BTCUSDT at 60002 as late
      maker  sells   1 BTCUSDT at 60001 as first
      maker  sells   1 BTCUSDT at 60001 as second
      alice  buys    1.5 BTCUSDT at 60002    | filled, trades 1 at 60001 and 0.5 at 60001
                                             | order second of maker is partiallyFilled
      alice  buys    1 BTCUSDT at 60002      | trades 0.5 at 60001 and 0.5 at 60002
                                             | order first of maker is filled
    `);
  });

  test('[ORD-41] market and ioc orders never rest: the unfilled part is cancelled', () => {
    scenario(`${MARKET}
      maker  sells  0.5 BTCUSDT at 60001
      alice  buys   1 BTCUSDT at 60001 ioc   | filled 0.5, cancelled iocNotFull
                                             | best of BTCUSDT is none and none
      maker  sells  0.5 BTCUSDT at 60001
      alice  buys   1 BTCUSDT at market      | filled 0.5, cancelled iocNotFull
                                             | best of BTCUSDT is none and none
      maker  sells  0.5 BTCUSDT at 60001
      alice  buys   0.5 BTCUSDT at 60001 ioc | filled
      alice  buys   0.5 BTCUSDT at 60001 ioc | cancelled iocNotFull, no trade
    `);
  });

  test('[ORD-42] a fok order is filled whole or cancelled without a trade', () => {
    scenario(`${MARKET}
      maker  sells  0.5 BTCUSDT at 60001
      maker  sells  0.5 BTCUSDT at 60002
      maker  sells  0.5 BTCUSDT at 60003
      alice  buys   1.0001 BTCUSDT at 60002 fok   | cancelled fokNotFull, no trade
      alice  buys   1 BTCUSDT at 60002 fok        | filled, trades 0.5 at 60001 and 0.5 at 60002
    `);
  });

  test('[ORD-42] own orders count as self-trade prevention will treat them', () => {
    scenario(`${MARKET}
      alice  sells  0.5 BTCUSDT at 60001 as own
      maker  sells  0.5 BTCUSDT at 60002
      alice  buys   0.6 BTCUSDT at 60002 fok stp maker   | cancelled fokNotFull, no trade
                                                         | order own of alice is new
      alice  buys   0.5 BTCUSDT at 60002 fok stp taker   | cancelled fokNotFull, no trade
      alice  buys   0.5 BTCUSDT at 60002 fok stp both    | cancelled fokNotFull, no trade
                                                         | order own of alice is new
      alice  buys   0.5 BTCUSDT at 60002 fok stp maker   | filled, trades 0.5 at 60002
                                                         | order own of alice is cancelled selfTrade
    `);
  });

  test('[ORD-42] a reduce-only maker counts for what it may still reduce', () => {
    scenario(`${MARKET}
      bob    deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      bob    buys   1 BTCUSDT at 60000
      bob    sells  1 BTCUSDT at 60100 as plain
      bob    sells  1 BTCUSDT at 60200 reduce-only as cut
      alice  buys   2 BTCUSDT at 60200 fok   | cancelled fokNotFull, no trade
                                             | order cut of bob is new
      alice  buys   1 BTCUSDT at 60200 fok   | filled, trades 1 at 60100
                                             | order cut of bob is cancelled nothingToReduce
    `);
  });

  test('[ORD-43] a post-only order that would take is cancelled without a trade', () => {
    scenario(`${MARKET}
      maker  sells  1 BTCUSDT at 60001
      alice  buys   1 BTCUSDT at 60001 post-only     | cancelled postOnlyWouldTake, no trade
      alice  buys   1 BTCUSDT at 60000.9 post-only   | rests, best of BTCUSDT is 60000.9 and 60001
      maker  sells  1 BTCUSDT at 60000.9 post-only   | cancelled postOnlyWouldTake
    `);
  });

  test('[ORD-44] a market order stops at the band and the rest is cancelled', () => {
    scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 90000 as edge
      pin    BTCUSDT 50000
      maker  sells  0.1 BTCUSDT at 75000 as near
      alice  buys   1 BTCUSDT at market     | filled 0.1, trades 0.1 at 75000, cancelled slippage
                                            | order edge of maker is new
      pin    BTCUSDT 60000
      alice  buys   0.1 BTCUSDT at market   | filled, trades 0.1 at 90000
    `);
  });

  test('[ORD-45] the taker’s mode decides; a master and its sub-accounts are one owner', () => {
    scenario(`${MARKET}
      sub    joins under alice
      sub    deposits  100000 USDT
      sub    sells  0.1 BTCUSDT at 60000 as a
      alice  buys   0.2 BTCUSDT at 60000 stp taker as t   | cancelled selfTrade, no trade
                                                          | order a of sub is new
      alice  buys   0.2 BTCUSDT at 60000 stp both         | cancelled selfTrade, no trade
                                                          | order a of sub is cancelled selfTrade
      sub    sells  0.1 BTCUSDT at 60000 as b
      maker  sells  0.1 BTCUSDT at 60001
      alice  buys   0.2 BTCUSDT at 60001 stp maker        | filled 0.1, rests
                                                          | order b of sub is cancelled selfTrade
      sub    sells  0.1 BTCUSDT at 60001                  | filled, trades 0.1 at 60001
    `);
  });

  test('[ORD-45] a taker keeps its trades from before it met itself', () => {
    const world = scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 60000
      alice  sells  0.1 BTCUSDT at 60001 as own
      alice  buys   0.3 BTCUSDT at 60002 stp both as taker   | filled 0.1, cancelled selfTrade
                                                             | trades 0.1 at 60000
    `);
    const emitted = world.last!.events.flatMap((event) => {
      if (event.type === 'tradeExecuted') return ['trade'];
      return event.type === 'orderEnded'
        ? [world.orders.of(event.end.orderId).order.clientOid]
        : [];
    });
    expect(emitted.slice(0, 1)).toEqual(['trade']);
    expect(emitted.slice(-2)).toEqual(['own', 'taker']);
  });

  test('[ORD-45] a market order that meets only its own orders', () => {
    scenario(`${MARKET}
      alice  sells  0.1 BTCUSDT at 60000 as a
      alice  buys   0.1 BTCUSDT at market stp taker   | cancelled selfTrade, order a of alice is new
      alice  buys   0.1 BTCUSDT at market stp maker   | cancelled iocNotFull
                                                      | order a of alice is cancelled selfTrade
      alice  sells  0.1 BTCUSDT at 60000 as b
      alice  buys   0.1 BTCUSDT at market             | filled, alice is flat in BTCUSDT
    `);
  });

  test('[ORD-46] a trade happens at the price of the resting order', () => {
    scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 59000
      alice  buys   0.1 BTCUSDT at 61000   | trades 0.1 at 59000
      maker  buys   0.1 BTCUSDT at 61000
      alice  sells  0.1 BTCUSDT at 59000   | trades 0.1 at 61000
    `);
  });

  test('[ORD-47] a trade has two fills, and each pays its own fee', () => {
    const world = scenario(`${MARKET}
      maker  sells  0.5 BTCUSDT at 60000
      alice  buys   0.5 BTCUSDT at market   | alice paid 18 USDT in fees, maker paid 6 USDT in fees
                                            | house fees 24 USDT
    `);
    const [taker, maker] = emittedBy(world, 'fillSettled').map(({ fill }) => fill);
    expect([taker!.role, maker!.role]).toEqual(['taker', 'maker']);
    expect(taker!.tradeId).toBe(maker!.tradeId);
    expect(taker!.fillId).not.toBe(maker!.fillId);
  });

  /** The given number of orders of 0.0001 at 60,000, from as many accounts as needed. */
  function crowdSells(count: number): ReturnType<typeof scenario> {
    const world = scenario(`${MARKET} index ETH 3000`);
    for (let at = 0; at * 400 < count; at++) {
      const name = `maker${'abc'[at]}`;
      scenario(`${name} deposits 100000 USDT`, world);
      const orders = Array.from({ length: Math.min(400, count - 400 * at) }, () => ({
        symbol: 'BTCUSDT',
        side: 'sell' as const,
        orderType: 'limit' as const,
        size: '0.0001' as DecimalText,
        price: '60000' as DecimalText,
        timeInForce: 'gtc' as const,
        reduceOnly: false,
      }));
      world.submit({ type: 'placeOrders', uid: world.uid(name), category: 'USDT-FUTURES', orders });
    }
    return world;
  }

  test('[ORD-73] one order meets at most a thousand makers; the rest is cancelled', () => {
    scenario(
      `
      alice  buys  0.1001 BTCUSDT at 60000 fok   | cancelled fokNotFull, no trade
      alice  buys  0.1001 BTCUSDT at 60000       | filled 0.1, cancelled tooManyTrades
                                                 | best of BTCUSDT is none and 60000
      alice  buys  0.0001 BTCUSDT at 60000       | filled
    `,
      crowdSells(MAKERS_PER_ORDER_MAX + 1),
    );
  });

  // The thousand makers that it meets are at 60,000: 1 needs a tenth of that and a fee of 36.
  // Makers behind them do not count.
  test('[ORD-73] the need of a market order counts no maker beyond them', () => {
    scenario(
      `
      maker  sells     0.9 BTCUSDT at 80000
      bob    deposits  6035.9999999999 USDT
      bob    buys      1 BTCUSDT at market   | refused insufficientMargin
      bob    deposits  0.0000000001 USDT
      bob    buys      1 BTCUSDT at market   | filled 0.1, cancelled tooManyTrades
    `,
      crowdSells(MAKERS_PER_ORDER_MAX),
    );
  });
});

describe('market buys in quote coin', () => {
  test('[ORD-66] money buys whole lots; less than one lot is returned', () => {
    scenario(`${MARKET}
      maker  sells   0.5 SPOT:BTCUSDT at 60000
      maker  sells   0.5 SPOT:BTCUSDT at 60001
      alice  spends  45000.05 on SPOT:BTCUSDT   | filled, filled 0.749996
                                                | trades 0.5 at 60000 and 0.249996 at 60001
                                                | alice has 0 USDT locked
      alice  spends  0.6 on SPOT:BTCUSDT        | filled, filled 0.000009
    `);
  });

  test('[ORD-66] money left at the end of the book is returned with the rest', () => {
    scenario(`${MARKET}
      maker  sells   0.5 SPOT:BTCUSDT at 60000
      alice  spends  60000 on SPOT:BTCUSDT      | filled 0.5, cancelled iocNotFull
                                                | alice has 70000 USDT free
                                                | alice has 0.4995 BTC free
    `);
  });

  test('[ORD-66] self-trade prevention may spend a market buy completely', () => {
    scenario(`${MARKET}
      alice  deposits  1 BTC
      maker  sells   0.5 SPOT:BTCUSDT at 60000
      alice  sells   0.5 SPOT:BTCUSDT at 60000 as own
      alice  spends  30000 on SPOT:BTCUSDT stp maker   | filled, order own of alice is new
      maker  sells   0.5 SPOT:BTCUSDT at 60000
      alice  spends  30000 on SPOT:BTCUSDT stp maker   | filled
                                                       | order own of alice is cancelled selfTrade
    `);
  });
});

describe('spot and margin', () => {
  test('[ORD-20] share one book and its last price', () => {
    scenario(`${MARKET}
      maker  sells  0.1 SPOT:BTCUSDT at 60000
      alice  buys   0.1 MARGIN:BTCUSDT at 60000   | filled, trades 0.1 at 60000
                                                  | last SPOT:BTCUSDT 60000
                                                  | last MARGIN:BTCUSDT 60000
      maker  buys   0.1 MARGIN:BTCUSDT at 59999
      alice  sells  0.05 SPOT:BTCUSDT at market   | filled, trades 0.05 at 59999
    `);
  });

  test('[ORD-20] share a halt: if either is halted, all orders of the book wait', () => {
    scenario(`${MARKET}
      alice  deposits  1 BTC
      maker  sells  0.1 SPOT:BTCUSDT at 60000 as spot
      status MARGIN:BTCUSDT halted
      alice  buys   0.1 SPOT:BTCUSDT at 60000 as a      | waits
      alice  buys   0.1 MARGIN:BTCUSDT at 59000 as b    | waits
      status SPOT:BTCUSDT halted
      status MARGIN:BTCUSDT normal                      | order a of alice is live
                                                        | order b of alice is live
      status SPOT:BTCUSDT normal                        | order a of alice is filled
                                                        | order b of alice is new
      status MARGIN:BTCUSDT halted
      alice  buys   0.1 MARGIN:BTCUSDT at 59000 as c    | waits
      alice  buys   0.1 SPOT:BTCUSDT at 59000 as d      | waits
      status MARGIN:BTCUSDT cancel-only                 | order c of alice is live
                                                        | order d of alice is new
      status MARGIN:BTCUSDT normal                      | order c of alice is new
      status MARGIN:BTCUSDT off                         | order c of alice is cancelled delisted
                                                        | order d of alice is new
    `);
  });

  test('[ORD-20] share time priority, also after a restart', () => {
    const world = scenario(`${MARKET}
      status MARGIN:BTCUSDT halted
      alice  buys   0.1 MARGIN:BTCUSDT at 59000 as late
      alice  buys   0.1 SPOT:BTCUSDT at 59000 as early
      status MARGIN:BTCUSDT cancel-only
      status MARGIN:BTCUSDT normal
    `);
    world.engine.restore(world.engine.serialize());
    scenario(
      'maker sells 0.1 SPOT:BTCUSDT at 59000 | order early of alice is filled, order late of alice is new',
      world,
    );
  });

  test('[ORD-21] a margin order borrows what the wallet lacks when it fills', () => {
    scenario(`
      index  BTC    60000
      maker  deposits  10 BTC
      alice  deposits  30000 USDT
      maker  sells  1 SPOT:BTCUSDT at 60000
      alice  buys   0.5 MARGIN:BTCUSDT at 60000 as a   | filled, alice owes 0 USDT
                                                       | alice has 0.4995 BTC free
      alice  buys   0.25 MARGIN:BTCUSDT at 60000       | filled, alice owes 15000 USDT
                                                       | house borrowPool -15000 USDT
                                                       | alice has 0.74925 BTC free
    `);
  });

  test('[ORD-22][ORD-156] borrows up to the leverage of the coin, and incoming money repays first', () => {
    scenario(`
      index  BTC    60000
      maker  deposits  10 BTC
      maker  deposits  100000 USDT
      alice  deposits  10030 USDT
      maker  sells  0.5 SPOT:BTCUSDT at 60000
      alice  buys   0.500001 MARGIN:BTCUSDT at 60000   | refused insufficientMargin
      alice  buys   0.5 MARGIN:BTCUSDT at 60000        | filled, alice owes 19970 USDT
                                                       | alice has 0 USDT free
      maker  buys   1 SPOT:BTCUSDT at 60000
      alice  sells  0.1 SPOT:BTCUSDT at 60000          | refused insufficientBalance
      alice  sells  0.1 MARGIN:BTCUSDT at 60000        | filled, alice owes 13976 USDT
                                                       | alice has 0 USDT free
      alice  deposits  3976 USDT                       | alice owes 10000 USDT
                                                       | alice has 0 USDT free
      alice  sells  0.3 MARGIN:BTCUSDT at 60000        | filled, alice owes 0 USDT
                                                       | alice has 7982 USDT free
                                                       | house borrowPool 0 USDT
    `);
  });

  test('[ORD-22] selling on margin borrows the coin', () => {
    scenario(`
      index  BTC    60000
      maker  deposits  100000 USDT
      alice  deposits  40000 USDT
      maker  buys   1 SPOT:BTCUSDT at 60000
      alice  sells  1 MARGIN:BTCUSDT at 60000   | filled, alice owes 1 BTC
                                                | alice has 99940 USDT free
    `);
  });
});
