import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('changing', () => {
  test('[TRG-70][TRG-72] a plan and a take-profit keep their ids, and show the time of the change', async () => {
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

  test('[API-33][TRG-72] a trailing order takes no limit, and the refusal names the limit', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice, { planType: 'track_plan', callbackRatio: '2' });
    const change = { orderId, productType: 'USDT-FUTURES', newPrice: '60000' };
    expect(await on.exchange.call(alice, 'changeTriggerOrder', change)).toMatchObject({
      code: '43011',
      msg: expect.stringContaining(' newPrice '),
    });
  });

  test.each(['StopSurplus', 'StopLoss'])(
    '[TRG-79] a new limit of %s without a trigger price is refused, not ignored',
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

  test('[TRG-78] a change with another kind or margin coin finds no trigger and changes nothing', async () => {
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
