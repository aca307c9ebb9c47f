/** Public books, trades and tickers over HTTP, on v2 and v3. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PublicName } from '../../src/contract/endpoints.ts';
import { futures, order, spot, v2 } from './market-figures.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
let taker: Trader;

/**
 * Two trades in futures, at 60,100 and 59,900; then a book of three levels and two. One trade in
 * spot.
 */
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  taker = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
  await exchange.data(maker, 'placeOrder', { ...futures, ...order('sell', '60100', '0.5') });
  await exchange.data(taker, 'placeOrder', { ...futures, ...order('buy', '60100', '0.5') });
  await exchange.data(maker, 'placeOrder', { ...futures, ...order('buy', '59900', '0.2') });
  await exchange.data(taker, 'placeOrder', { ...futures, ...order('sell', '59900', '0.2') });
  await exchange.data(maker, 'placeBatch', [
    { ...futures, ...order('sell', '60200', '1') },
    { ...futures, ...order('sell', '60300', '2') },
    { ...futures, ...order('sell', '60200', '0.5') },
    { ...futures, ...order('sell', '60400', '3') },
    { ...futures, ...order('buy', '59800', '4') },
    { ...futures, ...order('buy', '59700', '5') },
  ]);
  await exchange.data(maker, 'placeOrder', { ...spot, ...order('sell', '60000', '0.3') });
  await exchange.data(taker, 'placeOrder', {
    ...spot,
    category: 'MARGIN',
    ...order('buy', '60000', '0.1'),
  });
});

afterAll(() => exchange.stop());

const ask = <Data>(name: PublicName, values: Row): Promise<Data> =>
  exchange.ask<Data>(name, values);

describe('books', () => {
  const asks = [
    ['60200', '1.5'],
    ['60300', '2'],
    ['60400', '3'],
  ];
  const bids = [
    ['59800', '4'],
    ['59700', '5'],
  ];

  test('[VIEW-22][ORD-20] levels are summed, best first, in every format', async () => {
    const ts = expect.stringMatching(/^\d{13}$/);
    expect(await ask('getOrderBook', futures)).toEqual({ a: asks, b: bids, ts });
    expect(await ask('getFuturesDepth', v2)).toEqual({
      asks,
      bids,
      ts,
      scale: '0.1',
      precision: 'scale0',
      isMaxPrecision: 'NO',
    });
    expect(await ask('getFuturesDepth', { ...v2, limit: '1' })).toMatchObject({
      asks: asks.slice(0, 1),
      bids: bids.slice(0, 1),
    });
    expect(
      await ask('getFuturesDepth', { ...v2, limit: 'max', precision: 'scale0' }),
    ).toMatchObject({ asks, bids });
    expect(await ask('getSpotOrderBook', { symbol: 'BTCUSDT' })).toEqual({
      asks: [['60000', '0.2']],
      bids: [],
      ts,
    });
    expect(await ask('getOrderBook', { ...spot, category: 'MARGIN' })).toMatchObject({
      a: [['60000', '0.2']],
    });
    expect(await ask('getFuturesDepth', { ...v2, limit: '2' })).toMatchObject({
      asks: asks.slice(0, 2),
      bids,
    });
    expect(await exchange.code(maker, 'getFuturesDepth', { ...v2, limit: '200' })).toBe('00000');
    for (const limit of ['201', '0', 'all'])
      expect(await exchange.code(maker, 'getFuturesDepth', { ...v2, limit })).toBe('40053');
    expect(await exchange.code(maker, 'getOrderBook', { ...futures, limit: '201' })).toBe('40053');
  });

  test('[VIEW-44][VIEW-156] prices merge by 10, 100 and 1,000 steps, away from the other side', async () => {
    const placed = [
      await exchange.data<Row>(maker, 'placeOrder', {
        ...futures,
        ...order('sell', '60250.1', '1'),
      }),
      await exchange.data<Row>(maker, 'placeOrder', {
        ...futures,
        ...order('buy', '59749.9', '1'),
      }),
    ];
    const merged = (
      scale: string,
      precision: string,
      ask: string[],
      bid: string[],
      isMaxPrecision = 'NO',
    ) => ({
      asks: expect.arrayContaining([ask]),
      bids: expect.arrayContaining([bid]),
      scale,
      precision,
      isMaxPrecision,
    });
    const at = (precision: string): Promise<Row> => ask('getFuturesDepth', { ...v2, precision });
    expect(await at('scale0')).toMatchObject(
      merged('0.1', 'scale0', ['60250.1', '1'], ['59749.9', '1']),
    );
    expect(await at('scale1')).toMatchObject(merged('1', 'scale1', ['60251', '1'], ['59749', '1']));
    expect(await at('scale2')).toMatchObject(
      merged('10', 'scale2', ['60260', '1'], ['59740', '1']),
    );
    expect(await at('scale3')).toMatchObject(
      merged('100', 'scale3', ['60300', '3'], ['59700', '6'], 'YES'),
    );
    expect(await ask('getFuturesDepth', { ...v2, precision: 'scale3', limit: '1' })).toMatchObject({
      asks: [['60200', '1.5']],
      bids: [['59800', '4']],
    });
    expect(await exchange.code(maker, 'getFuturesDepth', { ...v2, precision: 'scale4' })).toBe(
      '40020',
    );
    for (const { orderId } of placed)
      await exchange.data(maker, 'cancelOrder', { orderId: orderId! });
    expect(await at('scale3')).toMatchObject(
      merged('100', 'scale3', ['60300', '2'], ['59700', '5'], 'YES'),
    );
  });

  test('[VIEW-22] a cancelled or filled order leaves its level', async () => {
    const placed = await exchange.data<Row>(maker, 'placeOrder', {
      ...futures,
      ...order('sell', '60200', '0.1'),
    });
    expect(await ask('getOrderBook', { ...futures, limit: '1' })).toMatchObject({
      a: [['60200', '1.6']],
    });
    await exchange.data(maker, 'cancelOrder', { orderId: placed.orderId! });
    expect(await ask('getOrderBook', { ...futures, limit: '1' })).toMatchObject({
      a: [['60200', '1.5']],
    });
  });

  test('[VIEW-03][VIEW-22] books are the same after a restart', async () => {
    await exchange.restart();
    expect(await ask('getOrderBook', futures)).toMatchObject({ a: asks, b: bids });
    expect(await ask<Row[]>('listTrades', futures)).toHaveLength(2);
  });
});

describe('trades and tickers', () => {
  test('[VIEW-23] the latest trades are listed newest first', async () => {
    const trades = await ask<Row[]>('listTrades', futures);
    expect(trades.map(({ price, size, side, isRPI }) => [price, size, side, isRPI])).toEqual([
      ['59900', '0.2', 'sell', 'no'],
      ['60100', '0.5', 'buy', 'no'],
    ]);
    const classic = await ask<Row[]>('listFuturesTrades', v2);
    expect(classic.map(({ price, side, symbol }) => [price, side, symbol])).toEqual([
      ['59900', 'Sell', 'BTCUSDT'],
      ['60100', 'Buy', 'BTCUSDT'],
    ]);
    expect(classic.map(({ tradeId }) => tradeId)).toEqual(trades.map(({ execId }) => execId));
    expect(
      await ask<Row[]>('listFuturesTrades', { ...v2, idLessThan: classic[0]!.tradeId! }),
    ).toEqual([classic[1]]);
    expect(await ask<Row[]>('listFuturesTrades', { ...v2, limit: '1' })).toEqual([classic[0]]);
    expect(await ask<Row[]>('listSpotTrades', { symbol: 'BTCUSDT' })).toMatchObject([
      { price: '60000', size: '0.1', side: 'buy' },
    ]);
  });

  test('[VIEW-23] trades are listed from and to a time', async () => {
    for (const [name, request] of [
      ['listFuturesTrades', v2],
      ['listSpotTrades', { symbol: 'BTCUSDT' }],
    ] as const) {
      const all = await ask<Row[]>(name, request);
      const [newest, oldest] = [Number(all[0]!.ts), Number(all.at(-1)!.ts)];
      expect(
        await ask<Row[]>(name, { ...request, startTime: `${oldest}`, endTime: `${newest}` }),
      ).toEqual(all);
      expect(await ask<Row[]>(name, { ...request, startTime: `${newest + 1}` })).toEqual([]);
      expect(await ask<Row[]>(name, { ...request, endTime: `${oldest - 1}` })).toEqual([]);
    }
  });

  test('[LIST-10] trades and candles accept a start at the end and refuse a later one', async () => {
    const classic = { ...v2, granularity: '1m' };
    const lists: readonly (readonly [PublicName, Row])[] = [
      ['listFuturesTrades', v2],
      ['listSpotTrades', { symbol: 'BTCUSDT' }],
      ['listFuturesCandles', classic],
      ['listFuturesCandles', { ...classic, kLineType: 'MARK' }],
      ['listMarkCandles', classic],
      ['listIndexCandles', classic],
      ['listSpotCandles', { symbol: 'BTCUSDT', granularity: '1min' }],
      ['listCandles', { ...futures, interval: '1m' }],
      ['listCandles', { ...futures, interval: '1m', type: 'INDEX' }],
    ];
    for (const [name, request] of lists) {
      expect(
        await exchange.code(maker, name, { ...request, startTime: '2000', endTime: '1999' }),
      ).toBe('40707');
      expect(
        await exchange.code(maker, name, { ...request, startTime: '2000', endTime: '2000' }),
      ).toBe('00000');
    }
  });

  test('[VIEW-72] candles from a start after now are an empty list, also with an earlier end', async () => {
    const { serverTime } = await exchange.ask<{ readonly serverTime: string }>('getServerTime');
    const now = Number(serverTime);
    const classic = { ...v2, granularity: '1m' };
    const lists: readonly (readonly [PublicName, Row])[] = [
      ['listFuturesCandles', classic],
      ['listFuturesCandles', { ...classic, kLineType: 'MARK' }],
      ['listMarkCandles', classic],
      ['listIndexCandles', classic],
      ['listSpotCandles', { symbol: 'BTCUSDT', granularity: '1min' }],
      ['listCandles', { ...futures, interval: '1m' }],
      ['listCandles', { ...futures, interval: '1m', type: 'INDEX' }],
    ];
    for (const [name, request] of lists) {
      const later = { ...request, startTime: String(now + 3_600_000), endTime: String(now) };
      expect(await exchange.ask(name, later)).toEqual([]);
      const past = { ...request, startTime: String(now - 1), endTime: String(now - 2) };
      expect(await exchange.code(maker, name, past)).toBe('40707');
    }
  });

  test('[VIEW-08][VIEW-154] tickers show the last 24 hours', async () => {
    // 0.5 × 60,100 + 0.2 × 59,900 = 42,030; from 60,100 to 59,900 is −200 / 60,100 = −0.003327787…
    const [ticker] = await ask<Row[]>('getFuturesTicker', v2);
    expect(ticker).toMatchObject({
      symbol: 'BTCUSDT',
      lastPr: '59900',
      bidPr: '59800',
      askPr: '60200',
      bidSz: '4',
      askSz: '1.5',
      high24h: '60100',
      low24h: '59900',
      open24h: '60100',
      openUtc: '60100',
      change24h: '-0.003327787',
      baseVolume: '0.7',
      quoteVolume: '42030',
      usdtVolume: '42030',
      indexPrice: '60000',
      markPrice: '60000',
      // The taker is long 0.3 after the second sale of 0.2.
      holdingAmount: '0.3',
    });
    const [unified] = await ask<Row[]>('listTickers', futures);
    expect(unified).toMatchObject({
      category: 'USDT-FUTURES',
      lastPrice: '59900',
      openPrice24h: '60100',
      highPrice24h: '60100',
      lowPrice24h: '59900',
      bid1Price: '59800',
      ask1Price: '60200',
      bid1Size: '4',
      ask1Size: '1.5',
      price24hPcnt: '-0.003327787',
      volume24h: '0.7',
      turnover24h: '42030',
      markPrice: '60000',
      openInterest: '0.3',
    });
    expect(await ask('getOpenInterest', futures)).toMatchObject({
      list: [{ symbol: 'BTCUSDT', openInterest: '0.3' }],
    });
    expect(await ask('getFuturesPrices', v2)).toMatchObject([
      { price: '59900', indexPrice: '60000', markPrice: '60000' },
    ]);
    const [spotTicker] = await ask<Row[]>('listSpotTickers', { symbol: 'BTCUSDT' });
    expect(spotTicker).toMatchObject({
      lastPr: '60000',
      askPr: '60000',
      bidPr: '',
      baseVolume: '0.1',
      quoteVolume: '6000',
      change24h: '0',
    });
    expect(await ask<Row[]>('listTickers', spot)).not.toMatchObject([
      { markPrice: expect.any(String) },
    ]);
  });

  test('[VIEW-08] a market without trades shows its index, and one without an index shows nothing', async () => {
    const [eth] = await ask<Row[]>('getFuturesTicker', { ...v2, symbol: 'ETHUSDT' });
    expect(eth).toMatchObject({
      lastPr: '3000',
      open24h: '3000',
      high24h: '3000',
      change24h: '0',
      baseVolume: '0',
      askPr: '',
      bidSz: '0',
    });
    const [xrp] = await ask<Row[]>('listTickers', { ...futures, symbol: 'XRPUSDT' });
    expect(xrp).toMatchObject({ lastPrice: '', indexPrice: '', markPrice: '', price24hPcnt: '0' });
    expect(
      (await ask<Row[]>('listFuturesTickers', { productType: 'USDT-FUTURES' })).map(
        ({ symbol }) => symbol,
      ),
    ).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT']);
    expect(await exchange.code(maker, 'getFuturesTicker', { ...v2, symbol: 'NOSUCH' })).toBe(
      '40034',
    );
    expect(await exchange.code(maker, 'listTickers', { ...futures, symbol: 'NOSUCH' })).toBe(
      '25100',
    );
  });
});

test('[VIEW-157] bids below one merged step are at one step of the symbol, and never at 0', async () => {
  const ripple = { productType: 'USDT-FUTURES', symbol: 'XRPUSDT', precision: 'scale3' };
  const place = (side: string, price: string, qty: string): Promise<Row> =>
    exchange.data<Row>(maker, 'placeOrder', {
      category: 'USDT-FUTURES',
      symbol: 'XRPUSDT',
      ...order(side, price, qty),
    });
  await exchange.setIndex('XRPUSDT', '0.08', '0.08');
  await place('sell', '0.1101', '3');
  await place('buy', '0.0999', '5');
  await place('buy', '0.0412', '7');
  expect(await ask('getFuturesDepth', ripple)).toMatchObject({
    asks: [['0.2', '3']],
    bids: [['0.0001', '12']],
    scale: '0.1',
  });
  await place('buy', '0.1', '2');
  const bids = [
    ['0.1', '2'],
    ['0.0001', '12'],
  ];
  expect(await ask('getFuturesDepth', ripple)).toMatchObject({ bids });
  expect(await ask('getFuturesDepth', { ...ripple, limit: '1' })).toMatchObject({
    bids: bids.slice(0, 1),
  });
});
