/** Take-profit and stop-loss attached to a trigger. */
import { describe, expect } from 'vitest';
import { moneyText } from '../../src/kernel/money.ts';
import { test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

describe('take-profit and stop-loss attached to a trigger', () => {
  const withBoth = {
    takeProfit: { at: '53000' },
    stopLoss: { at: '48000', source: 'mark', price: '47900' },
  } as const;

  test('[TRG-09][TRG-41] protect what was filled once the order is done', ({ market }) => {
    const triggers = new Triggers(market);
    triggers.trades('50000');
    const alice = market.joins({ USDT: '1000000' });
    triggers.placed(alice, 'buy', {
      at: '51000',
      source: 'mark',
      price: '51000',
      size: '2',
      ...withBoth,
    });
    triggers.offers('sell', '51000', '0.5');
    market.pin('BTCUSDT', '51000');
    expect([market.size(alice, 'BTCUSDT', 'long'), triggers.liveTpsl(alice)]).toEqual(['0.5', []]);
    triggers.offers('sell', '51000', '0.7');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect(triggers.liveTpsl(alice)).toEqual(['takeProfit 53000 x 1.2', 'stopLoss 48000 x 1.2']);
    const [gain, loss] = [...market.state.triggers.values()];
    expect([gain!.ocoSibling, loss!.ocoSibling, moneyText(loss!.price!)]).toEqual([
      loss!.id,
      gain!.id,
      '47900',
    ]);
  });

  test('[TRG-41] an order without a fill leaves none', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    triggers.placed(alice, 'buy', {
      at: '51000',
      source: 'mark',
      price: '51000',
      size: '2',
      ...withBoth,
    });
    market.pin('BTCUSDT', '51000');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect([market.state.triggers.size, market.state.pendingTpsl.size]).toEqual([0, 0]);
  });

  test('[TRG-42] of a trailing order are percentages of the fill: 10 of 50,000 is 55,000', ({
    market,
  }) => {
    for (const [side, expected] of [
      ['buy', ['takeProfit 55000 x 2', 'stopLoss 47500 x 2']],
      ['sell', ['takeProfit 45000 x 2', 'stopLoss 52500 x 2']],
    ] as const) {
      const triggers = new Triggers(market);
      const alice = market.joins({ USDT: '1000000' });
      market.pin('BTCUSDT', '50000');
      triggers.placed(alice, side, {
        at: '50000',
        source: 'mark',
        callback: '1',
        size: '2',
        takeProfit: { at: '10' },
        stopLoss: { at: '5' },
      });
      triggers.offers(side === 'buy' ? 'sell' : 'buy', '49000', '1');
      triggers.offers(side === 'buy' ? 'sell' : 'buy', '51000', '1');
      market.pin('BTCUSDT', side === 'buy' ? '50500' : '49500');
      expect(triggers.liveTpsl(alice)).toEqual(expected);
      market.accepted({ type: 'cancelAllOrders', uid: triggers.maker, category: 'USDT-FUTURES' });
    }
  });

  test('[TRG-42] are rounded to the nearest tick; a stop-loss of 100 % has no price', ({
    market,
  }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    market.pin('BTCUSDT', '50000');
    triggers.placed(alice, 'buy', {
      at: '50000',
      source: 'mark',
      callback: '1',
      size: '1',
      takeProfit: { at: '0.33' },
      stopLoss: { at: '100' },
    });
    triggers.offers('sell', '50100.1');
    market.pin('BTCUSDT', '50500');
    // 50,100.1 × 1.0033 = 50,265.43033.
    expect(triggers.liveTpsl(alice)).toEqual(['takeProfit 50265.4 x 1']);
  });

  test('[TRG-33] fire at once if their price has passed', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = market.joins({ USDT: '1000000' });
    triggers.offers('sell', '51000', '1');
    triggers.offers('buy', '50900', '5');
    const plan = triggers.placed(alice, 'buy', {
      at: '50500',
      source: 'mark',
      size: '1',
      takeProfit: { at: '50800' },
      stopLoss: { at: '49000' },
    });
    market.pin('BTCUSDT', '50500');
    const [first, second, third] = triggers.ends();
    expect([first, third?.startsWith('fired'), second?.endsWith('ocoSiblingFired')]).toEqual([
      `fired ${plan}`,
      true,
      true,
    ]);
    expect(market.size(alice, 'BTCUSDT', 'long')).toBe('0');
  });

  test('[TRG-41] in one-way mode an order that only closed leaves none', ({ market }) => {
    const triggers = new Triggers(market);
    const alice = triggers.holds('short', '3');
    triggers.placed(alice, 'buy', {
      at: '50500',
      source: 'mark',
      size: '1',
      takeProfit: { at: '60000' },
    });
    triggers.offers('sell', '50500');
    market.pin('BTCUSDT', '50500');
    expect([market.size(alice, 'BTCUSDT', 'short'), market.state.triggers.size]).toEqual(['2', 0]);
  });
});
