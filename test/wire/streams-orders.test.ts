/** Orders over the streams of v3, carried out as REST carries them out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StreamClient } from './stream-client.ts';
import { OrderClient } from './stream-orders.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const LIMIT = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', qty: '0.01', price: '59000' };

let exchange: TradingExchange;
let trader: Trader;
let client: OrderClient;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  client = await OrderClient.open(exchange, trader);
});
afterAll(async () => {
  client.close();
  await exchange.stop();
});

const openOrders = async (): Promise<readonly Row[]> =>
  (await exchange.data<{ list: readonly Row[] }>(trader, 'listOpenOrders')).list;

const named = async (clientOid: string): Promise<Row | undefined> =>
  (await openOrders()).find((order) => order.clientOid === clientOid);

const ask = (...request: Parameters<OrderClient['send']>) => {
  client.send(...request);
  return client.answer();
};

test('[STR-80][STR-82][STR-84] place-order answers with the id, and REST then shows the order', async () => {
  client.send('place-order', [{ ...LIMIT, clientOid: 'placed' }], { id: '77' });
  const answer = await client.answer();
  const shown = await named('placed');
  expect(answer).toEqual({
    event: 'trade',
    id: '77',
    category: 'usdt-futures',
    topic: 'place-order',
    args: [
      {
        symbol: 'BTCUSDT',
        orderId: shown?.orderId,
        clientOid: 'placed',
        cTime: expect.any(String),
      },
    ],
    code: '0',
    msg: 'success',
    ts: answer.args?.[0]?.cTime,
  });
});

test('[STR-80][STR-82] a refused place-order has the code of REST as text, and the id', async () => {
  const order = { ...LIMIT, qty: '100000' };
  const rest = await exchange.call(trader, 'placeOrder', { ...order, category: 'USDT-FUTURES' });
  expect(await ask('place-order', [order], { id: '78' })).toMatchObject({
    event: 'error',
    id: '78',
    code: rest.code,
    msg: rest.msg,
  });
});

test('[STR-80][STR-86] batch-place answers for each order, a refused one with its own code', async () => {
  const { event, code, args } = await ask('batch-place', [
    { ...LIMIT, clientOid: 'first' },
    { ...LIMIT, clientOid: 'second', qty: '-1' },
  ]);
  expect([event, code]).toEqual(['trade', '0']);
  const orderId = (await named('first'))?.orderId;
  expect(args).toMatchObject([
    { symbol: 'BTCUSDT', orderId, clientOid: 'first', code: '0', msg: 'success' },
    { symbol: 'BTCUSDT', clientOid: 'second' },
  ]);
  const [, refused] = args ?? [];
  const [, ofRest] = await exchange.data<readonly Row[]>(trader, 'placeBatch', [
    { ...LIMIT, category: 'USDT-FUTURES', clientOid: 'third' },
    { ...LIMIT, category: 'USDT-FUTURES', clientOid: 'fourth', qty: '-1' },
  ]);
  expect([refused?.code, refused?.msg]).toEqual([ofRest?.code, ofRest?.msg]);
  expect(refused).not.toHaveProperty('orderId');
});

test('[STR-80] modify-order and batch-modify change orders, and refuse unknown ones', async () => {
  await ask('batch-place', [
    { ...LIMIT, clientOid: 'one' },
    { ...LIMIT, clientOid: 'two' },
  ]);
  expect(await ask('modify-order', [{ clientOid: 'one', price: '58000' }])).toMatchObject({
    event: 'trade',
    topic: 'modify-order',
    args: [{ clientOid: 'one' }],
  });
  expect((await named('one'))?.price).toMatch(/^58000(\.0+)?$/);
  const unknown = { clientOid: 'unknown', price: '58000' };
  expect(await ask('modify-order', [unknown])).toMatchObject({
    event: 'error',
    code: await exchange.code(trader, 'changeOrder', unknown),
  });
  const { args } = await ask('batch-modify', [{ clientOid: 'two', qty: '0.02' }, unknown]);
  expect(args).toMatchObject([
    { clientOid: 'two', code: '0' },
    { clientOid: 'unknown', code: expect.stringMatching(/^\d{5}$/) },
  ]);
  expect((await named('two'))?.qty).toMatch(/^0\.020*$/);
});

test('[STR-80] cancel-order and batch-cancel end orders, and refuse unknown ones', async () => {
  await ask('batch-place', [
    { ...LIMIT, clientOid: 'gone' },
    { ...LIMIT, clientOid: 'gone-too' },
  ]);
  expect(await ask('cancel-order', [{ clientOid: 'gone' }])).toMatchObject({
    event: 'trade',
    args: [{ clientOid: 'gone' }],
  });
  expect(await ask('cancel-order', [{ clientOid: 'gone' }])).toMatchObject({
    event: 'error',
    code: await exchange.code(trader, 'cancelOrder', { clientOid: 'gone' }),
  });
  const { args } = await ask('batch-cancel', [{ clientOid: 'gone-too' }, { clientOid: 'gone' }]);
  expect(args).toMatchObject([
    { clientOid: 'gone-too', code: '0' },
    { clientOid: 'gone', code: expect.stringMatching(/^\d{5}$/) },
  ]);
  expect(await named('gone-too')).toBeUndefined();
});

test('[STR-80] an unknown topic, and another number of orders than one, are refused', async () => {
  expect(await ask('close-all', [LIMIT])).toMatchObject({ event: 'error', code: '30001' });
  for (const args of [[], [LIMIT, LIMIT]])
    expect(await ask('place-order', args)).toMatchObject({ event: 'error', code: '40020' });
  client.send('place-order', [], { args: LIMIT, id: '79' });
  expect(await client.answer()).toMatchObject({ event: 'error', id: '79', code: '40020' });
});

test('[STR-83] an order before the login gets 30004 and its id', async () => {
  const stream = await StreamClient.open(exchange, '/v3/ws/private');
  stream.send({ op: 'trade', id: '1', topic: 'place-order', args: [LIMIT] });
  expect(await stream.frame()).toMatchObject({ event: 'error', id: '1', code: '30004' });
  stream.close();
});

test('[STR-85] requests sent without waiting are carried out and answered in order', async () => {
  for (let at = 0; at < 5; at++) {
    const clientOid = `raced-${at}`;
    client.send('place-order', [{ ...LIMIT, clientOid }], { id: `place ${at}` });
    client.send('modify-order', [{ clientOid, price: '58500' }], { id: `modify ${at}` });
    client.send('cancel-order', [{ clientOid }], { id: `cancel ${at}` });
  }
  const answers = [];
  while (answers.length < 15) answers.push(await client.answer());
  expect(answers.map(({ event, id }) => `${event} ${id}`)).toEqual(
    Array.from({ length: 5 }, (_, at) => [
      `trade place ${at}`,
      `trade modify ${at}`,
      `trade cancel ${at}`,
    ]).flat(),
  );
});

test('[STR-87] the category of the request holds for its orders; another one is refused', async () => {
  const spot = { ...LIMIT, category: 'SPOT', clientOid: 'mixed' };
  expect(await ask('place-order', [spot])).toMatchObject({ event: 'error', code: '40020' });
  expect(await ask('batch-place', [{ ...LIMIT, clientOid: 'mixed' }, spot])).toMatchObject({
    event: 'error',
    code: '40020',
  });
  expect(await named('mixed')).toBeUndefined();
  const same = { ...LIMIT, category: 'USDT-FUTURES', clientOid: 'same' };
  expect(await ask('place-order', [same])).toMatchObject({ event: 'trade', code: '0' });
});

test('[STR-88] a request after its receive window is refused and does nothing', async () => {
  const order = { ...LIMIT, clientOid: 'late' };
  const requestTime = String(Date.now() - 5_000);
  const late = { event: 'error', code: '40078' };
  expect(await ask('place-order', [order], { requestTime, receiveWindow: '4000' })).toMatchObject(
    late,
  );
  expect(
    await ask('place-order', [{ ...order, receiveWindow: '4000' }], { requestTime }),
  ).toMatchObject(late);
  expect(await named('late')).toBeUndefined();
  const inTime = { requestTime, receiveWindow: '60000' };
  expect(await ask('place-order', [order], inTime)).toMatchObject({ event: 'trade' });
});

test('[STR-84] a fault of the REST call strikes: the order is placed, and the connection ends', async () => {
  const match = { endpoint: '/api/v3/trade/place-order', times: 1 };
  exchange.laboratory.set({ match, effect: { kind: 'cut', when: 'afterCommit' } });
  const struck = await OrderClient.open(exchange, trader);
  struck.send('place-order', [{ ...LIMIT, clientOid: 'struck' }]);
  expect((await struck.stream.ended).code).toBe(1006);
  expect(await named('struck')).toMatchObject({ clientOid: 'struck' });
  exchange.laboratory.reset();
});
