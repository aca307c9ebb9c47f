/** Modified orders on v3, also across a restart. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { coins, future } from './modifying.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });

const place = async (trader: Trader, values: object): Promise<string> =>
  (await exchange.data<Row>(trader, 'placeOrder', { ...values })).orderId!;

const shown = (trader: Trader, orderId: string) =>
  exchange.data<Row>(trader, 'getOrder', { orderId });

describe('v3', () => {
  test('[ORD-91] a futures and a spot order keep their id and clientOid at a new price and size', async () => {
    const trader = await rich();
    for (const order of [future, coins, { ...coins, category: 'MARGIN' }]) {
      const clientOid = `mine-${order.category}`;
      const orderId = await place(trader, { ...order, clientOid });
      expect(
        await exchange.data(trader, 'changeOrder', { orderId, qty: '0.2', price: '51000' }),
      ).toEqual({ orderId, clientOid });
      expect(
        await exchange.data(trader, 'changeOrder', {
          clientOid,
          price: '52000',
          category: order.category,
        }),
      ).toEqual({
        orderId,
        clientOid,
      });
      expect(await shown(trader, orderId)).toMatchObject({
        qty: '0.2',
        price: '52000',
        orderStatus: 'new',
      });
      const book = await exchange.ask<{ b: string[][] }>('getOrderBook', {
        category: order.category,
        symbol: 'BTCUSDT',
      });
      expect(book.b[0]).toEqual(['52000', '0.2']);
      await exchange.data(trader, 'cancelOrder', { orderId });
    }
  });

  test('[ORD-90][ORD-91] refusals have the codes of v3', async () => {
    const trader = await rich();
    const orderId = await place(trader, future);
    const code = (values: object) => exchange.code(trader, 'changeOrder', { orderId, ...values });
    expect(await code({})).toBe('40913');
    expect(await exchange.code(trader, 'changeOrder', { price: '1' })).toBe('40924');
    expect(await code({ price: '50000', qty: '0.10' })).toBe('25571');
    expect(await code({ price: '50000.01' })).toBe('25244');
    expect(await code({ qty: '0.00001' })).toBe('25610');
    expect(await code({ qty: '0' })).toBe('25207');
    expect(await code({ price: '29999' })).toBe('25205');
    expect(await code({ price: '90001' })).toBe('25206');
    expect(await code({ qty: '500' })).toBe('40762');
    expect(await code({ price: '50001', category: 'SPOT' })).toBe('25204');
    expect(await code({ price: '50001', symbol: 'ETHUSDT' })).toBe('25204');
    expect(await code({ price: '50001', takeProfit: '70000' })).toBe('25002');
    expect(await code({ price: '50001', autoCancel: 'perhaps' })).toBe('40020');
    expect(await exchange.code(await rich(), 'changeOrder', { orderId, price: '50001' })).toBe(
      '25204',
    );
    expect(await shown(trader, orderId)).toMatchObject({
      qty: '0.1',
      price: '50000',
      orderStatus: 'new',
    });
  });

  test('[ORD-200] with autoCancel an order that cannot be modified is cancelled; the answer has the reason', async () => {
    const trader = await rich();
    const orderId = await place(trader, future);
    expect(
      await exchange.code(trader, 'changeOrder', { orderId, price: '29999', autoCancel: 'no' }),
    ).toBe('25205');
    expect(await shown(trader, orderId)).toMatchObject({ orderStatus: 'new' });
    expect(
      await exchange.code(trader, 'changeOrder', { orderId, price: '29999', autoCancel: 'yes' }),
    ).toBe('25205');
    expect(await shown(trader, orderId)).toMatchObject({
      orderStatus: 'cancelled',
      cancelReason: 'normal_cancel',
    });
  });

  test('[ORD-103] several orders at once, each with its own result', async () => {
    const trader = await rich();
    const [one, two] = [
      await place(trader, future),
      await place(trader, { ...coins, clientOid: 'two' }),
    ];
    const answers = await exchange.data(trader, 'changeOrders', [
      { orderId: one, price: '51000' },
      { clientOid: 'two', qty: '0.2' },
      { orderId: one, price: '51000' },
      { orderId: 'junk', price: '51000' },
      { orderId: one },
      { orderId: one, price: 'dear', clientOid: 'input' },
      { orderId: two, price: '29999', autoCancel: 'yes' },
    ]);
    expect(answers).toMatchObject([
      { orderId: one, code: '00000', msg: 'success' },
      { orderId: two, clientOid: 'two', code: '00000' },
      { orderId: one, code: '25571' },
      { orderId: 'junk', code: '25204' },
      { orderId: one, code: '40913' },
      { orderId: one, clientOid: 'input', code: '40020' },
      { orderId: two, code: '25205' },
    ]);
    expect([await shown(trader, one), await shown(trader, two)]).toMatchObject([
      { price: '51000', orderStatus: 'new' },
      { qty: '0.2', orderStatus: 'cancelled' },
    ]);
    expect(await exchange.code(trader, 'changeOrders', [])).toBe('40019');
    expect(
      await exchange.code(
        trader,
        'changeOrders',
        Array.from({ length: 21 }, () => ({ orderId: one, price: '1' })),
      ),
    ).toBe('40306');
  });

  test('[ORD-196] an order modified to a marketable price trades at once', async () => {
    const trader = await rich();
    await place(maker, { ...future, side: 'sell', price: '60000', qty: '0.04' });
    const orderId = await place(trader, future);
    await exchange.data(trader, 'changeOrder', { orderId, price: '60000' });
    expect(await shown(trader, orderId)).toMatchObject({
      orderStatus: 'partially_filled',
      cumExecQty: '0.04',
      price: '60000',
    });
    const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listFills', {
      orderId,
    });
    expect(list).toMatchObject([{ execQty: '0.04', execPrice: '60000', tradeScope: 'taker' }]);
  });

  test('[ORD-91] a modified order is the same after a restart, and is in history as modified', async () => {
    const trader = await rich();
    const orderId = await place(trader, coins);
    await exchange.data(trader, 'changeOrder', { orderId, qty: '0.3', price: '51000' });
    const assets = await exchange.data(trader, 'listSpotAssets', { coin: 'USDT' });
    await exchange.restart();
    expect(await exchange.data(trader, 'listSpotAssets', { coin: 'USDT' })).toEqual(assets);
    expect(assets).toMatchObject([{ frozen: '15300' }]);
    await exchange.data(trader, 'cancelOrder', { orderId });
    expect(await shown(trader, orderId)).toMatchObject({
      qty: '0.3',
      price: '51000',
      orderStatus: 'cancelled',
    });
    const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listOrderHistory', {
      category: 'SPOT',
    });
    expect(list).toMatchObject([{ orderId, qty: '0.3', price: '51000' }]);
  });
});
