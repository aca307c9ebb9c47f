/** States of an order: filled, cancelled, or waiting in a halted symbol. */
import { describe, expect, test } from 'vitest';
import { MARKET } from './order-matching.test-support.ts';
import { scenario } from './scenario.ts';

describe('states of an order', () => {
  test('[ORD-54] are new, partly filled, filled; or cancelled at any time before', () => {
    scenario(`${MARKET}
      alice  buys   1 BTCUSDT at 60000 as x      | rests, order x of alice is new
      maker  sells  0.4 BTCUSDT at 60000         | order x of alice is partiallyFilled
      maker  sells  0.6 BTCUSDT at 60000         | order x of alice is filled
      alice  cancels x                           | refused unknownOrder
      alice  buys   1 BTCUSDT at 60000 as y
      alice  cancels y                           | order y of alice is cancelled byUser
      alice  cancels y                           | refused unknownOrder
    `);
  });

  test('[ORD-55] in a halted symbol orders wait; when it resumes they are matched in order of arrival', () => {
    scenario(`${MARKET}
      maker  sells  1 BTCUSDT at 60000 as before
      status BTCUSDT halted
      alice  buys   0.7 BTCUSDT at 60000 as a             | waits
      bob    deposits  100000 USDT
      bob    buys   0.7 BTCUSDT at market as b            | waits
      maker  sells  0.2 BTCUSDT at 60000 ioc as c         | waits
      maker  sells  0.1 BTCUSDT at 59000 post-only as d   | waits
      alice  buys   0.1 BTCUSDT at 60000 as gone          | waits
      alice  cancels gone                                 | order gone of alice is cancelled byUser
      status BTCUSDT normal                               | order a of alice is filled
                                                          | order b of bob filled 0.3
                                                          | order b of bob is cancelled iocNotFull
                                                          | order c of maker is cancelled iocNotFull
                                                          | order d of maker is new
    `);
  });

  test('[ORD-55] a waiting market order trades within the band at the time of resumption', () => {
    scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 85000
      status BTCUSDT halted
      alice  buys   0.1 BTCUSDT at market as a   | waits
      pin    BTCUSDT 50000
      status BTCUSDT normal                      | order a of alice is cancelled slippage
    `);
  });

  test('[ORD-56] a cancelled order keeps its fills', () => {
    scenario(`${MARKET}
      alice  buys   1 BTCUSDT at 60000 as x
      maker  sells  0.4 BTCUSDT at 60000
      alice  cancels x                           | order x of alice is cancelled byUser
                                                 | order x of alice filled 0.4
                                                 | alice is long 0.4 BTCUSDT at 60000
    `);
  });

  test("[ORD-59] an unknown order, an ended one and another user's get the same answer", () => {
    const world = scenario(`${MARKET}
      alice  buys   1 BTCUSDT at 59000 as x
      bob    cancels x                           | refused unknownOrder
      alice  cancels never                       | refused unknownOrder
    `);
    const { orderId } = world.orders.named(world.uid('alice'), 'x').order;
    const refused = { ok: true, value: [{ ok: false, refusal: { reason: 'unknownOrder' } }] };
    expect(
      world.submit({ type: 'cancelOrders', uid: world.uid('bob'), orders: [{ orderId }] }).outcome,
    ).toEqual(refused);
    expect(
      world.submit({
        type: 'cancelOrders',
        uid: world.uid('alice'),
        orders: [{ orderId: 1 as never }],
      }).outcome,
    ).toEqual(refused);
    // The id wins over the client id.
    expect(
      world.submit({
        type: 'cancelOrders',
        uid: world.uid('alice'),
        orders: [{ orderId: 1 as never, clientOid: 'x' as never }],
      }).outcome,
    ).toEqual(refused);
    expect(
      world.submit({
        type: 'cancelOrders',
        uid: world.uid('alice'),
        orders: [{ orderId, clientOid: 'no' as never }],
      }).outcome,
    ).toMatchObject({
      value: [{ ok: true, value: { orderId, clientOid: 'x' } }],
    });
  });

  test('[ORD-60] each order of a list gets its own answer; a category or symbol is cancelled at once', () => {
    const world = scenario(`${MARKET}
      index  ETH    3000
      alice  buys   0.1 BTCUSDT at 59000 as a
      alice  buys   0.1 ETHUSDT at 2900 as b
      alice  buys   0.1 SPOT:BTCUSDT at 59000 as c
      alice  buys   0.1 BTCUSDT at 59000 as d
    `);
    const uid = world.uid('alice');
    const { outcome } = world.submit({
      type: 'cancelOrders',
      uid,
      orders: [{ clientOid: 'a' as never }, {}, { clientOid: 'a' as never }],
    });
    expect(outcome).toMatchObject({
      value: [
        { ok: true, value: { clientOid: 'a' } },
        { refusal: { reason: 'orderIdNeeded' } },
        { refusal: { reason: 'unknownOrder' } },
      ],
    });
    scenario(
      `
      alice  cancels all ETHUSDT           | order b of alice is cancelled byUser
                                           | order d of alice is new
      alice  buys   0.1 ETHUSDT at 2900 as e
      alice  cancels all USDT-FUTURES      | order d of alice is cancelled byUser
                                           | order e of alice is cancelled byUser
                                           | order c of alice is new
      alice  cancels all USDT-FUTURES      | nothing
      alice  cancels all SPOT              | order c of alice is cancelled byUser
                                           | alice has 100000 USDT
    `,
      world,
    );
  });
});
