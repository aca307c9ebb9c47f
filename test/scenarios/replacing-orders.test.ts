/** Replacement of an open order by a new one, and cancellation when a modification is refused. */
import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid } from '../../src/kernel/ids.ts';
import { MARKET } from './modifying.test-support.ts';
import { scenario } from './scenario.ts';

describe('a replacing order', () => {
  test('[ORD-95] ends the old order and has its own id and client id', () => {
    scenario(`${MARKET}
      alice  buys      0.1 BTCUSDT at 50000 as one
      alice  modifies  one to 0.2 at 51000 as two   | rests
                                                    | order one of alice is cancelled modified
                                                    | order two of alice asks 0.2 at 51000
      alice  modifies  one to 0.3 at 51000 as three | refused unknownOrder
      alice  cancels   two
    `);
  });

  test('[ORD-199] sent again gets the first answer; other content under its client id is refused', () => {
    const world = scenario(`${MARKET}
      alice  buys      0.1 BTCUSDT at 50000 as one
      alice  modifies  one to 0.2 at 51000 as two
      alice  modifies  one to 0.20 at 51000.0 as two   | nothing
      alice  modifies  one to 0.3 at 51000 as two      | refused duplicateClientOid
      alice  modifies  two to 0.3 at 51000 as one      | refused duplicateClientOid
      alice  buys      0.2 BTCUSDT at 51000 as two     | refused duplicateClientOid
    `);
    const uid = world.uid('alice');
    const [clientOid, newClientOid] = ['one' as ClientOid, 'two' as ClientOid];
    const [size, price] = ['0.2' as DecimalText, '51000' as DecimalText];
    const { outcome } = world.submit({
      type: 'modifyOrder',
      uid,
      clientOid,
      size,
      price,
      replace: true,
      newClientOid,
      autoCancel: false,
    });
    const { orderId } = world.orders.named(uid, 'two').order;
    expect(outcome).toEqual({
      ok: true,
      value: { ok: true, value: { orderId, clientOid: newClientOid } },
    });
  });

  test('[ORD-95][ORD-96] replaces a futures order without fills, or the rest of a spot order', () => {
    scenario(`${MARKET}
      alice  buys      1 BTCUSDT at 50000 as future
      maker  sells     0.1 BTCUSDT at 50000
      alice  modifies  future to 1 at 50001 as other   | refused orderNotModifiable
      alice  cancels   future
      alice  buys      1 SPOT:BTCUSDT at 50000 as coin
      maker  sells     0.1 SPOT:BTCUSDT at 50000
      alice  modifies  coin to 0.5 at 50001 as next    | order coin of alice is cancelled modified
                                                       | order coin of alice filled 0.1
                                                       | order next of alice asks 0.5 at 50001
      alice  cancels   next                            | alice has 0 USDT locked
    `);
  });

  test('[ORD-97] that is refused leaves the old order unchanged', () => {
    scenario(`${MARKET}
      alice  buys      1 SPOT:BTCUSDT at 50000 as one
      alice  modifies  one to 1 at 100001 as two   | refused priceTooHigh
      alice  modifies  one to 2 at 50001 as two    | refused insufficientBalance
                                                   | order one of alice asks 1 at 50000
                                                   | alice has 50000 USDT locked
      alice  modifies  one to 2 at 50000 as two    | alice has 100000 USDT locked
                                                   | alice has 0 USDT free
    `);
  });
});

test('[ORD-200] with autoCancel a refused modification cancels the order and returns the reason', () => {
  scenario(`${MARKET}
    alice  buys      1 BTCUSDT at 50000 as one
    alice  modifies  one at 50001 or cancels     | order one of alice is new
    alice  modifies  one at 29999 or cancels     | answered priceTooLow
                                                 | order one of alice is cancelled byUser
    alice  modifies  one at 50001 or cancels     | refused unknownOrder
  `);
});

test('[ORD-200] a retry does not cancel an order that is already as requested', () => {
  scenario(`${MARKET}
    alice  buys      1 BTCUSDT at 50000 as one
    alice  modifies  one to 0.5 at 50001 or cancels
    alice  modifies  one to 0.5 at 50001 or cancels   | refused orderUnchanged
                                                      | order one of alice is new
  `);
});
