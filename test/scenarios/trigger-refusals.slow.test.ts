/** Refusals of triggers when they are placed. */
import { describe, expect } from 'vitest';
import { DAY, HOUR } from '../../src/kernel/time.ts';
import { test } from './market.test-support.ts';
import {
  type TpslWayInput,
  type TriggerInput,
  Triggers,
  triggerCommand,
} from './trigger-market.test-support.ts';

describe('placing a trigger', () => {
  test('[TRG-02][TRG-03][TRG-04] contradicting fields are refused, beside accepted ones', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    const rows: readonly (readonly [TriggerInput, string])[] = [
      [{ at: '51000' }, 'accepted'],
      [{ at: '51000', price: '51000' }, 'accepted'],
      [{ at: '51000', orderType: 'limit' }, 'triggerFieldsConflict'],
      [{ at: '51000', orderType: 'market', price: '51000' }, 'triggerFieldsConflict'],
      [{ at: '51000', callback: '1' }, 'accepted'],
      [{ at: '51000', callback: '10' }, 'accepted'],
      [{ at: '51000', callback: '0.99' }, 'triggerFieldsConflict'],
      [{ at: '51000', callback: '10.01' }, 'triggerFieldsConflict'],
      [{ at: '51000', kind: 'trailing' }, 'triggerFieldsConflict'],
      [{ at: '51000', kind: 'conditional', callback: '2' }, 'triggerFieldsConflict'],
      [{ at: '51000', callback: '2', price: '51000' }, 'triggerFieldsConflict'],
      [{ at: '51000', callback: '2', orderType: 'limit' }, 'triggerFieldsConflict'],
    ];
    for (const [input, answer] of rows)
      expect([input, triggers.place(alice, 'buy', input)]).toEqual([input, answer]);
  });

  test('[TRG-09][TRG-10][TRG-11] rules of attached TP/SL', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    const rows: readonly (readonly [TriggerInput, string])[] = [
      [{ at: '51000', takeProfit: { at: '55000' } }, 'accepted'],
      [{ at: '51000', takeProfit: { at: '55000', source: undefined } }, 'fieldMissing'],
      [{ at: '51000', takeProfit: { at: '55000', price: '55000.1' } }, 'accepted'],
      [{ at: '51000', takeProfit: { at: '55000.05' } }, 'priceOffStep'],
      [{ at: '51000', stopLoss: { at: '45000', price: '44000.01' } }, 'priceOffStep'],
      [{ at: '51000', callback: '1', takeProfit: { at: '0.01' } }, 'accepted'],
      [{ at: '51000', callback: '1', stopLoss: { at: '999.99' } }, 'accepted'],
      [{ at: '51000', callback: '1', takeProfit: { at: '0.009' } }, 'triggerFieldsConflict'],
      [{ at: '51000', callback: '1', stopLoss: { at: '1000' } }, 'triggerFieldsConflict'],
      [
        { at: '51000', callback: '1', takeProfit: { at: '10', price: '55000' } },
        'triggerFieldsConflict',
      ],
      [
        { at: '51000', callback: '1', takeProfit: { at: '10', source: 'mark' } },
        'triggerFieldsConflict',
      ],
      [{ at: '51000', reduceOnly: true, takeProfit: { at: '55000' } }, 'triggerFieldsConflict'],
    ];
    for (const [input, answer] of rows)
      expect([input, triggers.place(alice, 'buy', input)]).toEqual([input, answer]);
  });

  test('[TRG-15] price step, size step, minimum and maximum: the last valid and first invalid value', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    const rows: readonly (readonly [TriggerInput, string])[] = [
      [{ at: '51000', symbol: 'NONE' }, 'unknownSymbol'],
      [{ at: '51000.1' }, 'accepted'],
      [{ at: '51000.11' }, 'priceOffStep'],
      [{ at: '0' }, 'fieldInvalid'],
      [{ at: '51000', price: '50000.15' }, 'priceOffStep'],
      [{ at: '51000', size: '0.0001' }, 'accepted'],
      [{ at: '51000', size: '0.00015' }, 'sizeOffStep'],
      [{ at: '51000', size: '0' }, 'sizeTooSmall'],
      [{ at: '51000', size: '1200' }, 'accepted'],
      [{ at: '51000', size: '1200.0001' }, 'sizeTooLarge'],
    ];
    for (const [input, answer] of rows)
      expect([input, triggers.place(alice, 'buy', input)]).toEqual([input, answer]);
  });

  test('[TRG-06][TRG-07][TRG-08] hedge mode needs a position side, one-way mode accepts reduce-only', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const hedged = market.joins({ USDT: '1000' }, 'hedge');
    const oneWay = market.joins({ USDT: '1000' });
    expect(triggers.place(hedged, 'buy', { at: '51000' })).toBe('triggerFieldsConflict');
    const close = triggers.placed(hedged, 'sell', {
      at: '51000',
      positionSide: 'long',
      reduceOnly: true,
    });
    expect(triggers.live(close)).toMatchObject({
      intent: 'close',
      positionSide: 'long',
      reduceOnly: false,
    });
    const open = triggers.placed(hedged, 'sell', { at: '51000', positionSide: 'short' });
    expect(triggers.live(open)).toMatchObject({ intent: 'open', positionSide: 'short' });
    const plain = triggers.placed(oneWay, 'sell', {
      at: '51000',
      positionSide: 'long',
      reduceOnly: true,
    });
    expect(triggers.live(plain)).toMatchObject({
      intent: 'close',
      positionSide: undefined,
      reduceOnly: true,
    });
  });

  test('[TRG-14] the margin mode switches while the symbol is flat, and is refused otherwise', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '100000' });
    expect(triggers.place(alice, 'buy', { at: '51000', marginMode: 'isolated' })).toBe('accepted');
    expect(market.emitted('marginModeChanged')).toMatchObject([
      { uid: alice, marginMode: 'isolated' },
    ]);
    expect(triggers.place(alice, 'buy', { at: '52000', marginMode: 'crossed' })).toBe('accepted');
    expect(market.order(alice, 'buy', '0.1', 'BTCUSDT', '49000')).toBe('accepted');
    expect(triggers.place(alice, 'buy', { at: '53000', marginMode: 'isolated' })).toBe(
      'marginModeInUse',
    );
    expect(triggers.place(alice, 'buy', { at: '53000', marginMode: 'crossed' })).toBe('accepted');
  });

  test('[TRG-16] a client id with the same content within six hours is one trigger; other content is refused', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    const first = triggers.placed(alice, 'buy', { at: '51000', size: '1.0', name: 'mine' });
    market.passes(6 * HOUR - 1);
    expect(triggers.placed(alice, 'buy', { at: '51000.0', size: '1', name: 'mine' })).toBe(first);
    expect(triggers.place(alice, 'buy', { at: '51000', size: '2', name: 'mine' })).toBe(
      'duplicateClientOid',
    );
    expect(
      market.order(alice, 'buy', '0.001', 'BTCUSDT', '40000', { clientOid: 'mine' } as object),
    ).toBe('duplicateClientOid');
    market.passes(1);
    expect(triggers.placed(alice, 'buy', { at: '51000', size: '2', name: 'mine' })).toBeGreaterThan(
      first,
    );
    expect(market.state.triggers.size).toBe(2);
  });

  test('[TRG-16] a repeated pair of TP/SL finds the first one, with or without client ids', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const input: readonly TpslWayInput[] = [
      { kind: 'positionTakeProfit', at: '55000' },
      { kind: 'positionStopLoss', at: '45000', name: 'stop' },
    ];
    const ids = triggers.tpsl(alice, 'long', ...input);
    expect(triggers.tpsl(alice, 'long', ...input)).toEqual(ids);
    expect(triggers.exit(alice, 'long', { ...input[0]!, at: '56000' }, input[1]!)).toBe(
      'duplicateClientOid',
    );
    // The first request named both, this one only one of them, so they differ.
    const both: readonly TpslWayInput[] = [
      { kind: 'takeProfit', at: '56000', size: '1', name: 'gain' },
      { kind: 'stopLoss', at: '44000', size: '1', name: 'loss' },
    ];
    const pair = triggers.tpsl(alice, 'long', ...both);
    const { name: _left, ...unnamed } = both[1]!;
    expect(triggers.exit(alice, 'long', both[0]!, unnamed)).toBe('duplicateClientOid');
    expect(triggers.tpsl(alice, 'long', ...both)).toEqual(pair);
    expect(
      triggers.exit(
        alice,
        'long',
        { kind: 'takeProfit', at: '55000', size: '1', name: 'a' },
        { kind: 'stopLoss', at: '45000', size: '1', name: 'a' },
      ),
    ).toBe('duplicateClientOid');
  });

  test('[TRG-17] the five hundredth trigger of a symbol is accepted, the next is refused', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    for (let count = 0; count < 499; count++)
      market.submit(triggerCommand(alice, 'buy', { at: `${51_000 + count}`, size: '0.001' }));
    expect(
      triggers.exit(
        alice,
        'long',
        { kind: 'positionTakeProfit', at: '55000' },
        { kind: 'positionStopLoss', at: '45000' },
      ),
    ).toBe('tooManyTpsl');
    expect(triggers.exit(alice, 'long', { kind: 'positionTakeProfit', at: '55000' })).toBe(
      'accepted',
    );
    expect(triggers.place(alice, 'buy', { at: '51000' })).toBe('tooManyTriggers');
    expect(triggers.exit(alice, 'long', { kind: 'positionStopLoss', at: '45000' })).toBe(
      'tooManyTpsl',
    );
    market.index('ETH', '3000');
    expect(triggers.place(alice, 'buy', { at: '3100', symbol: 'ETHUSDT' })).toBe('accepted');
  });

  test('[ORD-164][ORD-166] a restricted account places no triggers, and can still close', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const [alice, bob] = [triggers.holds('long', '1'), triggers.holds('long', '1')];
    const [stop] = triggers.tpsl(alice, 'long', {
      kind: 'stopLoss',
      at: '49000',
      source: 'mark',
      size: '1',
    });
    const add = triggers.placed(alice, 'buy', { at: '49000', source: 'mark', size: '1' });
    triggers.offers('buy', '48900');
    triggers.offers('sell', '51500');
    market.accepted({ type: 'setDailyOrders', restrict: 1 });
    expect(triggers.place(alice, 'buy', { at: '51000' })).toBe('dailyOrdersReached');
    expect(triggers.exit(alice, 'long', { kind: 'takeProfit', at: '55000', size: '1' })).toBe(
      'dailyOrdersReached',
    );
    expect(triggers.change(alice, stop!, { size: '0.4' }, true)).toBe('accepted');
    market.pin('BTCUSDT', '49000');
    expect(triggers.ends()).toEqual([`fired ${stop}`, `failed ${add} dailyOrdersReached`]);
    expect([
      market.size(alice, 'BTCUSDT', 'long'),
      market.order(bob, 'sell', '1', 'BTCUSDT'),
    ]).toEqual(['0.6', 'dailyOrdersReached']);
    const { outcome } = market.accepted({
      type: 'closePositions',
      uid: bob,
      category: 'USDT-FUTURES',
    });
    expect([outcome, market.size(bob, 'BTCUSDT', 'long')]).toMatchObject([
      { value: [{ ok: true }] },
      '0',
    ]);
    market.passes(DAY);
    expect(triggers.place(alice, 'buy', { at: '51000' })).toBe('accepted');
  });

  test('[TRG-17] one with attached TP/SL counts as two, so firing never exceeds the maximum', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    const brings = {
      at: '50500',
      source: 'mark',
      size: '0.001',
      takeProfit: { at: '55000' },
      stopLoss: { at: '45000' },
    } as const;
    const ids = Array.from({ length: 249 }, () => triggers.placed(alice, 'buy', brings));
    const bare = triggers.placed(alice, 'buy', { at: '52000' });
    expect(triggers.place(alice, 'buy', brings)).toBe('tooManyTriggers');
    triggers.placed(alice, 'buy', { at: '52000' });
    expect(triggers.place(alice, 'buy', { at: '52000' })).toBe('tooManyTriggers');

    const oneMore = { takeProfit: { triggerPrice: '55000', source: 'last' } };
    expect(triggers.change(alice, bare, oneMore)).toBe('tooManyTriggers');
    expect(triggers.change(alice, ids[0]!, { takeProfit: { triggerPrice: '0' } })).toBe('accepted');
    expect(triggers.change(alice, bare, oneMore)).toBe('tooManyTriggers');
    expect(triggers.change(alice, ids[0]!, { stopLoss: { triggerPrice: '0' } })).toBe('accepted');
    expect(triggers.change(alice, bare, oneMore)).toBe('accepted');

    triggers.offers('sell', '50500');
    market.pin('BTCUSDT', '50500');
    const live = market.state.accounts.get(alice)!.triggers.get('USDT-FUTURES:BTCUSDT')!;
    expect([triggers.ends().length, live.size]).toEqual([249, 498]);
    expect(triggers.exit(alice, 'long', { kind: 'positionTakeProfit', at: '55000' })).toBe(
      'accepted',
    );
    expect(triggers.exit(alice, 'long', { kind: 'positionStopLoss', at: '45000' })).toBe(
      'tooManyTpsl',
    );
  });

  test('[TRG-69] the position mode cannot change while a trigger waits, the margin mode can', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000' });
    const id = triggers.placed(alice, 'buy', { at: '51000' });
    const mode = () =>
      market.submit({ type: 'setPositionMode', uid: alice, positionMode: 'hedge' }).outcome;
    expect(mode()).toMatchObject({ ok: false, refusal: { reason: 'positionModeInUse' } });
    market.accepted({
      type: 'setMarginMode',
      uid: alice,
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      marginMode: 'isolated',
    });
    triggers.cancel(alice, [], [{ triggerId: id }]);
    expect(mode()).toMatchObject({ ok: true });
  });

  test('[TRG-153] a trigger that opens keeps its margin mode, or fails if the other mode is in use', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const [flat, busy] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    const opens = [flat, busy].map((uid) =>
      triggers.placed(uid, 'buy', { at: '50500', source: 'mark', marginMode: 'crossed' }),
    );
    const closes = triggers.placed(busy, 'sell', {
      at: '50600',
      source: 'mark',
      size: '0.1',
      reduceOnly: true,
      marginMode: 'crossed',
    });
    for (const uid of [flat, busy])
      market.accepted({
        type: 'setMarginMode',
        uid,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        marginMode: 'isolated',
      });
    triggers.offers('sell', '50000');
    expect(market.order(busy, 'buy', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
    market.pin('BTCUSDT', '50500');
    expect(triggers.ends()).toEqual([`fired ${opens[0]}`, `failed ${opens[1]} marginModeInUse`]);
    expect(market.emitted('marginModeChanged').at(-1)).toMatchObject({
      uid: flat,
      marginMode: 'crossed',
    });
    triggers.offers('buy', '49900');
    market.pin('BTCUSDT', '50600');
    expect(triggers.ends()).toEqual([`fired ${closes}`]);
    expect(market.size(busy, 'BTCUSDT', 'long')).toBe('0');
  });
});
