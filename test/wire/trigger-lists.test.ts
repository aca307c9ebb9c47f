import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Rows, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
beforeAll(async () => {
  on = await TriggerExchange.start();
});
afterAll(() => on.exchange.stop());

describe('lists', () => {
  test('[TRG-47][TRG-54][TRG-55][TRG-56][TRG-57] what lives, and what has ended and how', async () => {
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

  test('[TRG-74] the operator sees why an order was refused, of everybody', async () => {
    const rows = (await on.exchange.operate('GET', '/operator/v1/triggers?limit=1000'))
      .data as readonly Row[];
    expect(rows.length).toBeGreaterThan(0);
    expect(
      rows.every(({ planStatus, reason }) => planStatus !== 'fail_execute' || reason !== null),
    ).toBe(true);
  });

  test('[TRG-74] the operator sees why a trigger was cancelled: by its user, by its twin, or with its position', async () => {
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
      [pair[1]!.orderId, 'cancelled', 'twinFired', null, null],
      [pair[0]!.orderId, 'executed', null, null, null],
      [called.orderId, 'cancelled', 'byUser', null, null],
    ]);
  });

  test('[TRG-74] one whose order still waits in the book has ended too, also for the operator', async () => {
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

  test('[LIST-23] an order shows which way out of a position has placed it, and is found by that', async () => {
    const alice = await on.longTrader();
    const exit = (more: object) =>
      on.exchange.data(alice, 'placeTpslOrder', { ...TPSL, triggerType: 'mark_price', ...more });
    const listed = async (
      name: 'listOpenFuturesOrders' | 'listFuturesOrderHistory',
      orderSource = '',
    ): Promise<readonly Row[]> =>
      (await on.exchange.data<Rows>(alice, name, { productType: 'USDT-FUTURES', orderSource }))
        .entrustedList;
    const sources = (rows: readonly Row[]): string => rows.map((row) => row.orderSource).join(' ');
    await exit({ planType: 'profit_plan', triggerPrice: '62000', size: '0.1' });
    await exit({
      planType: 'profit_plan',
      triggerPrice: '62000',
      size: '0.1',
      executePrice: '66000',
    });
    await exit({ planType: 'loss_plan', triggerPrice: '58000', size: '0.1' });
    await exit({
      planType: 'loss_plan',
      triggerPrice: '58000',
      size: '0.1',
      executePrice: '67000',
    });
    await exit({ planType: 'pos_loss', triggerPrice: '57000', executePrice: '68000' });
    for (const mark of ['62000', '58000']) await on.mark(mark);
    expect(sources(await listed('listOpenFuturesOrders'))).toBe('loss_limit profit_limit');
    expect(sources(await listed('listOpenFuturesOrders', 'loss_limit'))).toBe('loss_limit');
    expect(await listed('listOpenFuturesOrders', 'normal')).toEqual([]);
    expect(await listed('listOpenFuturesOrders', 'trader_loss')).toEqual([]);

    for (const mark of ['57000', '60000']) await on.mark(mark);
    const [whole, ...others] = await listed('listOpenFuturesOrders');
    const named = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', orderId: whole!.orderId };
    expect([
      (await on.exchange.data<Row>(alice, 'getFuturesOrder', named)).orderSource,
      others,
    ]).toEqual(['pos_loss_limit', []]);
    expect(sources(await listed('listFuturesOrderHistory'))).toBe(
      'loss_limit loss_market profit_limit profit_market market',
    );
    for (const source of ['profit_market', 'profit_limit', 'market'])
      expect(sources(await listed('listFuturesOrderHistory', source))).toBe(source);

    await on.exchange.data(alice, 'changeFuturesOrder', {
      ...named,
      newClientOid: 'moved',
      newSize: whole!.size,
      newPrice: '69000',
    });
    expect(await listed('listOpenFuturesOrders')).toMatchObject([
      { price: '69000', orderSource: 'pos_loss_limit' },
    ]);
  });

  test('[TRG-58] pages by id, windows of at most 90 days, one by its id or its name', async () => {
    const alice = await on.trader();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++)
      ids.unshift((await on.place(alice, { clientOid: `page-${count}` })).orderId);
    const first = await on.pending(alice, 'normal_plan', { limit: '2' });
    expect([first.entrustedList.map(({ orderId }) => orderId), first.endId]).toEqual([
      ids.slice(0, 2),
      ids[1],
    ]);
    const second = await on.pending(alice, 'normal_plan', { limit: '2', idLessThan: first.endId });
    expect(second.entrustedList.map(({ orderId }) => orderId)).toEqual(ids.slice(2, 4));
    expect(
      (await on.pending(alice, 'normal_plan', { clientOid: 'page-0' })).entrustedList,
    ).toMatchObject([{ orderId: ids[4] }]);
    expect(
      (await on.pending(alice, 'normal_plan', { orderId: ids[3], clientOid: 'page-0' }))
        .entrustedList,
    ).toMatchObject([{ orderId: ids[3] }]);
    expect((await on.pending(on.maker, 'normal_plan', { orderId: ids[3] })).entrustedList).toEqual(
      [],
    );
    await on.exchange.data(alice, 'cancelTriggerOrders', { productType: 'USDT-FUTURES' });
    const ended = await on.history(alice, 'normal_plan', { limit: '3', idLessThan: ids[0] });
    expect([ended.entrustedList.map(({ orderId }) => orderId), ended.endId]).toEqual([
      ids.slice(1, 4),
      ids[3],
    ]);
    expect(
      (await on.history(alice, 'normal_plan', { clientOid: 'page-2' })).entrustedList,
    ).toMatchObject([{ orderId: ids[2] }]);
    expect(await on.pending(alice, 'normal_plan')).toEqual({ entrustedList: [], endId: '' });
    for (const name of ['listPendingTriggerOrders', 'listTriggerOrderHistory'] as const) {
      const code = (more: object) =>
        on.exchange.code(alice, name, {
          planType: 'normal_plan',
          productType: 'USDT-FUTURES',
          ...more,
        });
      const now = Date.now();
      expect(await code({ limit: '101' })).toBe('40053');
      expect(
        await code({ startTime: String(now - 90 * 86_400_000 - 1), endTime: String(now) }),
      ).toBe('40705');
      expect(await code({ startTime: String(now), endTime: String(now - 1) })).toBe('40707');
      expect(await code({ planType: 'pos_profit' })).toBe('40020');
    }
  });

  test('[TRG-61] orders placed by key come from the API', async () => {
    const alice = await on.trader();
    await on.place(alice);
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      { enterPointSource: 'API' },
    ]);
  });

  test('[TRG-56][TRG-73][TRG-78] a trigger whose order still rests has ended; what it fills is told as it happens, before and after a restart', async () => {
    const alice = await on.trader();
    const plan = await on.place(alice, {
      triggerPrice: '60500',
      orderType: 'limit',
      price: '60500',
      size: '2',
    });
    await on.mark('60500');
    await on.mark('60000');
    const row = async () => (await on.history(alice, 'normal_plan')).entrustedList[0];
    const sub = (planType = 'normal_plan') =>
      on.exchange.data<readonly Row[]>(alice, 'listTriggerSubOrders', {
        planOrderId: plan.orderId,
        planType,
        productType: 'USDT-FUTURES',
      });
    expect(await row()).toMatchObject({ planStatus: 'executed', priceAvg: '', baseVolume: '0' });
    expect(await sub()).toEqual([
      {
        orderId: (await row())!.executeOrderId,
        price: '60500',
        type: 'limit',
        status: 'in_progress',
      },
    ]);
    expect([await sub('track_plan'), await sub('profit_loss')]).toEqual([[], []]);
    await on.exchange.data(on.maker, 'placeBatch', [
      {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        qty: '0.5',
        side: 'sell',
        orderType: 'market',
      },
    ]);
    expect(await row()).toMatchObject({ priceAvg: '60500', baseVolume: '0.5' });
    await on.exchange.restart();
    expect(await row()).toMatchObject({ priceAvg: '60500', baseVolume: '0.5' });
    await on.exchange.data(on.maker, 'placeBatch', [
      {
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        qty: '1.5',
        side: 'sell',
        orderType: 'market',
      },
    ]);
    expect(await row()).toMatchObject({
      priceAvg: '60500',
      baseVolume: '2',
      planStatus: 'executed',
    });
    expect(await sub()).toMatchObject([{ price: '60500', status: 'success' }]);
  });
});

describe('changing', () => {
  test('[TRG-70][TRG-72] a plan and a take-profit keep their ids, and show when they were changed', async () => {
    const alice = await on.longTrader();
    const plan = await on.place(alice, { orderType: 'limit', price: '65000' });
    const call = { orderId: plan.orderId, symbol: 'BTCUSDT', productType: 'USDT-FUTURES' };
    expect(
      await on.exchange.data(alice, 'changeTriggerOrder', {
        ...call,
        newSize: '0.02',
        newPrice: '64000',
        newTriggerPrice: '64500',
      }),
    ).toEqual(plan);
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      {
        orderId: plan.orderId,
        size: '0.02',
        price: '64000',
        triggerPrice: '64500',
        uTime: expect.stringMatching(/^\d+$/),
      },
    ]);
    const exit = await on.exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'profit_plan',
      triggerPrice: '70000',
      size: '1',
    });
    const tpsl = {
      orderId: exit.orderId,
      marginCoin: 'USDT',
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
    };
    await on.exchange.data(alice, 'changeTpslOrder', {
      ...tpsl,
      triggerPrice: '71000',
      executePrice: '70900',
      size: '0.5',
    });
    expect((await on.pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      { triggerPrice: '71000', executePrice: '70900', size: '0.5' },
    ]);
    expect(
      await on.exchange.code(alice, 'changeTpslOrder', {
        ...tpsl,
        orderId: plan.orderId,
        triggerPrice: '71000',
      }),
    ).toBe('43020');
    expect(
      await on.exchange.code(alice, 'changeTriggerOrder', { ...call, orderId: exit.orderId }),
    ).toBe('43025');
    expect(
      await on.exchange.code(alice, 'changeTriggerOrder', {
        symbol: 'BTCUSDT',
        productType: 'USDT-FUTURES',
      }),
    ).toBe('40924');
  });

  test.each([
    ['newTriggerPrice', '0', '40020'],
    ['newPrice', '9'.repeat(15), '40020'],
    ['newCallbackRatio', '2', '43011'],
    ['newStopSurplusTriggerPrice', '9'.repeat(15), '40020'],
  ])('[API-33] a refusal of a change names %s as it was sent', async (field, input, code) => {
    const alice = await on.trader();
    const stops = { stopSurplusTriggerPrice: '70000', stopSurplusTriggerType: 'fill_price' };
    const { orderId } = await on.place(alice, { orderType: 'limit', price: '65000', ...stops });
    const change = { orderId, productType: 'USDT-FUTURES', [field]: input };
    expect(await on.exchange.call(alice, 'changeTriggerOrder', change)).toMatchObject({
      code,
      msg: expect.stringContaining(` ${field} `),
    });
  });

  test('[API-33][TRG-72] a trailing order takes no limit, and it is the limit that the refusal names', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice, { planType: 'track_plan', callbackRatio: '2' });
    const change = { orderId, productType: 'USDT-FUTURES', newPrice: '60000' };
    expect(await on.exchange.call(alice, 'changeTriggerOrder', change)).toMatchObject({
      code: '43011',
      msg: expect.stringContaining(' newPrice '),
    });
  });

  test.each(['StopSurplus', 'StopLoss'])(
    '[TRG-79] a new limit of %s without a trigger price is refused, not forgotten',
    async (exit) => {
      const alice = await on.trader();
      const { orderId } = await on.place(alice);
      const change = (more: object) =>
        on.exchange.call(alice, 'changeTriggerOrder', {
          orderId,
          productType: 'USDT-FUTURES',
          [`new${exit}ExecutePrice`]: '66000',
          ...more,
        });
      const refused = { code: '40019', msg: expect.stringContaining(` new${exit}TriggerPrice `) };
      expect(await change({})).toMatchObject(refused);
      expect(await change({ [`new${exit}TriggerPrice`]: '0' })).toMatchObject(refused);
      expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([{ uTime: '' }]);
      expect(
        await change({
          [`new${exit}TriggerPrice`]: '66000',
          [`new${exit}TriggerType`]: 'fill_price',
        }),
      ).toMatchObject({ code: '00000' });
      expect(await change({ [`new${exit}ExecutePrice`]: '66100' })).toMatchObject({
        code: '00000',
      });
    },
  );

  test('[TRG-78] a change that names another kind or margin coin finds no trigger, and changes nothing', async () => {
    const alice = await on.longTrader();
    const plan = await on.place(alice);
    const change = (planType: string) =>
      on.exchange.code(alice, 'changeTriggerOrder', {
        orderId: plan.orderId,
        planType,
        productType: 'USDT-FUTURES',
        newSize: '0.02',
      });
    expect(await change('track_plan')).toBe('43025');
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      { size: '0.01', uTime: '' },
    ]);
    expect(await change('normal_plan')).toBe('00000');
    const exit = await on.exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'pos_profit',
      triggerPrice: '70000',
    });
    const move = (marginCoin: string) =>
      on.exchange.code(alice, 'changeTpslOrder', {
        orderId: exit.orderId,
        marginCoin,
        productType: 'USDT-FUTURES',
        triggerPrice: '71000',
      });
    expect(await move('USDC')).toBe('43020');
    expect((await on.pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      { triggerPrice: '70000', uTime: '' },
    ]);
    expect(await move('usdt')).toBe('00000');
  });
});

test('[LIST-21] triggers and orders that ended long ago are found by their names, and by times only within them', async () => {
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

test('[API-17] a name that cannot be read in a list to cancel fails for itself, and the others are cancelled', async () => {
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
