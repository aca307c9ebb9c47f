/** Orders of the unified account over HTTP: placing, cancelling and reading. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { futures, type Listed, limitBuy } from './orders.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
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

describe('place-batch', () => {
  test('[ORD-05][ORD-12] results are in request order, and a missing clientOid is generated', async () => {
    const trader = await rich();
    const items = await exchange.data<Item[]>(trader, 'placeBatch', [
      {
        ...limitBuy,
        clientOid: 'first',
        timeInForce: 'gtc',
        posSide: 'long',
        stpMode: 'none',
        reduceOnly: 'no',
      },
      { ...limitBuy, qty: '0.00015', clientOid: 'off-step' },
      { ...limitBuy, qty: '-1', clientOid: 'malformed' },
      { ...limitBuy, side: undefined, clientOid: 'no-side' },
      limitBuy,
    ]);
    expect(items).toEqual([
      {
        orderId: expect.stringMatching(/^1\d{18}$/),
        clientOid: 'first',
        code: '00000',
        msg: 'success',
      },
      {
        orderId: '',
        clientOid: 'off-step',
        code: '25610',
        msg: 'Parameter qty must be a multiple of the size step 0.0001',
      },
      { orderId: '', clientOid: 'malformed', code: '40020', msg: 'Parameter qty error' },
      { orderId: '', clientOid: 'no-side', code: '40019', msg: 'Parameter side cannot be empty' },
      {
        orderId: expect.stringMatching(/^1\d{18}$/),
        clientOid: expect.stringMatching(/^\d+$/),
        code: '00000',
        msg: 'success',
      },
    ]);
    const { list } = await exchange.data<Listed>(trader, 'listOpenOrders', {
      category: 'USDT-FUTURES',
    });
    expect(list.map(({ orderId }) => orderId)).toEqual([items[4]!.orderId, items[0]!.orderId]);
  });

  test('[ORD-04] orders execute in their order in the batch, also after a refused one', async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeBatch', [
      {
        ...futures,
        symbol: 'XRPUSDT',
        qty: '1',
        price: '1',
        side: 'buy',
        orderType: 'limit',
        clientOid: 'no-price-yet',
      },
      { ...limitBuy, price: '40000', clientOid: 'deep' },
      {
        ...limitBuy,
        price: '40000',
        side: 'sell',
        qty: '0.0004',
        clientOid: 'meets-the-one-before',
      },
    ]);
    const met = await exchange.data<Row>(trader, 'getOrder', { clientOid: 'meets-the-one-before' });
    expect([met.orderStatus, met.cumExecQty, met.avgPrice]).toEqual(['filled', '0.0004', '40000']);
    expect(await exchange.data<Row>(trader, 'getOrder', { clientOid: 'deep' })).toMatchObject({
      orderStatus: 'partially_filled',
      cumExecQty: '0.0004',
    });
    expect(await exchange.code(trader, 'getOrder', { clientOid: 'no-price-yet' })).toBe('25204');
  });

  test.each([
    ['an object', limitBuy, '40017'],
    ['an empty list', [], '40019'],
    ['twenty-one orders', Array.from({ length: 21 }, () => limitBuy), '40306'],
    ['orders of two categories', [limitBuy, { ...limitBuy, category: 'SPOT' }], '40020'],
    ['an order that is no object', [limitBuy, 'buy'], '40020'],
  ] as const)('[ORD-01][ORD-02][ORD-03] %s is not a batch', async (_title, body, code) => {
    const trader = await rich();
    expect(await exchange.code(trader, 'placeBatch', body as never)).toBe(code);
    expect((await exchange.data<Listed>(trader, 'listOpenOrders')).list).toEqual([]);
  });

  test('[ORD-01] a batch has at most twenty orders, malformed ones included', async () => {
    const trader = await rich();
    const twenty = await exchange.data<Item[]>(
      trader,
      'placeBatch',
      Array.from({ length: 20 }, () => limitBuy),
    );
    expect(new Set(twenty.map(({ orderId }) => orderId)).size).toBe(20);
    expect(await exchange.data<Item[]>(trader, 'placeBatch', [{ clientOid: 'nothing' }])).toEqual([
      {
        orderId: '',
        clientOid: 'nothing',
        code: '40019',
        msg: 'Parameter category cannot be empty',
      },
    ]);
  });

  test('[ORD-37] 40762 covers missing margin and the limit of the tier', async () => {
    const poor = await exchange.trader({ deposits: { USDT: '100' } });
    const order = { ...limitBuy, price: '60000' };
    // 0.0165 × 60000 × (1/10 + 0.0006) = 99.594; one step more is 100.1976.
    const answers = await exchange.data<Item[]>(poor, 'placeBatch', [
      { ...order, qty: '0.0166' },
      { ...order, qty: '0.0165' },
    ]);
    expect(answers.map(({ code }) => code)).toEqual(['40762', '00000']);
    expect(answers[0]!.msg).toBe('The order size is greater than the max open size');
    const leveraged = await rich();
    await exchange.data(leveraged, 'setLeverage', {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      leverage: '125',
    });
    // 125 times is allowed up to a value of 50,000: 0.8333 × 60000 = 49,998; 0.8334 × 60000 =
    // 50,004.
    const tiered = await exchange.data<Item[]>(leveraged, 'placeBatch', [
      { ...order, qty: '0.8334' },
      { ...order, qty: '0.8333' },
    ]);
    expect(tiered.map(({ code }) => code)).toEqual(['40762', '00000']);
  });

  test('[REQ-32] the text of an item follows the locale of the call', async () => {
    const trader = await rich();
    const unknown = [{ ...limitBuy, symbol: 'NOSUCH' }];
    const [english] = await exchange.data<Item[]>(trader, 'placeBatch', unknown);
    const [chinese] = (await exchange.call(trader, 'placeBatch', unknown, { locale: 'zh-CN' }))
      .data as Item[];
    expect(english).toMatchObject({ code: '25100', msg: 'The symbol NOSUCH does not exist' });
    expect(chinese).toMatchObject({ code: '25100', msg: '交易对 NOSUCH 不存在' });
  });
});

describe('one order', () => {
  test('[ORD-24][ORD-61][ORD-63][ORD-204][ORD-65] a filled order shows its result', async () => {
    const [seller, buyer] = [await rich(), await rich()];
    // 0.3 at 59000 and 0.1 at 59400 cost 23,640 for 0.4: the average is 59,100.
    await exchange.data(seller, 'placeBatch', [
      { ...limitBuy, side: 'sell', qty: '0.3', price: '59000' },
      { ...limitBuy, side: 'sell', qty: '0.2', price: '59400' },
    ]);
    const placed = await exchange.data<Row>(buyer, 'placeOrder', {
      ...limitBuy,
      qty: '0.4',
      price: '59400',
      clientOid: 'two-prices',
    });
    const order = await exchange.data<Row>(buyer, 'getOrder', { orderId: placed.orderId! });
    expect(order).toEqual({
      orderId: placed.orderId,
      clientOid: 'two-prices',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'limit',
      side: 'buy',
      price: '59400',
      qty: '0.4',
      amount: '0',
      cumExecQty: '0.4',
      cumExecValue: '23640',
      avgPrice: '59100',
      timeInForce: 'gtc',
      orderStatus: 'filled',
      posSide: 'long',
      holdMode: 'one_way_mode',
      tradeSide: 'open',
      stpMode: 'none',
      reduceOnly: 'NO',
      // 23,640 × 0.0006.
      feeDetail: [{ feeCoin: 'USDT', fee: '14.184' }],
      cancelReason: '',
      execType: 'normal',
      createdTime: expect.stringMatching(/^\d{13}$/),
      updatedTime: expect.stringMatching(/^\d{13}$/),
    });
    expect(await exchange.data(buyer, 'getOrder', { clientOid: 'two-prices' })).toEqual(order);
    expect(
      await exchange.data(buyer, 'getOrder', { orderId: placed.orderId!, clientOid: 'another' }),
    ).toEqual(order);
  });

  test('[ORD-62] no id is 40924; unknown ids and those of other accounts are 25204', async () => {
    const [owner, other] = [await rich(), await rich()];
    const { orderId } = await exchange.data<Row>(owner, 'placeOrder', {
      ...limitBuy,
      clientOid: 'mine',
    });
    expect(await exchange.code(owner, 'getOrder')).toBe('40924');
    for (const name of [
      { orderId: orderId! },
      { clientOid: 'mine' },
      { orderId: '7' },
      { orderId: 'nonsense' },
    ])
      expect(await exchange.code(other, 'getOrder', name)).toBe('25204');
  });

  test('[ORD-66] a spot market buy shows its requested amount', async () => {
    const [seller, buyer] = [maker, await rich()];
    await exchange.data(seller, 'placeOrder', {
      category: 'SPOT',
      symbol: 'BTCUSDT',
      qty: '1',
      price: '60000',
      side: 'sell',
      orderType: 'limit',
    });
    const spot = {
      category: 'SPOT',
      symbol: 'BTCUSDT',
      qty: '3000',
      side: 'buy',
      orderType: 'market',
      clientOid: 'spend',
    };
    await exchange.data(buyer, 'placeOrder', spot);
    // 3000 buys 0.05, and the fee is a thousandth of it.
    expect(await exchange.data<Row>(buyer, 'getOrder', { clientOid: 'spend' })).toMatchObject({
      category: 'SPOT',
      price: '0',
      qty: '0',
      amount: '3000',
      cumExecQty: '0.05',
      cumExecValue: '3000',
      avgPrice: '60000',
      orderStatus: 'filled',
      posSide: '',
      holdMode: '',
      tradeSide: '',
      feeDetail: [{ feeCoin: 'BTC', fee: '0.00005' }],
    });
  });

  test('[ORD-16][ORD-63] in hedge mode an order shows its side and its position side', async () => {
    const hedger = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    expect(await exchange.code(hedger, 'placeOrder', limitBuy)).toBe('25236');
    await exchange.data(hedger, 'placeOrder', {
      ...limitBuy,
      posSide: 'long',
      clientOid: 'open-long',
    });
    expect(await exchange.data<Row>(hedger, 'getOrder', { clientOid: 'open-long' })).toMatchObject({
      side: 'buy',
      posSide: 'long',
      tradeSide: 'open',
      holdMode: 'hedge_mode',
    });
    expect(
      await exchange.code(hedger, 'placeOrder', {
        ...limitBuy,
        side: 'sell',
        price: '70000',
        posSide: 'long',
      }),
    ).toBe('25227');
  });
});

describe('cancelling', () => {
  test('[ORD-59][ORD-60] an order is cancelled once, by either id', async () => {
    const trader = await rich();
    const { orderId } = await exchange.data<Row>(trader, 'placeOrder', {
      ...limitBuy,
      clientOid: 'x1',
    });
    await exchange.data(trader, 'placeOrder', { ...limitBuy, clientOid: 'x2' });
    expect(
      await exchange.data(trader, 'cancelOrder', { orderId: orderId!, symbol: 'BTCUSDT' }),
    ).toEqual({ orderId, clientOid: 'x1' });
    expect(await exchange.data<Row>(trader, 'cancelOrder', { clientOid: 'x2' })).toMatchObject({
      clientOid: 'x2',
    });
    expect(await exchange.code(trader, 'cancelOrder', { orderId: orderId! })).toBe('25204');
    expect(await exchange.code(trader, 'cancelOrder', {})).toBe('40924');
    expect(await exchange.code(maker, 'cancelOrder', { orderId: orderId! })).toBe('25204');
    expect(await exchange.data<Row>(trader, 'getOrder', { orderId: orderId! })).toMatchObject({
      orderStatus: 'cancelled',
      cancelReason: 'normal_cancel',
      feeDetail: [],
    });
  });

  test('[ORD-60][API-17] in a batch each cancel has its own result', async () => {
    const trader = await rich();
    const { orderId } = await exchange.data<Row>(trader, 'placeOrder', {
      ...limitBuy,
      clientOid: 'y1',
    });
    const items = await exchange.data<Item[]>(trader, 'cancelBatch', [
      { orderId: orderId!, symbol: 'BTCUSDT' },
      { orderId: '1234', clientOid: 'y1' },
      { clientOid: 'two words' },
      { orderId: 'two words', clientOid: 'y2' },
      {},
    ]);
    expect(items.map((item) => [item.orderId, item.clientOid, item.code])).toEqual([
      [orderId, 'y1', '00000'],
      ['1234', 'y1', '25204'],
      ['', 'two words', '40020'],
      ['two words', 'y2', '40020'],
      ['', '', '40924'],
    ]);
    expect(
      await exchange.code(
        trader,
        'cancelBatch',
        Array.from({ length: 21 }, () => ({ clientOid: 'y1' })),
      ),
    ).toBe('40306');
  });

  test('[API-50] all orders of a category, or of one symbol in it, are cancelled', async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeBatch', [
      { ...limitBuy, clientOid: 'b1' },
      { ...limitBuy, symbol: 'ETHUSDT', price: '2000', qty: '0.01', clientOid: 'e1' },
      { ...limitBuy, clientOid: 'b2' },
    ]);
    const ofSymbol = await exchange.data<{ list: Item[] }>(trader, 'cancelSymbolOrders', futures);
    expect(ofSymbol.list.map(({ clientOid, code }) => [clientOid, code])).toEqual([
      ['b1', '00000'],
      ['b2', '00000'],
    ]);
    const rest = await exchange.data<{ list: Item[] }>(trader, 'cancelSymbolOrders', {
      category: 'USDT-FUTURES',
    });
    expect(rest.list.map(({ clientOid }) => clientOid)).toEqual(['e1']);
    expect(await exchange.data(trader, 'cancelSymbolOrders', { category: 'USDT-FUTURES' })).toEqual(
      { list: [] },
    );
  });
});
