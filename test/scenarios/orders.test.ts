/** Placing orders, in one-way and in hedge mode. */
import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { OrderDraft } from '../../src/messages/orders.ts';
import { MARKET } from './orders.test-support.ts';
import { refusalOf } from './phrases.ts';
import { scenario, type World } from './scenario.ts';
import { emittedBy } from './trading-expectations.ts';

const limit: OrderDraft = {
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  size: '1' as DecimalText,
  price: '50000' as DecimalText,
  timeInForce: 'gtc',
  reduceOnly: false,
};

/** Places orders of a user in one call; returns the answer of each item. */
function batch(
  world: World,
  name: string,
  orders: readonly OrderDraft[],
  category: 'SPOT' | 'USDT-FUTURES' = 'USDT-FUTURES',
): string[] {
  world.last = world.submit({ type: 'placeOrders', uid: world.uid(name), category, orders });
  const items = (world.last.outcome as { value: { ok: boolean; refusal?: { reason: string } }[] })
    .value;
  return items.map((item) => item.refusal?.reason ?? 'accepted');
}

describe('placing', () => {
  test('[ORD-04] each order of a batch sees the effects of the one before; a refused one has none', () => {
    const world = scenario(`${MARKET} alice deposits 6100 USDT`);
    const off = { ...limit, price: '50000.05' as DecimalText };
    // 5,000 + 30 each: the first leaves 1,070, the second does not fit, the third of a tenth does.
    const answers = batch(world, 'alice', [
      limit,
      off,
      limit,
      { ...limit, size: '0.2' as DecimalText },
    ]);
    expect(answers).toEqual(['accepted', 'priceOffStep', 'insufficientMargin', 'accepted']);
    scenario('alice deposits 1 USDT | alice has equity 6101 and needs 6036', world);
  });

  test('[ORD-04] the first of a batch may close what the second needs', () => {
    const world = scenario(`${MARKET}
      alice  deposits  7000 USDT
      maker  sells     1 BTCUSDT at 60000
      alice  buys      1 BTCUSDT at market   | filled
      maker  buys      2 BTCUSDT at 60000
    `);
    const close: OrderDraft = { ...limit, side: 'sell', orderType: 'market', reduceOnly: true };
    expect(batch(world, 'alice', [{ ...limit, price: '60000' as DecimalText }])).toEqual([
      'insufficientMargin',
    ]);
    expect(batch(world, 'alice', [close, { ...limit, price: '60000' as DecimalText }])).toEqual([
      'accepted',
      'accepted',
    ]);
  });

  test('[ORD-07] a market order has no price and a limit order must have one', () => {
    const world = scenario(`${MARKET}
      alice  deposits  10000 USDT
      maker  sells     1 BTCUSDT at 60000
      alice  buys      0.1 BTCUSDT at market   | filled
    `);
    const { price: _left, ...without } = limit;
    expect(batch(world, 'alice', [without])).toEqual(['fieldMissing']);
    expect(refusalOf(world.last!)).toEqual({ reason: 'fieldMissing', field: 'price' });
    expect(
      batch(world, 'alice', [
        { ...without, orderType: 'market', size: '0.1' as DecimalText, price: '1' as DecimalText },
      ]),
    ).toEqual(['accepted']);
  });

  test('[ORD-08] gtc rests, the others do not wait', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      alice  buys  0.1 BTCUSDT at 59000            | rests
      alice  buys  0.1 BTCUSDT at 59000 post-only  | rests
      alice  buys  0.1 BTCUSDT at 59000 ioc        | cancelled iocNotFull
      alice  buys  0.1 BTCUSDT at 59000 fok        | cancelled fokNotFull
    `);
  });

  test('[ORD-09] sizes are in base coin; a market buy of coins is in quote coin', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells   1 SPOT:BTCUSDT at 60000
      maker  sells   1 BTCUSDT at 60000
      alice  spends  30000 on SPOT:BTCUSDT       | filled, trades 0.5 at 60000
                                                 | alice has 70000 USDT free
      alice  buys    0.5 BTCUSDT at market       | filled, trades 0.5 at 60000
      maker  buys    1 SPOT:BTCUSDT at 59000
      alice  sells   0.1 SPOT:BTCUSDT at market  | filled, trades 0.1 at 59000
    `);
  });

  test('[ORD-10] the mode of self-trade prevention is the order’s own, or the account’s', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      alice  sells     0.1 BTCUSDT at 60000 as a
      alice  buys      0.1 BTCUSDT at 60000          | filled, order a of alice is filled
      alice  prevents self-trade by taker
      alice  sells     0.1 BTCUSDT at 60000 as b
      alice  buys      0.1 BTCUSDT at 60000          | cancelled selfTrade, order b of alice is new
      alice  buys      0.1 BTCUSDT at 60000 stp none | filled, order b of alice is filled
    `);
  });

  test('[ORD-12] an order without a client id is given one that names it', () => {
    const world = scenario(`${MARKET} maker sells 0.1 BTCUSDT at 61000 | rests`);
    const { order } = emittedBy(world, 'orderAccepted')[0]!;
    expect(order.clientOid).toMatch(/^1\d{18}$/);
    scenario(
      `maker cancels ${order.clientOid} | order ${order.clientOid} of maker is cancelled byUser`,
      world,
    );
  });

  test('[ORD-12] a client id that the account used before we generate it keeps its meaning', () => {
    const world = scenario(MARKET);
    const next = `1${world.engine.state.nextId.toString().padStart(18, '0')}`;
    const taken = `1${(world.engine.state.nextId + 1).toString().padStart(18, '0')}`;
    scenario(`maker sells 0.1 BTCUSDT at 61000 as ${taken}`, world);
    expect(emittedBy(world, 'orderAccepted')[0]!.order.orderId).toBe(
      Number.parseInt(next.slice(1), 10),
    );
    scenario('maker sells 0.1 BTCUSDT at 61000', world);
    expect(emittedBy(world, 'orderAccepted')[0]!.order.clientOid).toBe(`${taken}_`);
  });
});

describe('one-way and hedge', () => {
  test('[ORD-16] in hedge mode side and position side say what happens', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  deposits  100000 USDT
      maker  sells  2 BTCUSDT at 60000
      maker  buys   2 BTCUSDT at 59900
      alice  buys   1 BTCUSDT at market long    | alice is long 1 BTCUSDT at 60000
      alice  sells  1 BTCUSDT at market short   | alice is short 1 BTCUSDT at 59900
                                                | alice is long 1 BTCUSDT at 60000
      alice  sells  0.4 BTCUSDT at market long  | alice is long 0.6 BTCUSDT at 60000
                                                | alice realised -40
      alice  buys   0.4 BTCUSDT at market short | alice is short 0.6 BTCUSDT at 59900
                                                | alice realised -40
      alice  buys   1 BTCUSDT at market         | refused positionSideMismatch at positionSide
    `);
  });

  test('[ORD-17] in one-way mode buying adds to a long and takes from a short', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  buys   0.5 BTCUSDT at market               | alice is long 0.5 BTCUSDT at 60000
      alice  buys   0.5 BTCUSDT at market               | alice is long 1 BTCUSDT at 60000
      maker  buys   2 BTCUSDT at 59900
      alice  sells  0.4 BTCUSDT at market reduce-only   | alice is long 0.6 BTCUSDT at 60000
      alice  sells  1 BTCUSDT at market                 | alice is short 0.4 BTCUSDT at 59900
      maker  sells  1 BTCUSDT at 60000
      alice  buys   0.4 BTCUSDT at market reduce-only   | alice is flat in BTCUSDT
    `);
  });

  test('[ORD-18] fields that do not apply are ignored', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  2 BTCUSDT at 60000
      maker  sells  1 SPOT:BTCUSDT at 60000
      alice  buys   1 BTCUSDT at market short                  | alice is long 1 BTCUSDT at 60000
      alice  buys   0.1 SPOT:BTCUSDT at 60000 reduce-only long | filled
      bob    trades hedged
      bob    deposits  100000 USDT
      bob    opens long 1 BTCUSDT at market reduce-only        | bob is long 1 BTCUSDT at 60000
    `);
  });

  test('[ORD-48] an order larger than the opposite position closes it and opens the rest', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000
      maker  buys   3 BTCUSDT at 60100
      alice  sells  2.5 BTCUSDT at market   | filled, trades 2.5 at 60100
                                            | alice is short 1.5 BTCUSDT at 60100
                                            | alice realised 100
    `);
  });

  test('[ORD-49] reduce-only orders never exceed the position: a new one replaces the oldest', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  2 BTCUSDT at 60000
      alice  buys   2 BTCUSDT at 60000
      alice  sells  0.5 BTCUSDT at 61000 reduce-only as a
      alice  sells  0.5 BTCUSDT at 61100 reduce-only as b
      alice  sells  0.5 BTCUSDT at 61200 reduce-only as c
      alice  sells  0.5 BTCUSDT at 61300 reduce-only as d   | rests, order a of alice is new
      alice  sells  0.6 BTCUSDT at 61400 reduce-only as e
        | no order id, order a of alice is cancelled reduceOnlyReplaced
        | order b of alice is cancelled reduceOnlyReplaced, order c of alice is new
    `);
  });

  test('[ORD-50] one as large as the position replaces them all', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  2 BTCUSDT at 60000
      alice  buys   2 BTCUSDT at 60000
      alice  sells  0.5 BTCUSDT at 61000 reduce-only as a
      alice  sells  1 BTCUSDT at 61100 reduce-only as b
      alice  sells  1 BTCUSDT at 61100 as plain
      alice  sells  2 BTCUSDT at 61400 reduce-only as c
        | order a of alice is cancelled reduceOnlyReplaced
        | order b of alice is cancelled reduceOnlyReplaced, order plain of alice is new
    `);
  });

  test('[ORD-51] a larger reduce-only order fills up to the position, and the rest is cancelled', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000
      maker  buys   5 BTCUSDT at 59900 as bid
      alice  sells  3 BTCUSDT at market reduce-only       | filled 1, cancelled nothingToReduce
                                                          | alice is flat in BTCUSDT
                                                          | order bid of maker filled 1
      alice  sells  1 BTCUSDT at market reduce-only       | refused nothingToClose
      alice  buys   1 BTCUSDT at 60000 reduce-only        | refused nothingToClose
    `);
  });

  test('[ORD-49] when the position shrinks, the oldest reduce-only orders end until the rest fits', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  2 BTCUSDT at 60000
      maker  buys   5 BTCUSDT at 59900
      alice  buys   2 BTCUSDT at 60000
      alice  sells  1 BTCUSDT at 61000 reduce-only as a
      alice  sells  0.5 BTCUSDT at 61000 reduce-only as b
      alice  sells  1 BTCUSDT at market              | order a of alice is cancelled nothingToReduce
                                                     | order b of alice is new
      alice  sells  1 BTCUSDT at market              | alice is flat in BTCUSDT
                                                     | order b of alice is cancelled nothingToReduce
    `);
  });

  test('[ORD-49] a maker whose position was just closed is skipped, and the taker goes on', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  buys   1 BTCUSDT at 60000
      alice  sells  0.6 BTCUSDT at 60500 as plain
      alice  sells  1 BTCUSDT at 60600 reduce-only as cut
      maker  sells  1 BTCUSDT at 60700 as last
      bob    deposits  100000 USDT
      bob    buys   1.5 BTCUSDT at 60700   | filled
                                           | trades 0.6 at 60500 and 0.4 at 60600 and 0.5 at 60700
                                           | order cut of alice is cancelled nothingToReduce
    `);
  });

  test('[ORD-52] a market order in hedge mode is cut to what is available', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      maker  buys   5 BTCUSDT at 59900
      alice  opens long 1 BTCUSDT at 60000
      alice  closes long 0.7 BTCUSDT at 61000 as rest     | alice has 0.7 locked in long BTCUSDT
      alice  closes long 0.4 BTCUSDT at 61000             | refused closeTooLarge at size
      alice  closes long 5 BTCUSDT at market              | filled 0.3, filled
                                                          | alice is long 0.7 BTCUSDT at 60000
      alice  closes long 0.1 BTCUSDT at market            | refused nothingToClose
      alice  closes long 0.1 BTCUSDT at 61000             | refused closeTooLarge
      alice  closes short 0.1 BTCUSDT at 61000            | refused nothingToClose
    `);
  });

  test('[ORD-53] a closing order holds its size until it is filled or cancelled', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  opens long 1 BTCUSDT at 60000
      alice  closes long 0.7 BTCUSDT at 61000 as x         | alice has 0.7 locked in long BTCUSDT
      maker  buys   0.2 BTCUSDT at 61000                   | alice has 0.5 locked in long BTCUSDT
                                                           | alice is long 0.8 BTCUSDT at 60000
      alice  closes long 0.1 BTCUSDT at 61000 fok          | cancelled fokNotFull
                                                           | alice has 0.5 locked in long BTCUSDT
      alice  opens short 0.1 BTCUSDT at 60000 as own
      alice  closes long 0.1 BTCUSDT at 61000 post-only as p
      alice  cancels p                                     | alice has 0.5 locked in long BTCUSDT
      alice  cancels x                                     | alice has 0 locked in long BTCUSDT
    `);
  });

  test('[ORD-53] self-trade prevention releases the held size', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 60000
      alice  opens long 1 BTCUSDT at 60000
      alice  opens long 0.3 BTCUSDT at 59000 as bid
      alice  closes long 0.5 BTCUSDT at 59000 stp both | cancelled selfTrade
                                                       | order bid of alice is cancelled selfTrade
                                                       | alice has 0 locked in long BTCUSDT
      alice  opens short 0.3 BTCUSDT at 61000 as ask
      alice  closes long 0.5 BTCUSDT at 61500 as close
      alice  opens long 1 BTCUSDT at 61500 stp maker   | rests
                                                       | order close of alice is cancelled selfTrade
                                                       | alice has 0 locked in long BTCUSDT
    `);
  });
});
