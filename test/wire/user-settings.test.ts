/**
 * User settings made by the operator: defaults for orders and triggers without their own values.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicName } from '../../src/contract/endpoints.ts';
import type { Trader } from './trading-exchange.ts';
import { PLAN, type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
beforeAll(async () => {
  on = await TriggerExchange.start();
});
afterAll(() => on.exchange.stop());

const set = (uid: string, stpMode: string) =>
  on.exchange.operate('POST', `/operator/v1/users/${uid}/settings`, { stpMode });
const shown = async (who: Trader) =>
  (await on.exchange.data<Row>(who, 'getAccountSettings')).stpMode;
const modeOf = async (who: Trader, input: object) =>
  (await on.exchange.data<Row>(who, 'getOrder', { ...input })).stpMode;

const limit = { symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', price: '50000' };
const unified = { ...limit, category: 'USDT-FUTURES', qty: '0.01' };
const futures = {
  ...limit,
  productType: 'USDT-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
};
const spot = { ...limit, force: 'gtc', size: '0.01' };
const isolated = { ...limit, force: 'gtc', loanType: 'normal', baseSize: '0.01' };

test("[OPR-34][ACC-13] an account's mode is set, shown to both, and the same after a restart", async () => {
  const alice = await on.trader();
  const sub = await on.exchange.trader({ parentUid: alice.uid });
  expect(await shown(alice)).toBe('none');
  for (const stpMode of ['cancel_both', 'none', 'cancel_taker', 'cancel_maker']) {
    expect((await set(alice.uid, stpMode)).data).toBe(null);
    expect(await shown(alice)).toBe(stpMode);
  }
  expect(await shown(sub)).toBe('none');
  await on.exchange.restart();
  expect(await shown(alice)).toBe('cancel_maker');
  const { data } = await on.exchange.operate('GET', `/operator/v1/users/${alice.uid}`);
  expect(data).toMatchObject({ settings: { stpMode: 'cancel_maker' } });
  expect(await modeOf(alice, await on.exchange.data<Row>(alice, 'placeOrder', unified))).toBe(
    'cancel_maker',
  );
});

test.each<[PublicName, object]>([
  ['placeOrder', unified],
  ['placeFuturesOrder', futures],
  ['placeSpotOrder', spot],
])(
  "[OPR-34][ORD-10] an order of %s without a mode takes its account's, and keeps it",
  async (name, order) => {
    const alice = await on.trader();
    const place = (more = {}) => on.exchange.data<Row>(alice, name, { ...order, ...more });
    const before = await place();
    await set(alice.uid, 'cancel_both');
    const [silent, own, none] = [
      await place({ stpMode: '' }),
      await place({ stpMode: 'cancel_taker' }),
      await place({ stpMode: 'none' }),
    ];
    await set(alice.uid, 'cancel_maker');
    const modes = await Promise.all(
      [before, silent, own, none].map(({ orderId }) => modeOf(alice, { orderId })),
    );
    expect(modes).toEqual(['none', 'cancel_both', 'cancel_taker', 'none']);
  },
);

test("[OPR-34][ORD-10][ORD-45] the account's mode also applies to batches and isolated margin orders", async () => {
  const alice = await on.exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });
  const transfer = {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '10000',
    coin: 'USDT',
    symbol: 'BTCUSDT',
  };
  await on.exchange.data(alice, 'transfer', transfer);
  await set(alice.uid, 'cancel_maker');
  const end = (orderId: string) => on.exchange.data<Row>(alice, 'getOrder', { orderId });
  const cancelled = { orderStatus: 'cancelled', cancelReason: 'stp_cancel' };

  const price = '60500';
  const future = await on.exchange.data<Row>(alice, 'placeOrder', {
    ...unified,
    side: 'sell',
    price,
  });
  await on.exchange.data(alice, 'placeBatch', [{ ...unified, price, stpMode: 'cancel_taker' }]);
  expect(await end(future.orderId)).toMatchObject({ orderStatus: 'new' });
  await on.exchange.data(alice, 'placeBatch', [{ ...unified, price }]);
  expect(await end(future.orderId)).toMatchObject(cancelled);

  const coin = await on.exchange.data<Row>(alice, 'placeSpotOrder', {
    ...spot,
    side: 'sell',
    price,
  });
  await on.exchange.data(alice, 'placeIsolatedOrder', {
    ...isolated,
    price,
    stpMode: 'cancel_taker',
  });
  expect(await end(coin.orderId)).toMatchObject({ orderStatus: 'new' });
  await on.exchange.data(alice, 'placeIsolatedOrder', { ...isolated, price });
  expect(await end(coin.orderId)).toMatchObject(cancelled);
});

test("[OPR-34][TRG-13] a trigger order takes the account's mode of its placement", async () => {
  const alice = await on.longTrader();
  await set(alice.uid, 'cancel_taker');
  const plans = [
    await on.place(alice, { triggerPrice: '62000' }),
    await on.place(alice, { triggerPrice: '62000', stpMode: 'none' }),
  ];
  const part = {
    ...TPSL,
    triggerType: 'mark_price',
    planType: 'profit_plan',
    triggerPrice: '63000',
    size: '0.1',
  };
  const tpsl = [await on.exchange.data<Row>(alice, 'placeTpslOrder', part)];
  tpsl.push(
    await on.exchange.data<Row>(alice, 'placeTpslOrder', { ...part, stpMode: 'cancel_both' }),
  );
  const whole = { ...TPSL, stopSurplusTriggerPrice: '64000', stopSurplusTriggerType: 'mark_price' };
  tpsl.push(...(await on.exchange.data<Row[]>(alice, 'placePositionTpsl', whole)));
  await set(alice.uid, 'cancel_maker');
  await on.mark('64000');
  await on.mark('60000');
  const bornAs = async (planType: string, { orderId }: Row) => {
    const { entrustedList } = await on.history(alice, planType, { orderId });
    return modeOf(alice, { orderId: entrustedList[0]!.executeOrderId });
  };
  expect(await Promise.all(plans.map((plan) => bornAs('normal_plan', plan)))).toEqual([
    'cancel_taker',
    'none',
  ]);
  expect(await Promise.all(tpsl.map((exit) => bornAs('profit_loss', exit)))).toEqual([
    'cancel_taker',
    'cancel_both',
    'cancel_taker',
  ]);
});

test.each<[string, PublicName, object]>([
  ['an order', 'placeOrder', unified],
  ['an order with a take-profit', 'placeOrder', { ...unified, takeProfit: '70000' }],
  ['a trigger order', 'placeOrder', { ...unified, triggerPrice: '70000' }],
  ['a plan', 'placeTriggerOrder', PLAN],
  [
    'a TP/SL order',
    'placeTpslOrder',
    { ...TPSL, planType: 'loss_plan', triggerPrice: '50000', size: '0.1' },
  ],
])(
  '[ORD-150][TRG-16] %s repeated is the same, with any account mode by then',
  async (_, name, input) => {
    const alice = await on.longTrader();
    const again = (more = {}) =>
      on.exchange.call(alice, name, { ...input, clientOid: 'once', ...more });
    const { data: first } = await again();
    expect(first).toMatchObject({ clientOid: 'once' });
    await set(alice.uid, 'cancel_both');
    expect((await again()).data).toEqual(first);
    expect((await again({ stpMode: 'none' })).data).toEqual(first);
    expect((await again({ stpMode: 'cancel_both' })).code).toBe('40786');
  },
);

test('[OPR-34][API-58] an unknown user, no mode and an unknown mode are refused by name and set nothing', async () => {
  const alice = await on.trader();
  const refusal = (uid: string, body: object) =>
    on.exchange.refusal('POST', `/operator/v1/users/${uid}/settings`, body);
  expect(await refusal('9999999999', { stpMode: 'none' })).toBe(
    '40034 The user 9999999999 does not exist',
  );
  expect(await refusal('abc', { stpMode: 'none' })).toMatch(/^40020 .*uid/);
  expect(await refusal(alice.uid, {})).toMatch(/^40019 .*stpMode/);
  expect(await refusal(alice.uid, { stpMode: 'cancel' })).toBe(
    '40020 Parameter stpMode error: none | cancel_taker | cancel_maker | cancel_both',
  );
  expect(await refusal(alice.uid, { stpMode: 'cancel_both', holdMode: 'hedge_mode' })).toBe(
    '40020 Parameter holdMode error: no field has this name',
  );
  expect(await shown(alice)).toBe('none');
});

test('[REQ-09][OPR-34] the path names the account, not the body or query, and a body is an object', async () => {
  const [alice, bob] = [await on.trader(), await on.trader()];
  const path = `/operator/v1/users/${alice.uid}`;
  await on.exchange.operate('POST', `${path}/settings`, { uid: bob.uid, stpMode: 'cancel_both' });
  expect([await shown(alice), await shown(bob)]).toEqual(['cancel_both', 'none']);
  expect((await on.exchange.operate('GET', `${path}?uid=${bob.uid}`)).data).toMatchObject({
    uid: alice.uid,
  });
  for (const body of [[['stpMode', 'none']], [], 'stpMode', 1, true])
    expect([body, await on.exchange.refusal('POST', `${path}/settings`, body as object)]).toEqual([
      body,
      expect.stringMatching(/^40017 /),
    ]);
  expect(await on.exchange.refusal('POST', `${path}/settings`)).toMatch(/^40019 .*stpMode/);
  expect(await shown(alice)).toBe('cancel_both');
});
