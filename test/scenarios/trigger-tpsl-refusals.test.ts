/** Refusals of take-profit and stop-loss when they are placed. */
import { describe, expect } from 'vitest';
import { test } from './market.test-support.ts';
import { type TpslWayInput, Triggers } from './trigger-market.test-support.ts';

describe('placing take-profit and stop-loss', () => {
  test('[TRG-29] the side must have a position', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    expect(triggers.exit(alice, 'short', { kind: 'positionTakeProfit', at: '45000' })).toBe(
      'noPosition',
    );
    expect(triggers.exit(alice, 'long', { kind: 'positionTakeProfit', at: '55000' })).toBe(
      'accepted',
    );
  });

  test('[TRG-29] invalid fields are reported before a missing position, and price checks after it', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const flat = market.joins({ USDT: '1000' });
    const rows: readonly (readonly [TpslWayInput, string])[] = [
      [{ kind: 'takeProfit', at: '55000' }, 'fieldMissing'],
      [{ kind: 'takeProfit', at: '55000', size: '0' }, 'sizeTooSmall'],
      [{ kind: 'positionStopLoss', at: '45000.001' }, 'priceOffStep'],
      [{ kind: 'trailingExit', at: '55000', size: '1' }, 'triggerFieldsConflict'],
      [{ kind: 'trailingExit', at: '55000', size: '1', callback: '10' }, 'noPosition'],
      [{ kind: 'positionStopLoss', at: '55000' }, 'noPosition'],
    ];
    for (const [input, outcome] of rows)
      expect(triggers.exit(flat, 'long', input), JSON.stringify(input)).toBe(outcome);
  });

  test('[TRG-20][TRG-22][TRG-23][TRG-24] size, limit and callback rate at their borders', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    const rows: readonly (readonly [TpslWayInput, string])[] = [
      [{ kind: 'takeProfit', at: '55000' }, 'fieldMissing'],
      [{ kind: 'takeProfit', at: '55000', size: '0' }, 'sizeTooSmall'],
      [{ kind: 'takeProfit', at: '55000', size: '0.0001' }, 'accepted'],
      [{ kind: 'positionTakeProfit', at: '55000', size: '77.77777' }, 'accepted'],
      [{ kind: 'stopLoss', at: '45000', size: '1', price: '44000' }, 'accepted'],
      [{ kind: 'trailingExit', at: '55000', size: '1' }, 'triggerFieldsConflict'],
      [{ kind: 'trailingExit', at: '55000', size: '1', callback: '0' }, 'triggerFieldsConflict'],
      [{ kind: 'trailingExit', at: '55000', size: '1', callback: '0.01' }, 'accepted'],
      [{ kind: 'trailingExit', at: '55000', size: '1', callback: '10' }, 'accepted'],
      [{ kind: 'trailingExit', at: '55000', size: '1', callback: '10.1' }, 'triggerFieldsConflict'],
      [
        { kind: 'trailingExit', at: '55000', size: '1', callback: '1', price: '50000' },
        'triggerFieldsConflict',
      ],
      [{ kind: 'trailingExit', at: '55000', callback: '1' }, 'fieldMissing'],
    ];
    for (const [input, answer] of rows)
      expect([input, triggers.exit(alice, 'long', input)]).toEqual([input, answer]);
    const whole = [...market.state.triggers.values()].find(
      ({ kind }) => kind === 'positionTakeProfit',
    );
    expect(whole?.lots).toBe(0);
  });

  test('[TRG-30] each on its side of the price, by last and by mark', ({ market }) => {
    const triggers = new Triggers(market);
    const long = triggers.holds('long', '1');
    const short = triggers.holds('short', '1');
    market.pin('BTCUSDT', '50500');
    const rows = [
      [long, 'long', 'takeProfit', 'last', '50000', '50000.1', 'longTakeProfitTooLow'],
      [long, 'long', 'stopLoss', 'last', '50000', '49999.9', 'longStopLossTooHigh'],
      [short, 'short', 'takeProfit', 'last', '50000', '49999.9', 'shortTakeProfitTooHigh'],
      [short, 'short', 'stopLoss', 'last', '50000', '50000.1', 'shortStopLossTooLow'],
      [long, 'long', 'takeProfit', 'mark', '50500', '50500.1', 'longTakeProfitBelowMark'],
      [long, 'long', 'stopLoss', 'mark', '50500', '50499.9', 'longStopLossAboveMark'],
      [short, 'short', 'takeProfit', 'mark', '50500', '50499.9', 'shortTakeProfitAboveMark'],
      [short, 'short', 'stopLoss', 'mark', '50500', '50500.1', 'shortStopLossBelowMark'],
    ] as const;
    for (const [uid, side, kind, source, wrong, right, reason] of rows) {
      expect(triggers.exit(uid, side, { kind, at: wrong, source, size: '1' })).toBe(reason);
      expect(triggers.exit(uid, side, { kind, at: right, source, size: '1' })).toBe('accepted');
    }
  });

  test('[TRG-31] a side has one take-profit and one stop-loss of the whole position', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('long', '1');
    expect(triggers.exit(alice, 'long', { kind: 'positionTakeProfit', at: '55000' })).toBe(
      'accepted',
    );
    expect(triggers.exit(alice, 'long', { kind: 'positionTakeProfit', at: '56000' })).toBe(
      'takeProfitExists',
    );
    expect(triggers.exit(alice, 'long', { kind: 'positionStopLoss', at: '45000' })).toBe(
      'accepted',
    );
    expect(triggers.exit(alice, 'long', { kind: 'positionStopLoss', at: '44000' })).toBe(
      'stopLossExists',
    );
    expect(triggers.exit(alice, 'long', { kind: 'takeProfit', at: '56000', size: '1' })).toBe(
      'accepted',
    );
  });
});
