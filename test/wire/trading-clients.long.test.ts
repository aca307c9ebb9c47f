/**
 * Common clients load markets, trade and read the result on v2 and v3; only the address is changed.
 */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  await exchange.setIndex('ETHUSDT', '3000');
});
afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

/** The maker quotes both sides, in futures and in spot. */
async function makeMarket(): Promise<void> {
  for (const category of ['USDT-FUTURES', 'SPOT']) {
    const order = { category, symbol: 'BTCUSDT', qty: '5', orderType: 'limit' };
    await exchange.data(maker, 'placeBatch', [
      { ...order, side: 'buy', price: '59990' },
      { ...order, side: 'sell', price: '60010' },
    ]);
  }
}

const rich = (holdMode?: 'hedge_mode') =>
  exchange.trader({
    deposits: { USDT: '100000', BTC: '1' },
    ...(holdMode === undefined ? {} : { holdMode }),
  });

const SWAP = 'BTC/USDT:USDT';
const SPOT = 'BTC/USDT';

describe.each([
  ['classic', false],
  ['unified', true],
] as const)('ccxt, %s', (_, uta) => {
  test('[API-55] a limit order is placed, found, listed and cancelled', async () => {
    const client = ccxtFor(exchange, await rich(), uta);
    for (const symbol of [SWAP, SPOT]) {
      const placed = await client.createOrder(symbol, 'limit', 'buy', 0.01, 50_000);
      expect(placed.id).toMatch(/^1\d{18}$/);
      const found = await client.fetchOrder(placed.id!, symbol);
      expect(found).toMatchObject({
        id: placed.id,
        symbol,
        status: 'open',
        side: 'buy',
        price: 50_000,
        amount: 0.01,
        filled: 0,
      });
      expect((await client.fetchOpenOrders(symbol)).map(({ id }) => id)).toEqual([placed.id]);
      await client.cancelOrder(placed.id!, symbol);
      expect(await client.fetchOpenOrders(symbol)).toEqual([]);
      expect((await client.fetchOrder(placed.id!, symbol)).status).toBe('canceled');
      expect((await client.fetchCanceledAndClosedOrders(symbol)).map(({ id }) => id)).toContain(
        placed.id,
      );
    }
    await client.close();
  });

  test('[API-55] a position is opened, shown and closed', async () => {
    await makeMarket();
    const client = ccxtFor(exchange, await rich(), uta);
    const opened = await client.createOrder(SWAP, 'market', 'buy', 0.1);
    const filled = await client.fetchOrder(opened.id!, SWAP);
    expect(filled).toMatchObject({ status: 'closed', filled: 0.1, side: 'buy' });
    const [position] = await client.fetchPositions([SWAP]);
    expect(position).toMatchObject({
      symbol: SWAP,
      side: 'long',
      contracts: 0.1,
      entryPrice: 60_010,
      marginMode: 'cross',
      leverage: 10,
      hedged: false,
    });
    expect(position!.unrealizedPnl).toBe(-1);
    expect(position!.markPrice).toBe(60_000);
    const trades = await client.fetchMyTrades(SWAP);
    expect(trades).toMatchObject([
      { order: opened.id, side: 'buy', amount: 0.1, price: 60_010, takerOrMaker: 'taker' },
    ]);
    // 6,001 × 0.0006; this client reverses the sign of v2 and v3.
    expect(trades[0]!.fee).toMatchObject({ currency: 'USDT', cost: uta ? -3.6006 : 3.6006 });
    // This client sends the side in one-way mode.
    await client.closePosition(SWAP, 'buy');
    expect(await client.fetchPositions([SWAP])).toEqual([]);
    expect(await client.fetchPositionsHistory([SWAP])).toMatchObject([
      { symbol: SWAP, side: 'long', entryPrice: 60_010 },
    ]);
    await client.close();
  });

  test('[API-55] balances, tickers, books, trades, candles, funding, tiers and fees', async () => {
    await makeMarket();
    const client = ccxtFor(exchange, await rich(), uta);
    await client.createOrder(SWAP, 'market', 'buy', 0.1);
    expect((await client.fetchBalance({ type: 'swap' })).USDT).toMatchObject({
      total: expect.any(Number),
    });
    expect((await client.fetchBalance()).BTC).toMatchObject({ free: 1, total: 1 });
    expect(await client.fetchTicker(SWAP)).toMatchObject({
      symbol: SWAP,
      last: 60_010,
      bid: 59_990,
      ask: 60_010,
      markPrice: 60_000,
    });
    expect(await client.fetchTicker(SPOT)).toMatchObject({ symbol: SPOT, bid: 59_990 });
    expect(Object.keys(await client.fetchTickers([SWAP]))).toEqual([SWAP]);
    const book = await client.fetchOrderBook(SWAP, 5);
    expect([book.bids[0], book.asks[0]]).toEqual([
      [59_990, 5],
      [60_010, 4.9],
    ]);
    expect((await client.fetchOrderBook(SPOT)).asks[0]).toEqual([60_010, 5]);
    expect((await client.fetchTrades(SWAP))[0]).toMatchObject({
      symbol: SWAP,
      price: 60_010,
      side: 'buy',
    });
    expect((await client.fetchOHLCV(SWAP, '1h')).at(-1)).toEqual([
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
      expect.any(Number),
      60_010,
      expect.any(Number),
    ]);
    expect(await client.fetchFundingRate(SWAP)).toMatchObject({
      symbol: SWAP,
      fundingRate: 0.0001,
      interval: '8h',
    });
    expect((await client.fetchMarketLeverageTiers(SWAP))[0]).toMatchObject({
      tier: 1,
      maxLeverage: 125,
      maintenanceMarginRate: 0.004,
      maxNotional: 50_000,
    });
    expect(await client.fetchTradingFee(SWAP)).toMatchObject({ maker: 0.0002, taker: 0.0006 });
    expect((await client.fetchTradingFees({ type: 'swap' }))[SWAP]).toMatchObject({
      symbol: SWAP,
      maker: 0.0002,
      taker: 0.0006,
    });
    expect((await client.fetchTradingFees({ type: 'spot' }))[SPOT]).toMatchObject({
      symbol: SPOT,
      maker: 0.001,
      taker: 0.001,
    });
    expect(await client.fetchLeverage(SWAP)).toMatchObject({
      longLeverage: 10,
      marginMode: 'cross',
    });
    await client.close();
  });

  test("[API-55] refusals become the client's own errors", async () => {
    const client = ccxtFor(exchange, await exchange.trader({ deposits: { USDT: '10' } }), uta);
    await expect(client.createOrder(SWAP, 'limit', 'buy', 1, 50_000)).rejects.toBeInstanceOf(
      ccxt.InsufficientFunds,
    );
    await expect(client.createOrder(SPOT, 'limit', 'buy', 1, 50_000)).rejects.toBeInstanceOf(
      ccxt.InsufficientFunds,
    );
    if (!uta)
      await expect(client.fetchOrder('1000000000000999999', SWAP)).rejects.toBeInstanceOf(
        ccxt.OrderNotFound,
      );
    if (!uta)
      await expect(client.cancelOrder('1000000000000999999', SWAP)).rejects.toBeInstanceOf(
        ccxt.OrderNotFound,
      );
    await client.close();
  });

  test('[API-55] several orders are placed at once, and all of a symbol are cancelled', async () => {
    const client = ccxtFor(exchange, await rich(), uta);
    const order = {
      symbol: SWAP,
      type: 'limit' as const,
      side: 'buy' as const,
      amount: 0.01,
      price: 50_000,
    };
    const placed = await client.createOrders([order, { ...order, price: 51_000 }]);
    const ids = placed.map(({ id }) => id!);
    expect(ids.filter((id) => /^1\d{18}$/.test(id))).toHaveLength(2);
    await client.cancelOrders(ids.slice(0, 1), SWAP);
    expect((await client.fetchOpenOrders(SWAP)).map(({ price }) => price)).toEqual([51_000]);
    await client.cancelAllOrders(SWAP);
    expect(await client.fetchOpenOrders(SWAP)).toEqual([]);
    await client.close();
  });
});

describe('ccxt in hedge mode', () => {
  test.each([
    ['classic', false],
    ['unified', true],
  ] as const)('[API-55][ORD-19] %s: it opens both sides and closes one', async (_, uta) => {
    await makeMarket();
    const client = ccxtFor(exchange, await rich('hedge_mode'), uta);
    await client.createOrder(SWAP, 'market', 'buy', 0.1, undefined, { hedged: true });
    await client.createOrder(SWAP, 'market', 'sell', 0.2, undefined, { hedged: true });
    const sides = async () =>
      (await client.fetchPositions([SWAP]))
        .map(({ side, contracts }) => `${side} ${contracts}`)
        .sort();
    expect(await sides()).toEqual(['long 0.1', 'short 0.2']);
    await client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
      hedged: true,
      reduceOnly: true,
    });
    expect(await sides()).toEqual(['short 0.2']);
    await client.close();
  });
});

describe('bitget-api', () => {
  const keys = ({ apiKey, secretKey, passphrase }: Trader) => ({
    apiKey,
    apiSecret: secretKey,
    apiPass: passphrase,
    baseUrl: exchange.url,
  });

  test('[API-55] V3 places a batch, reads and cancels, and V2 sees the same orders', async () => {
    const trader = await rich();
    const [v3, v2] = [new RestClientV3(keys(trader)), new RestClientV2(keys(trader))];
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      qty: '0.01',
      price: '50000',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
    } as const;
    const batch = await v3.placeBatchOrders([
      { ...order, clientOid: 'sdk-1' },
      { ...order, qty: '0.00001', clientOid: 'sdk-2' },
    ] as never);
    expect(batch.data).toMatchObject([
      { clientOid: 'sdk-1', code: '00000' },
      { clientOid: 'sdk-2', code: '25610' },
    ]);
    const { orderId } = (batch.data as unknown as { orderId: string }[])[0]!;
    expect((await v3.getOrderInfo({ orderId })).data).toMatchObject({
      orderId,
      orderStatus: 'new',
    });
    const detail = await v2.getFuturesOrder({
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      orderId,
    });
    expect(detail.data).toMatchObject({ orderId, state: 'live', tradeSide: 'buy_single' });
    expect((await v3.getUnfilledOrders({ category: 'USDT-FUTURES' })).data.list).toHaveLength(1);
    expect((await v3.cancelOrder({ orderId })).data).toMatchObject({ orderId });
    expect((await v3.getHistoryOrders({ category: 'USDT-FUTURES' })).data.list).toMatchObject([
      { orderId, orderStatus: 'cancelled' },
    ]);
    await expect(v3.cancelOrder({ orderId })).rejects.toMatchObject({
      body: { code: '25204', data: null },
    });
  });

  test('[API-55] V2 opens a position, which both see, and V3 closes it', async () => {
    await makeMarket();
    const trader = await rich();
    const [v3, v2] = [new RestClientV3(keys(trader)), new RestClientV2(keys(trader))];
    const placed = await v2.futuresSubmitOrder({
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '0.1',
      side: 'buy',
      orderType: 'market',
      clientOid: 'v2-market',
    });
    expect(placed.data).toMatchObject({
      orderId: expect.stringMatching(/^1/),
      clientOid: 'v2-market',
    });
    const classic = await v2.getFuturesPositions({
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
    });
    expect(classic.data).toMatchObject([
      { symbol: 'BTCUSDT', holdSide: 'long', total: '0.1', openPriceAvg: '60010' },
    ]);
    const unified = await v3.getCurrentPosition({ category: 'USDT-FUTURES' });
    expect(unified.data).toMatchObject({
      list: [{ symbol: 'BTCUSDT', posSide: 'long', total: '0.1', avgPrice: '60010' }],
    });
    expect((await v2.getFuturesAccountAssets({ productType: 'USDT-FUTURES' })).data).toMatchObject([
      { marginCoin: 'USDT', crossedMargin: '600' },
    ]);
    expect((await v3.getTradeFills({ category: 'USDT-FUTURES' } as never)).data.list).toMatchObject(
      [{ tradeScope: 'taker', execQty: '0.1' }],
    );
    expect((await v2.getFuturesFills({ productType: 'USDT-FUTURES' })).data.fillList).toMatchObject(
      [{ baseVolume: '0.1', tradeSide: 'buy_single' }],
    );
    expect((await v3.closeAllPositions({ category: 'USDT-FUTURES' })).data).toMatchObject({
      list: [{ code: '00000' }],
    });
    expect((await v3.getCurrentPosition({ category: 'USDT-FUTURES' })).data).toEqual({ list: [] });
  });

  test('[API-55][ORD-13] a clientOid is the same order on v2 and v3', async () => {
    const trader = await rich();
    const [v3, v2] = [new RestClientV3(keys(trader)), new RestClientV2(keys(trader))];
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      qty: '0.01',
      price: '50000',
      side: 'buy',
      orderType: 'limit',
      timeInForce: 'gtc',
      clientOid: 'same',
    } as const;
    const first = await v3.submitNewOrder(order);
    expect((await v3.submitNewOrder(order)).data).toEqual(first.data);
    await expect(v3.submitNewOrder({ ...order, qty: '0.02' })).rejects.toMatchObject({
      body: { code: '40786' },
    });
    expect(
      (await v2.getFuturesOpenOrders({ productType: 'USDT-FUTURES' })).data.entrustedList,
    ).toHaveLength(1);
  });
});
