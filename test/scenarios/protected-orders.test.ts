/** Orders with attached TP/SL whose position changes before they are done. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { type Market, test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

type Answered =
  | { readonly ok: true }
  | { readonly ok: false; readonly refusal: { readonly reason: string } };

/** Buys this size at a price, with a stop-loss at 45,000. */
function buysProtected(market: Market, uid: Uid, size: string, price: string): string {
  const order = {
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    size: decimal(size),
    price: decimal(price),
    timeInForce: 'gtc',
    reduceOnly: false,
  } as const;
  const orders = [{ order, stopLoss: { triggerPrice: decimal('45000'), source: 'last' } }] as const;
  const { outcome } = market.accepted({
    type: 'placeProtectedOrders',
    uid,
    category: 'USDT-FUTURES',
    orders,
  });
  const [placed] = (outcome as { value: readonly Answered[] }).value;
  return placed!.ok ? 'accepted' : placed!.refusal.reason;
}

describe('attached take-profit and stop-loss', () => {
  test('[ORD-77][TRG-44] a position opened and closed before the order is done gets none', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    expect(buysProtected(market, alice, '1', '49000')).toBe('accepted');
    expect(market.order(triggers.other, 'sell', '0.4', 'BTCUSDT', '49000')).toBe('accepted');
    triggers.offers('buy', '49100', '0.4');
    expect(market.order(alice, 'sell', '0.4', 'BTCUSDT', '49100', { reduceOnly: true })).toBe(
      'accepted',
    );
    expect(market.size(alice, 'BTCUSDT', 'long')).toBe('0');
    market.trade(alice, triggers.other, '3', 'BTCUSDT', '49500');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect(triggers.liveTpsl(alice)).toEqual([]);
  });

  test('[ORD-77][TRG-44] if the close meets the rest of the order, only what that opens gets one', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    expect(buysProtected(market, alice, '1', '49000')).toBe('accepted');
    expect(market.order(triggers.other, 'sell', '0.5', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(alice, 'sell', '0.5', 'BTCUSDT', '49000', { reduceOnly: true })).toBe(
      'accepted',
    );
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual([
      '0.5',
      ['stopLoss 45000 x 0.5'],
    ]);
  });

  // The order of 1 has opened 0.5. A sell of 0.8 closes them and meets the other 0.5, which open
  // again. Another 0.3 close a part, and another order opens them.
  test('[ORD-77][TRG-44] none if another order of the account opens the closed part again', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    expect(buysProtected(market, alice, '1', '49000')).toBe('accepted');
    expect(market.order(triggers.other, 'sell', '0.5', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(alice, 'buy', '0.3', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(alice, 'sell', '0.8', 'BTCUSDT', '49000')).toBe('accepted');
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual([
      '0.5',
      ['stopLoss 45000 x 0.5'],
    ]);
  });

  test('[ORD-77][TRG-41] in one-way mode only the opening part of an order gets them', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('short', '1');
    triggers.offers('sell', '50000', '0.4');
    triggers.offers('sell', '50100', '2.6');
    expect(buysProtected(market, alice, '3', '50100')).toBe('accepted');
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual([
      '2',
      ['stopLoss 45000 x 2'],
    ]);
  });

  test('[ORD-159][TRG-41] an order that only closed gets none for what another order opened', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('short', '1');
    expect(buysProtected(market, alice, '3', '49000')).toBe('accepted');
    expect(market.order(triggers.other, 'sell', '0.5', 'BTCUSDT', '49000')).toBe('accepted');
    triggers.offers('sell', '49500', '5');
    expect(market.order(alice, 'buy', '5', 'BTCUSDT', '49500')).toBe('accepted');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual(['4.5', []]);
  });

  test('[TRG-42] a percentage applies to the opening price only: 10 percent below 51,000', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('short', '1');
    triggers.placed(alice, 'buy', {
      at: '49000',
      source: 'mark',
      callback: '1',
      size: '3',
      stopLoss: { at: '10' },
    });
    triggers.offers('sell', '50000', '1');
    triggers.offers('sell', '51000', '2');
    market.pin('BTCUSDT', '49000');
    market.pin('BTCUSDT', '49500');
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual([
      '2',
      ['stopLoss 45900 x 2'],
    ]);
  });

  test('[TRG-154] a stop-loss larger than the largest market order can change its price', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const listed = DEFAULT_INSTRUMENTS.find(
      ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT',
    )!;
    market.accepted({
      type: 'listInstrument',
      instrument: { ...listed, marketSizeMax: decimal('0.5') },
    });
    const alice = market.joins({ USDT: '1000000' });
    triggers.offers('sell', '50000', '1');
    expect(buysProtected(market, alice, '1', '50000')).toBe('accepted');
    const [stop] = [...market.state.triggers.values()];
    expect(triggers.liveTpsl(alice)).toEqual(['stopLoss 45000 x 1']);
    expect(triggers.change(alice, stop!.id, { triggerPrice: decimal('46000') }, true)).toBe(
      'accepted',
    );
    expect(triggers.liveTpsl(alice)).toEqual(['stopLoss 46000 x 1']);
    expect(
      triggers.change(
        alice,
        stop!.id,
        { triggerPrice: decimal('46500'), size: decimal('1.0') },
        true,
      ),
    ).toBe('accepted');
    expect(triggers.change(alice, stop!.id, { size: decimal('0.9') }, true)).toBe('sizeTooLarge');
  });

  test('[TRG-31] two of one kind in one request are refused', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const [first, second] = [
      { kind: 'positionTakeProfit', at: '55000' },
      { kind: 'positionTakeProfit', at: '56000' },
    ] as const;
    expect(triggers.exit(alice, 'long', first, second)).toBe('takeProfitExists');
  });

  test('[ORD-161] open orders reserve room for the triggers that they will create', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '1000000' });
    for (let count = 0; count < 250; count++)
      expect(buysProtected(market, alice, '0.001', '49000')).toBe('accepted');
    expect(buysProtected(market, alice, '0.001', '49000')).toBe('tooManyTpsl');
  });
});

// The mark has fallen below the stop-loss, and is frozen when the order is filled.
test.for(['fresh', 'no longer required to be fresh'] as const)(
  '[TRG-45][ORD-77] a stop-loss by mark waits until the mark is %s',
  (until, { market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    market.accepted({ type: 'switchMarket', on: true });
    const draft = {
      symbol: 'BTCUSDT',
      side: 'buy',
      size: decimal('1'),
      orderType: 'limit',
      timeInForce: 'gtc',
      reduceOnly: false,
    } as const;
    const stopLoss = { triggerPrice: decimal('49200'), source: 'mark' } as const;
    const orders = [{ order: { ...draft, price: decimal('49500') }, stopLoss }];
    market.accepted({ type: 'placeProtectedOrders', uid: alice, category: 'USDT-FUTURES', orders });
    triggers.offers('buy', '48000');
    market.index('BTC', '49000');
    expect(market.mark('BTCUSDT')).toBe('49000');
    market.passes(10_000);
    expect(market.order(triggers.other, 'sell', '1', 'BTCUSDT', '49500')).toBe('accepted');
    expect([market.fills(alice), triggers.ends(), market.state.triggers.size]).toEqual([
      ['normal buy 1 at 49500'],
      [],
      1,
    ]);
    if (until === 'fresh') market.index('BTC', '49000');
    else market.accepted({ type: 'switchMarket', on: false });
    expect(market.fills(alice)).toEqual(['normal sell 1 at 48000']);
  },
);
