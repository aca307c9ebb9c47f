/** Opening fills at the limit of what the account can afford: just accepted and just refused. */
import { describe, expect } from 'vitest';
import type { Executed } from '../../src/core/engine.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { decimal, outcomes, REFUSED } from './fill-limits.test-support.ts';
import { type Market, test } from './market.test-support.ts';

const TAKEN_AWAY = { fills: [], ends: ['moneyGone'], liquidated: 0 };

/**
 * An account that was long 1 and is flat, with open sells at 51,000 that were meant to close it.
 */
function outlivedClose(
  market: Market,
  marginMode: 'crossed' | 'isolated',
  leverage: string,
  sells: readonly string[],
) {
  market.index('BTC', '50000');
  const [alice, maker] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '1000000' })];
  market.settings(alice, 'BTCUSDT', leverage, marginMode);
  market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
  market.order(alice, 'buy', '1', 'BTCUSDT', '50000');
  for (const size of sells) market.order(alice, 'sell', size, 'BTCUSDT', '51000');
  market.order(maker, 'buy', '1', 'BTCUSDT', '50000');
  expect(market.order(alice, 'sell', '1', 'BTCUSDT', '50000')).toBe('accepted');
  expect(market.position(alice, 'BTCUSDT', 'long')).toBeUndefined();
  return { alice, maker };
}

const becomes = (
  market: Market,
  status: 'halted' | 'normal',
  category: 'SPOT' | 'USDT-FUTURES' = 'USDT-FUTURES',
): Executed =>
  market.accepted({ type: 'setInstrumentStatus', category, symbol: 'BTCUSDT', status });

/**
 * An account whose market buy was accepted in a halt, with an ask at 50,000. It then enters a book
 * with an ask at 60,000, which is the mark.
 */
function buysInHalt(
  market: Market,
  money: string,
  leverage: string,
  marginMode: 'crossed' | 'isolated',
  size: string,
): Uid {
  market.index('BTC', '50000');
  const [alice, friend, maker] = [
    market.joins({ USDT: money }),
    market.joins({ USDT: '1000000' }),
    market.joins({ USDT: '1000000' }),
  ];
  market.settings(alice, 'BTCUSDT', leverage, marginMode);
  market.order(friend, 'sell', '1', 'BTCUSDT', '50000');
  market.order(maker, 'sell', '1', 'BTCUSDT', '60000');
  becomes(market, 'halted');
  expect(market.order(alice, 'buy', size, 'BTCUSDT')).toBe('accepted');
  market.accepted({ type: 'cancelAllOrders', uid: friend, category: 'USDT-FUTURES' });
  market.index('BTC', '60000');
  becomes(market, 'normal');
  return alice;
}

describe('opening', () => {
  // At 55,300 and ten times it holds 5,530 and a fee of 33.18, and loses 5,300 against mark: 230
  // are left, and 50,000 × 0.0046 are needed.
  test.for([
    ['5563.18', 'insufficientMargin', REFUSED],
    [
      '5563.1800000001',
      'accepted',
      { fills: ['normal buy 1 at 55300'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71][ORD-89] with %s leaves a crossed account above its maintenance',
    ([money, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.order(maker, 'sell', '1', 'BTCUSDT', '55300');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '55300')).toBe(answer);
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  test.for([
    ['55300', 'insufficientMargin', REFUSED],
    [
      '55299.9',
      'accepted',
      { fills: ['normal buy 1 at 55299.9'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71][ORD-89] at %s leaves an isolated position above its maintenance',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      market.order(maker, 'sell', '1', 'BTCUSDT', price);
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', price)).toBe(answer);
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  test.for(['crossed', 'isolated'] as const)(
    '[ORD-71] in a tier that needs more than the margin opens nothing at any price, %s',
    (marginMode, { market }) => {
      const listed = DEFAULT_INSTRUMENTS.find(
        ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT',
      )!;
      const [tier] = listed.tiers;
      market.accepted({
        type: 'listInstrument',
        instrument: { ...listed, tiers: [{ ...tier!, maintenanceRate: decimal('0.0079') }] },
      });
      market.index('BTC', '50000');
      // 400 of margin and a fee of 30; 50,000 × 0.0085 = 425 are needed.
      const [alice, maker] = [market.joins({ USDT: '430' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('insufficientMargin');
      expect(outcomes(market, alice)).toEqual(REFUSED);
    },
  );

  // Long 1 at 50,000, which 125 times allow. Its sell at 51,000 closes it. After another close it
  // would open 51,000, which 100 times allow.
  test.for([
    ['crossed', '125', TAKEN_AWAY],
    ['crossed', '100', { fills: ['normal sell 1 at 51000'], ends: ['filled'], liquidated: 0 }],
    ['isolated', '125', TAKEN_AWAY],
    ['isolated', '100', { fills: ['normal sell 1 at 51000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[POS-97] a closing order that opens after all is checked against the tiers, %s at %s times',
    (run, { market }) => {
      const [marginMode, leverage, expected] = run;
      const { alice, maker } = outlivedClose(market, marginMode, leverage, ['1']);
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  test.for(['crossed', 'isolated'] as const)(
    '[POS-97][ORD-83] also together: each half fits the tier, and both do not, %s',
    (marginMode, { market }) => {
      const { alice, maker } = outlivedClose(market, marginMode, '125', ['0.5', '0.5']);
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000', { timeInForce: 'fok' });
      expect(outcomes(market, maker)).toEqual({ fills: [], ends: ['fokNotFull'], liquidated: 0 });
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000');
      expect(outcomes(market, alice)).toEqual({
        fills: ['normal sell 0.5 at 51000'],
        ends: ['filled', 'moneyGone'],
        liquidated: 0,
      });
    },
  );

  // Each counts at mark, 30,000 for 0.6 and 20,000 for 0.4: exactly the first tier. At their limits
  // they would be 18,000 and 12,000.
  test.for([
    ['crossed', 'limit'],
    ['crossed', 'market'],
    ['isolated', 'limit'],
    ['isolated', 'market'],
  ] as const)(
    '[POS-167] waiting sells below mark count together against the tier, %s at %s',
    ([marginMode, orderType], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      market.order(maker, 'buy', '2', 'BTCUSDT', '50000');
      becomes(market, 'halted');
      const sells = (size: string): string =>
        market.order(alice, 'sell', size, 'BTCUSDT', orderType === 'limit' ? '30000' : undefined);
      expect(['0.6', '0.4001', '0.4', '0.0001'].map(sells)).toEqual([
        'accepted',
        'insufficientMargin',
        'accepted',
        'insufficientMargin',
      ]);
      becomes(market, 'normal');
      expect(outcomes(market, alice)).toEqual({
        fills: ['normal sell 0.6 at 50000', 'normal sell 0.4 at 50000'],
        ends: ['filled', 'filled'],
        liquidated: 0,
      });
    },
  );

  // It holds 5,000 and a fee of 30 for an ask at 50,000 that is cancelled before trading resumes.
  // The next one is at 60,000, which needs 6,000 and 36.
  test.for([
    ['6035.9999999999', TAKEN_AWAY],
    ['6036', { fills: ['normal buy 1 at 60000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-181] with %s a waiting market buy needs the price that it finds',
    ([money, expected], { market }) => {
      const alice = buysInHalt(market, money, '10', 'crossed', '1');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  // At 125 times the first tier ends at 50,000: 0.8333 at 60,000 are 49,998, and 0.8334 are 50,004.
  test.for([
    [
      'crossed',
      '0.8333',
      { fills: ['normal buy 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['crossed', '0.8334', TAKEN_AWAY],
    [
      'isolated',
      '0.8333',
      { fills: ['normal buy 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['isolated', '0.8334', TAKEN_AWAY],
  ] as const)(
    '[ORD-183][POS-40] nor does it outgrow its tier, %s with %s',
    ([marginMode, size, expected], { market }) => {
      const alice = buysInHalt(market, '100000', '125', marginMode, size);
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  test.for([
    [
      'crossed',
      '0.8333',
      { fills: ['normal sell 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['crossed', '0.8334', TAKEN_AWAY],
    [
      'isolated',
      '0.8333',
      { fills: ['normal sell 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['isolated', '0.8334', TAKEN_AWAY],
  ] as const)(
    '[ORD-183][POS-167] nor does a sell below the new mark, %s with %s',
    ([marginMode, size, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      becomes(market, 'halted');
      market.order(maker, 'buy', '1', 'BTCUSDT', '60000');
      expect(market.order(alice, 'sell', size, 'BTCUSDT', '50000')).toBe('accepted');
      market.index('BTC', '60000');
      becomes(market, 'normal');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  // At three times each holds 10,000 and a fee of 30 for 30,000. A borrowed bitcoin sold at 60,000
  // needs a third of that and costs a fee of 60: 1.3333333334 and 0.3333333334 of 4 and 1 more,
  // which are 100,000.000008 at index.
  test.for([
    ['100300.000008', '5 + 0', []],
    ['100300.0000079999', '4 + 0', ['moneyGone']],
  ] as const)(
    '[ORD-184] with %s waiting margin sells borrow %s',
    ([money, debt, cancelled], { market }) => {
      market.index('BTC', '60000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.order(maker, 'buy', '5', 'SPOT:BTCUSDT', '60000');
      becomes(market, 'halted', 'SPOT');
      for (let count = 0; count < 5; count++)
        expect(market.order(alice, 'sell', '1', 'MARGIN:BTCUSDT', '30000')).toBe('accepted');
      becomes(market, 'normal', 'SPOT');
      expect(market.debt(alice, 'BTC')).toBe(debt);
      expect(market.emitted('orderEnded').flatMap(({ end }) => end.cancelReason ?? [])).toEqual(
        cancelled,
      );
    },
  );

  // 0.999 bitcoin count for 0.94905 of the index, and a twentieth of the borrowed 18,981 is needed:
  // at 21,000 they are equal.
  test.for([
    ['21000', TAKEN_AWAY],
    ['21000.1', { fills: ['normal buy 1 at 30000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] on margin with the index at %s leaves the account above the maintenance of its loan',
    ([index, expected], { market }) => {
      market.index('BTC', '33000');
      const [alice, maker] = [market.joins({ USDT: '11019' }), market.joins({ BTC: '10' })];
      expect(market.order(alice, 'buy', '1', 'MARGIN:BTCUSDT', '30000')).toBe('accepted');
      market.index('BTC', index);
      market.order(maker, 'sell', '1', 'SPOT:BTCUSDT', '30000');
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );
});

describe('an isolated order that sells at better prices than its limit', () => {
  // At ten times 50,500 need 5,050 and a fee of 30.3; 50,000 would need 5,030.
  test.for([
    ['5080.2999999999', '50000', 'insufficientMargin', REFUSED],
    [
      '5080.3',
      '50000',
      'accepted',
      { fills: ['normal sell 1 at 50500'], ends: ['filled'], liquidated: 0 },
    ],
    ['5080.2999999999', undefined, 'insufficientMargin', REFUSED],
    [
      '5080.3',
      undefined,
      'accepted',
      { fills: ['normal sell 1 at 50500'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-171] with %s at a limit of %s needs the margin of the best bid, or is refused',
    ([money, limit, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      market.order(maker, 'buy', '1', 'BTCUSDT', '50500');
      expect(market.order(alice, 'sell', '1', 'BTCUSDT', limit)).toBe(answer);
      expect(outcomes(market, alice)).toEqual(expected);
    },
  );

  // 10,090 of margin, fees of 30.3 and 30.24, and 5,030 for the third, which rests at the limit.
  test.for([
    ['2', '50000', '10150.5399999999'],
    ['2', undefined, '10150.5399999999'],
    ['3', '50000', '15180.5399999999'],
  ] as const)(
    '[ORD-171] of %s at a limit of %s needs one unit more than %s for all the bids it meets',
    ([size, limit, money], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      for (const bid of ['50500', '50400']) market.order(maker, 'buy', '1', 'BTCUSDT', bid);
      expect(market.order(alice, 'sell', size, 'BTCUSDT', limit)).toBe('insufficientMargin');
      market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal('0.0000000001') });
      expect(market.order(alice, 'sell', size, 'BTCUSDT', limit)).toBe('accepted');
      expect(market.fills(alice)).toEqual(['normal sell 1 at 50500', 'normal sell 1 at 50400']);
      expect(market.available(alice)).toBe('0');
    },
  );

  test('[ORD-171] needs no more than its limit for bids that it does not reach', ({ market }) => {
    market.index('BTC', '50000');
    const [alice, maker] = [market.joins({ USDT: '5130.6' }), market.joins({ USDT: '1000000' })];
    market.settings(alice, 'BTCUSDT', '10', 'isolated');
    market.order(maker, 'buy', '1', 'BTCUSDT', '50900');
    expect(market.order(alice, 'sell', '1', 'BTCUSDT', '51000')).toBe('accepted');
    expect(market.available(alice)).toBe('0');
  });
});
