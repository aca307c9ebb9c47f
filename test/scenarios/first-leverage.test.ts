import { describe, expect, test } from 'vitest';
import { settingOf } from '../../src/core/derived/account-context.ts';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { Market } from './market.test-support.ts';

const SYMBOL = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const instrument = DEFAULT_INSTRUMENTS.find(
  ({ category, symbol }) => category === SYMBOL.category && symbol === SYMBOL.symbol,
)!;
const decimal = (text: string): DecimalText => text as DecimalText;

/** The contract with one tier of this leverage. */
function list(market: Market, leverageMax: string): void {
  const [tier] = instrument.tiers;
  const tiers = [{ ...tier!, leverageMax: decimal(leverageMax) }];
  market.accepted({
    type: 'listInstrument',
    instrument: { ...instrument, leverageMax: decimal(leverageMax), tiers },
  });
}

function marketAt(leverageMax: string): Market {
  const market = new Market();
  list(market, leverageMax);
  market.index('BTC', '50000');
  market.pin('BTCUSDT', '50000');
  return market;
}

const leverage = ({ state }: Market, uid: Uid): string =>
  settingOf(state, state.accounts.get(uid)!, 'USDT-FUTURES:BTCUSDT').leverage;

/** As the view shows it. */
const shownLeverage = (market: Market, uid: Uid): string => shownSetting(market, uid).leverage;

function shownSetting({ submitted }: Market, uid: Uid) {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  for (const { command, at } of submitted) views.apply(engine.execute(command, at));
  return views.accounts.symbolSetting(uid, SYMBOL.category, SYMBOL.symbol);
}

describe('the leverage of an account without a setting', () => {
  test.each([
    ['125', '10'],
    ['10', '10'],
    ['9', '9'],
    ['1', '1'],
  ])(
    '[ACC-24] with a first tier of %s is %s, and an order is accepted at it',
    (leverageMax, first) => {
      const market = marketAt(leverageMax);
      const uid = market.joins({ USDT: '1000' });
      expect(leverage(market, uid)).toBe(first);
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.engine.audit().violations).toEqual([]);
    },
  );

  test('[ACC-162] follows a listing only if the account has nothing open in the symbol', () => {
    const market = marketAt('125');
    const [context, maker, waiting, flat] = ['5000', '5000', '5000', '5000'].map((USDT) =>
      market.joins({ USDT }),
    ) as [Uid, Uid, Uid, Uid];
    market.trade(context, maker, '0.1', 'BTCUSDT', '50000');
    expect(market.order(waiting, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(flat, 'buy', '0.01', 'BTCUSDT', '49000', { timeInForce: 'ioc' })).toBe(
      'accepted',
    );
    list(market, '5');
    expect([context, maker, waiting, flat].map((uid) => leverage(market, uid))).toEqual([
      '10',
      '10',
      '10',
      '5',
    ]);
    expect(market.order(flat, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.engine.audit().violations).toEqual([]);
    list(market, '125');
    expect([context, maker, waiting, flat].map((uid) => leverage(market, uid))).toEqual([
      '10',
      '10',
      '10',
      '5',
    ]);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-162] stays for open positions after a listing, and other symbols stay', () => {
    const market = marketAt('125');
    market.index('ETH', '3000');
    const [context, maker] = [market.joins({ USDT: '5000' }), market.joins({ USDT: '5000' })];
    market.trade(context, maker, '0.1', 'BTCUSDT', '50000');
    market.trade(context, maker, '1', 'ETHUSDT', '3000');
    market.settings(maker, 'ETHUSDT', '20', 'crossed');
    list(market, '5');
    expect([context, maker].map((uid) => leverage(market, uid))).toEqual(['10', '10']);
    expect(
      [context, maker].map(
        (uid) => market.position(uid, 'ETHUSDT', uid === context ? 'long' : 'short')?.leverage,
      ),
    ).toEqual(['10', '20']);
  });

  test('[ACC-24] is shown to each user as it applies to them', () => {
    const market = marketAt('5');
    const [context, switched, flat] = ['5000', '5000', '5000'].map((USDT) =>
      market.joins({ USDT }),
    ) as [Uid, Uid, Uid];
    expect(market.order(context, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    market.accepted({ type: 'setMarginMode', uid: switched, ...SYMBOL, marginMode: 'isolated' });
    list(market, '8');
    const people = [context, switched, flat];
    expect(people.map((uid) => leverage(market, uid))).toEqual(['5', '5', '8']);
    expect(people.map((uid) => shownLeverage(market, uid))).toEqual(['5', '5', '8']);
  });
});

describe('a leverage above the maximum of a new listing', () => {
  const set = (market: Market, uid: Uid, to: string, side?: 'long' | 'short'): void =>
    void market.accepted({
      type: 'setLeverage',
      uid,
      ...SYMBOL,
      leverage: decimal(to),
      ...(side === undefined ? {} : { side }),
    });

  test('[ACC-25] is lowered if nothing is open, shown so, and used by orders', () => {
    const market = marketAt('125');
    const [above, just] = ['1000', '1000'].map((USDT) => market.joins({ USDT })) as [Uid, Uid];
    set(market, above, '50');
    set(market, just, '20');
    list(market, '20');
    expect([above, just].map((uid) => [leverage(market, uid), shownLeverage(market, uid)])).toEqual(
      [
        ['20', '20'],
        ['20', '20'],
      ],
    );
    expect(market.emitted('leverageChanged').map(({ uid }) => uid)).toEqual([above]);
    // 0.1 at 49,000 needs 245 and a fee of 2.94 at twenty times.
    expect(market.order(above, 'buy', '0.1', 'BTCUSDT', '49000')).toBe('accepted');
    expect(
      market
        .emitted('orderAccepted')
        .map(({ order }) => [order.leverage, moneyText(order.marginHold!.amount)]),
    ).toEqual([['20', '247.94']]);
    list(market, '125');
    expect(leverage(market, above)).toBe('20');
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-25][ACC-163] stays for an open position and is lowered when that has closed', () => {
    const market = marketAt('125');
    const [context, maker] = ['5000', '100000'].map((USDT) => market.joins({ USDT })) as [Uid, Uid];
    set(market, context, '50');
    market.trade(context, maker, '0.1', 'BTCUSDT', '50000');
    list(market, '20');
    expect([
      leverage(market, context),
      market.position(context, 'BTCUSDT', 'long')!.leverage,
    ]).toEqual(['50', '50']);
    expect(market.order(context, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('insufficientMargin');
    market.order(maker, 'buy', '0.1', 'BTCUSDT', '50000');
    expect(market.order(context, 'sell', '0.1', 'BTCUSDT', '50000', { reduceOnly: true })).toBe(
      'accepted',
    );
    expect([leverage(market, context), shownLeverage(market, context)]).toEqual(['20', '20']);
    expect(market.order(context, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-25] stays for open orders, and is lowered with the last of them', () => {
    const market = marketAt('125');
    const uid = market.joins({ USDT: '5000' });
    set(market, uid, '50');
    for (const price of ['48000', '49000']) market.order(uid, 'buy', '0.01', 'BTCUSDT', price);
    list(market, '20');
    const cancelOne = (): string => {
      const [orderId] = market.state.accounts.get(uid)!.openOrders;
      market.accepted({ type: 'cancelOrders', uid, orders: [{ orderId: orderId! }] });
      return leverage(market, uid);
    };
    expect([cancelOne(), cancelOne()]).toEqual(['50', '20']);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-25] is lowered for each side separately', () => {
    const market = marketAt('125');
    const uid = market.joins({ USDT: '5000' }, 'hedge');
    market.accepted({ type: 'setMarginMode', uid, ...SYMBOL, marginMode: 'isolated' });
    set(market, uid, '30');
    set(market, uid, '50', 'long');
    set(market, uid, '5', 'short');
    list(market, '20');
    const setting = {
      marginMode: 'isolated',
      leverage: '20',
      longLeverage: '20',
      shortLeverage: '5',
    };
    expect(
      settingOf(market.state, market.state.accounts.get(uid)!, 'USDT-FUTURES:BTCUSDT'),
    ).toEqual(setting);
    expect(shownSetting(market, uid)).toEqual({ ...setting, ...SYMBOL });
  });
});
