/** Losses of crossed positions while prices that the rest of the account depends on are stale. */
import { describe, expect } from 'vitest';
import { test } from './market.test-support.ts';
import { scenario } from './scenario.ts';

// A move of 30 % costs 11,700 for 13 ether owed and 9,000 for 10 ether held; their maintenance is
// 1,950 and 138. A bitcoin bought at 66,000 loses 6,000, costs a fee of 39.6 and needs maintenance
// of 276. Beyond a value of 50,000 each 10,000 need 60 instead of 50. Alice has 19,961 and carol
// 9,982. Bob's 8,964 cover no further loss, so a sale of a tenth may lose what it releases: 27.6,
// fee included.
test('[ORD-175][ORD-177] fills of a crossed position leave room for a 30 % move of stale prices', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    eve    deposits  1000000 USDT
    alice  deposits  20000 USDT
    bob    deposits  9000 USDT
    carol  deposits  10000 USDT
    alice  sets leverage 10 of coin ETH
    alice  sets leverage 10 of coin USDT
    market on
    eve    buys   13 SPOT:ETHUSDT at 3000
    alice  sells  13 MARGIN:ETHUSDT at 3000                  | filled, alice owes 13 ETH
    eve    sells  20 ETHUSDT at 3000
    bob    buys   10 ETHUSDT at 3000                         | filled
    carol  buys   10 ETHUSDT at 3000                         | filled
    eve    sells  0.5 BTCUSDT at 60000
    bob    buys   0.5 BTCUSDT at 60000                       | filled
    eve    sells  5 BTCUSDT at 66000
    clock advances 9s
    index  BTC    60000
    clock advances 1s
    alice  buys   0.9978 BTCUSDT at 66000                    | refused insufficientMargin
    alice  buys   0.9977 BTCUSDT at 66000                    | filled
    carol  buys   0.1337 BTCUSDT at 66000                    | refused insufficientMargin
    carol  buys   0.1336 BTCUSDT at 66000                    | filled
    eve    buys   0.1 BTCUSDT at 59759.8 as low
    bob    sells  0.1 BTCUSDT at 59759.8 reduce-only         | refused priceStale
    eve    cancels low
    eve    buys   0.1 BTCUSDT at 59759.9
    bob    sells  0.1 BTCUSDT at 59759.9 reduce-only         | filled
    index  ETH    3000
    carol  buys   0.01 BTCUSDT at 66000                      | filled
  `);
});

// With a frozen mark the loss of a close is unknown, so bob may close this position at any price.
test('[ORD-179] a position with a frozen mark closes as usual', () => {
  scenario(`
    index  BTC    60000
    index  ETH    3000
    eve    deposits  1000000 USDT
    bob    deposits  9000 USDT
    market on
    eve    sells  10 ETHUSDT at 3000
    bob    buys   10 ETHUSDT at 3000                         | filled
    eve    sells  0.5 BTCUSDT at 60000
    bob    buys   0.5 BTCUSDT at 60000                       | filled
    clock advances 10s
    eve    buys   0.1 BTCUSDT at 54000
    bob    sells  0.1 BTCUSDT at 54000 reduce-only           | filled
  `);
});

describe('fills that are settled together', () => {
  // 10 ether may lose 9,000, cost 18 and need 138. Each tenth of a bitcoin sold at 57,000 loses
  // 300, costs 3.42 and needs 27.6.
  test.for([
    ['9818.04', []],
    ['9818.0400000001', ['normal sell 0.1 at 57000', 'normal sell 0.1 at 57000']],
  ] as const)('[ORD-83][ORD-177] are checked together, with %s', ([money, fills], { market }) => {
    market.index('BTC', '60000');
    market.index('ETH', '3000');
    const [maker, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
    market.trade(maker, other, '10', 'ETHUSDT', '3000');
    market.updatesOnly('BTC', '60000');
    for (const each of ['0.1', '0.1'])
      expect(market.order(maker, 'sell', each, 'BTCUSDT', '57000')).toBe('accepted');
    market.order(other, 'buy', '0.2', 'BTCUSDT', '57000', { timeInForce: 'fok' });
    expect(market.fills(maker)).toEqual(fills);
  });

  // Each side of a tenth of a bitcoin at 60,000 costs 3.6 and needs 27.6.
  test.for([
    ['9218.4', 'insufficientMargin', []],
    ['9218.4000000001', 'accepted', ['normal buy 0.1 at 60000', 'normal sell 0.1 at 60000']],
  ] as const)(
    '[ORD-83][ORD-177] and so are both sides of a self-trade, with %s',
    ([money, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [both, other] = [
        market.joins({ USDT: money }, 'hedge'),
        market.joins({ USDT: '1000000' }),
      ];
      market.trade(both, other, '10', 'ETHUSDT', '3000', { buy: { positionSide: 'long' } });
      market.updatesOnly('BTC', '60000');
      expect(market.order(both, 'sell', '0.1', 'BTCUSDT', '60000', { positionSide: 'short' })).toBe(
        'accepted',
      );
      expect(market.order(both, 'buy', '0.1', 'BTCUSDT', '60000', { positionSide: 'long' })).toBe(
        answer,
      );
      expect(market.fills(both)).toEqual(fills);
    },
  );
});
