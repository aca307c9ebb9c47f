/** Clients modify orders, place them with TP/SL and set the countdown. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const productType = 'USDT-FUTURES';
const future = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: '50000',
  qty: '0.1',
};
const coins = { ...future, category: 'SPOT' };
const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });
const place = async (trader: Trader, values: object): Promise<string> =>
  (await exchange.data<Row>(trader, 'placeOrder', { ...values })).orderId!;
const liveTpsl = async (trader: Trader) => {
  const request = { productType, planType: 'profit_loss' };
  const { entrustedList } = await exchange.data<{ entrustedList: readonly Row[] }>(
    trader,
    'listPendingTriggerOrders',
    request,
  );
  return entrustedList
    .map(
      (row) =>
        `${row.planType} ${row.triggerPrice} ${row.triggerType} ${row.orderType} ${row.price} x ${row.size}`,
    )
    .sort();
};

describe('modified orders', () => {
  test.each([
    ['classic', false],
    ['unified', true],
  ] as const)(
    '[API-55][ORD-91][ORD-95][ORD-99] ccxt, %s: editOrder answers an id that finds the order',
    async (_, uta) => {
      const client = ccxtFor(exchange, await rich(), uta);
      for (const symbol of ['BTC/USDT:USDT', 'BTC/USDT']) {
        const placed = await client.createOrder(symbol, 'limit', 'buy', 0.01, 50_000);
        const edited = await client.editOrder(placed.id!, symbol, 'limit', 'buy', 0.02, 51_000);
        expect(edited.id).toMatch(/^1\d{18}$/);
        expect(edited.id === placed.id).toBe(uta);
        expect(await client.fetchOrder(edited.id!, symbol)).toMatchObject({
          status: 'open',
          amount: 0.02,
          price: 51_000,
        });
        expect((await client.fetchOpenOrders(symbol)).map(({ id }) => id)).toEqual([edited.id]);
        await client.cancelOrder('', symbol, { clientOid: edited.clientOrderId });
        expect(await client.fetchOpenOrders(symbol)).toEqual([]);
        await expect(
          client.editOrder(placed.id!, symbol, 'limit', 'buy', 0.03, 51_000),
        ).rejects.toBeInstanceOf(ccxt.ExchangeError);
      }
      await client.close();
    },
  );

  test('[API-55][ORD-100] ccxt, classic: editOrder with a stop-loss', async () => {
    const client = ccxtFor(exchange, await rich(), false);
    const placed = await client.createOrder('BTC/USDT:USDT', 'limit', 'buy', 0.01, 50_000);
    const edited = await client.editOrder(
      placed.id!,
      'BTC/USDT:USDT',
      'limit',
      'buy',
      0.01,
      50_000,
      {
        stopLoss: { triggerPrice: 45_000 },
      },
    );
    const found = await client.fetchOrder(edited.id!, 'BTC/USDT:USDT');
    expect((found.info as Row).presetStopLossPrice).toBe('45000');
    await client.close();
  });

  test('[API-55] bitget-api modifies and cancels all', async () => {
    const { apiKey, secretKey: apiSecret, passphrase: apiPass, ...trader } = await rich();
    const keys = { apiKey, apiSecret, apiPass, baseUrl: exchange.url };
    const [v3, v2] = [new RestClientV3(keys), new RestClientV2(keys)];
    const caller = { apiKey, secretKey: apiSecret, passphrase: apiPass, ...trader };
    const orderId = await place(caller, future);
    expect(
      (await v3.modifyOrder({ orderId, qty: '0.2', price: '51000', autoCancel: 'no' })).data,
    ).toMatchObject({ orderId });
    expect((await v3.batchModifyOrders([{ orderId, qty: '0.25' }])).data).toMatchObject([
      { orderId, code: '00000' },
    ]);
    const modified = await v2.futuresModifyOrder({
      orderId,
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      newClientOid: 'sdk-renamed',
      newSize: '0.3',
      newPrice: '52000',
    });
    expect(modified.data).toMatchObject({ clientOid: 'sdk-renamed' });
    const cancelled = await v2.futuresCancelAllOrders({
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
    });
    expect(cancelled.data.successList).toMatchObject([{ clientOid: 'sdk-renamed' }]);
    const spot = await place(caller, coins);
    const replaced = await v2.spotCancelandSubmitOrder({
      symbol: 'BTCUSDT',
      orderId: spot,
      price: '41000',
      size: '0.2',
    });
    expect(replaced.data).toMatchObject({ success: 'success', msg: null });
  });
});

test.each([true, false])(
  '[ORD-77][ORD-81] ccxt’s stopLoss and takeProfit of an order, unified account: %s',
  async (uta) => {
    const trader = await rich();
    await exchange.data(maker, 'placeOrder', { ...future, side: 'sell', price: '60010', qty: '1' });
    const client = ccxtFor(exchange, trader, uta);
    await client.createOrder('BTC/USDT:USDT', 'market', 'buy', 0.01, undefined, {
      stopLoss: { triggerPrice: 58_000 },
      takeProfit: { triggerPrice: 63_000, price: 62_900 },
    });
    expect(await liveTpsl(trader)).toEqual([
      expect.stringMatching(/^loss_plan 58000 fill_price market .*x 0.01$/),
      'profit_plan 63000 fill_price limit 62900 x 0.01',
    ]);
    await client.close();
  },
);

test('[API-55][ORD-106] bitget-api sets the countdown, and orders are cancelled when it ends', async () => {
  const trader = await rich();
  await place(trader, future);
  const { apiKey, secretKey, passphrase } = trader;
  const client = new RestClientV3({
    apiKey,
    apiSecret: secretKey,
    apiPass: passphrase,
    baseUrl: exchange.url,
  });
  expect(await client.countdownCancelAll({ countdown: '30' })).toMatchObject({
    code: '00000',
    data: 'success',
  });
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '30000' });
  expect((await exchange.data<{ list: Row[] }>(trader, 'listOpenOrders', {})).list).toEqual([]);
});
