import { describe, expect, test } from 'vitest';
import { DEFAULT_INSTRUMENTS } from '../../src/app/world/instruments.ts';
import { settingOf } from '../../src/core/accounts/settings.ts';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { createMemoryHistory } from '../../src/views/history/memory-history.ts';
import { createViews } from '../../src/views/views.ts';
import { Market } from './market.test-support.ts';

const SYMBOL = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' } as const;
const instrument = DEFAULT_INSTRUMENTS.find(({ category, symbol }) => category === SYMBOL.category && symbol === SYMBOL.symbol)!;
const decimal = (text: string): DecimalText => text as DecimalText;

/** The contract with one tier that allows so much. */
function list(market: Market, leverageMax: string): void {
  const [tier] = instrument.tiers;
  const tiers = [{ ...tier!, leverageMax: decimal(leverageMax) }];
  market.accepted({ type: 'listInstrument', instrument: { ...instrument, leverageMax: decimal(leverageMax), tiers } });
}

function marketAt(leverageMax: string): Market {
  const market = new Market();
  list(market, leverageMax);
  market.index('BTC', '50000');
  market.pin('BTCUSDT', '50000');
  return market;
}

const leverage = ({ state }: Market, uid: Uid): string => settingOf(state, state.accounts.get(uid)!, 'USDT-FUTURES:BTCUSDT').leverage;

/** As whoever has heard everything shows it. */
function shownLeverage({ lived }: Market, uid: Uid): string {
  const engine = createEngine();
  const views = createViews(createMemoryHistory());
  for (const { command, at } of lived) views.apply(engine.execute(command, at));
  return views.accounts.symbolSetting(uid, SYMBOL.category, SYMBOL.symbol).leverage;
}

describe('the leverage of whoever has set none', () => {
  test.each([
    ['125', '10'],
    ['10', '10'],
    ['9', '9'],
    ['1', '1'],
  ])('[ACC-24] where the first tier allows %s it is %s, and an order is taken at it', (leverageMax, first) => {
    const market = marketAt(leverageMax);
    const uid = market.joins({ USDT: '1000' });
    expect(leverage(market, uid)).toBe(first);
    expect(market.order(uid, 'buy', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-24] a listing that changes changes it for whoever has nothing open there, and for nobody else', () => {
    const market = marketAt('125');
    const [holder, maker, waiting, flat] = ['5000', '5000', '5000', '5000'].map((USDT) => market.joins({ USDT })) as [Uid, Uid, Uid, Uid];
    market.trade(holder, maker, '0.1', 'BTCUSDT', '50000');
    expect(market.order(waiting, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(flat, 'buy', '0.01', 'BTCUSDT', '49000', { timeInForce: 'ioc' })).toBe('accepted');
    list(market, '5');
    expect([holder, maker, waiting, flat].map((uid) => leverage(market, uid))).toEqual(['10', '10', '10', '5']);
    expect(market.order(flat, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.engine.audit().violations).toEqual([]);
    list(market, '125');
    expect([holder, maker, waiting, flat].map((uid) => leverage(market, uid))).toEqual(['10', '10', '10', '5']);
    expect(market.engine.audit().violations).toEqual([]);
  });

  test('[ACC-24] everybody is shown what holds for him', () => {
    const market = marketAt('5');
    const [holder, switched, flat] = ['5000', '5000', '5000'].map((USDT) => market.joins({ USDT })) as [Uid, Uid, Uid];
    expect(market.order(holder, 'buy', '0.01', 'BTCUSDT', '49000')).toBe('accepted');
    market.accepted({ type: 'setMarginMode', uid: switched, ...SYMBOL, marginMode: 'isolated' });
    list(market, '8');
    const people = [holder, switched, flat];
    expect(people.map((uid) => leverage(market, uid))).toEqual(['5', '5', '8']);
    expect(people.map((uid) => shownLeverage(market, uid))).toEqual(['5', '5', '8']);
  });
});
