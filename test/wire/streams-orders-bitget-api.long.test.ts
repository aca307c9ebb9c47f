/** `bitget-api` places and cancels orders over the v3 stream. */
import { WebsocketAPIClient } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const CATEGORY = 'usdt-futures';
const LIMIT = {
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  qty: '0.01',
  price: '59000',
} as const;

let exchange: TradingExchange;
let trader: Trader;
let client: WebsocketAPIClient;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  const quietly = { trace: () => undefined, info: () => undefined, error: () => undefined };
  client = new WebsocketAPIClient(
    {
      apiKey: trader.apiKey,
      apiSecret: trader.secretKey,
      apiPass: trader.passphrase,
      wsUrl: `${exchange.url.replace('http', 'ws')}/v3/ws/private`,
      attachEventListeners: false,
    },
    quietly,
  );
});
afterAll(async () => {
  client.getWSClient().closeAll(true);
  await exchange.stop();
});

const openOids = async (): Promise<ReadonlySet<string | undefined>> => {
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listOpenOrders');
  return new Set(list.map(({ clientOid }) => clientOid));
};

test('[STR-80][STR-82] WebsocketAPIClient places and cancels one order, and several', async () => {
  const placed = await client.submitNewOrder(CATEGORY, { ...LIMIT, clientOid: 'one' });
  expect(placed).toMatchObject({ code: '0', args: [{ symbol: 'BTCUSDT', clientOid: 'one' }] });
  const batch = ['two', 'three'].map((clientOid) => ({ ...LIMIT, clientOid }));
  const { args } = await client.placeBatchOrders(CATEGORY, batch);
  expect(args.map(({ clientOid }) => clientOid)).toEqual(['two', 'three']);
  expect(await openOids()).toEqual(new Set(['one', 'two', 'three']));

  await client.cancelOrder(CATEGORY, { orderId: placed.args[0].orderId });
  expect(await openOids()).toEqual(new Set(['two', 'three']));
  await client.cancelBatchOrders(CATEGORY, [{ clientOid: 'two' }, { clientOid: 'three' }]);
  expect(await openOids()).toEqual(new Set());
});

test('[STR-82][STR-85] WebsocketAPIClient rejects a refused order, among many sent at once', async () => {
  const orders = Array.from({ length: 10 }, (_, at) => ({
    ...LIMIT,
    clientOid: `many-${at}`,
    qty: at === 4 ? '100000' : '0.01',
  }));
  const ended = await Promise.allSettled(
    orders.map((order) => client.submitNewOrder(CATEGORY, order)),
  );
  expect(ended.map(({ status }) => status === 'fulfilled')).toEqual(
    orders.map(({ qty }) => qty === '0.01'),
  );
  const { code } = await exchange.call(trader, 'placeOrder', {
    ...orders[4],
    category: 'USDT-FUTURES',
  });
  expect(ended[4]).toMatchObject({ reason: { event: 'error', code } });
});
