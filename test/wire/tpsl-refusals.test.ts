/** A take-profit and a stop-loss in one call, on v2 and v3: each error names its own field. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Trader } from './trading-exchange.ts';
import { TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
let alice: Trader;
beforeAll(async () => {
  on = await TriggerExchange.start();
  alice = await on.longTrader();
});
afterAll(() => on.exchange.stop());

const OFF_PRICE = 'must be a multiple of the price step 0.1';
const OFF_SIZE = 'must be a multiple of the size step 0.0001';

test.each([
  [{ stopSurplusTriggerPrice: '70000.05' }, '45115', `stopSurplusTriggerPrice ${OFF_PRICE}`],
  [{ stopLossTriggerPrice: '50000.05' }, '45115', `stopLossTriggerPrice ${OFF_PRICE}`],
  [{ stopSurplusExecutePrice: '69000.05' }, '45115', `stopSurplusExecutePrice ${OFF_PRICE}`],
  [{ stopLossExecutePrice: '49000.05' }, '45115', `stopLossExecutePrice ${OFF_PRICE}`],
  [{ stopSurplusSize: '0.00001' }, '22038', `stopSurplusSize ${OFF_SIZE}`],
  [{ stopLossSize: '0.00001' }, '22038', `stopLossSize ${OFF_SIZE}`],
  [{ stopLossSize: '0' }, '45111', 'stopLossSize is below the minimum 0.0001'],
])(
  '[API-33][TRG-27] place-pos-tpsl with %j: the error names the field',
  async (wrong, code, input) => {
    const both = {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
      ...wrong,
    };
    const answer = await on.exchange.call(alice, 'placePositionTpsl', both);
    expect([answer.code, answer.msg]).toEqual([code, `Parameter ${input}`]);
  },
);

test('[API-33][TRG-25] place-pos-tpsl with another coin or a one-way side in hedge mode names the field', async () => {
  const hedged = await on.longTrader('hedge_mode');
  const refusal = async (who: Trader, wrong: object) => {
    const { code, msg } = await on.exchange.call(who, 'placePositionTpsl', {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      ...wrong,
    });
    return `${code} ${msg}`;
  };
  expect(await refusal(alice, { marginCoin: 'BTC' })).toBe('40020 Parameter marginCoin error: BTC');
  for (const holdSide of ['buy', 'sell'])
    expect(await refusal(hedged, { holdSide })).toBe(
      '40020 Parameter holdSide error: long | short',
    );
  const part = {
    ...TPSL,
    planType: 'profit_plan',
    triggerPrice: '70000',
    size: '1',
    holdSide: 'buy',
  };
  expect((await on.exchange.call(hedged, 'placeTpslOrder', part)).msg).toBe(
    'Parameter holdSide error: long | short',
  );
  expect(await refusal(hedged, {})).toBe('00000 success');
});

test.each([
  [{ triggerPrice: '70000.05' }, `triggerPrice ${OFF_PRICE}`],
  [{ executePrice: '69000.05' }, `executePrice ${OFF_PRICE}`],
  [{ size: '0.00001' }, `size ${OFF_SIZE}`],
])('[API-33][TRG-19] place-tpsl-order with %j: the error names the field', async (wrong, input) => {
  const one = { ...TPSL, planType: 'profit_plan', triggerPrice: '70000', size: '1', ...wrong };
  expect((await on.exchange.call(alice, 'placeTpslOrder', one)).msg).toBe(`Parameter ${input}`);
});

test('[API-33][TRG-24] an invalid rate of a trailing exit is named as it was sent', async () => {
  const one = {
    ...TPSL,
    planType: 'moving_plan',
    triggerPrice: '70000',
    size: '1',
    rangeRate: '11',
  };
  const { msg } = await on.exchange.call(alice, 'placeTpslOrder', one);
  expect(msg).toBe('The trigger order parameter rangeRate breaks a rule: above 0, at most 10');
});

test.each([
  [{ takeProfit: '70000.05' }, `takeProfit ${OFF_PRICE}`],
  [{ stopLoss: '50000.05' }, `stopLoss ${OFF_PRICE}`],
  [{ tpOrderType: 'limit', tpLimitPrice: '69000.05' }, `tpLimitPrice ${OFF_PRICE}`],
  [{ slOrderType: 'limit', slLimitPrice: '49000.05' }, `slLimitPrice ${OFF_PRICE}`],
  [{ qty: '0.00001' }, `qty ${OFF_SIZE}`],
])(
  '[API-33][TRG-81] place-strategy-order with %j: the error names the field',
  async (wrong, input) => {
    const both = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      posSide: 'long',
      takeProfit: '70000',
      stopLoss: '50000',
      ...wrong,
    };
    expect((await on.exchange.call(alice, 'placeStrategyOrder', both)).msg).toBe(
      `Parameter ${input}`,
    );
  },
);

test.each([
  [{ takeProfit: '70000', tpOrderType: 'limit' }, 'tpLimitPrice'],
  [{ stopLoss: '50000', slOrderType: 'limit' }, 'slLimitPrice'],
  [{ tpOrderType: 'limit', tpLimitPrice: '69000' }, 'takeProfit'],
  [{ slOrderType: 'limit', slLimitPrice: '49000' }, 'stopLoss'],
])(
  '[API-33][ORD-81] place-order of v3 with %j: the error names the missing field',
  async (half, missing) => {
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '55000',
      qty: '0.1',
    };
    const { code, msg } = await on.exchange.call(alice, 'placeOrder', { ...order, ...half });
    expect([code, msg]).toEqual(['40019', `Parameter ${missing} cannot be empty`]);
  },
);

test.each([
  [{ presetStopSurplusExecutePrice: '69000' }, 'presetStopSurplusPrice'],
  [{ presetStopLossExecutePrice: '49000' }, 'presetStopLossPrice'],
])(
  '[API-33][ORD-77] place-order of v2 with %j: the error names the missing field',
  async (half, missing) => {
    const order = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '0.1',
      side: 'buy',
    };
    const { code, msg } = await on.exchange.call(alice, 'placeFuturesOrder', {
      ...order,
      orderType: 'limit',
      price: '55000',
      ...half,
    });
    expect([code, msg]).toEqual(['40019', `Parameter ${missing} cannot be empty`]);
  },
);

test('[API-33][TRG-81] TP/SL on v3 without a side of the position names the missing field', async () => {
  const { code, msg } = await on.exchange.call(alice, 'placeStrategyOrder', {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    takeProfit: '70000',
  });
  expect([code, msg]).toEqual(['40019', 'Parameter posSide cannot be empty']);
});
