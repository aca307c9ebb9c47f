/** Calls translated with a view that is behind the last executed command. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, operate, type Person, startTestExchange, type TestExchange } from './exchange.ts';
import { PLAN } from './trigger-exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
  await operate(exchange, 'POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', force: true },
  ]);
});
afterAll(() => exchange.close());

const CLOSE_LONG = { side: 'buy', tradeSide: 'close' };

/** A user who has just changed to one-way mode, while the view still has hedge mode. */
async function inTwoModes<Result>(work: (person: Person) => Promise<Result>): Promise<Result> {
  const person = await exchange.person({ usdt: '100000' });
  const { accounts } = exchange.views;
  accounts.positionMode = () => 'hedge';
  try {
    return await work(person);
  } finally {
    // The order of the view is found again.
    Reflect.deleteProperty(accounts, 'positionMode');
  }
}

test('[ORD-86] a close order of hedge mode opens nothing in one-way mode', async () => {
  const {
    planType: _planType,
    triggerPrice: _triggerPrice,
    triggerType: _triggerType,
    ...market
  } = PLAN;
  const body = JSON.stringify({ ...market, ...CLOSE_LONG, orderType: 'limit', price: '61000' });
  const answer = await inTwoModes((person) =>
    call(exchange, person, 'POST', '/api/v2/mix/order/place-order', { body }),
  );
  expect([answer.code, answer.data]).toEqual(['22002', null]);
});

test.each([
  ['/api/v3/trade/place-order', (order: object) => order],
  ['/api/v3/trade/place-batch', (order: object) => [order]],
])('[ORD-86] the same for an order of %s', async (path, bodyOf) => {
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'sell',
    posSide: 'long',
    orderType: 'limit',
    qty: '0.01',
    price: '61000',
  };
  const body = JSON.stringify(bodyOf(order));
  const answer = await inTwoModes((person) => call(exchange, person, 'POST', path, { body }));
  expect([
    answer.code,
    ...(Array.isArray(answer.data) ? answer.data.map(({ code }) => code) : []),
  ]).toContain('25227');
});

test('[ORD-86] the same for a trigger order', async () => {
  const body = JSON.stringify({ ...PLAN, ...CLOSE_LONG });
  const triggers = await inTwoModes(async (person) => {
    const answer = await call(exchange, person, 'POST', '/api/v2/mix/order/place-plan-order', {
      body,
    });
    expect(answer.code).toBe('00000');
    return exchange.views.triggers.live(person.uid);
  });
  expect(triggers.map(({ trigger: { side, reduceOnly } }) => ({ side, reduceOnly }))).toEqual([
    { side: 'sell', reduceOnly: true },
  ]);
});

const BID = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  qty: '0.01',
  price: '59000',
};
const SPOT_BID = { ...BID, category: 'SPOT' };
const MARGIN_BID = { ...BID, category: 'MARGIN' };

/** An order that the view does not have yet. */
async function stale<Result>(
  order: object,
  work: (person: Person) => Promise<Result>,
): Promise<Result> {
  const person = await exchange.person({ usdt: '100000' });
  const placed = await call(exchange, person, 'POST', '/api/v3/trade/place-order', {
    body: JSON.stringify({ ...order, clientOid: 'mine' }),
  });
  expect(placed.code).toBe('00000');
  const { orders } = exchange.views;
  orders.find = () => undefined;
  orders.findNamed = () => undefined;
  try {
    return await work(person);
  } finally {
    Reflect.deleteProperty(orders, 'find');
    Reflect.deleteProperty(orders, 'findNamed');
    expect(orders.open(person.uid)).toHaveLength(1);
  }
}

const ETHER = { symbol: 'ETHUSDT', productType: 'USDT-FUTURES' };
test.each([
  ['/api/v2/mix/order/cancel-order', BID, { ...ETHER, clientOid: 'mine' }],
  [
    '/api/v2/mix/order/batch-cancel-orders',
    BID,
    { ...ETHER, orderIdList: [{ clientOid: 'mine' }] },
  ],
  [
    '/api/v2/mix/order/cancel-order',
    BID,
    { ...ETHER, symbol: 'BTCUSDT', marginCoin: 'USDC', clientOid: 'mine' },
  ],
  ['/api/v2/spot/trade/cancel-order', SPOT_BID, { symbol: 'ETHUSDT', clientOid: 'mine' }],
  [
    '/api/v2/spot/trade/batch-cancel-order',
    BID,
    { symbol: 'BTCUSDT', orderList: [{ clientOid: 'mine' }] },
  ],
  ['/api/v2/margin/isolated/cancel-order', MARGIN_BID, { symbol: 'BTCUSDT', clientOid: 'mine' }],
])(
  '[ORD-76][ORD-87] %s spares an order of another market that is new to the view',
  async (path, order, request) => {
    const answer = await stale(order, (person) =>
      call(exchange, person, 'POST', path, { body: JSON.stringify(request) }),
    );
    if (answer.code === '00000')
      expect(answer.data).toMatchObject({ successList: [], failureList: [{ clientOid: 'mine' }] });
  },
);
