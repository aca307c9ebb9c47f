/** Modified orders on v2, also across a restart. */
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

const productType = 'USDT-FUTURES';
const pair = { productType, symbol: 'BTCUSDT' };

/** The longest clientOid of an existing order. */
const LONG_NAME = 'n'.repeat(64);
const rich = () => exchange.trader({ deposits: { USDT: '100000', BTC: '1' } });

const place = async (trader: Trader, values: object): Promise<string> =>
  (await exchange.data<Row>(trader, 'placeOrder', { ...values })).orderId!;

const shown = (trader: Trader, orderId: string) =>
  exchange.data<Row>(trader, 'getOrder', { orderId });

describe('v2', () => {
  test('[ORD-95] a new order replaces a futures order', async () => {
    const trader = await rich();
    const orderId = await place(trader, { ...future, clientOid: 'old' });
    const request = { ...pair, orderId, newSize: '0.2', newPrice: '51000', newClientOid: 'new' };
    const replacement = await exchange.data<Row>(trader, 'changeFuturesOrder', request);
    expect(replacement).toEqual({ orderId: expect.not.stringMatching(orderId), clientOid: 'new' });
    expect(await exchange.data(trader, 'changeFuturesOrder', request)).toEqual(replacement);
    expect(await exchange.code(trader, 'changeFuturesOrder', { ...request, newSize: '0.3' })).toBe(
      '40786',
    );
    expect(await shown(trader, orderId)).toMatchObject({
      orderStatus: 'cancelled',
      cancelReason: 'modify_limit_order',
      qty: '0.1',
    });
    expect(
      await exchange.data(trader, 'getFuturesOrder', { ...pair, clientOid: 'new' }),
    ).toMatchObject({
      orderId: replacement.orderId,
      size: '0.2',
      price: '51000',
      state: 'live',
    });
  });

  test('[ORD-90][ORD-95] refusals have the codes of v2', async () => {
    const trader = await rich();
    const orderId = await place(trader, future);
    const request = { ...pair, orderId, newSize: '0.2', newPrice: '51000', newClientOid: 'new' };
    const code = (values: object) =>
      exchange.code(trader, 'changeFuturesOrder', { ...request, ...values });
    expect(await code({ newPrice: undefined })).toBe('40925');
    expect(await code({ newSize: undefined })).toBe('40925');
    expect(await code({ newPrice: undefined, newSize: undefined })).toBe('40913');
    expect(await code({ newClientOid: undefined })).toBe('40019');
    expect(await code({ newClientOid: 'two words' })).toBe('40020');
    expect(await code({ newSize: '0.1', newPrice: '50000' })).toBe('40923');
    expect(await code({ newPrice: '50000.01' })).toBe('45115');
    expect(await code({ newSize: '500' })).toBe('40762');
    expect(await code({ symbol: 'ETHUSDT' })).toBe('43001');
    expect(await code({ productType: 'COIN-FUTURES', symbol: 'BTCUSD' })).toBe('43001');
    expect(await code({ marginCoin: 'BTC' })).toBe('43001');
    await place(maker, { ...future, side: 'sell', qty: '0.01' });
    expect(await code({})).toBe('40812');
    expect(await shown(trader, orderId)).toMatchObject({
      qty: '0.1',
      price: '50000',
      orderStatus: 'partially_filled',
    });
  });

  test('[ORD-100] TP/SL move with the order, are checked against its new price, and can change', async () => {
    // The last price is far above the prices that follow.
    await place(maker, { ...future, side: 'sell', price: '60000' });
    await place(await rich(), { ...future, price: '60000' });
    const trader = await rich();
    const presets = { presetStopSurplusPrice: '55000', presetStopLossPrice: '45000' };
    const order = {
      ...pair,
      marginCoin: 'USDT',
      marginMode: 'crossed',
      side: 'buy',
      orderType: 'limit',
      size: '0.1',
      price: '50000',
    };
    const { orderId: first } = await exchange.data<Row>(trader, 'placeFuturesOrder', {
      ...order,
      ...presets,
    });
    const at = (newPrice: string, newClientOid: string, more = {}) => ({
      ...pair,
      newSize: '0.1',
      newPrice,
      newClientOid,
      ...more,
    });
    expect(
      await exchange.code(trader, 'changeFuturesOrder', { ...at('55000', 'a'), orderId: first }),
    ).toBe('40830');
    expect(
      await exchange.code(trader, 'changeFuturesOrder', { ...at('45000', 'a'), orderId: first }),
    ).toBe('40834');
    const { orderId } = await exchange.data<Row>(trader, 'changeFuturesOrder', {
      ...at('54000', 'b'),
      orderId: first,
    });
    const detail = () =>
      exchange.data<Row>(trader, 'getFuturesOrder', { ...pair, orderId: orderId! });
    expect(await detail()).toMatchObject({ ...presets, price: '54000' });
    const change = (values: object) =>
      exchange.call(trader, 'changeFuturesOrder', { ...pair, orderId, ...values });
    expect((await change({ newPresetStopSurplusPrice: '53000' })).code).toBe('40830');
    expect((await change({ newPresetStopSurplusPrice: '56000' })).data).toMatchObject({ orderId });
    expect(await detail()).toMatchObject({
      presetStopSurplusPrice: '56000',
      presetStopLossPrice: '',
      state: 'live',
    });
    await place(maker, { ...future, side: 'sell', price: '54000', qty: '0.1' });
    const plans = await exchange.data<{ entrustedList: readonly Row[] }>(
      trader,
      'listPendingTriggerOrders',
      {
        productType,
        planType: 'profit_loss',
      },
    );
    expect(plans.entrustedList).toMatchObject([
      { planType: 'profit_plan', triggerPrice: '56000', size: '0.1' },
    ]);
  });

  test('[ORD-201] attached TP/SL are removed, and a new order may attach others', async () => {
    const trader = await rich();
    const orderId = await place(trader, { ...future, stopLoss: '45000' });
    const change = (values: object) =>
      exchange.call(trader, 'changeFuturesOrder', { ...pair, orderId, ...values });
    expect((await change({ newPresetStopLossPrice: '0' })).data).toMatchObject({ orderId });
    expect(await exchange.data(trader, 'getFuturesOrder', { ...pair, orderId })).toMatchObject({
      presetStopLossPrice: '',
    });
    expect((await change({ newPresetStopLossPrice: '0' })).code).toBe('40923');
    const replacement = await change({
      newSize: '0.2',
      newPrice: '50000',
      newClientOid: 'renamed',
      newPresetStopLossPrice: '46000',
    });
    expect(replacement.code).toBe('00000');
    expect(
      await exchange.data(trader, 'getFuturesOrder', { ...pair, clientOid: 'renamed' }),
    ).toMatchObject({
      size: '0.2',
      presetStopLossPrice: '46000',
    });
  });

  test('[ORD-202] new TP/SL of a partly filled order cover its whole filled size', async () => {
    const trader = await rich();
    const [orderId, bare] = [
      await place(trader, { ...future, stopLoss: '45000' }),
      await place(trader, future),
    ];
    await place(maker, { ...future, side: 'sell', qty: '0.04' });
    const code = (values: object) =>
      exchange.code(trader, 'changeFuturesOrder', { ...pair, orderId, ...values });
    expect(await code({ newPresetStopLossPrice: '50001' })).toBe('40834');
    expect(await code({ newPresetStopLossPrice: '46000' })).toBe('00000');
    expect(
      await code({
        newPresetStopLossPrice: '47000',
        newSize: '0.1',
        newPrice: '50000',
        newClientOid: 'renamed',
      }),
    ).toBe('40812');
    expect(await shown(trader, orderId)).toMatchObject({
      qty: '0.1',
      cumExecQty: '0.04',
      orderStatus: 'partially_filled',
    });
    await place(maker, { ...future, side: 'sell', qty: '0.08' });
    const { entrustedList } = await exchange.data<{ entrustedList: readonly Row[] }>(
      trader,
      'listPendingTriggerOrders',
      {
        productType,
        planType: 'profit_loss',
      },
    );
    expect(entrustedList).toMatchObject([
      { planType: 'loss_plan', triggerPrice: '46000', size: '0.1' },
    ]);
    expect(await code({ orderId: bare, newPresetStopLossPrice: '46000' })).toBe('40812');
  });

  test('[ORD-96] a new order replaces a spot order and takes over its hold', async () => {
    const trader = await rich();
    const orderId = await place(trader, coins);
    const request = {
      symbol: 'BTCUSDT',
      orderId,
      price: '40000',
      size: '0.5',
      newClientOid: 'new',
    };
    const replacement = await exchange.data<Row>(trader, 'changeSpotOrder', request);
    expect(replacement).toEqual({
      orderId: expect.not.stringMatching(orderId),
      clientOid: 'new',
      success: 'success',
      msg: null,
    });
    expect(await exchange.data(trader, 'changeSpotOrder', request)).toEqual(replacement);
    expect(await exchange.data(trader, 'listSpotAssets', { coin: 'USDT' })).toMatchObject([
      { frozen: '20000' },
    ]);
    expect(
      await exchange.data(trader, 'getSpotOrder', { orderId: replacement.orderId }),
    ).toMatchObject([{ size: '0.5', price: '40000' }]);
    expect(
      await exchange.code(trader, 'changeSpotOrder', { ...request, newClientOid: 'other' }),
    ).toBe('43001');
    expect(
      await exchange.code(trader, 'changeSpotOrder', {
        ...request,
        orderId: replacement.orderId,
        size: '50',
        newClientOid: 'x',
      }),
    ).toBe('43012');
    expect(
      await exchange.code(trader, 'changeSpotOrder', { ...request, presetStopLossPrice: '1' }),
    ).toBe('25002');
    expect(
      await exchange.code(trader, 'changeSpotOrder', { ...request, orderType: 'market' }),
    ).toBe('40020');
  });

  test('[ORD-104][ORD-203] several spot orders at once, each with its own result', async () => {
    const trader = await rich();
    const [one, two] = [
      await place(trader, coins),
      await place(trader, { ...coins, clientOid: 'two' }),
    ];
    const replacement = { symbol: 'BTCUSDT', price: '40000', size: '0.5' };
    const request = {
      orderList: [
        { ...replacement, orderId: one, newClientOid: 'new' },
        { ...replacement, orderId: one, newClientOid: 'again' },
        { ...replacement, clientOid: 'two', symbol: 'ETHUSDT' },
        { ...replacement, clientOid: 'two', size: '50' },
        { ...replacement, clientOid: 'two', price: 'dear' },
        { ...replacement, orderId: two, clientOid: LONG_NAME, price: 'dear' },
        { ...replacement, orderId: 'junk' },
        { ...replacement, orderId: two },
      ],
    };
    const rows = await exchange.data<readonly Row[]>(trader, 'changeSpotOrders', request);
    expect(rows.map(({ success }) => success === 'success')).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(rows[0]).toEqual({
      orderId: expect.not.stringMatching(one),
      clientOid: 'new',
      success: 'success',
      msg: null,
    });
    expect(rows.slice(1, 7)).toMatchObject([
      { orderId: one, msg: 'The order does not exist' },
      { orderId: '', clientOid: 'two', msg: 'The order does not exist' },
      { clientOid: 'two', msg: expect.stringContaining('balance') },
      { clientOid: 'two', msg: 'Parameter price error' },
      { orderId: two, clientOid: LONG_NAME, msg: 'Parameter price error' },
      { orderId: 'junk', msg: 'The order does not exist' },
    ]);
    expect(await exchange.data(trader, 'listSpotAssets', { coin: 'USDT' })).toMatchObject([
      { frozen: '40000' },
    ]);
    expect(await exchange.code(trader, 'changeSpotOrders', { orderList: [] })).toBe('40019');
    const many = (count: number) => ({
      orderList: Array.from({ length: count }, () => ({ ...replacement, orderId: one })),
    });
    expect(await exchange.code(trader, 'changeSpotOrders', many(50))).toBe('00000');
    expect(await exchange.code(trader, 'changeSpotOrders', many(51))).toBe('40306');
  });

  test('[ORD-101][ORD-188] cancels all futures orders of a pair, a coin or a type; none if it is late', async () => {
    const trader = await rich();
    const ids = [await place(trader, future), await place(trader, { ...future, price: '51000' })];
    const late = { requestTime: `${Date.now() - 2_000}`, receiveWindow: '1000' };
    expect(await exchange.code(trader, 'cancelAllFuturesOrders', { productType, ...late })).toBe(
      '40078',
    );
    expect(
      await exchange.code(trader, 'cancelAllFuturesOrders', {
        productType,
        receiveWindow: '60001',
      }),
    ).toBe('40053');
    const nothing = { successList: [], failureList: [] };
    expect(
      await exchange.data(trader, 'cancelAllFuturesOrders', { productType, symbol: 'ETHUSDT' }),
    ).toEqual(nothing);
    expect(
      await exchange.data(trader, 'cancelAllFuturesOrders', { productType, marginCoin: 'BTC' }),
    ).toEqual(nothing);
    const timely = { requestTime: `${Date.now()}`, receiveWindow: '60000' };
    const { successList } = await exchange.data<{ successList: Row[] }>(
      trader,
      'cancelAllFuturesOrders',
      { productType, ...timely },
    );
    expect(successList.map(({ orderId }) => orderId)).toEqual(ids);
  });
});
