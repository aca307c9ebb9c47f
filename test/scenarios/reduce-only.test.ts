/** Reduce-only orders that a newer one replaces, and those that stay if it fails. */
import { describe, test } from 'vitest';
import { scenario } from './scenario.ts';

const LONG = `
  index  BTC    60000
  maker  deposits  10000000 USDT
  alice  deposits  100000 USDT
  maker  sells  1 BTCUSDT at 60000
  alice  buys   1 BTCUSDT at 60000
  alice  sells  0.4 BTCUSDT at 61000 reduce-only as a
  alice  sells  0.6 BTCUSDT at 61100 reduce-only as b`;

const STAY = 'order a of alice is new, order b of alice is new';
const MAKE_ROOM = 'order a of alice is cancelled reduceOnlyReplaced';

describe('a reduce-only order that trades or rests', () => {
  test.for([
    ['of gtc that rests', '0.4 BTCUSDT at 62000', 'rests'],
    ['of gtc that trades', '0.4 BTCUSDT at 59000', 'filled'],
    ['of post-only that rests', '0.4 BTCUSDT at 62000 post-only', 'rests'],
    ['of fok that is filled', '0.4 BTCUSDT at 59000 fok', 'filled'],
    ['of ioc that fills a part', '0.7 BTCUSDT at 59000 ioc', 'filled 0.5, cancelled iocNotFull'],
    ['at market', '0.4 BTCUSDT at market', 'filled'],
  ])('[ORD-102] %s replaces others', ([, order, expected]) => {
    scenario(`${LONG}
      maker  buys   0.5 BTCUSDT at 59000
      alice  sells  ${order} reduce-only  | no order id, ${expected}, ${MAKE_ROOM}
    `);
  });
});

describe('a reduce-only order that neither trades nor rests', () => {
  test.for([
    [
      'of post-only that would take',
      '0.4 BTCUSDT at 59000 post-only',
      'cancelled postOnlyWouldTake',
    ],
    ['of fok that is not filled', '0.6 BTCUSDT at 59000 fok', 'cancelled fokNotFull'],
    ['of ioc that meets no order', '0.4 BTCUSDT at 59001 ioc', 'cancelled iocNotFull'],
  ])('[ORD-102] %s leaves them unchanged', ([, order, expected]) => {
    scenario(`${LONG}
      maker  buys   0.5 BTCUSDT at 59000
      alice  sells  ${order} reduce-only  | an order id, ${expected}, no trade, ${STAY}
    `);
  });

  test("[ORD-102][ORD-45] so does one that its own account's order stops", () => {
    scenario(`${LONG}
      alice  buys   0.5 BTCUSDT at 59000
      alice  sells  0.4 BTCUSDT at 59000 reduce-only stp taker  | cancelled selfTrade, no trade
                                                                | ${STAY}
      alice  sells  0.4 BTCUSDT at 59000 reduce-only stp maker  | rests, ${MAKE_ROOM}
    `);
  });
});
