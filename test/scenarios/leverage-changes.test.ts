/** Changes of leverage and modes while positions and orders are open. */
import { describe, expect, test } from 'vitest';
import { MARKET } from './margin.test-support.ts';
import { refusalOf } from './phrases.ts';
import { scenario } from './scenario.ts';

describe('leverage with something open', () => {
  test('[POS-80] open positions and orders use the new leverage', () => {
    scenario(`${MARKET}
      alice  deposits  20000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 49000              | alice has equity 19970 and needs 9929.4
      alice  sets leverage 5 on BTCUSDT             | alice has equity 19970 and needs 19829.4
      alice  sets leverage 4 on BTCUSDT             | refused leverageNeedsMargin at leverage
      alice  sets leverage 5 on BTCUSDT             | alice has equity 19970 and needs 19829.4
      alice  sets leverage 50 on BTCUSDT            | alice has equity 19970 and needs 2009.4
    `);
  });

  test('[POS-80] an isolated position takes a lower leverage only with the margin for it', () => {
    scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  deposits  10030 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000
      alice  sets leverage 9 on BTCUSDT             | refused leverageNeedsMargin
      alice  adds   1000 margin to BTCUSDT
      alice  sets leverage 9 on BTCUSDT
      alice  sets leverage 20 on BTCUSDT
      alice  removes  3500 margin from BTCUSDT      | alice has 2500 in long BTCUSDT
      alice  buys   1 BTCUSDT at 49000 as o         | alice has 2479.4 USDT locked
      alice  sets leverage 10 on BTCUSDT            | refused leverageNeedsMargin
      alice  adds   2500 margin to BTCUSDT
      alice  sets leverage 10 on BTCUSDT            | alice has 4929.4 USDT locked
    `);
  });

  test('[POS-170] a leverage above the tier of open positions is refused with the largest allowed', () => {
    const world = scenario(`${MARKET}
      alice  deposits  20000 USDT
      maker  sells  1.1 BTCUSDT at 50000
      alice  buys   1.1 BTCUSDT at 50000
      alice  sets leverage 125 on BTCUSDT           | refused leverageOutOfRange at leverage
    `);
    expect(refusalOf(world.last!)).toEqual({
      reason: 'leverageOutOfRange',
      field: 'leverage',
      detail: '100',
    });
    scenario('alice sets leverage 100 on BTCUSDT', world);
  });

  test('[POS-80] a loan leverage needs its margin too', () => {
    scenario(`${MARKET}
      alice  deposits  30000 USDT
      maker  sells  1 SPOT:BTCUSDT at 50000
      alice  buys   1 MARGIN:BTCUSDT at 50000  | alice owes 20000 USDT
                                               | alice has equity 27452.5 and needs 6666.6666666667
      alice  sets leverage 1 of coin USDT      | alice has equity 27452.5 and needs 20000
      pin    BTCUSDT 50000
      alice  sets leverage 10 of coin USDT     | alice has equity 27452.5 and needs 2000
      alice  buys   4 BTCUSDT at 50000         | alice has equity 27452.5 and needs 22120
      alice  sets leverage 3 of coin USDT      | alice has equity 27452.5 and needs 26786.6666666667
      alice  sets leverage 2 of coin USDT      | refused leverageNeedsMargin at leverage
    `);
  });

  test('[ACC-20] margin mode and position mode stay while something is open', () => {
    scenario(`${MARKET}
      alice  deposits  20000 USDT
      alice  buys   1 BTCUSDT at 49000 as o
      alice  sets isolated on BTCUSDT               | refused marginModeInUse
      alice  sets isolated on ETHUSDT
      alice  trades hedged                          | refused positionModeInUse
      alice  cancels o
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000
      alice  sets isolated on BTCUSDT               | refused marginModeInUse
      alice  trades hedged                          | refused positionModeInUse
      maker  buys   1 BTCUSDT at 50000
      alice  sells  1 BTCUSDT at 50000
      alice  sets isolated on BTCUSDT
      alice  trades hedged
    `);
  });

  test('[ORD-74] a margin mode sent with an order switches a flat symbol and is refused otherwise', () => {
    scenario(`${MARKET}
      alice  deposits  20000 USDT
      alice  buys   0.1 BTCUSDT at 49000 isolated as o    | rests, alice is isolated on BTCUSDT
                                                          | alice has 492.94 USDT locked
      alice  buys   0.1 BTCUSDT at 49000 crossed          | refused marginModeInUse at marginMode
      alice  cancels o
      alice  buys   0.1 BTCUSDT at 49000 crossed          | rests, alice is crossed on BTCUSDT
    `);
  });
});
