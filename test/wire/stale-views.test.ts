/** Calls that are translated by a view which has not heard yet of what was executed a moment before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, operate, type Person, startTestExchange, type TestExchange } from './exchange.ts';
import { PLAN } from './trigger-exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
  await operate(exchange, 'POST', '/operator/v1/prices', [{ category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', force: true }]);
});
afterAll(() => exchange.close());

const CLOSE_LONG = { side: 'buy', tradeSide: 'close' };

/** Somebody who has just gone over to one-way mode, and whom the view still knows in hedge mode. */
async function inTwoModes<Result>(work: (person: Person) => Promise<Result>): Promise<Result> {
  const person = await exchange.person({ usdt: '100000' });
  const { accounts } = exchange.views;
  accounts.positionMode = () => 'hedge';
  try {
    return await work(person);
  } finally {
    // The view's own is found again.
    Reflect.deleteProperty(accounts, 'positionMode');
  }
}

test('[ORD-86] an order that was to close a position in hedge mode opens none in one-way mode', async () => {
  const { planType: _planType, triggerPrice: _triggerPrice, triggerType: _triggerType, ...market } = PLAN;
  const body = JSON.stringify({ ...market, ...CLOSE_LONG, orderType: 'limit', price: '61000' });
  const answer = await inTwoModes((person) => call(exchange, person, 'POST', '/api/v2/mix/order/place-order', { body }));
  expect([answer.code, answer.data]).toEqual(['22002', null]);
});

test('[ORD-86] and neither does a trigger order', async () => {
  const body = JSON.stringify({ ...PLAN, ...CLOSE_LONG });
  const triggers = await inTwoModes(async (person) => {
    const answer = await call(exchange, person, 'POST', '/api/v2/mix/order/place-plan-order', { body });
    expect(answer.code).toBe('00000');
    return exchange.views.triggers.live(person.uid);
  });
  expect(triggers.map(({ trigger: { side, reduceOnly } }) => ({ side, reduceOnly }))).toEqual([{ side: 'sell', reduceOnly: true }]);
});
