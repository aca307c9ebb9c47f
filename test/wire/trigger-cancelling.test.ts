import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('cancelling', () => {
  test('[TRG-48][TRG-49][TRG-50][TRG-53] a list of ids is cancelled', async () => {
    const alice = await on.longTrader();
    const plan = await on.place(alice, { clientOid: 'c-1' });
    const exit = await on.exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'pos_profit',
      triggerPrice: '70000',
    });
    const list = {
      productType: 'USDT-FUTURES',
      orderIdList: [
        { clientOid: 'c-1' },
        { orderId: exit.orderId },
        { orderId: '999', clientOid: 'c-1' },
      ],
    };
    const unnamed = { code: '40019', msg: 'Parameter symbol cannot be empty' };
    expect(await on.exchange.call(alice, 'cancelTriggerOrders', list)).toMatchObject(unnamed);
    expect(
      await on.exchange.data(alice, 'cancelTriggerOrders', {
        ...list,
        symbol: 'BTCUSDT',
        planType: 'track_plan',
      }),
    ).toMatchObject({
      successList: [],
    });
    expect(
      await on.exchange.data(alice, 'cancelTriggerOrders', { ...list, symbol: 'BTCUSDT' }),
    ).toEqual({
      successList: [
        { orderId: plan.orderId, clientOid: 'c-1' },
        { orderId: exit.orderId, clientOid: exit.clientOid },
      ],
      failureList: [
        { orderId: '999', clientOid: 'c-1', errorMsg: 'The trigger order does not exist' },
      ],
    });
  });

  test('[API-57] an empty list cancels nothing and is refused by its name; an omitted one means all', async () => {
    const alice = await on.trader();
    await on.place(alice);
    const call = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    for (const orderIdList of [[], ''])
      expect(
        await on.exchange.call(alice, 'cancelTriggerOrders', { ...call, orderIdList }),
      ).toMatchObject({
        code: '40019',
        msg: expect.stringContaining('orderIdList'),
      });
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toHaveLength(1);
    expect(await on.exchange.data(alice, 'cancelTriggerOrders', call)).toMatchObject({
      successList: [{}],
      failureList: [],
    });
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toEqual([]);
  });

  test('[TRG-15] an unlisted symbol is refused, with a list and without, and cancels nothing', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice);
    const call = { productType: 'USDT-FUTURES', symbol: 'NONEUSDT' };
    for (const more of [{}, { orderIdList: [{ orderId }] }])
      expect(await on.exchange.code(alice, 'cancelTriggerOrders', { ...call, ...more })).toBe(
        '40034',
      );
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toHaveLength(1);
  });

  test('[TRG-77] triggers of a margin coin are cancelled', async () => {
    const alice = await on.trader();
    await on.exchange.setIndex('ETHUSDT', '3000');
    const coins = { productType: 'COIN-FUTURES', triggerType: 'index_price' };
    const bitcoin = await on.place(alice, {
      ...coins,
      symbol: 'BTCUSD',
      marginCoin: 'BTC',
      size: '0.1',
    });
    const ether = await on.place(alice, {
      ...coins,
      symbol: 'ETHUSD',
      marginCoin: 'ETH',
      size: '1',
      triggerPrice: '4000',
    });
    const cancel = (more: object) =>
      on.exchange.data<{ successList: Row[]; failureList: Row[] }>(alice, 'cancelTriggerOrders', {
        productType: 'COIN-FUTURES',
        ...more,
      });
    const named = { symbol: 'BTCUSD', orderIdList: [{ orderId: bitcoin.orderId }] };
    expect(await cancel({ ...named, marginCoin: 'ETH' })).toMatchObject({
      successList: [],
      failureList: [{ orderId: bitcoin.orderId }],
    });
    expect(await cancel({ marginCoin: 'eth' })).toMatchObject({
      successList: [{ orderId: ether.orderId }],
      failureList: [],
    });
    expect(await cancel({ ...named, marginCoin: 'BTC' })).toMatchObject({
      successList: [{ orderId: bitcoin.orderId }],
      failureList: [],
    });
  });

  test('[TRG-51][TRG-52] all triggers of a kind are cancelled, by default the plans', async () => {
    const alice = await on.longTrader();
    await on.place(alice);
    await on.place(alice, { planType: 'track_plan', callbackRatio: '2' });
    await on.exchange.data(alice, 'placePositionTpsl', {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
    });
    const cancelled = async (more: object) =>
      (
        (
          await on.exchange.data<{ successList: unknown[] }>(alice, 'cancelTriggerOrders', {
            productType: 'USDT-FUTURES',
            ...more,
          })
        ).successList ?? []
      ).length;
    expect(await cancelled({ symbol: 'ETHUSDT' })).toBe(0);
    expect(await cancelled({})).toBe(2);
    expect(await cancelled({ planType: 'pos_loss' })).toBe(1);
    expect(await cancelled({ planType: 'profit_loss', symbol: 'BTCUSDT' })).toBe(1);
  });
});
