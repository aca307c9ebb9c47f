/** Rows that move from live views to history while a list of both is read. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idFromText, idText } from '../../src/kernel/ids.ts';
import { call, operate, startTestExchange, type TestExchange } from './exchange.ts';
import { PLAN, type Rows } from './trigger-exchange.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
});
afterAll(() => exchange.close());

const setMark = (mark: string) =>
  operate(exchange, 'POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', mark, force: true },
  ]);

/** An event during the read of the next page of a table. */
async function during<Name extends 'endedTriggers' | 'endedWithdrawals'>(
  name: Name,
  happen: () => Promise<unknown>,
  ask: () => Promise<unknown>,
) {
  const history = exchange.views.history as Record<Name, (query: never) => Promise<unknown>>;
  const read = history[name];
  history[name] = async (query) => {
    await happen();
    return read(query);
  };
  await ask();
  history[name] = read;
}

test('[LIST-05] a fired trigger whose order ends during the read is listed once, from history', async () => {
  const { views, submit } = exchange;
  await setMark('60000');
  const alice = await exchange.person({ usdt: '100000' });
  const body = JSON.stringify({
    ...PLAN,
    orderType: 'limit',
    price: '50000',
    triggerPrice: '62000',
  });
  const placed = await call(exchange, alice, 'POST', '/api/v2/mix/order/place-plan-order', {
    body,
  });
  const { orderId } = placed.data as { readonly orderId: string };
  await setMark('62000');
  const [working] = views.triggers.working(alice.uid);
  expect(idText(working!.trigger.triggerId)).toBe(orderId);

  const history = views.history as { endedTriggers: typeof views.history.endedTriggers };
  const { endedTriggers } = history;
  history.endedTriggers = async (query) => {
    await submit({
      type: 'cancelOrders',
      uid: alice.uid,
      orders: [{ orderId: working!.orderId! }],
    });
    return endedTriggers(query);
  };
  const query = 'planType=normal_plan&productType=USDT-FUTURES';
  const list = await call(exchange, alice, 'GET', '/api/v2/mix/order/orders-plan-history', {
    query,
  });
  history.endedTriggers = endedTriggers;
  expect(views.triggers.working(alice.uid)).toEqual([]);
  expect((list.data as Rows).entrustedList.map((row) => row.orderId)).toEqual([orderId]);
});

test('[VIEW-31] a trigger that fires during the read is listed beside one that ends then', async () => {
  await setMark('60000');
  const alice = await exchange.person({ usdt: '100000' });
  const placed = async (triggerPrice: string): Promise<string> => {
    const body = JSON.stringify({ ...PLAN, orderType: 'limit', price: '50000', triggerPrice });
    const { data } = await call(exchange, alice, 'POST', '/api/v2/mix/order/place-plan-order', {
      body,
    });
    return (data as { readonly orderId: string }).orderId;
  };
  const cancelled = await placed('65000');
  const fired = await placed('62000');
  const lists: unknown[] = [];
  await during(
    'endedTriggers',
    async () => {
      await setMark('62000');
      await exchange.submit({
        type: 'cancelTriggers',
        uid: alice.uid,
        category: 'USDT-FUTURES',
        kinds: ['conditional'],
      });
    },
    async () => {
      const query = 'planType=normal_plan&productType=USDT-FUTURES';
      const list = await call(exchange, alice, 'GET', '/api/v2/mix/order/orders-plan-history', {
        query,
      });
      lists.push(
        (list.data as Rows).entrustedList.map(({ orderId, planStatus }) => [orderId, planStatus]),
      );
    },
  );
  expect(lists).toEqual([
    [
      [fired, 'executed'],
      [cancelled, 'cancelled'],
    ],
  ]);
});

test('[VIEW-31] the operator sees a trigger that fires during the read beside one that ends then', async () => {
  await setMark('60000');
  const alice = await exchange.person({ usdt: '100000' });
  const body = JSON.stringify({
    ...PLAN,
    orderType: 'limit',
    price: '50000',
    triggerPrice: '62000',
  });
  const { data } = await call(exchange, alice, 'POST', '/api/v2/mix/order/place-plan-order', {
    body,
  });
  const lists: unknown[] = [];
  await during(
    'endedTriggers',
    () => setMark('62000'),
    async () => {
      const list = await operate(exchange, 'GET', `/operator/v1/triggers?uid=${alice.uid}`);
      lists.push(
        (list.data as readonly { readonly orderId: string }[]).map(({ orderId }) => orderId),
      );
    },
  );
  expect(lists).toEqual([[(data as { readonly orderId: string }).orderId]]);
});

test('[VIEW-31] a withdrawal requested during the read is listed beside one that ends then', async () => {
  const alice = await exchange.person({ usdt: '100000' });
  // Above the automatic limit, so that it waits for approval.
  const request = async (size: string): Promise<string> => {
    const address = '0x52908400098527886e0f7030069857d2e4169ee7';
    const body = JSON.stringify({
      coin: 'USDT',
      transferType: 'on_chain',
      chain: 'ERC20',
      address,
      size,
    });
    const { data } = await call(exchange, alice, 'POST', '/api/v3/account/withdrawal', { body });
    return (data as { readonly orderId: string }).orderId;
  };
  const first = await request('20000');
  const named: string[] = [];
  const lists: unknown[] = [];
  await during(
    'endedWithdrawals',
    async () => {
      await exchange.submit({
        type: 'cancelWithdrawal',
        uid: alice.uid,
        orderId: idFromText(first)!,
      });
      named.push(await request('30000'));
    },
    async () => {
      const query = `startTime=${Date.now() - 60_000}&endTime=${Date.now() + 60_000}`;
      const list = await call(exchange, alice, 'GET', '/api/v3/account/withdrawal-records', {
        query,
      });
      lists.push(
        (list.data as readonly Record<string, string>[]).map(({ orderId, status }) => [
          orderId,
          status,
        ]),
      );
    },
  );
  expect(lists).toEqual([
    [
      [named[0], 'pending'],
      [first, 'fail'],
    ],
  ]);
});
