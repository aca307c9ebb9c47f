/** Futures orders on v2: sides name the position, and errors have codes of their own. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Listed, limitBuy, pair, productType } from './futures-orders.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const rich = (holdMode?: 'hedge_mode') =>
  exchange.trader({
    deposits: { USDT: '100000' },
    ...(holdMode === undefined ? {} : { holdMode }),
  });

const holdSides = async (trader: Trader) =>
  (await exchange.data<Row[]>(trader, 'getAllPositions', { productType })).map(
    ({ holdSide, total }) => `${holdSide} ${total}`,
  );

/** The maker quotes both sides. */
async function makeMarket(size = '10'): Promise<void> {
  const order = { ...limitBuy, size };
  await exchange.data(maker, 'placeFuturesOrder', { ...order, price: '59990' });
  await exchange.data(maker, 'placeFuturesOrder', { ...order, side: 'sell', price: '60010' });
}

describe('hedge mode', () => {
  test('[ORD-19] side names the position: buy with close sells, and rows show it the same way', async () => {
    const trader = await rich('hedge_mode');
    await makeMarket();
    const market = { ...pair, size: '0.1', orderType: 'market', force: 'GTC' };
    expect(await exchange.code(trader, 'placeFuturesOrder', { ...market, side: 'buy' })).toBe(
      '40774',
    );
    await exchange.data(trader, 'placeFuturesOrder', {
      ...market,
      side: 'buy',
      tradeSide: 'Open',
      clientOid: 'open-long',
    });
    await exchange.data(trader, 'placeFuturesOrder', {
      ...market,
      side: 'sell',
      tradeSide: 'open',
      clientOid: 'open-short',
    });
    expect(await holdSides(trader)).toEqual(['short 0.1', 'long 0.1']);
    await exchange.data(trader, 'placeFuturesOrder', {
      ...market,
      size: '0.04',
      side: 'buy',
      tradeSide: 'close',
      clientOid: 'close-long',
    });
    await exchange.data(trader, 'placeFuturesOrder', {
      ...market,
      size: '0.03',
      side: 'sell',
      tradeSide: 'close',
      clientOid: 'close-short',
    });
    expect(await holdSides(trader)).toEqual(['short 0.07', 'long 0.06']);
    const named = async (clientOid: string) => {
      const v2 = await exchange.data<Row>(trader, 'getFuturesOrder', {
        productType,
        symbol: 'BTCUSDT',
        clientOid,
      });
      const v3 = await exchange.data<Row>(trader, 'getOrder', { clientOid });
      return [
        v2.side,
        v2.tradeSide,
        v2.posSide,
        v2.reduceOnly,
        v2.priceAvg,
        v3.side,
        v3.tradeSide,
        v3.posSide,
      ].join(' ');
    };
    // v2: side, tradeSide, posSide, reduceOnly, price paid; v3: side, tradeSide, posSide.
    expect(await named('open-long')).toBe('buy open long NO 60010 buy open long');
    expect(await named('open-short')).toBe('sell open short NO 59990 sell open short');
    expect(await named('close-long')).toBe('buy close long YES 59990 sell close long');
    expect(await named('close-short')).toBe('sell close short YES 60010 buy close short');
    const { fillList } = await exchange.data<{ fillList: Row[] }>(trader, 'listFuturesFills', {
      productType,
    });
    expect(fillList.map(({ side, tradeSide, profit }) => `${side} ${tradeSide} ${profit}`)).toEqual(
      [
        // Sold at 59,990, bought back at 60,010: 0.03 × −20.
        // Bought at 60,010, sold at 59,990: 0.04 × −20.
        'sell close -0.6',
        'buy close -0.8',
        'sell open 0',
        'buy open 0',
      ],
    );
  });

  test.each([
    ['open', 'buy'],
    ['close', 'sell'],
  ])('[ORD-13][ORD-19] %s of a long is the same order on v2 and v3', async (tradeSide, side) => {
    const trader = await rich('hedge_mode');
    await makeMarket();
    await exchange.data(trader, 'placeFuturesOrder', {
      ...pair,
      size: '0.1',
      orderType: 'market',
      side: 'buy',
      tradeSide: 'open',
    });
    const shared = {
      symbol: 'BTCUSDT',
      orderType: 'limit',
      price: tradeSide === 'open' ? '50000' : '65000',
      marginMode: 'crossed',
    };
    const unified = { ...shared, category: productType, side, posSide: 'long', qty: '0.05' };
    const classic = {
      ...shared,
      productType,
      marginCoin: 'USDT',
      side: 'buy',
      tradeSide,
      force: 'gtc',
      size: '0.05',
    };
    const first = await exchange.data(trader, 'placeOrder', { ...unified, clientOid: 'v3' });
    expect(
      await exchange.data(trader, 'placeFuturesOrder', { ...classic, clientOid: 'v3' }),
    ).toEqual(first);
    const second = await exchange.data(trader, 'placeFuturesOrder', {
      ...classic,
      clientOid: 'v2',
    });
    expect(await exchange.data(trader, 'placeOrder', { ...unified, clientOid: 'v2' })).toEqual(
      second,
    );
    expect(
      await exchange.data(trader, 'placeOrder', {
        ...unified,
        clientOid: 'v2',
        reduceOnly: 'yes',
      }),
    ).toEqual(second);
  });
});

describe('one order', () => {
  test('[API-51][POS-31] an order has every field, open and ended', async () => {
    const trader = await rich();
    const placed = await exchange.data<Row>(trader, 'placeFuturesOrder', {
      ...limitBuy,
      size: '0.4',
      clientOid: 'v2-order',
      tradeSide: 'open',
    });
    await exchange.data(maker, 'placeFuturesOrder', { ...limitBuy, side: 'sell', size: '0.1' });
    const time = expect.stringMatching(/^\d{13}$/);
    const row = {
      symbol: 'BTCUSDT',
      size: '0.4',
      orderId: placed.orderId,
      clientOid: 'v2-order',
      baseVolume: '0.1',
      quoteVolume: '5000',
      // As maker: 5,000 × 0.0002, negative because it is paid.
      fee: '-1',
      price: '50000',
      priceAvg: '50000',
      side: 'buy',
      force: 'gtc',
      totalProfits: '0',
      posSide: 'net',
      marginCoin: 'USDT',
      leverage: '10',
      marginMode: 'crossed',
      reduceOnly: 'NO',
      enterPointSource: 'API',
      tradeSide: 'buy_single',
      posMode: 'one_way_mode',
      orderType: 'limit',
      orderSource: 'normal',
      cancelReason: '',
      presetStopSurplusPrice: '',
      presetStopSurplusExecutePrice: '',
      presetStopLossPrice: '',
      presetStopLossExecutePrice: '',
      cTime: time,
      uTime: time,
    };
    const request = { productType, symbol: 'BTCUSDT', orderId: placed.orderId! };
    expect(await exchange.data(trader, 'getFuturesOrder', request)).toEqual({
      ...row,
      state: 'partially_filled',
    });
    expect(await exchange.data(trader, 'listOpenFuturesOrders', { productType })).toEqual({
      entrustedList: [{ ...row, status: 'partially_filled' }],
      endId: placed.orderId,
    });
    expect(
      await exchange.data(trader, 'cancelFuturesOrder', { ...request, marginCoin: 'USDT' }),
    ).toEqual({
      orderId: placed.orderId,
      clientOid: 'v2-order',
    });
    const ended = { ...row, cancelReason: 'normal_cancel', status: 'canceled' };
    expect(await exchange.data(trader, 'listFuturesOrderHistory', { productType })).toEqual({
      entrustedList: [ended],
      endId: placed.orderId,
    });
    expect(await exchange.data(trader, 'listOpenFuturesOrders', { productType })).toEqual({
      entrustedList: [],
      endId: '',
    });
  });

  test('[API-32][ORD-114] unknown orders: 40109 when read, 43001 when cancelled, 40924 when not named', async () => {
    const trader = await rich();
    const unknown = { productType, symbol: 'BTCUSDT', orderId: '1000000000000099999' };
    expect(await exchange.code(trader, 'getFuturesOrder', unknown)).toBe('40109');
    expect(await exchange.code(trader, 'cancelFuturesOrder', unknown)).toBe('43001');
    expect(await exchange.code(trader, 'getFuturesOrder', { productType, symbol: 'BTCUSDT' })).toBe(
      '40924',
    );
    expect(
      await exchange.code(trader, 'cancelFuturesOrder', { productType, symbol: 'BTCUSDT' }),
    ).toBe('40924');
    const { orderId } = await exchange.data<Row>(trader, 'placeFuturesOrder', limitBuy);
    expect(
      await exchange.code(trader, 'getFuturesOrder', {
        ...unknown,
        orderId: orderId!,
        symbol: 'ETHUSDT',
      }),
    ).toBe('40109');
  });

  test.each([
    ['an unknown symbol', { symbol: 'NOSUCH' }, '40034'],
    ['a price between two steps', { price: '50000.05' }, '45115'],
    ['a size between two steps', { size: '0.00015' }, '22038'],
    ['a size of nothing', { size: '0' }, '45111'],
    ['a size above the maximum', { size: '1200.0001' }, '45112'],
    ['a price below the band', { price: '29999.9' }, '40816'],
    ['a price above the band', { price: '90000.1' }, '40815'],
    ['a limit order without a price', { price: '' }, '40019'],
    ['a market order into an empty side', { orderType: 'market' }, '40824'],
    ['a close order without a position', { reduceOnly: 'YES', side: 'sell' }, '22002'],
    ['an order beyond the free margin', { size: '100' }, '40762'],
    ['a stop-loss above the fill price', { presetStopLossPrice: '50000.1' }, '40834'],
    ['an unknown product type', { productType: 'FUTURES' }, '40020'],
  ] as const)('[API-51][API-32][REQ-36] %s', async (_title, change, code) => {
    const trader = await rich();
    expect(await exchange.code(trader, 'placeFuturesOrder', { ...limitBuy, ...change })).toBe(code);
    expect(
      (await exchange.data<Listed>(trader, 'listOpenFuturesOrders', { productType })).entrustedList,
    ).toEqual([]);
  });

  test("[API-51] an empty take-profit is none, and the order's margin mode switches a flat symbol", async () => {
    const trader = await rich();
    await exchange.data(trader, 'placeFuturesOrder', {
      ...limitBuy,
      marginMode: 'isolated',
      presetStopLossPrice: '',
      presetStopSurplusPrice: '0',
    });
    const account = { productType, symbol: 'BTCUSDT', marginCoin: 'USDT' };
    expect(await exchange.data(trader, 'getFuturesAccount', account)).toMatchObject({
      marginMode: 'isolated',
      locked: '50.3',
    });
    expect(await exchange.code(trader, 'placeFuturesOrder', limitBuy)).toBe('45117');
  });

  test('[ORD-49][ORD-64] an order that replaces others answers without an id, and is found by its clientOid', async () => {
    const trader = await rich();
    await makeMarket();
    await exchange.data(trader, 'placeFuturesOrder', {
      ...limitBuy,
      orderType: 'market',
      size: '0.1',
    });
    const close = { ...limitBuy, side: 'sell', price: '70000', size: '0.1', reduceOnly: 'YES' };
    await exchange.data(trader, 'placeFuturesOrder', { ...close, clientOid: 'older' });
    const newer = await exchange.data(trader, 'placeFuturesOrder', {
      ...close,
      price: '71000',
      clientOid: 'newer',
    });
    expect(newer).toEqual({ orderId: null, clientOid: 'newer' });
    const found = await exchange.data<Row>(trader, 'getOrder', { clientOid: 'newer' });
    expect(found).toMatchObject({ orderStatus: 'new', reduceOnly: 'YES', price: '71000' });
    expect(await exchange.data<Row>(trader, 'getOrder', { clientOid: 'older' })).toMatchObject({
      orderStatus: 'cancelled',
    });
    const [item] = await exchange.data<Row[]>(trader, 'placeBatch', [
      {
        category: productType,
        symbol: 'BTCUSDT',
        qty: '0.1',
        price: '72000',
        side: 'sell',
        orderType: 'limit',
        reduceOnly: 'yes',
        clientOid: 'newest',
      },
    ]);
    expect(item).toEqual({ orderId: null, clientOid: 'newest', code: '00000', msg: 'success' });
  });
});
