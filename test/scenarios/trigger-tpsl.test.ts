/** Take-profit and stop-loss of positions, and changes of waiting triggers. */
import { describe, expect } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

describe('take-profit and stop-loss of a position', () => {
  test.for([
    ['long', 'oneWay', '55000', '45000'],
    ['short', 'oneWay', '45000', '55000'],
    ['long', 'hedge', '55000', '45000'],
    ['short', 'hedge', '45000', '55000'],
  ] as const)(
    '[TRG-39][TRG-43][TRG-44] a whole %s in %s mode: one fires, the other is cancelled',
    ([side, mode, gain, loss], { market }) => {
      for (const [reached, at] of [
        [0, gain],
        [1, loss],
      ] as const) {
        const triggers = new Triggers(market);
        const alice = triggers.holds(side, '2', { hedge: mode === 'hedge' });
        const ids = triggers.tpsl(
          alice,
          side,
          { kind: 'positionTakeProfit', at: gain, source: 'mark' },
          { kind: 'positionStopLoss', at: loss, source: 'mark' },
        );
        triggers.offers(side === 'long' ? 'buy' : 'sell', at);
        const before = Number.parseInt(at, 10) > 50_000 ? '54999.9' : '45000.1';
        market.pin('BTCUSDT', before);
        expect(triggers.ends()).toEqual([]);
        market.pin('BTCUSDT', at);
        expect(triggers.ends()).toEqual([
          `cancelled ${ids[1 - reached]} ocoSiblingFired`,
          `fired ${ids[reached]}`,
        ]);
        expect(market.size(alice, 'BTCUSDT', side)).toBe('0');
        market.pin('BTCUSDT', '50000');
        market.accepted({ type: 'cancelAllOrders', uid: triggers.maker, category: 'USDT-FUTURES' });
      }
    },
  );

  test('[TRG-39] a partial one closes its size, or the rest of the position if that is smaller', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const [part] = triggers.tpsl(alice, 'long', {
      kind: 'takeProfit',
      at: '51000',
      source: 'mark',
      size: '0.3',
    });
    const [rest] = triggers.tpsl(alice, 'long', {
      kind: 'takeProfit',
      at: '52000',
      source: 'mark',
      size: '5',
    });
    triggers.offers('buy', '51000');
    market.pin('BTCUSDT', '51000');
    expect([triggers.ends(), market.size(alice, 'BTCUSDT', 'long')]).toEqual([
      [`fired ${part}`],
      '0.7',
    ]);
    market.pin('BTCUSDT', '52000');
    expect([triggers.ends(), market.size(alice, 'BTCUSDT', 'long')]).toEqual([
      [`fired ${rest}`],
      '0',
    ]);
    expect(market.emitted('orderAccepted').map(({ order }) => moneyText(order.size))).toEqual([
      '0.7',
    ]);
  });

  test.for([
    ['oneWay', '1', 'reduceOnlyReplaced'],
    ['hedge', '0.5', undefined],
  ] as const)(
    '[TRG-39][ORD-53] beside an order that closes most of the position in %s mode, it closes %s',
    ([mode, closed, replaced], { market }) => {
      const triggers = new Triggers(market);
      const alice = triggers.holds('long', '2', { hedge: mode === 'hedge' });
      market.order(
        alice,
        'sell',
        '1.5',
        'BTCUSDT',
        '60000',
        mode === 'hedge' ? { positionSide: 'long' } : { reduceOnly: true },
      );
      const [loss] = triggers.tpsl(alice, 'long', {
        kind: 'stopLoss',
        at: '49000',
        source: 'mark',
        size: '1',
      });
      triggers.offers('buy', '49000');
      market.pin('BTCUSDT', '49000');
      expect(triggers.ends()).toEqual([`fired ${loss}`]);
      expect(market.emitted('orderAccepted').map(({ order }) => moneyText(order.size))).toEqual([
        closed,
      ]);
      expect(
        market
          .emitted('orderEnded')
          .find(({ end }) => end.uid === alice && end.status === 'cancelled')?.end.cancelReason,
      ).toBe(replaced);
    },
  );

  test('[TRG-22][TRG-39] with an execute price it rests as a limit order', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1', { hedge: true });
    const [whole] = triggers.tpsl(alice, 'long', {
      kind: 'positionTakeProfit',
      at: '51000',
      source: 'mark',
      price: '51500',
    });
    market.pin('BTCUSDT', '51000');
    expect(triggers.ends()).toEqual([`fired ${whole}`]);
    expect([...market.state.orders.values()]).toMatchObject([
      { uid: alice, orderType: 'limit', limit: 515_000, lots: 10_000, intent: 'close' },
    ]);
  });

  test('[TRG-44] all of a side end when it closes, and the other side keeps its own', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1', { hedge: true });
    market.order(triggers.maker, 'buy', '1', 'BTCUSDT', '50000');
    market.order(alice, 'sell', '1', 'BTCUSDT', '50000', { positionSide: 'short' });
    const [gain, loss] = triggers.tpsl(
      alice,
      'long',
      { kind: 'takeProfit', at: '55000', size: '1' },
      { kind: 'stopLoss', at: '45000', size: '1' },
    );
    const [trail] = triggers.tpsl(alice, 'long', {
      kind: 'trailingExit',
      at: '52000',
      size: '1',
      callback: '0.5',
    });
    const [short] = triggers.tpsl(alice, 'short', { kind: 'positionStopLoss', at: '56000' });
    const plan = triggers.placed(alice, 'sell', { at: '49000', positionSide: 'long' });
    triggers.offers('buy', '49900');
    market.order(alice, 'sell', '1', 'BTCUSDT', undefined, { positionSide: 'long' });
    expect(triggers.ends().sort()).toEqual(
      [gain, loss, trail].map((id) => `cancelled ${id} positionClosed`).sort(),
    );
    expect([triggers.live(short!), triggers.live(plan)]).toMatchObject([
      { positionSide: 'short' },
      { kind: 'conditional' },
    ]);
  });

  test('[TRG-24][TRG-35] a trailing exit of a long follows from its trigger price and sells on the callback', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const [trail] = triggers.tpsl(alice, 'long', {
      kind: 'trailingExit',
      at: '51000',
      size: '1',
      callback: '0.5',
      source: 'mark',
    });
    triggers.offers('buy', '51000');
    // 0.5 % of 52,000 is 260.
    for (const price of ['51000', '52000', '51740.1']) market.pin('BTCUSDT', price);
    expect(triggers.ends()).toEqual([]);
    market.pin('BTCUSDT', '51740');
    expect([triggers.ends(), market.size(alice, 'BTCUSDT', 'long')]).toEqual([
      [`fired ${trail}`],
      '0',
    ]);
  });

  test('[TRG-68] if the order of one is refused, the other stays', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const [gain, loss] = triggers.tpsl(
      alice,
      'long',
      { kind: 'takeProfit', at: '51000', source: 'mark', size: '1' },
      { kind: 'stopLoss', at: '49000', source: 'mark', size: '1' },
    );
    // The book has no bids.
    market.pin('BTCUSDT', '51000');
    expect(triggers.ends()).toEqual([`failed ${gain} noLiquidity`]);
    triggers.offers('buy', '49000');
    market.pin('BTCUSDT', '49000');
    expect(triggers.ends()).toEqual([`fired ${loss}`]);
  });

  test('[TRG-43] a cancel of one leaves the other', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const [gain, loss] = triggers.tpsl(
      alice,
      'long',
      { kind: 'takeProfit', at: '51000', size: '1' },
      { kind: 'stopLoss', at: '49000', size: '1' },
    );
    expect(triggers.cancel(alice, [], [{ triggerId: gain! }])).toEqual(['cancelled']);
    expect(triggers.live(loss!)).toMatchObject({ kind: 'stopLoss', ocoSibling: undefined });
  });

  test('[TRG-44] a liquidation of the position ends its TP/SL', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '2530' });
    market.settings(alice, 'BTCUSDT', '20', 'isolated');
    market.trade(alice, triggers.maker, '1', 'BTCUSDT', '50000');
    const [stop] = triggers.tpsl(alice, 'long', { kind: 'positionStopLoss', at: '40000' });
    market.index('BTC', '47000');
    expect(triggers.ends()).toEqual([`cancelled ${stop} positionClosed`]);
  });
});

describe('changing', () => {
  test('[TRG-70][TRG-71] a new price restarts the trail from the current price; a new size does not', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    triggers.trades('50000');
    triggers.offers('sell', '60000');
    const alice = market.joins({ USDT: '1000000' });
    const id = triggers.placed(alice, 'sell', {
      at: '51000',
      source: 'mark',
      callback: '2',
      size: '1',
    });
    market.pin('BTCUSDT', '52000');
    expect(moneyText(triggers.live(id)!.trail!.best)).toBe('52000');
    expect(triggers.change(alice, id, { size: '0.5' })).toBe('accepted');
    expect(triggers.live(id)).toMatchObject({
      lots: 5_000,
      trail: { best: expect.anything() },
      updatedAt: market.at,
    });
    expect(triggers.change(alice, id, { triggerPrice: '51500' })).toBe('accepted');
    expect(triggers.live(id)).toMatchObject({ way: 'falling', trail: undefined });
    market.pin('BTCUSDT', '51000');
    expect(moneyText(triggers.live(id)!.trail!.best)).toBe('51000');
  });

  test('[TRG-71] one moved to the current price fires at once', ({ market }) => {
    const triggers = new Triggers(market);
    triggers.offers('sell', '50100');
    const alice = market.joins({ USDT: '1000000' });
    const id = triggers.placed(alice, 'buy', { at: '51000', source: 'mark', size: '1' });
    triggers.change(alice, id, { triggerPrice: '50000' });
    expect(triggers.ends()).toEqual([`fired ${id}`]);
  });

  test('[TRG-70] a change keeps attached TP/SL, changes them, or removes them with zero', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    const id = triggers.placed(alice, 'buy', {
      at: '51000',
      takeProfit: { at: '55000' },
      stopLoss: { at: '45000', price: '44000' },
    });
    triggers.change(alice, id, { takeProfit: { triggerPrice: '56000' } });
    expect(triggers.live(id)).toMatchObject({
      takeProfit: { triggerPrice: 560_000_000_000_000n, source: 'last' },
      stopLoss: { price: 440_000_000_000_000n },
    });
    triggers.change(alice, id, { takeProfit: { triggerPrice: '0' }, stopLoss: { price: '0' } });
    expect(triggers.live(id)).toMatchObject({
      takeProfit: undefined,
      stopLoss: { kind: 'price', source: 'last' },
    });
    expect(triggers.live(id)!.stopLoss).not.toHaveProperty('price');
  });

  test('[TRG-72] the rules of placing apply, and only a waiting trigger of the given kind is found', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const bob = market.joins({});
    const plan = triggers.placed(alice, 'buy', { at: '51000' });
    const [exit] = triggers.tpsl(alice, 'long', { kind: 'takeProfit', at: '55000', size: '1' });
    const refused: [Id, Readonly<Record<string, unknown>>, boolean, string][] = [
      [plan, { triggerPrice: '51000.05' }, false, 'priceOffStep'],
      [plan, { size: '0.00005' }, false, 'sizeOffStep'],
      [plan, { size: '0' }, false, 'sizeTooSmall'],
      [plan, { size: '1200.0001' }, false, 'sizeTooLarge'],
      [plan, { price: '50000' }, false, 'triggerFieldsConflict'],
      [plan, { callbackRate: '2' }, false, 'triggerFieldsConflict'],
      [exit!, { triggerPrice: '49000' }, true, 'longTakeProfitTooLow'],
      [exit!, { triggerPrice: '56000' }, false, 'unknownTrigger'],
      [plan, { triggerPrice: '52000' }, true, 'unknownTpsl'],
    ];
    for (const [id, change, isExit, reason] of refused)
      expect([change, triggers.change(alice, id, change, isExit)]).toEqual([change, reason]);
    expect(triggers.change(bob, plan, { size: '2' })).toBe('unknownTrigger');
    expect(triggers.change(alice, exit!, { triggerPrice: '56000', price: '55900' }, true)).toBe(
      'accepted',
    );
    expect(triggers.change(alice, exit!, { price: '0', size: '0.5' }, true)).toBe('accepted');
    expect(triggers.live(exit!)).toMatchObject({ price: undefined, lots: 5_000 });
  });

  test.for(['cancelOnly', 'off'] as const)(
    '[TRG-72] in a symbol that is %s nothing can change, and everything can be cancelled',
    (status, { market }) => {
      const triggers = new Triggers(market);
      const alice = triggers.holds('long', '1');
      const plan = triggers.placed(alice, 'buy', { at: '51000' });
      const [exit] = triggers.tpsl(alice, 'long', { kind: 'takeProfit', at: '55000', size: '1' });
      const become = (to: 'halted' | 'normal' | typeof status) =>
        market.accepted({
          type: 'setInstrumentStatus',
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          status: to,
        });
      become('halted');
      expect(triggers.change(alice, plan, { triggerPrice: '52000' })).toBe('accepted');
      become(status);
      expect([
        triggers.change(alice, plan, { size: '2' }),
        triggers.change(alice, exit!, { triggerPrice: '56000' }, true),
      ]).toEqual(['symbolClosed', 'symbolClosed']);
      expect(triggers.change(alice, plan, { size: '2' }, true)).toBe('unknownTpsl');
      expect(
        triggers.cancel(alice, [], [{ triggerId: plan }, { triggerId: exit! }], 'BTCUSDT'),
      ).toEqual(['cancelled', 'cancelled']);
    },
  );
});
