/** Orders that waited for their symbol, after earlier ones have opened positions on resumption. */
import { describe, expect } from 'vitest';
import type { Executed } from '../../src/core/engine.ts';
import { type Market, test } from './market.test-support.ts';
import { scenario } from './scenario.ts';

const becomes = (market: Market, status: 'halted' | 'normal'): Executed =>
  market.accepted({
    type: 'setInstrumentStatus',
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    status,
  });

describe('a waiting order that closes what an earlier one opened', () => {
  // The buy holds 5,000 and a fee of 30. The sell of 1 holds another 3,000 and 18, and that of 2
  // twice as much, so nothing is left. To open 1 at mark needs 5,030, which the sell of 2 has after
  // it has closed 1.
  test.for([
    ['1', '8048', ['normal sell 1 at 49990']],
    ['2', '11066', ['normal sell 2 at 49990']],
  ] as const)(
    '[ORD-185] needs no margin for the close: a crossed sell of %s below mark with %s',
    ([size, money, sold], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'crossed');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      becomes(market, 'halted');
      market.order(maker, 'buy', size, 'BTCUSDT', '49990');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'sell', size, 'BTCUSDT', '30000')).toBe('accepted');
      becomes(market, 'normal');
      expect(market.fills(alice)).toEqual(['normal buy 1 at 50000', ...sold]);
    },
  );

  // At 125 times the first tier ends at 50,000, and a short of 1 would be worth 50,500.
  test.for(['crossed', 'isolated'] as const)(
    '[ORD-185][POS-167] needs no room in the tier either: %s sell below mark',
    (marginMode, { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      becomes(market, 'halted');
      market.order(maker, 'buy', '1', 'BTCUSDT', '49990');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'sell', '1', 'BTCUSDT', '49990')).toBe('accepted');
      market.index('BTC', '50500');
      becomes(market, 'normal');
      expect(market.fills(alice)).toEqual(['normal buy 1 at 50000', 'normal sell 1 at 49990']);
    },
  );
});

// Half of 50,000 is 25,000 and half of 60,000 is 30,000. The bid in between is within the band when
// the order is placed, but not when it is matched.
test('[ORD-55] a waiting spot sell at market uses the band at the time of resumption', ({
  market,
}) => {
  market.index('BTC', '50000');
  const [alice, maker] = [market.joins({ BTC: '1' }), market.joins({ USDT: '1000000' })];
  const spot = (status: 'halted' | 'normal'): Executed =>
    market.accepted({ type: 'setInstrumentStatus', category: 'SPOT', symbol: 'BTCUSDT', status });
  expect(market.order(maker, 'buy', '1', 'SPOT:BTCUSDT', '29999')).toBe('accepted');
  spot('halted');
  expect(market.order(alice, 'sell', '1', 'SPOT:BTCUSDT')).toBe('accepted');
  market.index('BTC', '60000');
  spot('normal');
  expect([market.fills(alice), market.available(alice, 'BTC')]).toEqual([[], '1']);
});

// The margin bid ends with its market, so the waiting sell meets only the other bid.
test('[ORD-20][LST-10] a waiting order does not meet orders of a market that closes with the halt', ({
  market,
}) => {
  market.index('BTC', '50000');
  const [alice, maker] = [market.joins({ BTC: '1' }), market.joins({ USDT: '200000' })];
  const margin = (status: 'halted' | 'off'): Executed =>
    market.accepted({ type: 'setInstrumentStatus', category: 'MARGIN', symbol: 'BTCUSDT', status });
  expect(market.order(maker, 'buy', '1', 'MARGIN:BTCUSDT', '50010')).toBe('accepted');
  expect(market.order(maker, 'buy', '1', 'SPOT:BTCUSDT', '50000')).toBe('accepted');
  margin('halted');
  expect(market.order(alice, 'sell', '1', 'SPOT:BTCUSDT', '49000')).toBe('accepted');
  margin('off');
  expect(market.fills(alice)).toEqual(['normal sell 1 at 50000']);
});

test('[ORD-154][ORD-155] a margin order trades in cancel_only, waits when halted, ends when off', () => {
  const closed = `
    index  BTC       60000
    maker  deposits  1000 BTC
    alice  deposits  100000 USDT
    alice  buys   2 MARGIN:BTCUSDT at 60000 as own
    status MARGIN:BTCUSDT cancel-only
    alice  buys   1 MARGIN:BTCUSDT at 60000           | refused symbolClosed`;
  scenario(`${closed}
    maker  sells  2 SPOT:BTCUSDT at 60000             | filled, order own of alice is filled
                                                      | alice owes 20000 USDT
  `);
  scenario(`${closed}
    status MARGIN:BTCUSDT halted
    maker  sells  2 SPOT:BTCUSDT at 60000             | waits, order own of alice is new
                                                      | alice owes 0 USDT
  `);
  scenario(`${closed}
    status MARGIN:BTCUSDT off
    maker  sells  2 SPOT:BTCUSDT at 60000             | rests
                                                      | order own of alice is cancelled delisted
                                                      | alice owes 0 USDT
  `);
});
