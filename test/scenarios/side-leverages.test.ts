import { describe, expect, test } from 'vitest';
import { leverageOf } from '../../src/core/derived/account-context.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { Market } from './market.test-support.ts';
import { scenario } from './scenario.ts';

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
    expect([set('30', '126'), leverages(market, uid)]).toEqual([
      'leverageOutOfRange at shortLeverage',
      ['20', '5'],
    ]);
    expect([set('0', '6'), leverages(market, uid)]).toEqual([
      'leverageOutOfRange at longLeverage',
      ['20', '5'],
    ]);
    expect([set('9', '9.0'), leverages(market, uid)]).toEqual(['accepted', ['9', '9']]);
  });

  test('[ACC-22] a side may use the margin that the other releases: of 250, 125 but not 500', () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    // Each order is worth 5,000 and holds 500 and its fee at ten times; less than 100 is left.
    expect(market.order(uid, 'buy', '0.1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT', '50001', { positionSide: 'short' })).toBe(
      'accepted',
    );
    expect([set('10', '8'), set('20', '5'), leverages(market, uid)]).toEqual([
      'leverageNeedsMargin at shortLeverage',
      'leverageNeedsMargin at shortLeverage',
      ['10', '10'],
    ]);
    expect([set('20', '8'), leverages(market, uid)]).toEqual(['accepted', ['20', '8']]);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-22] either side may release it: 250 of the short allow 125, not 500, of the long', () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    expect(market.order(uid, 'buy', '0.1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT', '50001', { positionSide: 'short' })).toBe(
      'accepted',
    );
    expect([set('5', '20'), leverages(market, uid)]).toEqual([
      'leverageNeedsMargin at shortLeverage',
      ['10', '10'],
    ]);
    expect([set('8', '20'), leverages(market, uid)]).toEqual(['accepted', ['8', '20']]);
    // 1,100 less 5,000 / 8 + 3 and 5,000.1 / 20 + 3.00006.
    expect([market.available(uid), market.engine.audit().violations]).toEqual(['218.99494', []]);
  });

  // 1,100 less 5,000 / 20 + 3 and 5,000.1 / 20 + 3.00006.
  test('[POS-80] a leverage without a side applies to open orders of both sides', () => {
    const { market, uid } = marketWith('hedge', 'isolated');
    expect(market.order(uid, 'buy', '0.1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT', '50001', { positionSide: 'short' })).toBe(
      'accepted',
    );
    market.accepted({ type: 'setLeverage', uid, ...SYMBOL, leverage: '20' as DecimalText });
    expect([market.available(uid), leverages(market, uid)]).toEqual(['593.99494', ['20', '20']]);
  });

  test("[ACC-22][POS-40] the tier of a side's value limits its leverage: 50,000 allow 125, 50,005 only 100", () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    expect(set('125', '100')).toBe('accepted');
    expect(market.order(uid, 'buy', '1', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    expect([set('100', '5'), set('125', '5'), set('100', '6')]).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    expect(market.order(uid, 'buy', '0.0001', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    expect([set('101', '5'), leverages(market, uid)]).toEqual([
      'leverageOutOfRange at longLeverage',
      ['100', '6'],
    ]);
    expect([set('99', '125'), leverages(market, uid)]).toEqual(['accepted', ['99', '125']]);
  });

  test('[ACC-22][POS-80] a position needs the margin of its side: 1,000 of 5,000 at five times, and no less', () => {
    const { market, uid, set } = marketWith('hedge', 'isolated');
    market.trade(uid, market.joins({ USDT: '10000' }), '0.1', 'BTCUSDT', '50000', {
      buy: { positionSide: 'long' },
    });
    const add = (amount: string) =>
      market.accepted({
        type: 'adjustMargin',
        uid,
        ...SYMBOL,
        side: 'long',
        amount: amount as DecimalText,
        direction: 'add',
      });
    add('499.9999999999');
    expect([set('5', '20'), leverages(market, uid)]).toEqual([
      'leverageNeedsMargin at longLeverage',
      ['10', '10'],
    ]);
    add('0.0000000001');
    expect([set('5', '20'), leverages(market, uid)]).toEqual(['accepted', ['5', '20']]);
  });

  test.each([
    ['oneWay', 'isolated'],
    ['hedge', 'crossed'],
  ] as const)(
    '[ACC-161] two different ones are refused in %s %s mode, two equal ones are accepted',
    (positionMode, marginMode) => {
      const { market, uid, set } = marketWith(positionMode, marginMode);
      expect([set('20', '5'), leverages(market, uid)]).toEqual([
        'fieldInvalid at shortLeverage',
        ['10', '10'],
      ]);
      expect([set('20', '20'), leverages(market, uid)]).toEqual(['accepted', ['20', '20']]);
    },
  );

  test('[POS-80] an order may use the margin that another releases, in any order of age', () => {
    const { market, uid } = marketWith('oneWay', 'isolated');
    market.order(market.joins({ USDT: '10000' }), 'buy', '0.1', 'BTCUSDT', '50000');
    market.accepted({ type: 'setInstrumentStatus', ...SYMBOL, status: 'halted' });
    // While they wait they hold 503 and 595.552 at ten times, which leaves 1.448.
    expect(market.order(uid, 'sell', '0.1', 'BTCUSDT')).toBe('accepted');
    expect(market.order(uid, 'buy', '0.148', 'BTCUSDT', '40000')).toBe('accepted');
    market.pin('BTCUSDT', '60000');
    // At eleven times and a mark of 60,000 the market order holds 545.45… + 3.6, the buy 538.18… +
    // 3.552.
    market.accepted({ type: 'setLeverage', uid, ...SYMBOL, leverage: '11' as DecimalText });
    expect([market.available(uid), market.engine.audit().violations]).toEqual(['9.2116363635', []]);
  });
});

test('[POS-80] an open order takes a lower leverage with exactly the margin it will hold', () => {
  scenario(`
    index  BTC    50000
    alice  deposits  10030 USDT
    bob    deposits  10029.9999999999 USDT
    alice  buys   1 BTCUSDT at 50000              | alice has equity 10030 and needs 5030
    bob    buys   1 BTCUSDT at 50000
    bob    sets leverage 5 on BTCUSDT             | refused leverageNeedsMargin at leverage
    alice  sets leverage 5 on BTCUSDT             | alice has equity 10030 and needs 10030
  `);
});

// 1 at 50,000 holds 5,000 and a fee of 30 at ten times, and 10,000 and 30 at five times. The
// position that it opens keeps the leverage.
test.for(['isolated', 'crossed'] as const)(
  '[POS-80] an open order is filled at its new leverage, and events show it: %s',
  (marginMode) => {
    const market = new Market();
    market.index('BTC', '50000');
    const [uid, maker] = [market.joins({ USDT: '20000' }), market.joins({ USDT: '1000000' })];
    market.settings(uid, 'BTCUSDT', '10', marginMode);
    expect(market.order(uid, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
    market.accepted({ type: 'setLeverage', uid, ...SYMBOL, leverage: '5' as DecimalText });
    const emitted = market
      .emitted('orderReleveraged')
      .map(({ leverage, marginHold }) => [leverage, marginHold && moneyText(marginHold)]);
    // The hold of an isolated order is in the wallet.
    expect(emitted).toEqual([['5', marginMode === 'isolated' ? undefined : '10030']]);
    expect(market.order(maker, 'sell', '1', 'BTCUSDT', '50000')).toBe('accepted');
    const position = market.position(uid, 'BTCUSDT', 'long')!;
    expect([position.leverage, moneyText(position.margin)]).toEqual([
      '5',
      marginMode === 'isolated' ? '10000' : '0',
    ]);
    market.accepted({ type: 'setLeverage', uid, ...SYMBOL, leverage: '8' as DecimalText });
    expect(market.emitted('positionChanged').map((event) => event.position.leverage)).toEqual([
      '8',
    ]);
    market.check();
  },
);

// A bitcoin at 50,000 needs 5,000 at ten times, and 10 ether at 3,000 need 1,200 at 25 times. Fees
// were 48 in total.
test.for([
  ['6247.9999999999', 'leverageNeedsMargin'],
  ['6248', 'accepted'],
] as const)(
  '[POS-80] a lower leverage applies to its own symbol only: %s are %s',
  ([money, answer]) => {
    const market = new Market();
    market.index('BTC', '50000');
    market.index('ETH', '3000');
    const [uid, other] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
    market.settings(uid, 'BTCUSDT', '10', 'crossed');
    market.settings(uid, 'ETHUSDT', '50', 'crossed');
    market.trade(uid, other, '1', 'BTCUSDT', '50000');
    market.trade(uid, other, '10', 'ETHUSDT', '3000');
    const symbol = { category: 'USDT-FUTURES', symbol: 'ETHUSDT' } as const;
    const { outcome } = market.submit({
      type: 'setLeverage',
      uid,
      ...symbol,
      leverage: '25' as DecimalText,
    });
    expect(outcome.ok ? 'accepted' : outcome.refusal.reason).toBe(answer);
  },
);

// A position of 1 bitcoin has a margin of 0.1 at ten times, and needs 0.2 at five times.
test.for([
  ['0.0999999999', 'leverageNeedsMargin'],
  ['0.1', 'accepted'],
] as const)(
  '[POS-80] an inverse isolated position takes a lower leverage with %s more in it: %s',
  ([amount, answer]) => {
    const market = new Market();
    market.index('BTC', '50000');
    const [uid, other] = [market.joins({ BTC: '1' }), market.joins({ BTC: '100' })];
    market.settings(uid, 'BTCUSD', '10', 'isolated');
    market.trade(uid, other, '1', 'BTCUSD', '50000');
    const symbol = { category: 'COIN-FUTURES', symbol: 'BTCUSD' } as const;
    market.accepted({
      type: 'adjustMargin',
      uid,
      ...symbol,
      side: 'long',
      direction: 'add',
      amount: amount as DecimalText,
    });
    const { outcome } = market.submit({
      type: 'setLeverage',
      uid,
      ...symbol,
      leverage: '5' as DecimalText,
    });
    expect(outcome.ok ? 'accepted' : outcome.refusal.reason).toBe(answer);
  },
);
