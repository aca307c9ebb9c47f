/** Loans while prices that the account depends on are stale. */
import { describe, expect } from 'vitest';
import { test } from './market.test-support.ts';

describe('a loan beside a position whose mark is frozen', () => {
  // Of 4,982 USDT, 138 are maintenance and 9,000 may be lost, so no further loss is allowed. A
  // bitcoin counts 57,000, so 0.0999 count 5,694.3, which is the highest price without a loss.
  test.for([
    ['56943', 'accepted', ['normal buy 0.1 at 56943']],
    ['56943.01', 'insufficientMargin', []],
  ] as const)(
    '[ORD-111][ORD-88] buys coins for %s if that costs nothing',
    ([price, answer, fills], { market }) => {
      market.index('BTC', '60000');
      market.index('ETH', '3000');
      const [owing, other] = [
        market.joins({ USDT: '5000', ETH: '10' }),
        market.joins({ USDT: '1000000', BTC: '1' }),
      ];
      market.trade(owing, other, '10', 'ETHUSDT', '3000');
      market.updatesOnly('BTC', '60000');
      market.order(other, 'sell', '0.1', 'SPOT:BTCUSDT', price);
      expect(market.order(owing, 'buy', '0.1', 'MARGIN:BTCUSDT', price)).toBe(answer);
      expect(market.fills(owing)).toEqual(fills);
    },
  );
});
