/** The clientOid of an order over HTTP: repeated requests, content and restarts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Listed, limitBuy } from './orders.test-support.ts';
import { type Row, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

interface Item {
  readonly orderId: string | null;
  readonly clientOid: string;
  readonly code: string;
  readonly msg: string;
}

const rich = () => exchange.trader({ deposits: { USDT: '100000' } });

describe('clientOid', () => {
  test('[ORD-13][ORD-14] a repeated clientOid answers with the same order; other content is refused', async () => {
    const trader = await rich();
    const named = { ...limitBuy, clientOid: 'once' };
    const [first] = await exchange.data<Item[]>(trader, 'placeBatch', [named]);
    const [again, other] = await exchange.data<Item[]>(trader, 'placeBatch', [
      named,
      { ...named, qty: '0.002' },
    ]);
    expect(again).toEqual(first);
    expect(other).toMatchObject({ orderId: '', clientOid: 'once', code: '40786' });
    expect(await exchange.data(trader, 'placeOrder', named)).toEqual({
      orderId: first!.orderId,
      clientOid: 'once',
    });
    expect((await exchange.data<Listed>(trader, 'listOpenOrders')).list).toHaveLength(1);
  });

  test('[ORD-13][ORD-150] sending a default does not change the content', async () => {
    const trader = await rich();
    const named = { ...limitBuy, clientOid: 'default' };
    const first = await exchange.data(trader, 'placeOrder', named);
    const inFull = { ...named, timeInForce: 'GTC', stpMode: 'none', reduceOnly: 'no', posSide: '' };
    expect(await exchange.data(trader, 'placeOrder', inFull)).toEqual(first);
    expect(await exchange.code(trader, 'placeOrder', { ...named, stpMode: 'cancel_both' })).toBe(
      '40786',
    );
  });

  test('[ORD-13][ORD-150] equal numbers are the same content in any notation', async () => {
    const trader = await rich();
    const named = { ...limitBuy, price: '50000', qty: '0.01', clientOid: 'written' };
    const first = await exchange.data(trader, 'placeOrder', named);
    for (const [price, qty] of [
      ['050000', '0.010'],
      ['50000.00', '00.01'],
      ['000050000.0', '000.0100'],
    ])
      expect(await exchange.data(trader, 'placeOrder', { ...named, price, qty })).toEqual(first);
    expect(await exchange.code(trader, 'placeOrder', { ...named, price: '5000' })).toBe('40786');
    expect(await exchange.code(trader, 'placeOrder', { ...named, qty: '0.001' })).toBe('40786');
  });

  test('[ORD-13][ORD-15] a clientOid is known after a restart, and both lists are the same', async () => {
    const trader = await rich();
    const named = { ...limitBuy, clientOid: 'survivor' };
    const first = await exchange.data(trader, 'placeOrder', named);
    await exchange.data(trader, 'placeOrder', { ...limitBuy, clientOid: 'gone' });
    await exchange.data(trader, 'cancelOrder', { clientOid: 'gone' });
    const before = [
      await exchange.data(trader, 'listOpenOrders'),
      await exchange.data(trader, 'listOrderHistory'),
    ];
    await exchange.restart();
    expect(await exchange.data(trader, 'placeOrder', named)).toEqual(first);
    expect([
      await exchange.data(trader, 'listOpenOrders'),
      await exchange.data(trader, 'listOrderHistory'),
    ]).toEqual(before);
    expect(await exchange.data<Row>(trader, 'getOrder', { clientOid: 'gone' })).toMatchObject({
      orderStatus: 'cancelled',
    });
  });
});
