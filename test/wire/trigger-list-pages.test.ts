import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Rows, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('lists', () => {
  test('[LIST-23] an order shows the TP/SL that placed it, and is found by that source', async () => {
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

  test('[TRG-58] pages go by id, windows have at most 90 days, and one trigger is found by id or clientOid', async () => {
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

  test('[TRG-61] orders placed with a key have the source API', async () => {
    const alice = await on.trader();
    await on.place(alice);
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      { enterPointSource: 'API' },
    ]);
  });

  test('[TRG-56][TRG-73][TRG-78] a trigger has ended while its order rests; later fills are shown', async () => {
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
