/** Lists of orders of the unified account over HTTP: open, ended, and fills. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { futures, type Listed, limitBuy } from './orders.test-support.ts';
import { type Row, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const rich = () => exchange.trader({ deposits: { USDT: '100000' } });

describe('lists', () => {
  test('[ORD-67][LIST-12] open orders are listed newest first, in pages, by category and symbol', async () => {
    const trader = await rich();
    const placed: string[] = [];
    for (const symbol of ['BTCUSDT', 'ETHUSDT', 'BTCUSDT', 'BTCUSDT']) {
      const order = {
        ...limitBuy,
        symbol,
        price: symbol === 'BTCUSDT' ? '50000' : '2000',
        qty: '0.01',
      };
      placed.push((await exchange.data<Row>(trader, 'placeOrder', order)).orderId!);
      // An answered order is in the list.
      expect((await exchange.data<Listed>(trader, 'listOpenOrders')).list[0]!.orderId).toBe(
        placed.at(-1),
      );
    }
    const [first, eth, third, fourth] = placed;
    const page = await exchange.data<Listed>(trader, 'listOpenOrders', { ...futures, limit: '2' });
    expect([page.list.map(({ orderId }) => orderId), page.cursor]).toEqual([
      [fourth, third],
      third,
    ]);
    const older = await exchange.data<Listed>(trader, 'listOpenOrders', {
      ...futures,
      limit: '2',
      cursor: page.cursor,
    });
    expect([older.list.map(({ orderId }) => orderId), older.cursor]).toEqual([[first], first]);
    const end = await exchange.data<Listed>(trader, 'listOpenOrders', {
      ...futures,
      cursor: older.cursor,
    });
    expect(end).toEqual({ list: [], cursor: '' });
    expect(
      (await exchange.data<Listed>(trader, 'listOpenOrders', { symbol: 'ethusdt' })).list.map(
        ({ orderId }) => orderId,
      ),
    ).toEqual([eth]);
    expect(
      (await exchange.data<Listed>(trader, 'listOpenOrders', { category: 'SPOT' })).list,
    ).toEqual([]);
    const now = Date.now();
    expect(
      await exchange.code(trader, 'listOpenOrders', {
        startTime: String(now),
        endTime: String(now - 1),
      }),
    ).toBe('40707');
    expect(await exchange.code(trader, 'listOpenOrders', { limit: '101' })).toBe('40053');
    expect(
      (await exchange.data<Listed>(trader, 'listOpenOrders', { endTime: String(now - 3_600_000) }))
        .list,
    ).toEqual([]);
  });

  test('[LIST-13] ended orders and fills are listed for 30 days', async () => {
    const [seller, buyer] = [await rich(), await rich()];
    await exchange.data(seller, 'placeOrder', {
      ...limitBuy,
      side: 'sell',
      qty: '0.002',
      price: '61000',
      clientOid: 's',
    });
    await exchange.data(buyer, 'placeOrder', {
      ...limitBuy,
      qty: '0.001',
      price: '61000',
      clientOid: 'b-1',
    });
    await exchange.data(buyer, 'placeOrder', {
      ...limitBuy,
      qty: '0.001',
      price: '61000',
      clientOid: 'b-2',
    });
    const ended = await exchange.data<Listed>(buyer, 'listOrderHistory', futures);
    expect(ended.list.map(({ clientOid, orderStatus }) => [clientOid, orderStatus])).toEqual([
      ['b-2', 'filled'],
      ['b-1', 'filled'],
    ]);
    expect(
      (await exchange.data<Listed>(seller, 'listOrderHistory')).list.map(
        ({ clientOid }) => clientOid,
      ),
    ).toEqual(['s']);
    const fills = await exchange.data<Listed>(seller, 'listFills');
    // 0.001 × 61000 = 61; as maker it costs 61 × 0.0002.
    expect(fills.list).toHaveLength(2);
    expect(fills.list[0]).toEqual({
      execId: expect.stringMatching(/^1\d{18}$/),
      execLinkId: expect.stringMatching(/^1\d{18}$/),
      orderId: expect.stringMatching(/^1\d{18}$/),
      clientOid: 's',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'limit',
      side: 'sell',
      posSide: 'short',
      execPrice: '61000',
      execQty: '0.001',
      execValue: '61',
      tradeScope: 'maker',
      tradeSide: 'open',
      feeDetail: [{ feeCoin: 'USDT', fee: '0.0122' }],
      execPnl: '0',
      isRPI: 'NO',
      createdTime: expect.stringMatching(/^\d{13}$/),
      updatedTime: expect.stringMatching(/^\d{13}$/),
    });
    const ofOrder = await exchange.data<Listed>(buyer, 'listFills', {
      orderId: ended.list[0]!.orderId!,
    });
    expect(ofOrder.list.map(({ clientOid, tradeScope }) => [clientOid, tradeScope])).toEqual([
      ['b-2', 'taker'],
    ]);
    const paged = await exchange.data<Listed>(seller, 'listFills', {
      limit: '1',
      cursor: fills.list[0]!.execId!,
    });
    expect([paged.list.map(({ execId }) => execId), paged.cursor]).toEqual([
      [fills.list[1]!.execId],
      fills.list[1]!.execId,
    ]);
    const month = 30 * 86_400_000;
    const end = Date.now();
    expect(
      await exchange.code(buyer, 'listFills', {
        startTime: String(end - month - 1),
        endTime: String(end),
      }),
    ).toBe('40705');
    expect(
      await exchange.code(buyer, 'listOrderHistory', {
        startTime: String(end - month - 1),
        endTime: String(end),
      }),
    ).toBe('40705');
    expect(
      (
        await exchange.data<Listed>(buyer, 'listFills', {
          startTime: String(end - month),
          endTime: String(end),
        })
      ).list,
    ).toHaveLength(2);
  });
});
