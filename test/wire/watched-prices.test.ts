/** The price source of a v3 trigger order, in the words of v3 and of v2. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const category = 'USDT-FUTURES';
const pair = { category, symbol: 'BTCUSDT' };
const market = { ...pair, qty: '0.1', side: 'buy', orderType: 'market' };
const newcomer = () => exchange.trader({ deposits: { USDT: '100000' } });
const waiting = (trader: Trader) =>
  exchange.data<readonly Row[]>(trader, 'listOpenStrategyOrders', { category });
/** Code and text, which names the field. */
const answer = async (
  trader: Trader,
  name: Parameters<TradingExchange['call']>[1],
  input: object,
) => {
  const { code, msg } = await exchange.call(trader, name, input as Row);
  return `${code} ${msg}`;
};

describe('an order with a trigger price', () => {
  test.each([
    ['fill_price', 'market'],
    ['mark_price', 'mark'],
    ['index_price', 'index'],
    ['', 'market'],
  ])('[TRG-89] by %s it uses %s', async (triggerType, triggerBy) => {
    const trader = await newcomer();
    await exchange.data(trader, 'placeOrder', { ...market, triggerPrice: '62000', triggerType });
    expect(await waiting(trader)).toMatchObject([{ triggerPrice: '62000', triggerBy }]);
  });

  test('[TRG-89] it fires by its price source and by no other', async () => {
    const [byMark, byLast] = [await newcomer(), await newcomer()];
    await exchange.data(byMark, 'placeOrder', {
      ...market,
      triggerPrice: '62000',
      triggerType: 'mark_price',
    });
    await exchange.data(byLast, 'placeOrder', {
      ...market,
      triggerPrice: '62000',
      triggerType: 'fill_price',
    });
    await exchange.setIndex('BTCUSDT', '60000', '62000');
    await exchange.setIndex('BTCUSDT', '60000', '60000');
    expect(await waiting(byMark)).toEqual([]);
    expect((await exchange.data<{ list: Row[] }>(byMark, 'listFills', {})).list).toMatchObject([
      { execPrice: '60010', execQty: '0.1' },
    ]);
    expect(await waiting(byLast)).toHaveLength(1);
  });

  test('[TRG-89] a trailing order uses it too', async () => {
    const trader = await newcomer();
    await exchange.data(trader, 'placeOrder', {
      ...market,
      trailingPercent: '2',
      trailingTriggerPrice: '62000',
      triggerType: 'mark_price',
    });
    expect(await waiting(trader)).toMatchObject([{ triggerBy: 'mark' }]);
  });

  test('[TRG-89] a repeated source is accepted, and a contradiction is refused', async () => {
    const trader = await newcomer();
    const request = { ...market, triggerPrice: '62000' };
    await exchange.data(trader, 'placeOrder', {
      ...request,
      triggerBy: 'mark',
      triggerType: 'MARK_PRICE',
    });
    for (const [triggerBy, triggerType] of [
      ['mark', 'fill_price'],
      ['mark', 'index_price'],
      ['market', 'mark_price'],
    ])
      expect(await answer(trader, 'placeOrder', { ...request, triggerBy, triggerType })).toMatch(
        /^43011 .*triggerType.*triggerBy has another value/,
      );
    expect(await answer(trader, 'placeOrder', { ...request, triggerType: 'mark' })).toMatch(
      /^40020 .*triggerType/,
    );
    expect(await waiting(trader)).toHaveLength(1);
  });
});

describe('a strategy order', () => {
  /** A trader with a long position of 0.1. */
  const longTrader = async (): Promise<Trader> => {
    const trader = await newcomer();
    await exchange.data(trader, 'placeOrder', market);
    return trader;
  };
  const exit = { ...pair, qty: '0.1', side: 'sell' };

  test('[TRG-163] refuses a triggerType that differs from its price source', async () => {
    const trader = await longTrader();
    for (const [input, name] of [
      [
        { ...exit, stopLoss: '55000', slTriggerBy: 'mark', triggerType: 'fill_price' },
        'slTriggerBy',
      ],
      [{ ...exit, stopLoss: '55000', triggerType: 'mark_price' }, 'slTriggerBy'],
      [
        { ...exit, takeProfit: '65000', tpTriggerBy: 'mark', triggerType: 'index_price' },
        'tpTriggerBy',
      ],
      [
        {
          ...exit,
          takeProfit: '65000',
          stopLoss: '55000',
          slTriggerBy: 'mark',
          triggerType: 'fill_price',
        },
        'slTriggerBy',
      ],
      [
        {
          ...exit,
          type: 'trigger',
          triggerPrice: '55000',
          triggerBy: 'mark',
          triggerType: 'fill_price',
        },
        'triggerBy',
      ],
    ] as const)
      expect(await answer(trader, 'placeStrategyOrder', input)).toMatch(
        new RegExp(`^43011 .*triggerType.* ${name} has another value`),
      );
    expect(await waiting(trader)).toEqual([]);
  });

  test('[TRG-163] accepts a triggerType that equals its price source', async () => {
    const trader = await longTrader();
    await exchange.data(trader, 'placeStrategyOrder', {
      ...exit,
      stopLoss: '55000',
      slTriggerBy: 'mark',
      triggerType: 'mark_price',
    });
    await exchange.data(trader, 'placeStrategyOrder', {
      ...exit,
      takeProfit: '65000',
      slTriggerBy: 'mark',
      triggerType: 'fill_price',
    });
    await exchange.data(trader, 'placeStrategyOrder', {
      ...exit,
      type: 'trigger',
      triggerPrice: '55000',
      triggerType: 'fill_price',
    });
    expect(await waiting(trader)).toMatchObject([
      { triggerBy: 'market' },
      { tpTriggerBy: 'market' },
      { slTriggerBy: 'mark' },
    ]);
  });

  test('[TRG-163][REQ-36] refuses newTriggerType in a modification and keeps its price source', async () => {
    const trader = await newcomer();
    const { orderId } = await exchange.data<Row>(trader, 'placeOrder', {
      ...market,
      triggerPrice: '62000',
    });
    const input = { orderId: orderId!, triggerPrice: '62100' };
    const refusal = '25002 This operation is not offered: newTriggerType';
    for (const name of ['changeOrder', 'changeStrategyOrder'] as const) {
      expect(await answer(trader, name, { ...input, newTriggerType: 'mark_price' })).toBe(refusal);
      expect(await waiting(trader)).toMatchObject([{ triggerPrice: '62000', triggerBy: 'market' }]);
    }
    expect(await exchange.code(trader, 'changeOrder', { ...input, newTriggerType: '' })).toBe(
      '00000',
    );
    expect(await waiting(trader)).toMatchObject([{ triggerPrice: '62100', triggerBy: 'market' }]);
  });
});
