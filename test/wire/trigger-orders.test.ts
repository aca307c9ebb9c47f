import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...order, side: 'buy', price: '59000' },
    { ...order, side: 'sell', price: '61000' },
  ]);
});
afterAll(() => exchange.stop());

interface Row {
  readonly orderId: string;
  readonly [field: string]: unknown;
}
interface Rows {
  readonly entrustedList: readonly Row[];
  readonly endId: string;
}

const PLAN = {
  planType: 'normal_plan',
  symbol: 'BTCUSDT',
  productType: 'usdt-futures',
  marginMode: 'crossed',
  marginCoin: 'USDT',
  size: '0.01',
  triggerPrice: '65000',
  triggerType: 'mark_price',
  side: 'buy',
  orderType: 'market',
} as const;
const TPSL = { marginCoin: 'USDT', productType: 'USDT-FUTURES', symbol: 'BTCUSDT', holdSide: 'long' } as const;

const trader = (holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode') => exchange.trader({ holdMode, deposits: { USDT: '1000000' } });

/** Somebody who is long one bitcoin at 61,000. */
async function longTrader(holdMode: 'one_way_mode' | 'hedge_mode' = 'one_way_mode'): Promise<Trader> {
  const alice = await trader(holdMode);
  await exchange.data(alice, 'placeFuturesOrder', {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '1',
    side: 'buy',
    tradeSide: 'open',
    orderType: 'market',
  });
  return alice;
}

const pending = (caller: Trader, planType: string, more = {}) =>
  exchange.data<Rows>(caller, 'listPendingTriggerOrders', { planType, productType: 'USDT-FUTURES', ...more });
const history = (caller: Trader, planType: string, more = {}) =>
  exchange.data<Rows>(caller, 'listTriggerOrderHistory', { planType, productType: 'USDT-FUTURES', ...more });
const place = (caller: Trader, more = {}) => exchange.data<Row>(caller, 'placeTriggerOrder', { ...PLAN, ...more });
const mark = (price: string) => exchange.setIndex('BTCUSDT', '60000', price);

describe('placing', () => {
  test('[TRG-01][TRG-59][TRG-62][TRG-63] a trigger order is answered by its ids and listed with every field', async () => {
    const alice = await trader();
    const placed = await place(alice, {
      clientOid: 'plan-1',
      stopSurplusTriggerPrice: '66000',
      stopSurplusTriggerType: 'fill_price',
      stopLossTriggerPrice: 0,
    });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^1\d{18}$/), clientOid: 'plan-1' });
    const { entrustedList, endId } = await pending(alice, 'normal_plan');
    expect(endId).toBe(placed.orderId);
    expect(entrustedList).toEqual([
      {
        planType: 'normal_plan',
        symbol: 'BTCUSDT',
        size: '0.01',
        orderId: placed.orderId,
        clientOid: 'plan-1',
        planStatus: 'live',
        price: '',
        executePrice: '',
        triggerPrice: '65000',
        triggerType: 'mark_price',
        side: 'buy',
        posSide: 'net',
        marginCoin: 'USDT',
        marginMode: 'crossed',
        enterPointSource: 'API',
        tradeSide: '',
        posMode: 'one_way_mode',
        orderType: 'market',
        orderSource: 'normal',
        cTime: expect.stringMatching(/^\d{13}$/),
        uTime: '',
        stopSurplusExecutePrice: '',
        stopSurplusTriggerPrice: '66000',
        stopSurplusTriggerType: 'fill_price',
        stopLossExecutePrice: '',
        stopLossTriggerPrice: '',
        stopLossTriggerType: '',
      },
    ]);
  });

  test('[TRG-16] without a clientOid one is filled in', async () => {
    expect(await place(await trader())).toEqual({ orderId: expect.any(String), clientOid: expect.stringMatching(/.+/) });
  });

  test('[TRG-01][TRG-02][TRG-15][TRG-19][TRG-76] codes of refusals', async () => {
    const alice = await longTrader();
    const code = (more: object) => exchange.code(alice, 'placeTriggerOrder', { ...PLAN, ...more });
    const exit = (more: object) =>
      exchange.code(alice, 'placeTpslOrder', { ...TPSL, planType: 'profit_plan', triggerPrice: '70000', size: '1', ...more });
    for (const field of [
      'planType',
      'symbol',
      'productType',
      'marginMode',
      'marginCoin',
      'size',
      'triggerPrice',
      'triggerType',
      'side',
      'orderType',
    ])
      expect([field, await code({ [field]: '' })]).toEqual([field, '40019']);
    for (const field of ['planType', 'symbol', 'productType', 'marginCoin', 'triggerPrice', 'holdSide', 'size'])
      expect([field, await exit({ [field]: '' })]).toEqual([field, '40019']);
    const codes: readonly (readonly [object, string])[] = [
      [{ planType: 'pos_profit' }, '40020'],
      [{ triggerType: 'bid_price' }, '40020'],
      [{ symbol: 'NONEUSDT' }, '40034'],
      [{ marginCoin: 'USDC' }, '40020'],
      [{ price: '1' }, '43011'],
      [{ orderType: 'limit' }, '43011'],
      [{ planType: 'track_plan' }, '43011'],
      [{ triggerPrice: '65000.01' }, '45115'],
      [{ size: '0.00001' }, '22038'],
      [{ size: '0' }, '45111'],
      [{ size: '1200.1' }, '45112'],
      [{ marginMode: 'isolated' }, '45117'],
      [{ stopSurplusTriggerPrice: '66000' }, '43011'],
    ];
    for (const [more, expected] of codes) expect([more, await code(more)]).toEqual([more, expected]);
    const exits: readonly (readonly [object, string])[] = [
      [{ planType: 'normal_plan' }, '40020'],
      [{ holdSide: 'short', triggerPrice: '50000' }, '43043'],
      [{ triggerPrice: '50000' }, '40830'],
      [{ triggerPrice: '50000', triggerType: 'mark_price' }, '40915'],
      [{ planType: 'loss_plan' }, '40834'],
      [{ planType: 'loss_plan', triggerType: 'mark_price' }, '40917'],
      [{ planType: 'moving_plan' }, '43011'],
      [{ marginCoin: 'BTC' }, '40020'],
    ];
    for (const [more, expected] of exits) expect([more, await exit(more)]).toEqual([more, expected]);
  });

  test('[TRG-30] the same for a short', async () => {
    const alice = await trader();
    const open = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '1',
      side: 'sell',
      orderType: 'market',
    };
    await exchange.data(alice, 'placeFuturesOrder', open);
    const exit = (more: object) => exchange.code(alice, 'placeTpslOrder', { ...TPSL, holdSide: 'sell', size: '1', ...more });
    expect(await exit({ planType: 'profit_plan', triggerPrice: '70000' })).toBe('40832');
    expect(await exit({ planType: 'profit_plan', triggerPrice: '70000', triggerType: 'mark_price' })).toBe('45135');
    expect(await exit({ planType: 'loss_plan', triggerPrice: '50000' })).toBe('40836');
    expect(await exit({ planType: 'loss_plan', triggerPrice: '50000', triggerType: 'mark_price' })).toBe('45122');
  });

  test('[TRG-06][TRG-60] in hedge mode side names the position, also when closing it', async () => {
    const alice = await trader('hedge_mode');
    expect(await exchange.code(alice, 'placeTriggerOrder', PLAN)).toBe('43011');
    const rows = [
      ['buy', 'open', 'long'],
      ['sell', 'open', 'short'],
      ['buy', 'close', 'long'],
      ['sell', 'close', 'short'],
    ] as const;
    for (const [side, tradeSide, posSide] of rows) {
      const { orderId } = await place(alice, { side, tradeSide });
      expect((await pending(alice, 'normal_plan', { orderId })).entrustedList).toMatchObject([
        { side, tradeSide, posSide, posMode: 'hedge_mode' },
      ]);
    }
  });

  test('[TRG-07][TRG-08] in one-way mode tradeSide is ignored and reduceOnly is taken', async () => {
    const alice = await trader();
    const { orderId } = await place(alice, { tradeSide: 'close', reduceOnly: 'YES' });
    expect((await pending(alice, 'normal_plan', { orderId })).entrustedList).toMatchObject([
      { tradeSide: '', posSide: 'net', side: 'buy' },
    ]);
    expect(await exchange.code(alice, 'placeTriggerOrder', { ...PLAN, reduceOnly: 'maybe' })).toBe('40020');
  });

  test('[TRG-12] the older fields mean a price by last trade at market, where the newer ones are empty', async () => {
    const alice = await trader();
    await place(alice, {
      presetStopSurplusPrice: '66000',
      presetStopLossPrice: '',
      stopLossTriggerPrice: '59000',
      stopLossTriggerType: 'mark_price',
    });
    expect((await pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      {
        stopSurplusTriggerPrice: '66000',
        stopSurplusTriggerType: 'fill_price',
        stopLossTriggerPrice: '59000',
        stopLossTriggerType: 'mark_price',
      },
    ]);
  });

  test('[TRG-21][TRG-25][TRG-64] sides of take-profit and stop-loss, said and shown', async () => {
    const oneWay = await longTrader();
    const hedged = await longTrader('hedge_mode');
    const exit = { ...TPSL, planType: 'profit_plan', triggerPrice: '70000', size: '1' };
    for (const holdSide of ['buy', 'long']) await exchange.data(oneWay, 'placeTpslOrder', { ...exit, holdSide });
    expect(await exchange.code(hedged, 'placeTpslOrder', { ...exit, holdSide: 'buy' })).toBe('40020');
    await exchange.data(hedged, 'placeTpslOrder', exit);
    expect((await pending(oneWay, 'profit_loss')).entrustedList).toMatchObject(
      [1, 2].map(() => ({ side: 'sell', posSide: 'net', tradeSide: '', triggerType: 'fill_price', orderSource: 'profit_market' })),
    );
    expect((await pending(hedged, 'profit_loss')).entrustedList).toMatchObject([{ side: 'buy', posSide: 'long', tradeSide: 'close' }]);
  });

  test('[TRG-26][TRG-27][TRG-28] take-profit and stop-loss of a position together', async () => {
    const alice = await longTrader();
    expect(await exchange.code(alice, 'placePositionTpsl', TPSL)).toBe('40019');
    const both = {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
      stopLossSize: '0.5',
      stopSurplusClientOid: 'tp',
      stopLossClientOid: 'sl',
    };
    const placed = await exchange.data<readonly Row[]>(alice, 'placePositionTpsl', both);
    expect(placed).toEqual([1, 2].map(() => ({ orderId: expect.any(String), stopSurplusClientOid: 'tp', stopLossClientOid: 'sl' })));
    expect((await pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      { planType: 'loss_plan', size: '0.5', orderSource: 'loss_market', stopLossTriggerPrice: '50000', clientOid: 'sl' },
      { planType: 'pos_profit', size: '0', orderSource: 'pos_profit_market', stopSurplusTriggerPrice: '70000', clientOid: 'tp' },
    ]);
    const one = await exchange.data<readonly Row[]>(alice, 'placePositionTpsl', {
      ...TPSL,
      stopLossTriggerPrice: '51000',
      stopLossExecutePrice: '50900',
    });
    expect(one).toEqual([{ orderId: expect.any(String), stopSurplusClientOid: '', stopLossClientOid: expect.stringMatching(/.+/) }]);
    expect(await exchange.code(alice, 'placePositionTpsl', { ...TPSL, stopLossTriggerPrice: '51000' })).toBe('43031');
    expect(await exchange.code(alice, 'placePositionTpsl', { ...TPSL, stopSurplusTriggerPrice: '71000' })).toBe('43030');
    expect((await pending(alice, 'profit_loss', { limit: '1' })).entrustedList).toMatchObject([
      { planType: 'pos_loss', orderSource: 'pos_loss_limit', price: '50900', executePrice: '50900', orderType: 'limit' },
    ]);
  });

  test('[TRG-75] all-position shows the take-profit and stop-loss of the position, those of the whole first', async () => {
    const alice = await longTrader();
    const position = async () => (await exchange.data<readonly Row[]>(alice, 'getAllPositions', { productType: 'USDT-FUTURES' }))[0];
    expect(await position()).toMatchObject({ takeProfit: '', stopLoss: '', takeProfitId: '', stopLossId: '' });
    const part = await exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'profit_plan',
      triggerPrice: '70000',
      size: '0.1',
    });
    expect(await position()).toMatchObject({ takeProfit: '70000', takeProfitId: part.orderId, stopLoss: '' });
    const placed = await exchange.data<readonly Row[]>(alice, 'placePositionTpsl', {
      ...TPSL,
      stopSurplusTriggerPrice: '71000',
      stopLossTriggerPrice: '50000',
    });
    expect(await position()).toMatchObject({
      takeProfit: '71000',
      takeProfitId: placed[0]!.orderId,
      stopLoss: '50000',
      stopLossId: placed[1]!.orderId,
    });
  });
});

describe('cancelling', () => {
  test('[TRG-48][TRG-49][TRG-50][TRG-53] by a list of ids', async () => {
    const alice = await longTrader();
    const plan = await place(alice, { clientOid: 'c-1' });
    const exit = await exchange.data<Row>(alice, 'placeTpslOrder', { ...TPSL, planType: 'pos_profit', triggerPrice: '70000' });
    const list = {
      productType: 'USDT-FUTURES',
      orderIdList: [{ clientOid: 'c-1' }, { orderId: exit.orderId }, { orderId: '999', clientOid: 'c-1' }],
    };
    expect(await exchange.code(alice, 'cancelTriggerOrders', list)).toBe('40019');
    expect(await exchange.data(alice, 'cancelTriggerOrders', { ...list, symbol: 'BTCUSDT', planType: 'track_plan' })).toMatchObject({
      successList: [],
    });
    expect(await exchange.data(alice, 'cancelTriggerOrders', { ...list, symbol: 'BTCUSDT' })).toEqual({
      successList: [
        { orderId: plan.orderId, clientOid: 'c-1' },
        { orderId: exit.orderId, clientOid: exit.clientOid },
      ],
      failureList: [{ orderId: '999', clientOid: 'c-1', errorMsg: 'The trigger order does not exist' }],
    });
  });

  test('[TRG-51][TRG-52] all of a kind, the plans when none is said', async () => {
    const alice = await longTrader();
    await place(alice);
    await place(alice, { planType: 'track_plan', callbackRatio: '2' });
    await exchange.data(alice, 'placePositionTpsl', { ...TPSL, stopSurplusTriggerPrice: '70000', stopLossTriggerPrice: '50000' });
    const cancelled = async (more: object) =>
      (
        (await exchange.data<{ successList: unknown[] }>(alice, 'cancelTriggerOrders', { productType: 'USDT-FUTURES', ...more }))
          .successList ?? []
      ).length;
    expect(await cancelled({ symbol: 'ETHUSDT' })).toBe(0);
    expect(await cancelled({})).toBe(2);
    expect(await cancelled({ planType: 'pos_loss' })).toBe(1);
    expect(await cancelled({ planType: 'profit_loss', symbol: 'BTCUSDT' })).toBe(1);
  });
});

describe('lists', () => {
  test('[TRG-47][TRG-54][TRG-55][TRG-56][TRG-57] what lives, and what has ended and how', async () => {
    const alice = await longTrader();
    const poor = await exchange.trader({ deposits: { USDT: '10' } });
    const fired = await place(alice, { triggerPrice: '62000' });
    const failed = await place(poor, { triggerPrice: '62000' });
    const waits = await place(alice, { triggerPrice: '69000' });
    const trail = await place(alice, { planType: 'track_plan', callbackRatio: '5', side: 'sell' });
    await exchange.data(alice, 'cancelTriggerOrders', {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderIdList: [{ orderId: trail.orderId }],
    });
    await mark('62000');
    await mark('60000');
    expect((await pending(alice, 'normal_plan')).entrustedList.map(({ orderId }) => orderId)).toEqual([waits.orderId]);
    const { entrustedList } = await history(alice, 'normal_plan');
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
    expect((await history(alice, 'track_plan')).entrustedList).toMatchObject([
      { orderId: trail.orderId, planStatus: 'cancelled', executeOrderId: '', callbackRatio: '5' },
    ]);
    expect((await history(alice, 'track_plan')).entrustedList[0]).not.toHaveProperty('baseVolume');
    for (const planStatus of ['fail_execute', 'fail_trigger'])
      expect((await history(poor, 'normal_plan', { planStatus })).entrustedList).toMatchObject([
        { orderId: failed.orderId, planStatus: 'fail_execute', executeOrderId: '' },
      ]);
    expect((await history(poor, 'normal_plan', { planStatus: 'executed' })).entrustedList).toEqual([]);
    const child = await exchange.data(alice, 'getOrder', { orderId: entrustedList[0]!.executeOrderId });
    expect(child).toMatchObject({ clientOid: fired.orderId, orderStatus: 'filled' });
    expect((await exchange.operate('GET', `/operator/v1/triggers?status=fail_execute&uid=${poor.uid}`)).data).toMatchObject([
      { orderId: failed.orderId, uid: poor.uid, reason: 'insufficientMargin', code: '40762', executeOrderId: null },
    ]);
  });

  test('[TRG-74] the operator sees why an order was refused, of everybody', async () => {
    const rows = (await exchange.operate('GET', '/operator/v1/triggers?limit=1000')).data as readonly Row[];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ planStatus, reason }) => planStatus !== 'fail_execute' || reason !== null)).toBe(true);
  });

  test('[TRG-58] pages by id, windows of at most 90 days, one by its id or its name', async () => {
    const alice = await trader();
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await place(alice, { clientOid: `page-${count}` })).orderId);
    const first = await pending(alice, 'normal_plan', { limit: '2' });
    expect([first.entrustedList.map(({ orderId }) => orderId), first.endId]).toEqual([ids.slice(0, 2), ids[1]]);
    const second = await pending(alice, 'normal_plan', { limit: '2', idLessThan: first.endId });
    expect(second.entrustedList.map(({ orderId }) => orderId)).toEqual(ids.slice(2, 4));
    expect((await pending(alice, 'normal_plan', { clientOid: 'page-0' })).entrustedList).toMatchObject([{ orderId: ids[4] }]);
    expect((await pending(alice, 'normal_plan', { orderId: ids[3], clientOid: 'page-0' })).entrustedList).toMatchObject([
      { orderId: ids[3] },
    ]);
    expect((await pending(maker, 'normal_plan', { orderId: ids[3] })).entrustedList).toEqual([]);
    await exchange.data(alice, 'cancelTriggerOrders', { productType: 'USDT-FUTURES' });
    const ended = await history(alice, 'normal_plan', { limit: '3', idLessThan: ids[0] });
    expect([ended.entrustedList.map(({ orderId }) => orderId), ended.endId]).toEqual([ids.slice(1, 4), ids[3]]);
    expect((await history(alice, 'normal_plan', { clientOid: 'page-2' })).entrustedList).toMatchObject([{ orderId: ids[2] }]);
    expect(await pending(alice, 'normal_plan')).toEqual({ entrustedList: [], endId: '' });
    for (const name of ['listPendingTriggerOrders', 'listTriggerOrderHistory'] as const) {
      const code = (more: object) => exchange.code(alice, name, { planType: 'normal_plan', productType: 'USDT-FUTURES', ...more });
      const now = Date.now();
      expect(await code({ limit: '101' })).toBe('40053');
      expect(await code({ startTime: String(now - 90 * 86_400_000 - 1), endTime: String(now) })).toBe('40705');
      expect(await code({ startTime: String(now), endTime: String(now - 1) })).toBe('40707');
      expect(await code({ planType: 'pos_profit' })).toBe('40020');
    }
  });

  test('[TRG-61] orders placed by key come from the API', async () => {
    const alice = await trader();
    await place(alice);
    expect((await pending(alice, 'normal_plan')).entrustedList).toMatchObject([{ enterPointSource: 'API' }]);
  });

  test('[TRG-56][TRG-73] a trigger whose order still rests has ended; what it fills is told as it happens, before and after a restart', async () => {
    const alice = await trader();
    const plan = await place(alice, { triggerPrice: '60500', orderType: 'limit', price: '60500', size: '2' });
    await mark('60500');
    await mark('60000');
    const row = async () => (await history(alice, 'normal_plan')).entrustedList[0];
    const sub = () =>
      exchange.data<readonly Row[]>(alice, 'listTriggerSubOrders', {
        planOrderId: plan.orderId,
        planType: 'normal_plan',
        productType: 'USDT-FUTURES',
      });
    expect(await row()).toMatchObject({ planStatus: 'executed', priceAvg: '', baseVolume: '0' });
    expect(await sub()).toEqual([{ orderId: (await row())!.executeOrderId, price: '60500', type: 'limit', status: 'in_progress' }]);
    await exchange.data(maker, 'placeBatch', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '0.5', side: 'sell', orderType: 'market' },
    ]);
    expect(await row()).toMatchObject({ priceAvg: '60500', baseVolume: '0.5' });
    await exchange.restart();
    expect(await row()).toMatchObject({ priceAvg: '60500', baseVolume: '0.5' });
    await exchange.data(maker, 'placeBatch', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', qty: '1.5', side: 'sell', orderType: 'market' },
    ]);
    expect(await row()).toMatchObject({ priceAvg: '60500', baseVolume: '2', planStatus: 'executed' });
    expect(await sub()).toMatchObject([{ price: '60500', status: 'success' }]);
  });
});

describe('changing', () => {
  test('[TRG-70][TRG-72] a plan and a take-profit keep their ids, and show when they were changed', async () => {
    const alice = await longTrader();
    const plan = await place(alice, { orderType: 'limit', price: '65000' });
    const call = { orderId: plan.orderId, symbol: 'BTCUSDT', productType: 'USDT-FUTURES' };
    expect(
      await exchange.data(alice, 'changeTriggerOrder', { ...call, newSize: '0.02', newPrice: '64000', newTriggerPrice: '64500' }),
    ).toEqual(plan);
    expect((await pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      { orderId: plan.orderId, size: '0.02', price: '64000', triggerPrice: '64500', uTime: expect.stringMatching(/^\d+$/) },
    ]);
    const exit = await exchange.data<Row>(alice, 'placeTpslOrder', { ...TPSL, planType: 'profit_plan', triggerPrice: '70000', size: '1' });
    const tpsl = { orderId: exit.orderId, marginCoin: 'USDT', productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    await exchange.data(alice, 'changeTpslOrder', { ...tpsl, triggerPrice: '71000', executePrice: '70900', size: '0.5' });
    expect((await pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      { triggerPrice: '71000', executePrice: '70900', size: '0.5' },
    ]);
    expect(await exchange.code(alice, 'changeTpslOrder', { ...tpsl, orderId: plan.orderId, triggerPrice: '71000' })).toBe('43020');
    expect(await exchange.code(alice, 'changeTriggerOrder', { ...call, orderId: exit.orderId })).toBe('43025');
    expect(await exchange.code(alice, 'changeTriggerOrder', { symbol: 'BTCUSDT', productType: 'USDT-FUTURES' })).toBe('40924');
  });
});
