/** Clients place, list, change and cancel strategy orders and orders with a trigger price. */
import { RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const category = 'USDT-FUTURES';
const pair = { category, symbol: 'BTCUSDT' };
const SWAP = 'BTC/USDT:USDT';
const mark = (price: string) => exchange.setIndex('BTCUSDT', '60000', price);

/** A trader with a long position of 0.1. */
async function longTrader(
  holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode',
): Promise<Trader> {
  const trader = await exchange.trader({ deposits: { USDT: '100000' }, holdMode });
  await exchange.data(trader, 'placeOrder', {
    ...pair,
    qty: '0.1',
    side: 'buy',
    orderType: 'market',
    posSide: 'long',
  });
  return trader;
}
const newcomer = (holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode') =>
  exchange.trader({ deposits: { USDT: '100000', BTC: '1' }, holdMode });
const waiting = (trader: Trader) =>
  exchange.data<readonly Row[]>(trader, 'listOpenStrategyOrders', { category });
const inBook = async (trader: Trader) =>
  (await exchange.data<{ list: Row[] }>(trader, 'listOpenOrders', {})).list;
const fills = async (trader: Trader) =>
  (await exchange.data<{ list: Row[] }>(trader, 'listFills', {})).list;

describe('strategy orders', () => {
  test('[API-55][TRG-81] ccxt, unified, protects a position, and lists, changes and cancels its orders', async () => {
    const client = ccxtFor(exchange, await longTrader(), true);
    const stop = await client.createOrder(SWAP, 'market', 'sell', 0.05, undefined, {
      stopLossPrice: 55_000,
    });
    const gain = await client.createOrder(SWAP, 'limit', 'sell', 0.05, 69_900, {
      takeProfitPrice: 70_000,
      reduceOnly: true,
    });
    const listed = await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
    expect(listed).toMatchObject([
      { id: stop.id, side: 'sell', amount: 0.05, stopLossPrice: 55_000, reduceOnly: true },
      { id: gain.id, side: 'sell', amount: 0.05, takeProfitPrice: 70_000, price: 69_900 },
    ]);
    await client.editOrder(stop.id!, SWAP, 'market', 'sell', 0.06, undefined, {
      stopLossPrice: 54_000,
    });
    const [changed] = await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
    expect(changed).toMatchObject({ id: stop.id, amount: 0.06, stopLossPrice: 54_000 });
    await client.cancelOrder(stop.id!, SWAP, { trigger: true });
    const canceled = await client.fetchCanceledOrders(SWAP, undefined, undefined, {
      trigger: true,
    });
    expect(canceled).toMatchObject([{ id: stop.id, status: 'canceled' }]);
    await client.close();
  });

  test('[API-55][TRG-85] ccxt, unified, finds fired orders among the ended ones by their status', async () => {
    const client = ccxtFor(exchange, await longTrader('hedge_mode'), true);
    // Without `reduceOnly` this client sends the side that a sale would open.
    const exit = { stopLossPrice: 55_000, hedged: true };
    await expect(
      client.createOrder(SWAP, 'market', 'sell', 0.05, undefined, exit),
    ).rejects.toMatchObject({
      message: expect.stringContaining('25227'),
    });
    const stop = await client.createOrder(SWAP, 'market', 'sell', 0.05, undefined, {
      ...exit,
      reduceOnly: true,
    });
    await mark('55000');
    await mark('60000');
    const trigger = { trigger: true };
    expect(await client.fetchClosedOrders(SWAP, undefined, undefined, trigger)).toEqual([]);
    const ended = await client.fetchCanceledAndClosedOrders(SWAP, undefined, undefined, trigger);
    expect(ended).toMatchObject([{ id: stop.id, side: 'sell', amount: 0.05, status: 'success' }]);
    expect(await client.fetchPositions([SWAP])).toMatchObject([{ side: 'long', contracts: 0.05 }]);
    await client.close();
  });

  test('[API-55][TRG-83] bitget-api places a trigger order and cancels it', async () => {
    const { apiKey, secretKey, passphrase } = await longTrader('hedge_mode');
    const client = new RestClientV3({
      apiKey,
      apiSecret: secretKey,
      apiPass: passphrase,
      baseUrl: exchange.url,
    });
    const { data } = await client.submitStrategyOrder({
      category,
      symbol: 'BTCUSDT',
      type: 'trigger',
      qty: '0.01',
      side: 'sell',
      posSide: 'short',
      triggerBy: 'mark',
      triggerPrice: '61000',
      triggerOrderType: 'limit',
      triggerOrderPrice: '61010',
    });
    const listed = (await client.getUnfilledStrategyOrders({ category, type: 'trigger' })).data;
    expect(listed).toMatchObject([
      { orderId: data.orderId, posSide: 'short', triggerOrderPrice: '61010', status: 'pending' },
    ]);
    await client.cancelStrategyOrder({ orderId: data.orderId });
    expect((await client.getHistoryStrategyOrders({ category })).data).toMatchObject({
      list: [{ status: 'cancelled' }],
    });
  });
});

describe('orders with a trigger price', () => {
  test('[API-55][TRG-86][TRG-87] they are placed, listed, changed and cancelled', async () => {
    const trader = await newcomer();
    const client = ccxtFor(exchange, trader, true);
    const waits = await client.createOrder(SWAP, 'limit', 'buy', 0.01, 58_000, {
      triggerPrice: 58_500,
    });
    const stop = await client.createStopMarketOrder(SWAP, 'sell', 0.02, 55_000);
    const trailing = await client.createTrailingPercentOrder(
      SWAP,
      'market',
      'sell',
      0.03,
      undefined,
      2,
      61_000,
    );
    const listed = await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
    expect(listed).toMatchObject([
      { id: waits.id, side: 'buy', amount: 0.01, triggerPrice: 58_500 },
      { id: stop.id, side: 'sell', amount: 0.02, triggerPrice: 55_000 },
      { id: trailing.id, side: 'sell', amount: 0.03, triggerPrice: 61_000 },
    ]);
    await client.editOrder(waits.id!, SWAP, 'limit', 'buy', 0.02, 57_000, { triggerPrice: 57_500 });
    const [changed] = await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
    expect(changed).toMatchObject({
      id: waits.id,
      amount: 0.02,
      triggerPrice: 57_500,
      info: { triggerOrderPrice: '57000' },
    });
    for (const { id } of listed) await client.cancelOrder(id!, SWAP, { trigger: true });
    expect(await fills(trader)).toEqual([]);
    await client.close();
  });

  test('[API-55][ORD-158] trigger orders in a batch are refused', async () => {
    const trader = await newcomer();
    for (const uta of [false, true]) {
      const client = ccxtFor(exchange, trader, uta);
      for (const params of [{ triggerPrice: 55_000 }, { stopPrice: 55_000 }])
        await client.createOrders([
          { symbol: SWAP, type: 'market', side: 'buy', amount: 0.01, params },
        ]);
      await client.close();
    }
    expect([await fills(trader), await inBook(trader), await waiting(trader)]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('price sources', () => {
  test('[API-55][TRG-89] the given price source is used, or refused', async () => {
    const trader = await newcomer();
    const client = ccxtFor(exchange, trader, true);
    await client.createOrder(SWAP, 'market', 'buy', 0.1);
    await client.createOrder(SWAP, 'market', 'buy', 0.1, undefined, {
      triggerPrice: 62_000,
      triggerType: 'mark_price',
    });
    const stop = { stopLossPrice: 55_000, reduceOnly: true };
    await client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
      ...stop,
      triggerType: 'mark_price',
    });
    await expect(
      client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
        ...stop,
        triggerType: 'fill_price',
      }),
    ).rejects.toThrow('43011');
    await client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
      ...stop,
      slTriggerBy: 'market',
    });
    expect(await waiting(trader)).toMatchObject([
      { slTriggerBy: 'market' },
      { slTriggerBy: 'mark' },
      { triggerBy: 'mark' },
    ]);
    await client.close();
  });
});
