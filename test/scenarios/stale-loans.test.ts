/** Loans and exchanges while prices are stale. */
import { test } from 'vitest';
import { scenario } from './scenario.ts';

test('[ORD-88][ORD-172] with a stale index no order borrows, and its coin covers no exchange', () => {
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
    alice  buys   0.01 MARGIN:BTCUSDT at 60000           | refused priceStale
    bob    buys   0.1 MARGIN:BTCUSDT at 60000            | filled, bob owes 0 USDT
    maker  sells  0.7 SPOT:BTCUSDT at 59000 ioc          | no trade
                                                         | order early of bob is cancelled moneyGone
                                                         | bob owes 0 USDT
    maker  buys   0.1 SPOT:BTCUSDT at 59500              | rests
    alice  sells  0.1 MARGIN:BTCUSDT at 59500            | refused priceStale
    index  BTC    60000
    alice  sells  0.1 MARGIN:BTCUSDT at 59500            | filled, alice owes 55.95 USDT
    alice  buys   0.01 MARGIN:BTCUSDT at 60000           | filled, alice owes 655.95 USDT
  `);
});

test('[ORD-88] an account that holds a stale coin borrows nothing', () => {
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
    alice  buys   1 MARGIN:ETHUSDT at 3000               | refused priceStale
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

// Each order buys the 0.1 bitcoin that alice owes. The first repays them with 6,000 of 6,994 USDT;
// the other would borrow 5,006.
test('[ORD-110][ORD-88] a repaying order borrows nothing beside a stale coin', () => {
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
test('[ORD-109] a stale coin covers no futures trade far from mark; closes near mark work', () => {
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
    bob    sells  5 ETHUSDT at 2700 reduce-only       | refused priceStale
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
    alice  buys   0.2 MARGIN:BTCUSDT at 66000                | refused priceStale
    alice  buys   0.19 MARGIN:BTCUSDT at 66000               | filled
    carol  buys   0.1 MARGIN:BTCUSDT at 66000                | refused priceStale
    carol  buys   0.09 MARGIN:BTCUSDT at 66000               | filled
    index  ETH    3000
    alice  buys   0.01 MARGIN:BTCUSDT at 66000               | filled
    carol  buys   0.01 MARGIN:BTCUSDT at 66000               | filled
  `);
});

test('[ORD-172] a stale coin that alone covers a loan cannot be sold, at any price', () => {
  scenario(`
    index  BTC    60000
    eve    deposits  100000 USDT
    eve    deposits  5 BTC
    alice  deposits  0.6 BTC
    market on
    eve    sells  0.6 SPOT:BTCUSDT at 60000
    alice  buys   0.6 MARGIN:BTCUSDT at 60000              | filled, alice owes 36000 USDT
    clock advances 10s
    eve    buys   0.1 SPOT:BTCUSDT at 65000
    alice  sells  0.1 MARGIN:BTCUSDT at 65000              | refused priceStale
    index  BTC    60000
    alice  sells  0.1 MARGIN:BTCUSDT at 65000              | filled, alice owes 29506.5 USDT
  `);
});

// The long costs a fee of 1.8, so 4,998.2 are left for 6,000.
test('[ORD-88] a loan is refused while the mark of a crossed position is frozen', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    eve    deposits  10 BTC
    eve    deposits  200000 USDT
    alice  deposits  5000 USDT
    market on
    eve    sells  1 ETHUSDT at 3000
    alice  buys   1 ETHUSDT at 3000                        | filled
    eve    sells  1 SPOT:BTCUSDT at 60000
    clock advances 9s
    index  BTC    60000
    alice  buys   0.1 MARGIN:BTCUSDT at 60000              | filled, alice owes 1001.8 USDT
    clock advances 1s
    alice  buys   0.01 MARGIN:BTCUSDT at 60000             | refused priceStale
    index  ETH    3000
    alice  buys   0.01 MARGIN:BTCUSDT at 60000             | filled, alice owes 1601.8 USDT
  `);
});
