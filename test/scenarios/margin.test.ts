/** Margin requirements of crossed accounts and isolated positions. */
import { describe, expect, test } from 'vitest';
import { MARKET } from './margin.test-support.ts';
import { refusalOf } from './phrases.ts';
import { scenario } from './scenario.ts';

describe('crossed margin', () => {
  test('[POS-32] equity is weighted coin by coin, and a negative coin counts in full', () => {
    scenario(`${MARKET}
      alice  deposits  10000 USDT
      alice  deposits  0.5 BTC               | alice has equity 33750 and needs 0
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000       | alice has equity 33720 and needs 5000
      pin    BTCUSDT 40000                   | alice has equity 23720 and needs 4000
      pin    BTCUSDT 35000                   | alice has equity 18720 and needs 3500
    `);
  });

  test('[POS-33] each coin counts with its collateral rate', () => {
    scenario(`
      index  BTC  50000
      index  ETH  2000
      index  SOL  100
      index  XRP  0.5
      alice  deposits  100 USDT     | alice has equity 100 and needs 0
      alice  deposits  100 USDC     | alice has equity 200 and needs 0
      alice  deposits  1 ETH        | alice has equity 2100 and needs 0
      alice  deposits  0.01 BTC     | alice has equity 2575 and needs 0
      alice  deposits  1 SOL        | alice has equity 2660 and needs 0
      alice  deposits  100 XRP      | alice has equity 2702.5 and needs 0
    `);
  });

  test('[POS-34] positions, open orders and loans need margin', () => {
    scenario(`${MARKET}
      alice  deposits  30000 USDT
      alice  deposits  1 BTC
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000            | alice has equity 77470 and needs 5000
      alice  buys   1 BTCUSDT at 49000 as o       | alice has equity 77470 and needs 9929.4
      alice  sets leverage 20 on BTCUSDT          | alice has equity 77470 and needs 4979.4
      alice  cancels o                            | alice has equity 77470 and needs 2500
      maker  sells  0.8 SPOT:BTCUSDT at 50000
      alice  buys   0.8 MARGIN:BTCUSDT at 50000   | alice owes 10030 USDT
                                                  | alice has equity 75432 and needs 5843.3333333334
    `);
  });

  test('[POS-93] a resting order is margined at its price, also below mark, while the mark moves', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      alice  deposits  4828.7999999999 USDT
      alice  sells  1 BTCUSDT at 48000          | refused insufficientMargin
      alice  deposits  0.0000000001 USDT
      alice  sells  1 BTCUSDT at 48000 as low   | rests, alice has equity 4828.8 and needs 4828.8
      pin    BTCUSDT 45000                      | alice has equity 4828.8 and needs 4828.8
      pin    BTCUSDT 50000
      alice  sets leverage 20 on BTCUSDT        | alice has equity 4828.8 and needs 2428.8
      alice  cancels low
      alice  sells  1 BTCUSDT at 52000          | rests, alice has equity 4828.8 and needs 2631.2
    `);
  });

  test('[POS-164] a sell below mark needs margin at mark for what it opens at once', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      maker  buys   1 BTCUSDT at 49990
      alice  deposits  5029.9999999999 USDT
      alice  sells  1 BTCUSDT at 30000          | refused insufficientMargin
      alice  deposits  0.0000000001 USDT
      alice  sells  1 BTCUSDT at 30000          | alice is short 1 BTCUSDT at 49990
    `);
  });

  test('[POS-164][ORD-181] so does one that meets bids when its symbol resumes; without bids it rests', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      alice  deposits  5029.9999999999 USDT
      bob    deposits  5030 USDT
      status BTCUSDT halted
      maker  buys   2 BTCUSDT at 50000
      alice  sells  1 BTCUSDT at 30000 as low   | alice has equity 5029.9999999999 and needs 3018
      bob    sells  1 BTCUSDT at 30000
      status BTCUSDT normal                     | order low of alice is cancelled moneyGone
                                                | bob is short 1 BTCUSDT at 50000
      maker  cancels all BTCUSDT
      status BTCUSDT halted
      alice  sells  1 BTCUSDT at 30000 as low2
      status BTCUSDT normal                     | order low2 of alice asks 1 at 30000
    `);
  });

  test('[POS-164][POS-93] the resting part of a sell below mark is margined at its price', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      maker  buys   0.4 BTCUSDT at 50000
      alice  deposits  4909.2799999999 USDT
      alice  sells  1 BTCUSDT at 48000          | refused insufficientMargin
      alice  deposits  0.0000000001 USDT
      alice  sells  1 BTCUSDT at 48000          | alice is short 0.4 BTCUSDT at 50000
                                                | alice has equity 4897.28 and needs 4897.28
    `);
  });

  test('[POS-164] the closing part of a sell below mark needs no margin, the opening part margin at mark', () => {
    scenario(`${MARKET}
      pin    BTCUSDT 50000
      maker  sells  1 BTCUSDT at 50000
      alice  deposits  5060 USDT
      alice  buys   1 BTCUSDT at 50000          | alice has equity 5030 and needs 5000
      maker  buys   2 BTCUSDT at 50000
      alice  sells  1.006 BTCUSDT at 40000      | refused insufficientMargin
      alice  sells  1.0059 BTCUSDT at 40000     | alice is short 0.0059 BTCUSDT at 50000
                                                | alice has equity 4999.823 and needs 29.5
    `);
  });

  test('[POS-35] a free margin of exactly zero is enough', () => {
    scenario(`${MARKET}
      alice  deposits  10060 USDT
      alice  buys  1 BTCUSDT at 50000           | alice has equity 10060 and needs 5030
      alice  buys  1 BTCUSDT at 50000           | rests, alice has equity 10060 and needs 10060
      alice  buys  0.0001 BTCUSDT at 50000      | refused insufficientMargin
      alice  deposits  0.503 USDT
      alice  buys  0.0001 BTCUSDT at 50000      | rests
    `);
  });

  test('[POS-35] money held by spot orders is no collateral', () => {
    scenario(`${MARKET}
      alice  deposits  10000 USDT
      alice  buys  0.1 SPOT:BTCUSDT at 50000 as s   | alice has 5000 USDT locked
      alice  buys  1 BTCUSDT at 50000               | refused insufficientMargin
      alice  cancels s
      alice  buys  1 BTCUSDT at 50000               | rests
    `);
  });

  test('[POS-36] orders that only reduce need no margin', () => {
    scenario(`${MARKET}
      alice  deposits  5030 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000                | alice has equity 5000 and needs 5000
      alice  sells  1 BTCUSDT at 51000 reduce-only as r
      alice  cancels r
      alice  sells  1 BTCUSDT at 51000 as plain       | rests, alice has equity 5000 and needs 5000
      alice  sells  0.0001 BTCUSDT at 51000           | refused insufficientMargin
    `);
  });

  test('[POS-36] only the opening part of an order that closes and opens is margined', () => {
    scenario(`${MARKET}
      alice  deposits  20000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000                | alice has equity 19970 and needs 5000
      alice  sells  1.5 BTCUSDT at 51000 as o         | alice has equity 19970 and needs 7565.3
      alice  sells  0.5 BTCUSDT at 51000 as p         | alice has equity 19970 and needs 10130.6
      maker  buys   1.2 BTCUSDT at 51000              | alice is short 0.2 BTCUSDT at 51000
      alice  cancels o
      alice  cancels p
      alice  cancels all USDT-FUTURES                 | alice has equity 21157.76 and needs 1000
    `);
  });

  test('[POS-37] all money is free without crossed margin in use, otherwise the free margin', () => {
    scenario(`${MARKET}
      alice  deposits  1 BTC
      alice  sells  1 SPOT:BTCUSDT at 51000 as all       | rests, alice has 1 BTC locked
      alice  cancels all
      alice  deposits  1000 USDT
      alice  buys  0.9 BTCUSDT at 50000 as f             | alice has equity 48500 and needs 4527
      alice  sells  0.925748 SPOT:BTCUSDT at 51000       | refused insufficientBalance
      alice  sells  0.925747 SPOT:BTCUSDT at 51000         | rests
      alice  cancels f
      alice  sells  0.074253 SPOT:BTCUSDT at 51000       | rests
    `);
  });

  test('[POS-38][POS-163] a crossed position is margined at mark, an isolated one at entry', () => {
    scenario(`${MARKET}
      alice  deposits  20000 USDT
      bob    deposits  20000 USDT
      bob    sets isolated on BTCUSDT
      maker  sells  2 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000     | alice has 0 in long BTCUSDT
      bob    buys   1 BTCUSDT at 50000     | bob has 5000 in long BTCUSDT
      pin    BTCUSDT 52000                 | alice has equity 21970 and needs 5200
                                           | bob has 5000 in long BTCUSDT
                                           | bob has equity 14970 and needs 0
    `);
  });

  test("[POS-40] the tier of a side's total value limits its leverage", () => {
    scenario(`${MARKET}
      alice  deposits  1000000 USDT
      alice  sets leverage 125 on BTCUSDT
      alice  buys  1 BTCUSDT at 50000                 | rests
      alice  buys  0.0001 BTCUSDT at 50000            | refused insufficientMargin
      alice  sells 1 BTCUSDT at 50001                 | refused insufficientMargin
      alice  sells 0.9999 BTCUSDT at 50001            | rests
      alice  sets leverage 100 on BTCUSDT
      alice  buys  3 BTCUSDT at 50000                 | rests
      alice  buys  0.0001 BTCUSDT at 50000            | refused insufficientMargin
      alice  sets leverage 125 on BTCUSDT             | refused leverageOutOfRange at leverage
    `);
  });
});

describe('isolated margin', () => {
  const ISOLATED = `${MARKET}
    alice  sets isolated on BTCUSDT
    alice  deposits  10030 USDT
    maker  sells  1 BTCUSDT at 50000
    alice  buys   1 BTCUSDT at 50000   | alice has 5000 in long BTCUSDT, alice has 5000 USDT free
  `;

  test('[POS-38] an order holds what it will move into the position', () => {
    scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  deposits  5030 USDT
      alice  buys   1 BTCUSDT at 50000 as o   | alice has 5030 USDT locked, alice has 0 USDT free
      maker  sells  0.4 BTCUSDT at 50000      | alice has 2000 in long BTCUSDT
                                              | alice has 3018 USDT locked, alice has 8 USDT free
      alice  cancels o                        | alice has 3026 USDT free, alice has 0 USDT locked
                                              | alice has 2000 USDT in margin
    `);
  });

  test('[POS-38] the parts of an indivisible hold never need a loan', () => {
    scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  sets leverage 3 on BTCUSDT
      alice  deposits  5.009 USDT
      maker  sells  0.0001 BTCUSDT at 50000
      maker  sells  0.0001 BTCUSDT at 50000
      maker  sells  0.0001 BTCUSDT at 50000
      alice  buys   0.0003 BTCUSDT at 50000   | filled, alice has 5 in long BTCUSDT
                                              | alice has 0 USDT free, alice owes 0 USDT
    `);
  });

  test('[POS-41] margin is added from the wallet and removed down to the initial margin', () => {
    scenario(`${ISOLATED}
      alice  adds     5000.0000000001 margin to BTCUSDT   | refused insufficientBalance at amount
      alice  adds     5000 margin to BTCUSDT              | alice has 10000 in long BTCUSDT
                                                          | alice has 0 USDT free
      alice  removes  5000.0000000001 margin from BTCUSDT | refused marginNotSpared at amount
      pin    BTCUSDT  49000
      alice  removes  4000.0000000001 margin from BTCUSDT | refused marginNotSpared
      alice  removes  4000 margin from BTCUSDT            | alice has 6000 in long BTCUSDT
                                                          | alice has 4000 USDT free
      alice  adds     0 margin to BTCUSDT                 | refused sizeNotPositive
      alice  adds     0.00000000001 margin to BTCUSDT     | refused tooFine
    `);
  });

  // 5,000 added to the initial margin may leave, less the loss of 1,000 at 49,000. After a loss of
  // 6,000 nothing may leave, and a gain adds nothing.
  test.each([
    ['60000', '5000'],
    ['50000', '5000'],
    ['49000', '4000'],
    ['44000', '0'],
  ])(
    '[POS-41] a removal that is too large is refused with the largest amount, with the mark at %s',
    (mark, detail) => {
      const world = scenario(`${ISOLATED}
      alice  adds     5000 margin to BTCUSDT
      pin    BTCUSDT  ${mark}
      alice  removes  5000.0000000001 margin from BTCUSDT | refused marginNotSpared
    `);
      expect(refusalOf(world.last!)).toEqual({
        reason: 'marginNotSpared',
        field: 'amount',
        detail,
      });
    },
  );

  test('[POS-41] a removal leaves the maintenance margin, if that is above the initial margin', () => {
    // A short of 1 at 125 times came with 400. At 81,000 it has lost 31,000 and needs 50,000 ×
    // 0.0046 + 31,000 × 0.0056 = 403.6.
    scenario(`${MARKET}
      alice  deposits  40000 USDT
      alice  sets leverage 125 on BTCUSDT
      maker  buys     1 BTCUSDT at 50000
      alice  sells    1 BTCUSDT at 50000 isolated         | alice has 400 in short BTCUSDT
      alice  adds     35000 margin to BTCUSDT             | alice has 35400 in short BTCUSDT
      pin    BTCUSDT  81000
      alice  removes  4000 margin from BTCUSDT            | refused marginNotSpared at amount
      alice  removes  3996.4 margin from BTCUSDT          | refused marginNotSpared
      alice  removes  3996.3999999999 margin from BTCUSDT
        | 0 liquidationBegun, alice has 31403.6000000001 in short BTCUSDT
    `);
  });

  test('[POS-41] only an open isolated position has margin to move', () => {
    scenario(`${MARKET}
      alice  deposits  10000 USDT
      alice  adds   1 margin to BTCUSDT          | refused noPosition
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000
      alice  adds   1 margin to BTCUSDT          | refused notIsolated
      bob    trades hedged
      bob    adds   1 margin to BTCUSDT          | refused fieldMissing at positionSide
      bob    adds   1 margin to BTCUSDT long     | refused noPosition
      bob    adds   1 margin to USDT-FUTURES:NONE long |  refused unknownSymbol at symbol
    `);
  });

  test('[POS-38] a loss uses the margin of the whole position before the wallet', () => {
    scenario(`${ISOLATED}
      maker  buys   0.5 BTCUSDT at 44000
      alice  sells  0.5 BTCUSDT at 44000 reduce-only   | alice realised -3000
                                                       | alice has 1986.8 in long BTCUSDT
                                                       | alice has 5000 USDT free
    `);
  });

  test('[POS-38] an order that turns a position holds margin only for the opening part', () => {
    scenario(`${ISOLATED}
      alice  sells  1.5 BTCUSDT at 50000 as o   | alice has 2515 USDT locked
                                                | alice has 2485 USDT free
      maker  buys   1 BTCUSDT at 50000          | alice is flat in BTCUSDT
                                                | alice has 2515 USDT locked
                                                | alice has 7475 USDT free
      alice  buys   0.1 SPOT:BTCUSDT at 50000 as spend
      alice  cancels spend
      maker  buys   0.5 BTCUSDT at 50000        | alice is short 0.5 BTCUSDT at 50000
                                                | alice has 2500 in short BTCUSDT
                                                | alice has 7485 USDT free
    `);
  });
});
