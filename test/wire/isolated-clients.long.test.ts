/** Isolated spot margin through existing clients. */
import { RestClientV2 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const DAY = 86_400_000;
const SYMBOL = 'BTCUSDT';

let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  bob = await exchange.trader({ deposits: { USDT: '10000000', BTC: '1000' } });
  await exchange.setIndex(SYMBOL, '60000');
});
afterAll(() => exchange.stop());

beforeEach(async () => {
  alice = await exchange.trader({ deposits: { USDT: '2000' } });
  const money = {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
    coin: 'USDT',
    symbol: SYMBOL,
  };
  await exchange.data(alice, 'transfer', money);
});

/** Bob places an order in the spot book. */
const offers = (side: 'buy' | 'sell', size: string, price: string) =>
  exchange.data(bob, 'placeSpotOrder', {
    symbol: SYMBOL,
    side,
    orderType: 'limit',
    force: 'gtc',
    price,
    size,
  });

describe('ccxt', () => {
  function client() {
    const made = new ccxt.bitget({
      apiKey: alice.apiKey,
      secret: alice.secretKey,
      password: alice.passphrase,
      options: { uta: false },
    });
    const urls = made.urls.api as Record<string, unknown>;
    for (const name of Object.keys(urls))
      if (typeof urls[name] === 'string') urls[name] = exchange.url;
    return made;
  }

  test('[ISO-01][ISO-02] fetchMyTrades needs no start and reads the fee', async () => {
    const bitget = client();
    await offers('sell', '0.01', '60000');
    const order = await bitget.createOrder('BTC/USDT', 'limit', 'buy', 0.01, 60000, {
      marginMode: 'isolated',
    });
    const trades = await bitget.fetchMyTrades('BTC/USDT', undefined, undefined, {
      marginMode: 'isolated',
    });
    expect(trades).toMatchObject([
      {
        order: order.id,
        side: 'buy',
        price: 60000,
        amount: 0.01,
        cost: 600,
        takerOrMaker: 'taker',
        fee: { currency: 'BTC', cost: 0.00001 },
      },
    ]);
    expect(
      await bitget.fetchMyTrades('BTC/USDT', Date.now() - DAY, 10, { marginMode: 'isolated' }),
    ).toHaveLength(1);
    await bitget.close();
  });

  test('[ISO-35] fetchIsolatedBorrowRate reads the daily rate of a loan', async () => {
    const bitget = client();
    // 0.00000125 per hour is 0.00003 per day and 0.01095 per year.
    expect(await bitget.fetchIsolatedBorrowRate('BTC/USDT')).toMatchObject({
      base: 'BTC',
      baseRate: 0.00003,
      quoteRate: 0.00003,
    });
    expect(await exchange.data(alice, 'listIsolatedRates', { symbol: SYMBOL })).toEqual([
      {
        symbol: SYMBOL,
        leverage: '10',
        baseCoin: 'BTC',
        baseTransferable: true,
        baseBorrowable: true,
        baseDailyInterestRate: '0.00003',
        baseAnnuallyInterestRate: '0.01095',
        baseMaxBorrowableAmount: '0.15',
        quoteCoin: 'USDT',
        quoteTransferable: true,
        quoteBorrowable: true,
        quoteDailyInterestRate: '0.00003',
        quoteAnnuallyInterestRate: '0.01095',
        quoteMaxBorrowableAmount: '9000',
      },
    ]);
    const stranger = await exchange.trader();
    expect(await exchange.data(stranger, 'listIsolatedRates', { symbol: SYMBOL })).toMatchObject([
      {
        baseBorrowable: false,
        quoteBorrowable: false,
        baseMaxBorrowableAmount: '0',
        quoteMaxBorrowableAmount: '0',
      },
    ]);
    expect(await exchange.code(alice, 'listIsolatedRates', { symbol: 'NOPEUSDT' })).toBe('50002');
    await bitget.close();
  });

  test('[ISO-07] several orders at once', async () => {
    const bitget = client();
    const order = {
      symbol: 'BTC/USDT',
      type: 'limit' as const,
      side: 'buy' as const,
      amount: 0.005,
      price: 50_000,
    };
    const params = { marginMode: 'isolated' };
    const placed = await bitget.createOrders([
      { ...order, params },
      { ...order, price: 51_000, params },
    ]);
    const open = () => bitget.fetchOpenOrders('BTC/USDT', undefined, undefined, params);
    expect(new Set((await open()).map(({ id }) => id))).toEqual(
      new Set(placed.map(({ id }) => id)),
    );
    await bitget.cancelOrders(
      placed.map(({ id }) => id!),
      'BTC/USDT',
      params,
    );
    expect(await open()).toEqual([]);
    await bitget.close();
  });

  test('[ISO-07][ISO-08][ISO-09] trades, borrows and transfers by its own methods', async () => {
    const bitget = client();
    await bitget.transfer('USDT', 100, 'spot', 'isolated', { symbol: 'BTC/USDT' });
    expect(await bitget.borrowIsolatedMargin('BTC/USDT', 'USDT', 400)).toMatchObject({
      currency: 'USDT',
      amount: 400,
      symbol: 'BTC/USDT',
    });
    expect(await bitget.repayIsolatedMargin('BTC/USDT', 'USDT', 100)).toMatchObject({
      amount: 100,
    });
    const order = await bitget.createOrder('BTC/USDT', 'limit', 'buy', 0.02, 50000, {
      marginMode: 'isolated',
      loanType: 'autoLoan',
    });
    const open = await bitget.fetchOpenOrders('BTC/USDT', undefined, undefined, {
      marginMode: 'isolated',
    });
    expect(open).toMatchObject([
      { id: order.id, status: 'open', amount: 0.02, filled: 0, price: 50000 },
    ]);
    await bitget.cancelOrder(order.id!, 'BTC/USDT', { marginMode: 'isolated' });
    const closed = await bitget.fetchCanceledAndClosedOrders('BTC/USDT', undefined, undefined, {
      marginMode: 'isolated',
    });
    expect(closed).toMatchObject([{ id: order.id, status: 'canceled' }]);
    const rows = (await bitget.fetchBalance({ marginMode: 'isolated' })).info as readonly {
      readonly cTime: string;
    }[];
    expect(rows).toMatchObject([
      { symbol: SYMBOL, coin: 'USDT', borrow: '300' },
      {
        symbol: SYMBOL,
        coin: 'BTC',
        totalAmount: '0',
        available: '0',
        borrow: '0',
        net: '0',
        cTime: rows[0]!.cTime,
      },
    ]);
    await expect(
      bitget.createOrder('BTC/USDT', 'limit', 'buy', 1, 60000, { marginMode: 'isolated' }),
    ).rejects.toBeInstanceOf(ccxt.InsufficientFunds);
    await bitget.close();
  });
});

describe('bitget-api', () => {
  test('[ISO-01][ISO-07][ISO-08][ISO-09][ISO-11] transfers, loans, orders and fills', async () => {
    const client = new RestClientV2({
      apiKey: alice.apiKey,
      apiSecret: alice.secretKey,
      apiPass: alice.passphrase,
      baseUrl: exchange.url,
    });
    // The client's types require fields of the answer as well.
    const loan = { symbol: SYMBOL, coin: 'USDT', borrowAmount: '1500' } as Parameters<
      typeof client.marginBorrow
    >[1] & { loanId: string };
    const repayment = { symbol: SYMBOL, coin: 'USDT', repayAmount: '1500' } as Parameters<
      typeof client.marginRepay
    >[1] & {
      repayId: string;
      remainDebtAmount: string;
    };
    const moved = await client.spotTransfer({
      fromType: 'spot',
      toType: 'isolated_margin',
      amount: '500',
      coin: 'USDT',
      symbol: SYMBOL,
    });
    expect(moved.code).toBe('00000');
    expect((await client.marginBorrow('isolated', loan)).code).toBe('00000');
    expect((await client.getMarginRiskRate('isolated')).data).toEqual([
      { symbol: SYMBOL, riskRateRatio: '0.5' },
    ]);
    await offers('sell', '0.03', '60000');
    const placed = await client.marginSubmitOrder('isolated', {
      symbol: SYMBOL,
      orderType: 'market',
      side: 'buy',
      loanType: 'normal',
      force: 'gtc',
      quoteSize: '1200',
    });
    const { data } = await client.getMarginHistoricOrderFills('isolated', {
      symbol: SYMBOL,
      startTime: String(Date.now() - 90 * DAY),
    });
    expect(data).toMatchObject({
      fills: [
        {
          orderId: placed.data.orderId,
          size: '0.02',
          amount: '1200',
          feeDetail: { feeCoin: 'BTC' },
        },
      ],
    });
    expect((await client.marginRepay('isolated', repayment)).data).toMatchObject({
      remainDebtAmount: '0',
    });
    expect((await client.getMarginAccountAssets('isolated', { coin: 'USDT' })).data).toMatchObject([
      { symbol: SYMBOL, coin: 'USDT', totalAmount: '300' },
    ]);
    const resting = await client.marginSubmitOrder('isolated', {
      symbol: SYMBOL,
      orderType: 'limit',
      price: '50000',
      side: 'buy',
      loanType: 'normal',
      force: 'post_only',
      baseSize: '0.001',
    });
    const listed = await client.getMarginOpenOrders('isolated', {
      symbol: SYMBOL,
      startTime: String(Date.now() - DAY),
    });
    expect(listed.data).toMatchObject({ orderList: [{ orderId: resting.data.orderId }] });
    expect(
      (
        await client.marginCancelOrder('isolated', {
          symbol: SYMBOL,
          orderId: resting.data.orderId,
        })
      ).code,
    ).toBe('00000');
    const history = await client.getMarginHistoricOrders('isolated', {
      symbol: SYMBOL,
      startTime: String(Date.now() - DAY),
    });
    expect((history.data as { orderList: object[] }).orderList).toHaveLength(2);
  });
});
