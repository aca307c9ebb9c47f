/** Rows that move from the live views to history while a list that shows both is being made. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idText } from '../../src/kernel/ids.ts';
import { call, operate, startTestExchange, type TestExchange } from './exchange.ts';
import { PLAN, type Rows } from './trigger-exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
});
afterAll(() => exchange.close());

const setMark = (mark: string) =>
  operate(exchange, 'POST', '/operator/v1/prices', [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', mark, force: true }]);

test('[LIST-05] a fired trigger whose order ends while history is read is shown once, as history tells it', async () => {
  const { views, submit } = exchange;
  await setMark('60000');
  const alice = await exchange.person({ usdt: '100000' });
  const body = JSON.stringify({ ...PLAN, orderType: 'limit', price: '50000', triggerPrice: '62000' });
  const placed = await call(exchange, alice, 'POST', '/api/v2/mix/order/place-plan-order', { body });
  const { orderId } = placed.data as { readonly orderId: string };
  await setMark('62000');
  const [working] = views.triggers.working(alice.uid);
  expect(idText(working!.trigger.triggerId)).toBe(orderId);

  const history = views.history as { endedTriggers: typeof views.history.endedTriggers };
  const { endedTriggers } = history;
  history.endedTriggers = async (query) => {
    await submit({ type: 'cancelOrders', uid: alice.uid, orders: [{ orderId: working!.orderId! }] });
    return endedTriggers(query);
  };
  const query = 'planType=normal_plan&productType=USDT-FUTURES';
  const list = await call(exchange, alice, 'GET', '/api/v2/mix/order/orders-plan-history', { query });
  history.endedTriggers = endedTriggers;
  expect(views.triggers.working(alice.uid)).toEqual([]);
  expect((list.data as Rows).entrustedList.map((row) => row.orderId)).toEqual([orderId]);
});
