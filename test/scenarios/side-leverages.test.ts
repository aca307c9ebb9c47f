import { describe, expect, test } from 'vitest';
import { leverageOf } from '../../src/core/accounts/settings.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { Market } from './market.test-support.ts';

const SYMBOL = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;

function marketWith(positionMode: 'oneWay' | 'hedge', marginMode: 'crossed' | 'isolated') {
  const market = new Market();
  market.index('BTC', '50000');
  market.pin('BTCUSDT', '50000');
  const uid = market.joins({ USDT: '1100' }, positionMode);
  market.settings(uid, 'BTCUSDT', '10', marginMode);
  const set = (longLeverage: string, shortLeverage: string) => {
    const { outcome } = market.submit({
      type: 'setSideLeverages',
      uid,
      ...SYMBOL,
      longLeverage: longLeverage as DecimalText,
      shortLeverage: shortLeverage as DecimalText,
    });
    return outcome.ok ? 'accepted' : `${outcome.refusal.reason} at ${outcome.refusal.field}`;
  };
  return { market, uid, set };
}

const leverages = (market: Market, uid: Uid): readonly string[] => {
  const account = market.state.accounts.get(uid)!;
  return [
    leverageOf(market.state, account, 'USDT-FUTURES:BTCUSDT', 'long'),
    leverageOf(market.state, account, 'USDT-FUTURES:BTCUSDT', 'short'),
  ];
};

describe('a leverage for each side', () => {
  test('[ACC-22] both are set by one command, or neither', () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    expect([set('20', '5'), leverages(market, uid)]).toEqual(['accepted', ['20', '5']]);
    expect([set('30', '126'), leverages(market, uid)]).toEqual(['leverageOutOfRange at shortLeverage', ['20', '5']]);
    expect([set('0', '6'), leverages(market, uid)]).toEqual(['leverageOutOfRange at longLeverage', ['20', '5']]);
    expect([set('9', '9.0'), leverages(market, uid)]).toEqual(['accepted', ['9', '9']]);
  });

  test('[ACC-22] what one side frees the other may use: 250 freed and 125 needed is accepted, 500 needed is not', () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    // Each order is worth 5,000 and holds 500 and its fee at ten times; less than 100 is left.
    expect(market.order(uid, 'buy', '0.1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe('accepted');
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT', '50001', { positionSide: 'short' })).toBe('accepted');
    expect([set('10', '8'), set('20', '5'), leverages(market, uid)]).toEqual([
      'leverageNeedsMargin at shortLeverage',
      'leverageNeedsMargin at shortLeverage',
      ['10', '10'],
    ]);
    expect([set('20', '8'), leverages(market, uid)]).toEqual(['accepted', ['20', '8']]);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test.each([
    ['oneWay', 'isolated'],
    ['hedge', 'crossed'],
  ] as const)('[ACC-22] two different ones are refused in %s %s mode, the same for both is not', (positionMode, marginMode) => {
    const { market, uid, set } = marketWith(positionMode, marginMode);
    expect([set('20', '5'), leverages(market, uid)]).toEqual(['fieldInvalid at shortLeverage', ['10', '10']]);
    expect([set('20', '20'), leverages(market, uid)]).toEqual(['accepted', ['20', '20']]);
  });

  test('[POS-80] what one order frees another may use, whichever came first', () => {
    const { market, uid } = marketWith('oneWay', 'isolated');
    // They hold 503 and 595.552 at ten times, and 1.448 are left.
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.order(uid, 'buy', '0.148', 'BTCUSDT', '40000')).toBe('accepted');
    market.pin('BTCUSDT', '60000');
    // At eleven times and a mark of 60,000 the sell holds 545.45… + 3.6, the buy 538.18… + 3.552.
    market.accepted({ type: 'setLeverage', uid, ...SYMBOL, leverage: '11' as DecimalText });
    expect([market.available(uid), market.engine.audit().violations]).toEqual(['9.2116363635', []]);
  });
});
