/** Clients place, list, change and cancel spot trigger orders. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  const maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000');
  const order = { category: 'SPOT', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...order, side: 'buy', price: '59990' },
    { ...order, side: 'sell', price: '60010' },
  ]);
});
afterAll(() => exchange.stop());

const PAIR = 'BTC/USDT';

const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });

/** Moves the index price to a value and back. */
async function visit(price: string): Promise<void> {
  await exchange.setIndex('BTCUSDT', price);
  await exchange.setIndex('BTCUSDT', '60000');
}

describe('ccxt', () => {
  test('[API-72] on v2 it places, changes, lists, cancels and finds them in history', async () => {
    const client = ccxtFor(exchange, await rich(), false);
    const limit = await client.createOrder(PAIR, 'limit', 'buy', 0.01, 59_000, {
      triggerPrice: 62_500,
    });
    const market = await client.createOrder(PAIR, 'market', 'buy', 0.02, 61_000, {
      triggerPrice: 61_000,
    });
    const stop = await client.createOrder(PAIR, 'market', 'sell', 0.5, undefined, {
      triggerPrice: 55_000,
    });
    const trigger = { trigger: true };
    const open = async () =>
      (await client.fetchOpenOrders(PAIR, undefined, undefined, trigger)).map(({ id }) => id);
    expect(await client.fetchOpenOrders(PAIR, undefined, undefined, trigger)).toMatchObject([
      {
        id: limit.id,
        status: 'open',
        type: 'limit',
        side: 'buy',
        amount: 0.01,
        price: 59_000,
        triggerPrice: 62_500,
      },
      { id: market.id, status: 'open', type: 'market', side: 'buy', triggerPrice: 61_000 },
      {
        id: stop.id,
        status: 'open',
        type: 'market',
        side: 'sell',
        amount: 0.5,
        triggerPrice: 55_000,
      },
    ]);
    await client.editOrder(limit.id!, PAIR, 'limit', 'buy', 0.02, 59_100, { triggerPrice: 62_600 });
    const [edited] = await client.fetchOpenOrders(PAIR, undefined, undefined, trigger);
    expect(edited).toMatchObject({
      id: limit.id,
      amount: 0.02,
      price: 59_100,
      triggerPrice: 62_600,
    });
    await client.cancelOrder(stop.id!, PAIR, trigger);
    await visit('61000');
    expect(await open()).toEqual([limit.id]);
    await client.cancelAllOrders(PAIR, trigger);
    expect(await open()).toEqual([]);
    const done = await client.fetchCanceledAndClosedOrders(PAIR, undefined, undefined, trigger);
    expect(new Map(done.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [limit.id, 'canceled'],
        [market.id, 'closed'],
        [stop.id, 'canceled'],
      ]),
    );
    // 0.02 at 61,000 is 1,220 USDT.
    expect(await client.fetchMyTrades(PAIR)).toMatchObject([
      { price: 60_010, cost: expect.closeTo(1220, 0) },
    ]);
    await client.close();
  });

  test("[API-72] an unknown order is the client's own error for it", async () => {
    const client = ccxtFor(exchange, await rich(), false);
    await expect(
      client.cancelOrder('1000000000000000001', PAIR, { trigger: true }),
    ).rejects.toBeInstanceOf(ccxt.OrderNotFound);
    await client.close();
  });

  test('[API-72] on v3 it places, lists and cancels them', async () => {
    const client = ccxtFor(exchange, await rich(), true);
    const placed = await client.createOrder(PAIR, 'limit', 'sell', 0.01, 57_900, {
      triggerPrice: 58_000,
    });
    const trigger = { trigger: true };
    expect(await client.fetchOpenOrders(PAIR, undefined, undefined, trigger)).toMatchObject([
      { id: placed.id, side: 'sell', amount: 0.01, triggerPrice: 58_000 },
    ]);
    expect(await client.fetchOpenOrders(PAIR)).toEqual([]);
    await client.cancelOrder(placed.id!, PAIR, trigger);
    const stop = await client.createOrder(PAIR, 'market', 'sell', 0.02, undefined, {
      stopLossPrice: 50_000,
    });
    const gain = await client.createOrder(PAIR, 'market', 'sell', 0.02, undefined, {
      takeProfitPrice: 70_000,
    });
    const tpsl = await client.fetchOpenOrders(PAIR, undefined, undefined, trigger);
    expect(new Map(tpsl.map(({ id, triggerPrice }) => [id, triggerPrice]))).toEqual(
      new Map([
        [stop.id, 50_000],
        [gain.id, 70_000],
      ]),
    );
    for (const { id } of tpsl) await client.cancelOrder(id!, PAIR, trigger);
    expect(await client.fetchOpenOrders(PAIR, undefined, undefined, trigger)).toEqual([]);
    await client.close();
  });
});

describe('bitget-api', () => {
  const keysOf = ({ apiKey, secretKey, passphrase }: Trader) => ({
    apiKey,
    apiSecret: secretKey,
    apiPass: passphrase,
    baseUrl: exchange.url,
  });

  test('[API-72] V2 reads the answers of all seven calls', async () => {
    const client = new RestClientV2(keysOf(await rich()));
    const placed = await client.spotSubmitPlanOrder({
      symbol: 'BTCUSDT',
      side: 'sell',
      triggerPrice: '58000',
      orderType: 'limit',
      executePrice: '57900',
      size: '0.1',
      triggerType: 'fill_price',
      clientOid: 'plan',
    } as never);
    const { orderId } = placed.data as { orderId: string };
    const changed = {
      orderId,
      triggerPrice: '58100',
      orderType: 'limit',
      executePrice: '58000',
      size: '0.1',
    };
    expect((await client.spotModifyPlanOrder(changed as never)).data).toEqual(placed.data);
    const current = await client.getSpotCurrentPlanOrders({ symbol: 'BTCUSDT' } as never);
    expect(current.data).toMatchObject({ orderList: [{ ...changed, status: 'live' }] });
    expect((await client.spotCancelPlanOrder({ orderId } as never)).data).toEqual({
      result: 'success',
    });
    expect((await client.spotCancelPlanOrders({ symbolList: ['BTCUSDT'] } as never)).data).toEqual({
      successList: [],
      failureList: [],
    });
    const window = {
      symbol: 'BTCUSDT',
      startTime: String(Date.now() - 60_000),
      endTime: String(Date.now() + 60_000),
    };
    const history = await client.getSpotHistoricPlanOrders(window as never);
    expect(history.data).toMatchObject({ orderList: [{ orderId, status: 'cancelled' }] });
    expect((await client.getSpotPlanSubOrder({ planOrderId: orderId } as never)).data).toEqual([]);
  });

  test('[API-72] V3 places one with category SPOT', async () => {
    const client = new RestClientV3(keysOf(await rich()));
    const request = {
      category: 'SPOT',
      symbol: 'BTCUSDT',
      side: 'sell',
      qty: '0.1',
      triggerBy: 'market',
      triggerPrice: '58000',
    } as const;
    const order = {
      ...request,
      type: 'trigger',
      triggerOrderType: 'limit',
      triggerOrderPrice: '57900',
    } as const;
    const { data } = await client.submitStrategyOrder(order as never);
    const open = await client.getUnfilledStrategyOrders({ category: 'SPOT' } as never);
    expect(open.data).toMatchObject([{ ...data, ...order }]);
  });
});
