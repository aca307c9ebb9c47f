/** Client ids of orders: repeated requests, ids that are used again, and how long they count. */
import { describe, expect, test } from 'vitest';
import { MARKET } from './orders.test-support.ts';
import { scenario } from './scenario.ts';

describe('client ids', () => {
  test('[ORD-13] a repeated order gets the first answer and places nothing, in any state of the order', () => {
    const world = scenario(`${MARKET} maker sells 0.1 BTCUSDT at 61000 as x | rests`);
    const first = world.last!.outcome;
    scenario('maker sells 0.1 BTCUSDT at 61000 as x | nothing', world);
    expect(world.last!.outcome).toEqual(first);
    scenario('maker cancels x | order x of maker is cancelled byUser', world);
    scenario('maker sells 0.10 BTCUSDT at 61000.0 as x | nothing', world);
    expect(world.last!.outcome).toEqual(first);
    scenario('status BTCUSDT off', world);
    scenario('maker sells 0.1 BTCUSDT at 61000 as x | nothing', world);
    expect(world.last!.outcome).toEqual(first);
  });

  test('[ORD-13] a repeated order that replaced others is answered without its order id', () => {
    const world = scenario(`${MARKET}
      alice  deposits  10000 USDT
      maker  sells     1 BTCUSDT at 60000
      alice  buys      1 BTCUSDT at 60000
      alice  sells     1 BTCUSDT at 61000 reduce-only as one
      alice  sells     1 BTCUSDT at 62000 reduce-only as two
        | no order id, order one of alice is cancelled reduceOnlyReplaced
    `);
    const first = world.last!.outcome;
    scenario(
      'alice sells 1 BTCUSDT at 62000 reduce-only as two | nothing, no order id, order two of alice is new',
      world,
    );
    expect(world.last!.outcome).toEqual(first);
  });

  test.each([
    ['another price', 'maker sells 0.1 BTCUSDT at 61000.1 as x'],
    ['another size', 'maker sells 0.2 BTCUSDT at 61000 as x'],
    ['another side', 'maker buys 0.1 BTCUSDT at 61000 as x'],
    ['another symbol', 'maker sells 0.1 ETHUSDT at 61000 as x'],
    ['another category', 'maker sells 0.1 SPOT:BTCUSDT at 61000 as x'],
    ['another time in force', 'maker sells 0.1 BTCUSDT at 61000 ioc as x'],
    ['reduce-only', 'maker sells 0.1 BTCUSDT at 61000 reduce-only as x'],
  ])('[ORD-14] %s under the same client id is refused', (_, line) => {
    scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 61000 as x
      ${line}   | refused duplicateClientOid at clientOid
    `);
  });

  test('[ORD-15] the six hours follow the exchange clock, and each user has separate ids', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  0.1 BTCUSDT at 61000 as x
      alice  buys   0.1 BTCUSDT at 59000 as x            | rests
      clock  advances  5h 59m 59s
      maker  sells  0.2 BTCUSDT at 61000 as x            | refused duplicateClientOid
      clock  advances  1s
      maker  sells  0.2 BTCUSDT at 61000 as x            | rests
      maker  cancels x                                   | order x of maker is cancelled byUser
      maker  cancels x
    `);
  });

  test('[ORD-85] an id that was used again names the newest open order, also after six hours', () => {
    const world = scenario(`${MARKET}
      index  ETH    3000
      alice  deposits  100000 USDT
      alice  buys   0.1 BTCUSDT at 59000 as x            | rests
      alice  buys   0.1 BTCUSDT at 58000 as y            | rests
      clock  advances  6h
      alice  buys   0.2 ETHUSDT at 2900 as x             | rests
      clock  advances  6h
    `);
    const uid = world.uid('alice');
    const cancel = () =>
      world.submit({ type: 'cancelOrders', uid, orders: [{ clientOid: 'x' as never }] });
    const ended = [cancel(), cancel()].map(
      ({ events }) => events.find((event) => event.type === 'orderEnded')!.end.orderId,
    );
    expect(ended.map((id) => world.orders.of(id).order.symbol)).toEqual(['ETHUSDT', 'BTCUSDT']);
    expect(cancel().outcome).toMatchObject({ value: [{ refusal: { reason: 'unknownOrder' } }] });
    scenario('alice cancels y | order y of alice is cancelled byUser', world);
  });

  test('[ORD-15] a restart keeps all of them', () => {
    const world = scenario(`${MARKET} maker sells 0.1 BTCUSDT at 61000 as x | rests`);
    const first = world.last!.outcome;
    world.engine.restore(world.engine.serialize());
    scenario('maker sells 0.1 BTCUSDT at 61000 as x | nothing', world);
    expect(world.last!.outcome).toEqual(first);
  });

  test('[ORD-15] they expire in generations, when all of one are old', () => {
    const world = scenario(`${MARKET}
      maker  sells  0.1 BTCUSDT at 61000 as a
      clock  advances  1h
      maker  sells  0.1 BTCUSDT at 61000 as b
      clock  advances  1h
      maker  sells  0.1 BTCUSDT at 61000 as c
      clock  advances  4h
      maker  sells  0.2 BTCUSDT at 61000 as a   | rests
      maker  sells  0.2 BTCUSDT at 61000 as b   | refused duplicateClientOid
      clock  advances  3h
      maker  sells  0.2 BTCUSDT at 61000 as d
    `);
    expect(world.engine.state.clientOids.map(({ names }) => names)).toEqual([['a'], ['d']]);
  });
});
