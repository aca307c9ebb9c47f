/** Loans while prices are stale. */
import { test } from 'vitest';
import { scenario } from './scenario.ts';

test('[ORD-88] while its index is stale no margin order borrows; others trade, and money repays', () => {
  scenario(`
    index  BTC    60000
    maker  deposits  10 BTC
    maker  deposits  100000 USDT
    alice  deposits  36000 USDT
    bob    deposits  36000 USDT
    market on
    maker  sells  1 SPOT:BTCUSDT at 60000
    bob    buys   0.7 MARGIN:BTCUSDT at 59000 as early   | rests
    clock advances 9999ms
    alice  buys   0.7 MARGIN:BTCUSDT at 60000            | filled, alice owes 6000 USDT
    clock advances 1ms
    alice  buys   0.01 MARGIN:BTCUSDT at 60000           | refused symbolClosed at symbol
    bob    buys   0.1 MARGIN:BTCUSDT at 60000            | filled, bob owes 0 USDT
    maker  sells  0.7 SPOT:BTCUSDT at 59000 ioc          | no trade
                                                         | order early of bob is cancelled moneyGone
                                                         | bob owes 0 USDT
    maker  buys   0.1 SPOT:BTCUSDT at 59500              | rests
    alice  sells  0.1 MARGIN:BTCUSDT at 59500            | filled, alice owes 55.95 USDT
    index  BTC    60000
    alice  buys   0.01 MARGIN:BTCUSDT at 60000           | filled, alice owes 655.95 USDT
  `);
});

test('[ORD-157] a stale coin is no collateral for a new loan', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    maker  deposits  100 ETH
    maker  deposits  100000 USDT
    alice  deposits  1 BTC
    bob    deposits  1 BTC
    carol  deposits  10 ETH
    market on
    maker  sells  10 SPOT:ETHUSDT at 3000
    bob    buys   2 MARGIN:ETHUSDT at 2900 as early      | rests
    clock advances 9s
    index  ETH    3000
    alice  buys   1 MARGIN:ETHUSDT at 3000               | filled, alice owes 3000 USDT
    clock advances 1s
    alice  buys   1 MARGIN:ETHUSDT at 3000               | refused insufficientMargin
    carol  buys   1 MARGIN:ETHUSDT at 3000               | filled, carol owes 3000 USDT
    maker  sells  2 SPOT:ETHUSDT at 2900 ioc             | no trade
                                                         | order early of bob is cancelled moneyGone
                                                         | bob owes 0 USDT
    index  BTC    60000
    alice  buys   1 MARGIN:ETHUSDT at 3000               | filled, alice owes 6000 USDT
  `);
});

test('[ORD-88] a resting order does not borrow while its index is stale, whatever its account has', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    maker  deposits  10 BTC
    bob    deposits  100 ETH
    market on
    bob    buys   0.1 MARGIN:BTCUSDT at 59000 as early   | rests
    bob    buys   0.1 MARGIN:BTCUSDT at 58000 as later   | rests
    clock advances 9s
    index  ETH    3000
    clock advances 1s
    maker  sells  0.1 SPOT:BTCUSDT at 59000 ioc          | no trade
                                                         | order early of bob is cancelled moneyGone
                                                         | bob owes 0 USDT
    index  BTC    60000
    maker  sells  0.1 SPOT:BTCUSDT at 58000 ioc          | filled, bob owes 5800 USDT
  `);
});

// Each order repays 0.1 bitcoin. The first one does, with 6,000 of 6,994. The second would borrow
// 5,006, which needs 1,668.67 at three times leverage, but beside her ether alice has only 682.6.
test('[ORD-110][ORD-157] a loan of a repaying order uses no stale coin as collateral', () => {
  const story = (last: string): string => `
    index  BTC    60000
    index  ETH    3000
    maker  deposits  10 BTC
    maker  deposits  100000 USDT
    alice  deposits  1000 USDT
    alice  deposits  10 ETH
    market on
    maker  buys   0.1 SPOT:BTCUSDT at 60000
    alice  sells  0.1 MARGIN:BTCUSDT at 60000              | filled, alice owes 0.1 BTC
                                                           | alice has 6994 USDT free
    alice  buys   0.1 MARGIN:BTCUSDT at 60000 as a         | rests
    alice  buys   0.1 MARGIN:BTCUSDT at 60000 as b         | rests
    ${last}
  `;
  const stale = ['clock advances 9s', 'index BTC 60000', 'clock advances 1s'].join('\n');
  const first = `maker sells 0.1 SPOT:BTCUSDT at 60000
    | filled, order a of alice is filled, alice has 994 USDT free`;
  scenario(
    story(`${first}
      ${stale}
      maker sells 0.1 SPOT:BTCUSDT at 60000 ioc
        | no trade, order b of alice is cancelled moneyGone`),
  );
  scenario(
    story(`${first}
      maker sells 0.1 SPOT:BTCUSDT at 60000 ioc
        | filled, order b of alice is filled, alice owes 5006 USDT`),
  );
});

// A bitcoin counts 57,000. A purchase of 20 ether 10 % above the index and a sale 10 % below it
// would cost alice 12,000 and leave her with a loan.
test('[ORD-109] stale collateral covers no loss to an accomplice in futures; closes near mark work', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    eve    deposits  100000 USDT
    alice  deposits  1 BTC
    bob    deposits  1 BTC
    carol  deposits  100000 USDT
    carol  deposits  0.0001 BTC
    market on
    eve    sells  10 ETHUSDT at 3000
    bob    buys   10 ETHUSDT at 3000                  | filled
    eve    sells  60 ETHUSDT at 3300
    clock advances 9s
    index  ETH    3000
    clock advances 1s
    alice  buys   20 ETHUSDT at 3300                  | refused insufficientMargin
    carol  buys   20 ETHUSDT at 3300                  | filled
    eve    buys   5 ETHUSDT at 2700 as low
    bob    sells  5 ETHUSDT at 2700 reduce-only       | refused insufficientMargin
    eve    cancels low
    eve    buys   5 ETHUSDT at 2995
    bob    sells  5 ETHUSDT at 2995 reduce-only       | filled
    index  BTC    60000
    alice  buys   20 ETHUSDT at 3300                  | filled
  `);
});

// Each hundredth of a bitcoin costs 660 and brings 0.00999, which counts 569.43. With ether 30 %
// higher alice has 3,732.5 left and needs 1,950. With ether 30 % lower carol has 982 left and needs
// 138.
test('[ORD-111][ORD-175] an exchange at a loss leaves room for a 30 % move of stale prices', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    eve    deposits  10 BTC
    eve    deposits  200000 USDT
    alice  deposits  20000 USDT
    carol  deposits  10000 USDT
    alice  sets leverage 10 of coin ETH
    alice  sets leverage 10 of coin USDT
    market on
    eve    buys   13 SPOT:ETHUSDT at 3000
    alice  sells  13 MARGIN:ETHUSDT at 3000                | filled, alice owes 13 ETH
    eve    sells  10 ETHUSDT at 3000
    carol  buys   10 ETHUSDT at 3000                       | filled
    eve    sells  5 SPOT:BTCUSDT at 66000
    clock advances 9s
    index  BTC    60000
    alice  buys   0.5 MARGIN:BTCUSDT at 66000                | filled
    clock advances 1s
    alice  buys   0.2 MARGIN:BTCUSDT at 66000                | refused insufficientMargin
    alice  buys   0.19 MARGIN:BTCUSDT at 66000               | filled
    carol  buys   0.1 MARGIN:BTCUSDT at 66000                | refused insufficientMargin
    carol  buys   0.09 MARGIN:BTCUSDT at 66000               | filled
    index  ETH    3000
    alice  buys   0.01 MARGIN:BTCUSDT at 66000               | filled
    carol  buys   0.01 MARGIN:BTCUSDT at 66000               | filled
  `);
});

// A tenth of a bitcoin counts 5,700. A sale brings 0.0999 of the price and releases a twentieth of
// that as maintenance, which equals 5,700 at 54,340.0543….
test('[ORD-174] a stale coin is sold below its index only by the margin that is released', () => {
  scenario(`
    index  BTC    60000
    eve    deposits  100000 USDT
    eve    deposits  5 BTC
    alice  deposits  0.6 BTC
    market on
    eve    sells  0.6 SPOT:BTCUSDT at 60000
    alice  buys   0.6 MARGIN:BTCUSDT at 60000              | filled, alice owes 36000 USDT
    clock advances 10s
    eve    buys   0.1 SPOT:BTCUSDT at 54340.05 as low
    alice  sells  0.1 MARGIN:BTCUSDT at 54340.05           | refused insufficientMargin
    eve    cancels low
    eve    buys   0.1 SPOT:BTCUSDT at 54340.06
    alice  sells  0.1 MARGIN:BTCUSDT at 54340.06           | filled
  `);
});
