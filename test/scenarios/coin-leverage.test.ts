/** Loan leverage, and open margin orders that use it. */
import { describe, expect } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { type Market, test } from './market.test-support.ts';

function set(market: Market, uid: Uid, coin: string, leverage: string): string {
  const { outcome } = market.submit({
    type: 'setCoinLeverage',
    uid,
    coin,
    leverage: leverage as DecimalText,
  });
  return outcome.ok ? 'accepted' : outcome.refusal.reason;
}

/** Margin of an account's open orders, oldest first, and their total. */
function used({ state }: Market, uid: Uid): string[] {
  const orders = state.accounts.get(uid)!.openOrders.map((id) => state.orders.get(id)!.hold);
  const each = orders.map((hold) => (hold.kind === 'none' ? 'none' : moneyText(hold.amount)));
  return [...each, `sum ${moneyText(state.orderMargins.get(uid)?.get('USDT') ?? (0n as never))}`];
}

/** The same as the view shows it, with the leverage of each. */
function shown({ submitted }: Market, uid: Uid): string[] {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  for (const { command, at } of submitted) views.apply(engine.execute(command, at));
  return views.orders
    .open(uid)
    .map(({ order, marginHold }) => `${moneyText(marginHold)} at ${order.leverage}`);
}

describe('open orders on margin', () => {
  // Worth 8,000 each: a fifth, a half or a tenth of that, and a fee of 8.
  test('[ACC-159] that pay with a coin get new margin when its leverage changes', ({ market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '20000', BTC: '1' });
    for (const coin of ['USDT', 'BTC']) expect(set(market, alice, coin, '5')).toBe('accepted');
    expect(market.order(alice, 'buy', '0.2', 'MARGIN:BTCUSDT', '40000')).toBe('accepted');
    expect(market.order(alice, 'sell', '0.1', 'MARGIN:BTCUSDT', '70000')).toBe('accepted');
    expect(used(market, alice)).toEqual(['1608', '1407', 'sum 3015']);
    expect(set(market, alice, 'USDT', '2')).toBe('accepted');
    expect(used(market, alice)).toEqual(['4008', '1407', 'sum 5415']);
    expect(set(market, alice, 'BTC', '10')).toBe('accepted');
    expect(used(market, alice)).toEqual(['4008', '707', 'sum 4715']);
    expect(shown(market, alice)).toEqual(['4008 at undefined', '707 at undefined']);
    expect(market.engine.audit().violations).toEqual([]);
  });

  // Worth 8,000 each, and both wait for their symbol. One is given in USDT; the other is valued at
  // the current price.
  test('[ACC-16] at market that wait get new margin too', ({ market }) => {
    market.index('BTC', '50000');
    const [alice, maker] = [
      market.joins({ USDT: '20000', BTC: '1' }),
      market.joins({ USDT: '100000', BTC: '1' }),
    ];
    for (const coin of ['USDT', 'BTC']) expect(set(market, alice, coin, '5')).toBe('accepted');
    for (const [side, price] of [
      ['buy', '49999'],
      ['sell', '50001'],
    ] as const)
      market.order(maker, side, '1', 'SPOT:BTCUSDT', price);
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'MARGIN',
      symbol: 'BTCUSDT',
      status: 'halted',
    });
    expect(market.order(alice, 'buy', '8000', 'MARGIN:BTCUSDT')).toBe('accepted');
    expect(market.order(alice, 'sell', '0.16', 'MARGIN:BTCUSDT')).toBe('accepted');
    expect(used(market, alice)[0]).toBe('1608');
    for (const coin of ['USDT', 'BTC']) expect(set(market, alice, coin, '2')).toBe('accepted');
    expect(used(market, alice)).toEqual(['4008', '4008', 'sum 8016']);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-16] that are partly filled get new margin for the rest', ({ market }) => {
    market.index('BTC', '50000');
    const [alice, maker] = [market.joins({ USDT: '20000' }), market.joins({ BTC: '1' })];
    set(market, alice, 'USDT', '5');
    market.order(alice, 'buy', '0.2', 'MARGIN:BTCUSDT', '40000');
    market.order(maker, 'sell', '0.05', 'SPOT:BTCUSDT', '40000');
    expect(used(market, alice)).toEqual(['1206', 'sum 1206']);
    expect(set(market, alice, 'USDT', '2')).toBe('accepted');
    expect(used(market, alice)).toEqual(['3006', 'sum 3006']);
  });

  test.for([
    ['4007.9999999999', 'leverageNeedsMargin', '1608'],
    ['4008', 'accepted', '4008'],
  ] as const)(
    '[ACC-159] need the margin of a lower leverage: with %s it is %s',
    ([money, answer, held], { market }) => {
      market.index('BTC', '50000');
      const alice = market.joins({ USDT: money });
      set(market, alice, 'USDT', '5');
      expect(market.order(alice, 'buy', '0.2', 'MARGIN:BTCUSDT', '40000')).toBe('accepted');
      expect(set(market, alice, 'USDT', '2')).toBe(answer);
      expect(used(market, alice)).toEqual([held, `sum ${held}`]);
    },
  );

  // Worth 8,000 each. An account without a setting uses the default of the coin.
  test('[ACC-160] get new margin from a listing of their coin, which is not refused', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [alice, bob] = [market.joins({ USDT: '3000' }), market.joins({ USDT: '20000' })];
    set(market, alice, 'USDT', '5');
    for (const uid of [alice, bob])
      expect(market.order(uid, 'buy', '0.2', 'MARGIN:BTCUSDT', '40000')).toBe('accepted');
    const listed = market.state.coins.get('USDT')!;
    const list = (leverage: string, leverageMax: string): void => {
      const changes = {
        leverage: leverage as DecimalText,
        leverageMax: leverageMax as DecimalText,
      };
      market.accepted({ type: 'listCoin', coin: { ...listed, ...changes } });
    };
    expect([used(market, alice)[0], used(market, bob)[0]]).toEqual(['1608', '2674.6666666667']);
    list('1', '2');
    expect([used(market, alice), used(market, bob)]).toEqual([
      ['4008', 'sum 4008'],
      ['8008', 'sum 8008'],
    ]);
    expect([shown(market, alice), shown(market, bob)]).toEqual([
      ['4008 at undefined'],
      ['8008 at undefined'],
    ]);
    // No order ends, and none is accepted without free margin.
    expect(market.order(alice, 'buy', '0.001', 'BTCUSDT', '40000')).toBe('insufficientMargin');
    list('3', '4');
    expect([used(market, alice), used(market, bob)[0]]).toEqual([
      ['2008', 'sum 2008'],
      '2674.6666666667',
    ]);
    expect(market.order(alice, 'buy', '0.001', 'BTCUSDT', '40000')).toBe('accepted');
    list('3', '5');
    expect(used(market, alice)[0]).toBe('1608');
  });
});
