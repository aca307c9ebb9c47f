import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Rows, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('lists', () => {
  test('[TRG-47][TRG-54][TRG-55][TRG-56][TRG-57] live triggers are listed, and ended ones with their result', async () => {
    const alice = await on.longTrader();
    const poor = await on.exchange.trader({ deposits: { USDT: '10' } });
    const fired = await on.place(alice, { triggerPrice: '62000' });
    const failed = await on.place(poor, { triggerPrice: '62000' });
    const waits = await on.place(alice, { triggerPrice: '69000' });
    const trail = await on.place(alice, {
      planType: 'track_plan',
      callbackRatio: '5',
      side: 'sell',
    });
    await on.exchange.data(alice, 'cancelTriggerOrders', {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderIdList: [{ orderId: trail.orderId }],
    });
    await on.mark('62000');
    await on.mark('60000');
    expect(
      (await on.pending(alice, 'normal_plan')).entrustedList.map(({ orderId }) => orderId),
    ).toEqual([waits.orderId]);
    const { entrustedList } = await on.history(alice, 'normal_plan');
    expect(entrustedList).toMatchObject([
      {
        orderId: fired.orderId,
        planStatus: 'executed',
        executeOrderId: expect.stringMatching(/^1/),
        priceAvg: '61000',
        baseVolume: '0.01',
        uTime: expect.stringMatching(/^\d+$/),
      },
    ]);
    expect((await on.history(alice, 'track_plan')).entrustedList).toMatchObject([
      { orderId: trail.orderId, planStatus: 'cancelled', executeOrderId: '', callbackRatio: '5' },
    ]);
    expect((await on.history(alice, 'track_plan')).entrustedList[0]).not.toHaveProperty(
      'baseVolume',
    );
    for (const planStatus of ['fail_execute', 'fail_trigger'])
      expect((await on.history(poor, 'normal_plan', { planStatus })).entrustedList).toMatchObject([
        { orderId: failed.orderId, planStatus: 'fail_execute', executeOrderId: '' },
      ]);
    expect(
      (await on.history(poor, 'normal_plan', { planStatus: 'executed' })).entrustedList,
    ).toEqual([]);
    const child = await on.exchange.data(alice, 'getOrder', {
      orderId: entrustedList[0]!.executeOrderId,
    });
    expect(child).toMatchObject({ clientOid: fired.orderId, orderStatus: 'filled' });
    expect(
      (
        await on.exchange.operate(
          'GET',
          `/operator/v1/triggers?status=fail_execute&uid=${poor.uid}`,
        )
      ).data,
    ).toMatchObject([
      {
        orderId: failed.orderId,
        uid: poor.uid,
        reason: 'insufficientMargin',
        code: '40762',
        msg: 'The order size is greater than the max open size',
        executeOrderId: null,
      },
    ]);
  });

  test('[TRG-74] the operator sees why an order of any account was refused', async () => {
    const rows = (await on.exchange.operate('GET', '/operator/v1/triggers?limit=1000'))
      .data as readonly Row[];
    expect(rows.length).toBeGreaterThan(0);
    expect(
      rows.every(({ planStatus, reason }) => planStatus !== 'fail_execute' || reason !== null),
    ).toBe(true);
  });

  test('[TRG-74] the operator sees why a trigger was cancelled: by its user, OCO sibling or position', async () => {
    const alice = await on.longTrader();
    const exit = (more: object): Promise<Row> =>
      on.exchange.data<Row>(alice, 'placeTpslOrder', {
        ...TPSL,
        triggerType: 'mark_price',
        ...more,
      });
    const called = await on.place(alice, { triggerPrice: '69000' });
    await on.exchange.data(alice, 'cancelTriggerOrders', {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderIdList: [{ orderId: called.orderId }],
    });
    const together = {
      stopSurplusTriggerPrice: '62000',
      stopSurplusSize: '0.1',
      stopLossTriggerPrice: '55000',
      stopLossSize: '0.1',
    };
    const byMark = { stopSurplusTriggerType: 'mark_price', stopLossTriggerType: 'mark_price' };
    const pair = await on.exchange.data<readonly Row[]>(alice, 'placePositionTpsl', {
      ...TPSL,
      ...together,
      ...byMark,
    });
    const whole = await exit({ planType: 'pos_loss', triggerPrice: '54000' });
    await on.mark('62000');
    await on.mark('60000');
    await on.exchange.data(alice, 'closeFuturesPositions', {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
    });
    const rows = (await on.exchange.operate('GET', `/operator/v1/triggers?uid=${alice.uid}`))
      .data as readonly Row[];
    expect(
      rows.map(({ orderId, planStatus, reason, code, msg }) => [
        orderId,
        planStatus,
        reason,
        code,
        msg,
      ]),
    ).toEqual([
      [whole.orderId, 'cancelled', 'positionClosed', null, null],
      [pair[1]!.orderId, 'cancelled', 'ocoSiblingFired', null, null],
      [pair[0]!.orderId, 'executed', null, null, null],
      [called.orderId, 'cancelled', 'byUser', null, null],
    ]);
  });

  test('[TRG-74] a trigger whose order rests has ended, for the operator too', async () => {
    const alice = await on.trader();
    const fired = await on.place(alice, {
      triggerPrice: '62000',
      orderType: 'limit',
      price: '55000',
    });
    await on.mark('62000');
    await on.mark('60000');
    const [row] = (await on.history(alice, 'normal_plan')).entrustedList;
    expect(row).toMatchObject({
      orderId: fired.orderId,
      planStatus: 'executed',
      priceAvg: '',
      baseVolume: '0',
    });
    const found = async (more: object, planType = 'normal_plan') =>
      (await on.history(alice, planType, more)).entrustedList.length;
    const [cTime, just] = [row!.cTime as string, { symbol: 'BTCUSDT', planStatus: 'executed' }];
    expect(await found({ ...just, startTime: cTime, endTime: cTime })).toBe(1);
    for (const other of [
      { symbol: 'ETHUSDT' },
      { planStatus: 'cancelled' },
      { startTime: String(Number(cTime) + 1) },
      { endTime: String(Number(cTime) - 1) },
    ])
      expect([other, await found({ ...just, ...other })]).toEqual([other, 0]);
    expect(await found(just, 'track_plan')).toBe(0);
    for (const query of [`uid=${alice.uid}`, 'limit=1', 'status=executed&limit=1'])
      expect(
        (await on.exchange.operate('GET', `/operator/v1/triggers?${query}`)).data,
      ).toMatchObject([
        { orderId: fired.orderId, planStatus: 'executed', executeOrderId: row!.executeOrderId },
      ]);
  });
});

test('[LIST-21] triggers and orders of long ago are found by name, and by time only within their times', async () => {
  const alice = await on.trader();
  const order = {
    category: 'USDT-FUTURES',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    price: '50000',
    qty: '0.01',
  };
  const { orderId } = await on.exchange.data<Row>(alice, 'placeOrder', {
    ...order,
    clientOid: 'old-order',
  });
  await on.exchange.data(alice, 'cancelOrder', { orderId });
  const trigger = await on.place(alice, { clientOid: 'old-trigger' });
  await on.exchange.data(alice, 'cancelTriggerOrders', { productType: 'USDT-FUTURES' });
  await on.exchange.operate('POST', '/operator/v1/clock', {
    advanceMs: String(91 * 24 * 3_600_000),
  });
  const { now } = (await on.exchange.operate('GET', '/operator/v1/clock')).data as {
    readonly now: string;
  };
  const idsOf = (rows: readonly Row[]) => rows.map(({ orderId: id }) => id);
  const triggers = async (more: object) =>
    idsOf((await on.history(alice, 'normal_plan', more)).entrustedList);
  expect(await triggers({})).toEqual([]);
  for (const name of [{ orderId: trigger.orderId }, { clientOid: 'old-trigger' }]) {
    expect(await triggers(name)).toEqual([trigger.orderId]);
    expect(await triggers({ ...name, endTime: now })).toEqual([]);
  }
  const orders = async (more: object) => {
    const query = { productType: 'USDT-FUTURES', ...more };
    return idsOf(
      (await on.exchange.data<Rows>(alice, 'listFuturesOrderHistory', query)).entrustedList,
    );
  };
  expect(await orders({})).toEqual([]);
  for (const name of [{ orderId }, { clientOid: 'old-order' }])
    expect(await orders(name)).toEqual([orderId]);
});

test('[API-17] an unreadable id in a cancel list fails alone, and the other triggers are cancelled', async () => {
  const alice = await on.trader();
  const [first, second] = [await on.place(alice), await on.place(alice)];
  const call = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
  const unreadable = [{ clientOid: 'two words' }, { orderId: true, clientOid: 'c' }];
  const failureList = [
    { orderId: '', clientOid: 'two words', errorMsg: expect.stringContaining('clientOid') },
    { orderId: '', clientOid: 'c', errorMsg: expect.stringContaining('orderId') },
  ];
  expect(
    await on.exchange.data(alice, 'cancelTriggerOrders', { ...call, orderIdList: unreadable }),
  ).toEqual({
    successList: [],
    failureList,
  });
  expect((await on.pending(alice, 'normal_plan')).entrustedList).toHaveLength(2);
  const orderIdList = [{ orderId: first.orderId }, ...unreadable, { orderId: second.orderId }];
  expect(await on.exchange.data(alice, 'cancelTriggerOrders', { ...call, orderIdList })).toEqual({
    successList: [first, second],
    failureList,
  });
  expect(
    await on.exchange.code(alice, 'cancelTriggerOrders', { ...call, orderIdList: ['x'] }),
  ).toBe('40020');
});
