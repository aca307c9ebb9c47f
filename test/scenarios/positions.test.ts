import { describe, expect, test } from 'vitest';
import { breakEvenPrice } from '../../src/formulas/break-even.ts';
import { money, moneyText, type Rate } from '../../src/kernel/money.ts';
import { scenario } from './scenario.ts';
import { emittedBy } from './trading-expectations.ts';

const MARKET = `
  index  BTC       50000
  maker  deposits  10000000 USDT
  maker  deposits  1000 BTC
`;

describe('entry and profit', () => {
  test('[POS-17] the entry price is weighted by size, and a close keeps it', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000
      maker  sells  3 BTCUSDT at 48000
      alice  buys   3 BTCUSDT at 48000                | alice is long 4 BTCUSDT at 48500
      maker  buys   2 BTCUSDT at 49000
      alice  sells  2 BTCUSDT at 49000 reduce-only    | alice is long 2 BTCUSDT at 48500
                                                      | alice realised 1000
    `);
  });

  test('[POS-18] a short gains what a long loses', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      alice  sells  2 BTCUSDT at 50000
      maker  buys   2 BTCUSDT at 50000                | alice is short 2 BTCUSDT at 50000
                                                      | maker is long 2 BTCUSDT at 50000
      maker  sells  1 BTCUSDT at 49000
      alice  buys   1 BTCUSDT at 49000                | alice realised 1000, maker realised -1000
                                                      | house clearing 0 USDT
    `);
  });

  test('[POS-19] inverse profit is in the coin', () => {
    scenario(`${MARKET}
      alice  deposits  10 BTC
      maker  sells  1 BTCUSD at 50000
      alice  buys   1 BTCUSD at 50000                 | alice is long 1 BTCUSD at 50000
                                                      | alice paid 0.0006 BTC in fees
      maker  buys   1 BTCUSD at 60000
      alice  sells  1 BTCUSD at 60000 reduce-only     | alice realised 0.1666666666
                                                      | alice is flat in BTCUSD
    `);
  });

  test('[POS-20] clearing takes the difference of inverse profits', () => {
    const world = scenario(`${MARKET}
      alice  deposits  10 BTC
      bob    deposits  10 BTC
      maker  sells  1 BTCUSD at 50000
      alice  buys   1 BTCUSD at 50000
      bob    buys   1 BTCUSD at 60000
      alice  sells  1 BTCUSD at 60000 reduce-only     | alice realised 0.1666666666
      index  BTC    55000
      maker  buys   1 BTCUSD at 55000
      bob    sells  1 BTCUSD at 55000 reduce-only     | bob realised -0.090909091
                                                      | maker realised -0.090909091
    `);
    // 1/6 − 1/11 − 1/11 is not zero: clearing has paid the difference.
    expect(moneyText(world.engine.state.ledger.house.get('BTC')!.clearing)).toBe('0.0151515154');
  });

  test('[POS-21] unrealised profit is at mark, realised profit at the price of the trade', () => {
    scenario(`${MARKET}
      alice  deposits  10000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000     | alice has equity 9970 and needs 5000
      pin    BTCUSDT 51000                 | alice has equity 10970 and needs 5100
      maker  buys   1 BTCUSDT at 50500
      alice  sells  1 BTCUSDT at market    | alice realised 500, alice has 10439.7 USDT
    `);
  });

  test('[POS-22] a position that reaches zero ends, and its margin returns', () => {
    const world = scenario(`${MARKET}
      alice  sets isolated on BTCUSDT
      alice  deposits  6000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000     | alice has 5000 in long BTCUSDT, alice has 970 USDT free
                                           | alice has 5000 USDT in margin
      maker  buys   1 BTCUSDT at 50000
      alice  sells  1 BTCUSDT at market    | alice is flat in BTCUSDT, alice has 5940 USDT
                                           | 2 positionClosed
    `);
    expect(emittedBy(world, 'positionClosed')[0]!.position).toMatchObject({ size: 0n, margin: 0n });
  });

  test('[POS-24] a close at the break-even price neither gains nor loses', () => {
    const world = scenario(`${MARKET}
      alice  deposits  10000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000     | alice paid 30 USDT in fees
    `);
    const position = [...world.engine.state.positions.get(world.uid('alice'))!.values()][0]!;
    const price = breakEvenPrice(
      'linear',
      'long',
      position.entry,
      position.openFees,
      money<Rate>('0.0006'),
    );
    // (50,000 + 30) / 0.9994 = 50,060.036…; one tick higher the account has a little more than at
    // first.
    expect(moneyText(price)).toMatch(/^50060\.036/);
    scenario(
      `
      maker  buys   1 BTCUSDT at 50060.1
      alice  sells  1 BTCUSDT at market    | alice has 10000.06394 USDT
    `,
      world,
    );
  });
});

describe('fees', () => {
  test('[POS-28] spot fees are in the coin received, futures fees in the margin coin', () => {
    scenario(`${MARKET}
      alice  deposits  100000 USDT
      maker  sells  1 SPOT:BTCUSDT at 50000
      alice  buys   1 SPOT:BTCUSDT at 50000   | alice paid 0.001 BTC in fees
                                              | maker paid 50 USDT in fees, alice has 0.999 BTC
                                              | alice has 50000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  buys   1 BTCUSDT at 50000        | alice paid 30 USDT in fees
                                              | maker paid 10 USDT in fees
      maker  sells  1 BTCUSD at 50000
      alice  buys   1 BTCUSD at 50000         | alice paid 0.0006 BTC in fees
                                              | maker paid 0.0002 BTC in fees
    `);
  });

  test('[POS-29] every fee is rounded up', () => {
    scenario(`
      index  ETH  3000
      index  BTC  60000
      maker  deposits  1 ETH
      alice  deposits  1 BTC
      maker  sells  0.0001 SPOT:ETHBTC at 0.050001
      alice  buys   0.0001 SPOT:ETHBTC at 0.050001   | alice paid 0.0000001 ETH in fees
                                                     | maker paid 0.0000000051 BTC in fees
    `);
  });
});

describe('closing at market', () => {
  test('[POS-81] closes a category, a symbol or a side, and reduce-only orders give way', () => {
    scenario(`${MARKET}
      index  ETH    2500
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 50000
      maker  sells  1 ETHUSDT at 2500
      alice  buys   1 BTCUSDT at 50000
      alice  buys   1 ETHUSDT at 2500
      alice  closes all USDC-FUTURES            | refused nothingToClose
      alice  sells  0.5 BTCUSDT at 51000 reduce-only as r
      alice  closes all BTCUSDT                 | refused noLiquidity
      maker  buys   1 BTCUSDT at 49900
      maker  buys   1 ETHUSDT at 2499
      alice  closes all BTCUSDT                 | alice is flat in BTCUSDT
                                                | order r of alice is cancelled reduceOnlyReplaced
      alice  closes all USDT-FUTURES            | alice is flat in ETHUSDT
      alice  closes all USDT-FUTURES            | refused nothingToClose
    `);
  });

  test('[POS-81] in hedge mode resting closing orders give way as well', () => {
    scenario(`${MARKET}
      alice  trades hedged
      alice  deposits  100000 USDT
      maker  sells  1 BTCUSDT at 50000
      alice  opens long 1 BTCUSDT at 50000
      maker  buys   2 BTCUSDT at 49900
      alice  opens short 0.3 BTCUSDT at 49900
      alice  closes long 0.8 BTCUSDT at 51000 as c        | alice has 0.8 locked in long BTCUSDT
      maker  sells  0.1 BTCUSDT at 50000
      alice  closes all BTCUSDT long
        | order c of alice is cancelled reduceOnlyReplaced, alice is short 0.3 BTCUSDT at 49900
      alice  closes all BTCUSDT                           | filled 0.1, cancelled iocNotFull
                                                          | alice is short 0.2 BTCUSDT at 49900
                                                          | alice has 0 locked in short BTCUSDT
    `);
  });
});
