/** Fields of trigger orders other than prices: each has its effect on the result. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLAN, type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;
beforeAll(async () => {
  on = await TriggerExchange.start();
});
afterAll(() => on.exchange.stop());

const byMark = { triggerType: 'mark_price' } as const;

test("[TRG-13] a trigger's self-trade prevention applies to its order", async () => {
  const { exchange } = on;
  const alice = await on.longTrader();
  const plan = await on.place(alice, { triggerPrice: '62000', stpMode: 'cancel_taker' });
  const usual = await on.place(alice, { triggerPrice: '62000' });
  const part = {
    ...TPSL,
    ...byMark,
    planType: 'profit_plan',
    triggerPrice: '63000',
    size: '0.1',
    stpMode: 'cancel_maker',
  };
  const partial = await exchange.data<Row>(alice, 'placeTpslOrder', part);
  const whole = {
    ...TPSL,
    stopSurplusTriggerPrice: '64000',
    stopSurplusTriggerType: 'mark_price',
    stpMode: 'cancel_both',
  };
  const [position] = await exchange.data<Row[]>(alice, 'placePositionTpsl', whole);
  await on.mark('64000');
  await on.mark('60000');
  const modeOf = async (planType: string, { orderId }: Row) => {
    const { entrustedList } = await on.history(alice, planType, { orderId });
    return (
      await exchange.data<Row>(alice, 'getOrder', {
        orderId: entrustedList[0]!.executeOrderId as string,
      })
    ).stpMode;
  };
  expect([await modeOf('normal_plan', plan), await modeOf('normal_plan', usual)]).toEqual([
    'cancel_taker',
    'none',
  ]);
  expect([await modeOf('profit_loss', partial), await modeOf('profit_loss', position!)]).toEqual([
    'cancel_maker',
    'cancel_both',
  ]);
});

test('[TRG-10] a trailing order takes no limit, and a limit of 0 means none', async () => {
  const alice = await on.trader();
  const place = (more: object) =>
    on.exchange.call(alice, 'placeTriggerOrder', {
      ...PLAN,
      planType: 'track_plan',
      callbackRatio: '1',
      ...more,
    });
  for (const exit of ['stopSurplus', 'stopLoss']) {
    const percent = { [`${exit}TriggerPrice`]: '10', [`${exit}TriggerType`]: 'fill_price' };
    const [field, none, empty] = [
      `${exit}ExecutePrice`,
      await place({ ...percent, [`${exit}ExecutePrice`]: '0' }),
      await place(percent),
    ];
    expect([none.code, empty.code]).toEqual(['00000', '00000']);
    expect(await place({ ...percent, [field]: '5' })).toMatchObject({
      code: '43011',
      msg: expect.stringContaining(field),
    });
  }
});

test.each(['normal_plan', 'track_plan'])(
  '[TRG-90] %s: an attached trigger price needs its trigger type, and 0 needs none',
  async (planType) => {
    const alice = await on.trader();
    const callback = planType === 'track_plan' ? { callbackRatio: '1' } : {};
    const place = (more: object) =>
      on.exchange.call(alice, 'placeTriggerOrder', { ...PLAN, planType, ...callback, ...more });
    const prices =
      planType === 'track_plan'
        ? { stopSurplus: '10', stopLoss: '10' }
        : { stopSurplus: '70000', stopLoss: '60000' };
    for (const [exit, price] of Object.entries(prices)) {
      const [priceField, typeField] = [`${exit}TriggerPrice`, `${exit}TriggerType`];
      const refused = await place({ [priceField]: price });
      expect(refused).toMatchObject({ code: '40019', msg: expect.stringContaining(typeField) });
      expect((await place({ [priceField]: price, [typeField]: 'fill_price' })).code).toBe('00000');
      expect((await place({ [priceField]: '0' })).code).toBe('00000');
    }
  },
);

test.each(['', '0', '0.0'])(
  '[TRG-22] a moving_plan with the execute price %j has none, and other values are refused',
  async (executePrice) => {
    const alice = await on.longTrader();
    const moving = {
      ...TPSL,
      planType: 'moving_plan',
      triggerPrice: '66000',
      size: '0.1',
      rangeRate: '1',
    };
    const refused = await on.exchange.call(alice, 'placeTpslOrder', {
      ...moving,
      executePrice: '5',
    });
    expect(refused).toMatchObject({ code: '43011', msg: expect.stringContaining('executePrice') });
    await on.exchange.data(alice, 'placeTpslOrder', { ...moving, executePrice });
    expect((await on.pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      { planType: 'moving_plan', executePrice: '' },
    ]);
  },
);

test('[TRG-34] each TP/SL of a position uses its own price source', async () => {
  const sources = async (input: object) => {
    const alice = await on.longTrader();
    const prices = { stopSurplusTriggerPrice: '70000', stopLossTriggerPrice: '50000' };
    await on.exchange.data(alice, 'placePositionTpsl', { ...TPSL, ...prices, ...input });
    const { entrustedList } = await on.pending(alice, 'profit_loss');
    return Object.fromEntries(
      entrustedList.map(({ planType, triggerType }) => [planType, triggerType]),
    );
  };
  expect(await sources({})).toEqual({ pos_profit: 'fill_price', pos_loss: 'fill_price' });
  expect(await sources({ stopSurplusTriggerType: 'mark_price' })).toEqual({
    pos_profit: 'mark_price',
    pos_loss: 'fill_price',
  });
  expect(await sources({ stopLossTriggerType: 'mark_price' })).toEqual({
    pos_profit: 'fill_price',
    pos_loss: 'mark_price',
  });
});

test('[TRG-58] live triggers are listed by symbol and by product type', async () => {
  await on.exchange.setIndex('ETHUSDT', '3000', '3000');
  const alice = await on.trader();
  const { orderId: btc } = await on.place(alice);
  const { orderId: eth } = await on.place(alice, {
    ...PLAN,
    symbol: 'ETHUSDT',
    triggerPrice: '3500',
    size: '1',
  });
  const ids = async (more = {}) =>
    (await on.pending(alice, 'normal_plan', more)).entrustedList.map(({ orderId }) => orderId);
  expect(await ids()).toEqual([eth, btc]);
  expect([
    await ids({ symbol: 'BTCUSDT' }),
    await ids({ symbol: 'ETHUSDT' }),
    await ids({ symbol: 'XRPUSDT' }),
  ]).toEqual([[btc], [eth], []]);
  expect(await ids({ productType: 'COIN-FUTURES' })).toEqual([]);
});

test('[TRG-59][TRG-79] a TP/SL shows its kind, price, limit and price source', async () => {
  const alice = await on.longTrader();
  const takeProfit = {
    stopSurplusTriggerPrice: '70000',
    stopSurplusExecutePrice: '69900',
    stopSurplusTriggerType: 'mark_price',
  };
  await on.exchange.data(alice, 'placePositionTpsl', {
    ...TPSL,
    ...takeProfit,
    stopLossTriggerPrice: '50000',
  });
  const { entrustedList } = await on.pending(alice, 'profit_loss');
  const nothing = {
    stopSurplusTriggerPrice: '',
    stopSurplusExecutePrice: '',
    stopSurplusTriggerType: '',
  };
  const stopLoss = {
    stopLossTriggerPrice: '50000',
    stopLossExecutePrice: '',
    stopLossTriggerType: 'fill_price',
  };
  const noLoss = { stopLossTriggerPrice: '', stopLossExecutePrice: '', stopLossTriggerType: '' };
  const shown = Object.fromEntries(entrustedList.map((row) => [row.planType, row]));
  expect(shown.pos_profit).toMatchObject({
    ...takeProfit,
    ...noLoss,
    price: '69900',
    executePrice: '69900',
    orderType: 'limit',
  });
  expect(shown.pos_loss).toMatchObject({
    ...nothing,
    ...stopLoss,
    price: '',
    executePrice: '',
    orderType: 'market',
  });
});

test('[TRG-70] a plan is changed by its clientOid, in its price source and attached TP/SL', async () => {
  const alice = await on.trader();
  await on.place(alice, { clientOid: 'meant' });
  await on.place(alice, { clientOid: 'other' });
  const row = async () =>
    (await on.pending(alice, 'normal_plan', { clientOid: 'meant' })).entrustedList[0]!;
  const change = (input: object) =>
    on.exchange.data(alice, 'changeTriggerOrder', {
      clientOid: 'meant',
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      ...input,
    });
  await change({ newTriggerType: 'fill_price' });
  expect(await row()).toMatchObject({
    triggerType: 'fill_price',
    triggerPrice: '65000',
    size: '0.01',
  });
  const takeProfit = {
    stopSurplusTriggerPrice: '72000',
    stopSurplusExecutePrice: '71900',
    stopSurplusTriggerType: 'mark_price',
  };
  const stopLoss = {
    stopLossTriggerPrice: '52000',
    stopLossExecutePrice: '51900',
    stopLossTriggerType: 'fill_price',
  };
  const asNew = (fields: object) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        `new${name[0]!.toUpperCase()}${name.slice(1)}`,
        value,
      ]),
    );
  await change({ ...asNew(takeProfit), ...asNew(stopLoss) });
  expect(await row()).toMatchObject({ ...takeProfit, ...stopLoss });
  await change({ newStopSurplusExecutePrice: '71800', newStopLossTriggerType: 'mark_price' });
  expect(await row()).toMatchObject({
    ...takeProfit,
    ...stopLoss,
    stopSurplusExecutePrice: '71800',
    stopLossTriggerType: 'mark_price',
  });
  const [other] = (await on.pending(alice, 'normal_plan', { clientOid: 'other' })).entrustedList;
  expect(other).toMatchObject({
    triggerType: 'mark_price',
    stopSurplusTriggerPrice: '',
    stopLossTriggerPrice: '',
    uTime: '',
  });
});

test('[TRG-70] a trailing order changes its rate, and a TP/SL its price source by clientOid', async () => {
  const alice = await on.longTrader();
  const { orderId } = await on.place(alice, {
    planType: 'track_plan',
    callbackRatio: '1',
    triggerPrice: '66000',
  });
  await on.exchange.data(alice, 'changeTriggerOrder', {
    orderId,
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    newCallbackRatio: '2',
  });
  expect((await on.pending(alice, 'track_plan')).entrustedList).toMatchObject([
    { orderId, callbackRatio: '2', triggerPrice: '66000' },
  ]);
  const exit = { ...TPSL, size: '0.1' };
  await on.exchange.data(alice, 'placeTpslOrder', {
    ...exit,
    planType: 'moving_plan',
    triggerPrice: '68000',
    rangeRate: '1',
    clientOid: 'm',
  });
  await on.exchange.data(alice, 'placeTpslOrder', {
    ...exit,
    planType: 'profit_plan',
    triggerPrice: '70000',
    clientOid: 'p',
  });
  const { holdSide: _, ...market } = TPSL;
  await on.exchange.data(alice, 'changeTpslOrder', {
    ...market,
    clientOid: 'm',
    triggerPrice: '68000',
    size: '0.1',
    rangeRate: '3',
  });
  const looking = { ...market, ...byMark, clientOid: 'p', triggerPrice: '71000', size: '0.1' };
  await on.exchange.data(alice, 'changeTpslOrder', looking);
  const { entrustedList } = await on.pending(alice, 'profit_loss');
  expect(entrustedList).toMatchObject([
    { clientOid: 'p', planType: 'profit_plan', triggerPrice: '71000', triggerType: 'mark_price' },
    {
      clientOid: 'm',
      planType: 'moving_plan',
      triggerPrice: '68000',
      triggerType: 'fill_price',
      callbackRatio: '3',
    },
  ]);
});
