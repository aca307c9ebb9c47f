/** Orders over the streams of v2, and what they share with REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Person, startTestExchange } from './exchange.ts';
import { StreamClient } from './stream-client.ts';
import { OrderClient } from './stream-orders.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const LIMIT = {
  marginMode: 'crossed',
  marginCoin: 'USDT',
  side: 'buy',
  orderType: 'limit',
  size: '0.01',
  price: '59000',
};

let exchange: TradingExchange;
let trader: Trader;
let client: OrderClient;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  client = await OrderClient.open(exchange, trader, 'v2');
});
afterAll(async () => {
  client.close();
  await exchange.stop();
});

test('[STR-81][STR-82] v2 places and cancels futures orders, with codes as numbers', async () => {
  client.sendClassic('place-order', { ...LIMIT, clientOid: 'v2' });
  const placed = await client.answer();
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listOpenOrders');
  const orderId = list.find((order) => order.clientOid === 'v2')?.orderId;
  const market = { instType: 'USDT-FUTURES', instId: 'BTCUSDT' };
  expect(placed).toMatchObject({
    event: 'trade',
    arg: [{ id: '1', ...market, channel: 'place-order', params: { orderId, clientOid: 'v2' } }],
    code: 0,
    msg: 'Success',
  });
  client.sendClassic('cancel-order', { orderId });
  expect(await client.answer()).toMatchObject({ event: 'trade', arg: [{ id: '2' }], code: 0 });
  client.sendClassic('cancel-order', { orderId });
  const code = await exchange.code(trader, 'cancelFuturesOrder', {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    orderId: orderId ?? '',
  });
  expect(await client.answer()).toMatchObject({
    event: 'error',
    arg: [{ id: '3', ...market, channel: 'cancel-order', params: { orderId } }],
    code: Number(code),
  });
});

test('[STR-81] v2 places and cancels spot orders', async () => {
  const spot = { instType: 'SPOT', instId: 'BTCUSDT' };
  const order = { side: 'buy', orderType: 'limit', force: 'gtc', price: '59000', size: '0.01' };
  client.sendClassic('place-order', { ...order, clientOid: 'spot' }, spot);
  const placed = await client.answer();
  expect(placed).toMatchObject({ event: 'trade', code: 0, arg: [spot] });
  client.sendClassic('cancel-order', { clientOid: 'spot' }, spot);
  expect(await client.answer()).toMatchObject({
    event: 'trade',
    code: 0,
    arg: [{ params: placed.arg?.[0]?.params }],
  });
});

test('[STR-81][STR-83] v2 refuses other channels, margin pairs, two orders, and no login', async () => {
  client.sendClassic('modify-order', LIMIT);
  client.sendClassic('place-order', LIMIT, { instType: 'MARGIN', instId: 'BTCUSDT' });
  client.stream.send({ op: 'trade', args: [{ id: 'a' }, { id: 'b' }] });
  const answers = [await client.answer(), await client.answer(), await client.answer()];
  expect(answers.map(({ event, code }) => `${event} ${code}`)).toEqual([
    'error 30001',
    'error 40020',
    'error 40020',
  ]);
  const stream = await StreamClient.open(exchange, '/v2/ws/private');
  stream.send({ op: 'trade', args: [{ id: 'c', channel: 'place-order', params: LIMIT }] });
  expect(await stream.frame()).toMatchObject({ event: 'error', code: 30004, arg: [{ id: 'c' }] });
  stream.close();
});

const PATH = '/api/v3/trade/cancel-order';
const UNKNOWN = { clientOid: 'unknown' };

test('[STR-84] a user has one rate limit over REST and streams together', async () => {
  const limited = await startTestExchange();
  limited.world.standsAt = 1_000_000;
  try {
    const [person, other] = [await limited.person(), await limited.person()];
    const overRest = async (): Promise<string> =>
      (await call(limited, person, 'POST', PATH, { body: JSON.stringify(UNKNOWN) })).code;
    const overStream = async (owner: Person): Promise<string> => {
      const orders = await OrderClient.open(limited, owner);
      orders.send('cancel-order', [UNKNOWN]);
      const { code } = await orders.answer();
      orders.close();
      return String(code);
    };
    for (let at = 0; at < 5; at++) {
      expect(await overRest()).not.toBe('429');
      expect(await overStream(person)).not.toBe('429');
    }
    expect([await overRest(), await overStream(person)]).toEqual(['429', '429']);
    expect(await overStream(other)).not.toBe('429');
  } finally {
    await limited.close();
  }
});

test('[STR-84] a key without the permission of the REST call is refused', async () => {
  const limited = await startTestExchange();
  try {
    const reader = await limited.person({ permissions: ['uta_trade.read'] });
    const rest = await call(limited, reader, 'POST', PATH, { body: JSON.stringify(UNKNOWN) });
    const orders = await OrderClient.open(limited, reader);
    orders.send('cancel-order', [UNKNOWN]);
    const { code, msg } = await orders.answer();
    expect([code, msg]).toEqual([rest.code, rest.msg]);
    orders.close();
  } finally {
    await limited.close();
  }
});
