/** A waiting market buy on margin holds margin for its money, and releases it as it spends. */
import { expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { type Market, test } from './market.test-support.ts';

const becomes = (market: Market, status: 'halted' | 'normal') =>
  market.accepted({ type: 'setInstrumentStatus', category: 'SPOT', symbol: 'BTCUSDT', status });

// 12,000 at three times hold 4,000 and a fee of 12. They are spent in two halves, or the second
// half finds no ask.
test.for([
  [['0.1', '0.1'], ['normal buy 0.1 at 60000', 'normal buy 0.1 at 60000'], '7000 + 0'],
  [['0.1'], ['normal buy 0.1 at 60000'], '1000 + 0'],
] as const)(
  '[ORD-22][ORD-55] with asks of %s it uses no margin once it is done',
  ([asks, fills, debt], { market }) => {
    market.index('BTC', '60000');
    const [alice, maker] = [market.joins({ USDT: '5000' }), market.joins({ BTC: '1' })];
    becomes(market, 'halted');
    for (const size of asks)
      expect(market.order(maker, 'sell', size, 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect(market.order(alice, 'buy', '12000', 'MARGIN:BTCUSDT')).toBe('accepted');
    const used = () =>
      [...(market.state.orderMargins.get(alice) ?? [])].map(
        ([coin, amount]) => `${moneyText(amount)} ${coin}`,
      );
    expect(used()).toEqual(['4012 USDT']);
    becomes(market, 'normal');
    expect([market.fills(alice), market.debt(alice), used()]).toEqual([fills, debt, []]);
  },
);
