/** Spot trigger orders on v2. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input, Page } from './spot-triggers.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
/** The code of an unknown spot order. */
let UNKNOWN: string;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  const maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000');
  const order = { category: 'SPOT', symbol: 'BTCUSDT', qty: '100', orderType: 'limit' };
  await exchange.data(maker, 'placeBatch', [
    { ...order, side: 'buy', price: '59990' },
    { ...order, side: 'sell', price: '60010' },
  ]);
  UNKNOWN = await exchange.code(maker, 'cancelSpotOrder', {
    symbol: 'BTCUSDT',
    clientOid: 'never',
  });
});

afterAll(() => exchange.stop());

const STOP = {
  symbol: 'BTCUSDT',
  side: 'sell',
  orderType: 'market',
  size: '0.1',
  triggerPrice: '58000',
} as const;

const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });

const place = (trader: Trader, input: Input = {}) =>
  exchange.data<Row>(trader, 'placeSpotTriggerOrder', { ...STOP, ...input });

const current = (trader: Trader, request: Input = {}) =>
  exchange.data<Page>(trader, 'listOpenSpotTriggerOrders', request);

const ended = (trader: Trader, request: Input = {}) =>
  exchange.data<Page>(trader, 'listSpotTriggerOrderHistory', request);

const made = (trader: Trader, { orderId: planOrderId }: Row) =>
  exchange.data<readonly Row[]>(trader, 'listSpotTriggerSubOrders', { planOrderId });

const refusal = async (trader: Trader, input: Input): Promise<string> => {
  const { code, msg } = await exchange.call(trader, 'placeSpotTriggerOrder', { ...STOP, ...input });
  return `${code} ${msg}`;
};

/** Moves the index price to a value and back. */
async function visit(price: string): Promise<void> {
  await exchange.setIndex('BTCUSDT', price);
  await exchange.setIndex('BTCUSDT', '60000');
}

describe('place, change, cancel and list', () => {
  test('[API-70][API-71][TRG-93][VIEW-70] a trigger waits, fires, and is in history with its order', async () => {
    const trader = await rich();
    const placed = await place(trader, { triggerType: 'mark_price', clientOid: 'stop' });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^1\d{18}$/), clientOid: 'stop' });
    const row = {
      ...placed,
      symbol: 'BTCUSDT',
      size: '0.1',
      executePrice: '',
      triggerPrice: '58000',
      status: 'live',
      orderType: 'market',
      side: 'sell',
      planType: 'amount',
      triggerType: 'mark_price',
      enterPointSource: 'API',
      cTime: expect.stringMatching(/^\d{13}$/),
      uTime: expect.stringMatching(/^\d{13}$/),
    };
    expect(await current(trader)).toEqual({
      nextFlag: false,
      idLessThan: placed.orderId,
      orderList: [row],
    });
    expect(await ended(trader)).toEqual({ nextFlag: false, idLessThan: '', orderList: [] });
    expect(await made(trader, placed)).toEqual([]);
    await visit('58000');
    expect((await current(trader)).orderList).toEqual([]);
    expect((await ended(trader)).orderList).toEqual([{ ...row, status: 'executed' }]);
    const [order] = await made(trader, placed);
    expect(order).toMatchObject({ price: '59990', type: 'market', status: 'success' });
    expect(await exchange.data(trader, 'getSpotOrder', { orderId: order!.orderId })).toMatchObject([
      { clientOid: placed.orderId, side: 'sell', baseVolume: '0.1' },
    ]);
  });

  test('[TRG-96][VIEW-70] a trigger without funds ends as fail_execute, and the operator sees the reason', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '99.99' } });
    const buy = {
      side: 'buy',
      planType: 'total',
      triggerPrice: '62000',
      triggerType: 'mark_price',
    } as const;
    const placed = await place(trader, { ...buy, size: '100' });
    const assets = await exchange.data<readonly Row[]>(trader, 'listSpotAssets', { coin: 'USDT' });
    expect(assets).toMatchObject([{ available: '99.99', frozen: '0' }]);
    await visit('62000');
    expect((await ended(trader)).orderList).toMatchObject([
      { ...placed, status: 'fail_execute', planType: 'total', size: '100' },
    ]);
    expect(await made(trader, placed)).toMatchObject([{ orderId: '', status: 'fail' }]);
    const { data } = await exchange.operate('GET', `/operator/v1/triggers?uid=${trader.uid}`);
    expect(data).toMatchObject([
      { ...placed, category: 'SPOT', reason: 'insufficientBalance', code: '43012' },
    ]);
  });

  test('[TRG-94][TRG-95] the size has the unit of the order, and a market order ignores a limit price', async () => {
    const trader = await rich();
    const buy = { side: 'buy', triggerPrice: '62000' } as const;
    const limit = { ...buy, orderType: 'limit', executePrice: '61000' } as const;
    expect(await refusal(trader, { ...buy, size: '100' })).toMatch(/^43011 .*planType/);
    expect(await refusal(trader, { ...limit, planType: 'total' })).toMatch(/^43011 .*planType/);
    expect(await refusal(trader, { planType: 'total' })).toMatch(/^43011 .*planType/);
    expect(await refusal(trader, { ...limit, executePrice: '0' })).toMatch(/^43011 .*executePrice/);
    expect(await refusal(trader, { ...limit, executePrice: '57000.001' })).toMatch(/^45115 /);
    expect(await refusal(trader, { symbol: 'NOSUCH' })).toMatch(/^40034 /);
    await place(trader, {
      ...buy,
      size: '100',
      planType: 'TOTAL',
      executePrice: '61000',
      price: '61000',
    });
    await place(trader, { orderType: 'limit', executePrice: '57000', force: 'IOC' });
    expect((await current(trader)).orderList).toMatchObject([
      { orderType: 'limit', executePrice: '57000', planType: 'amount', triggerType: 'fill_price' },
      { orderType: 'market', executePrice: '', planType: 'total', size: '100' },
    ]);
  });

  test('[TRG-101] a trigger is changed under its id, by either name', async () => {
    const trader = await rich();
    const placed = await place(trader, {
      orderType: 'limit',
      executePrice: '57000',
      clientOid: 'mine',
    });
    const { orderId } = placed;
    const change = (input: Input) => exchange.code(trader, 'changeSpotTriggerOrder', input);
    const full = {
      triggerPrice: '58100',
      orderType: 'limit',
      size: '0.2',
      executePrice: '57100',
    } as const;
    expect(
      await exchange.data(trader, 'changeSpotTriggerOrder', { clientOid: 'mine', ...full }),
    ).toEqual(placed);
    expect((await current(trader)).orderList).toMatchObject([{ orderId, ...full }]);
    expect(await change({ orderId, triggerPrice: '58200' })).toBe('00000');
    expect((await current(trader)).orderList).toMatchObject([{ ...full, triggerPrice: '58200' }]);
    expect(await change({ orderId, orderType: 'market' })).toBe('43011');
    expect(await change({ triggerPrice: '58200' })).toBe('40924');
    expect(await change({ orderId: '1000000000000000001', triggerPrice: '58200' })).toBe(UNKNOWN);
  });

  test('[TRG-102] a trigger is cancelled once, by its own account', async () => {
    const [trader, other] = [await rich(), await rich()];
    const placed = await place(trader, { clientOid: 'mine' });
    const { orderId } = placed;
    expect(await exchange.code(other, 'cancelSpotTriggerOrder', { orderId })).toBe(UNKNOWN);
    expect(await exchange.code(trader, 'cancelSpotTriggerOrder', {})).toBe('40924');
    expect(await exchange.data(trader, 'cancelSpotTriggerOrder', { clientOid: 'mine' })).toEqual({
      result: 'success',
    });
    expect(await exchange.code(trader, 'cancelSpotTriggerOrder', { orderId })).toBe(UNKNOWN);
    expect((await ended(trader)).orderList).toMatchObject([{ orderId, status: 'cancelled' }]);
    expect(await made(trader, placed)).toEqual([]);
  });

  test.each(['symbolList', 'symbols'])(
    '[TRG-103] a cancel with %s cancels those pairs, and one without cancels all',
    async (name) => {
      const trader = await rich();
      await exchange.setIndex('ETHUSDT', '3000');
      const first = await place(trader);
      const second = await place(trader, { symbol: 'ETHUSDT', triggerPrice: '2000' });
      const cancel = (input: Input) => exchange.data(trader, 'cancelSpotTriggerOrders', input);
      expect(await cancel({ [name]: ['BTCUSDT'] })).toEqual({
        successList: [first],
        failureList: [],
      });
      expect(await cancel({ [name]: ['BTCUSDT'] })).toEqual({ successList: [], failureList: [] });
      expect(await exchange.code(trader, 'cancelSpotTriggerOrders', { [name]: ['NOSUCH'] })).toBe(
        '40034',
      );
      expect(await cancel({})).toEqual({ successList: [second], failureList: [] });
    },
  );

  test("[API-71] a list continues after the page's end, and shows if there is more", async () => {
    const trader = await rich();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await place(trader)).orderId!);
    const pages = async (list: typeof current) => {
      const newer = await list(trader, { limit: '2', symbol: 'BTCUSDT' });
      const older = await list(trader, { limit: '2', idLessThan: newer.idLessThan });
      return [newer, older].map(({ nextFlag, orderList }) => [
        nextFlag,
        orderList.map(({ orderId }) => orderId),
      ]);
    };
    const whole = [
      [true, ids.slice(0, 2)],
      [false, ids.slice(2)],
    ];
    expect(await pages(current)).toEqual(whole);
    await exchange.data(trader, 'cancelSpotTriggerOrders');
    expect(await pages(ended)).toEqual(whole);
    expect(await ended(trader, { symbol: 'ETHUSDT' })).toMatchObject({
      nextFlag: false,
      orderList: [],
    });
    expect(await exchange.code(trader, 'listOpenSpotTriggerOrders', { limit: '101' })).toBe(
      '40053',
    );
  });

  test('[VIEW-71] both lists are the same after a restart', async () => {
    const trader = await rich();
    await place(trader, {
      side: 'buy',
      planType: 'total',
      size: '100',
      triggerPrice: '62000',
      clientOid: 'waits',
    });
    const fired = await place(trader, { triggerPrice: '60000', triggerType: 'mark_price' });
    const lists = async () => [
      await current(trader),
      await ended(trader),
      await made(trader, fired),
    ];
    const before = await lists();
    const [waits, executed] = [
      [{ clientOid: 'waits', planType: 'total' }],
      [{ status: 'executed' }],
    ];
    expect(before).toMatchObject([
      { orderList: waits },
      { orderList: executed },
      [{ status: 'success' }],
    ]);
    await exchange.restart();
    expect(await lists()).toEqual(before);
  });
});
