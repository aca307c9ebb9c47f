/** Copy trading over HTTP with `bitget-api`: refused settings, calls and prices. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CopyExchange, productType, type Row, SYMBOL, setting } from './copy-exchange.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

let copying: CopyExchange;
let exchange: TradingExchange;
let maker: Trader;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  copying = await CopyExchange.start();
  ({ exchange, maker } = copying);
});

afterAll(() => exchange.stop());

beforeEach(async () => {
  [alice, bob] = await copying.newPeople();
});

describe('refusals', () => {
  test('[CPY-02][CPY-04][CPY-06][CPY-09][CPY-10] each kind of invalid setting has its own code', async () => {
    const settings = (items: readonly unknown[], more = {}) =>
      exchange.code(bob, 'setCopySettings', { traderId: alice.uid, settings: items, ...more });
    expect(await settings([])).toBe('40019');
    expect(
      await settings(Array.from({ length: 11 }, (_, at) => setting({ symbol: `S${at}` }))),
    ).toBe('40058');
    expect(await settings([setting(), setting()])).toBe('40020');
    expect(await settings([setting({ traceType: 'count' })], { mode: 'basic' })).toBe('40020');
    expect(await settings([setting({ stopSurplusRatio: '401' })])).toBe('43056');
    expect(await settings([setting({ stopLossRatio: '0' })])).toBe('43055');
    expect(await settings([setting()], { traderId: bob.uid })).toBe('43063');
    expect(await settings([setting()], { traderId: maker.uid })).toBe('40860');
    const oneWay = await exchange.trader();
    expect((await copying.follow(oneWay)).code).toBe('31002');
    await exchange.operate('POST', '/operator/v1/traders', {
      uid: alice.uid,
      profitShare: '0.1',
      maxFollowers: 1,
    });
    expect(await copying.follow(bob)).toMatchObject({ code: '00000', data: 'success' });
    const late = await exchange.trader({ holdMode: 'hedge_mode' });
    expect((await copying.follow(late)).code).toBe('43045');
    expect(await exchange.code(bob, 'setHoldMode', { holdMode: 'one_way_mode' })).toBe('40920');
  });

  test('[CPY-07][CPY-12] basic mode copies every symbol, and an impossible request fails', async () => {
    expect(await copying.follow(bob, {}, { mode: 'BASIC', autoCopy: 'ON' })).toMatchObject({
      data: 'success',
    });
    expect(await exchange.data(bob, 'getCopySettings', { traderId: alice.uid })).toMatchObject({
      mode: 'basic',
      autoCopy: 'on',
    });
    await exchange.operate('POST', '/operator/v1/instruments/status', {
      category: productType,
      symbol: 'XRPUSDT',
      status: 'off',
    });
    expect(await copying.follow(bob, { symbol: 'XRPUSDT' })).toMatchObject({
      code: '00000',
      data: 'fail',
    });
    await exchange.operate('POST', '/operator/v1/instruments/status', {
      category: productType,
      symbol: 'XRPUSDT',
      status: 'normal',
    });
  });

  test('[CPY-05] calls for leaders are refused for other accounts', async () => {
    expect(await exchange.code(bob, 'listLeaderTrackedOrders', { productType })).toBe('40732');
    expect(await exchange.code(bob, 'listLeaderHistory', { productType })).toBe('40732');
    expect(await exchange.code(bob, 'getProfitShares')).toBe('40732');
    expect(await exchange.code(bob, 'closeLeaderTrackedOrders', { productType })).toBe('40732');
    const tpsl = { productType, trackingNo: '1000000000000000001', stopLossPrice: '1' };
    expect(await exchange.code(bob, 'setLeaderTrackedOrderTpsl', tpsl)).toBe('40732');
  });

  test('[CPY-08][API-33] an invalid leverage or coin is reported by its place among the settings', async () => {
    expect(await copying.follow(bob, { leverType: 'specify', shortLeverage: '126' })).toMatchObject(
      {
        code: '43050',
        msg: 'Parameter settings[0].shortLeverage error: a leverage is a whole number from 1 to 125',
      },
    );
    const coin = await copying.follow(bob, { marginCoin: 'BTC' });
    expect(coin).toMatchObject({
      code: '40020',
      msg: 'Parameter settings[0].marginCoin error: USDT',
    });
  });

  test('[LIST-10] a start after the end is refused by the lists of a follower', async () => {
    for (const list of ['listFollowerTrackedOrders', 'listFollowedLeaders'] as const) {
      expect(
        await exchange.code(bob, list, {
          productType,
          startTime: '1700000000001',
          endTime: '1700000000000',
        }),
      ).toBe('40707');
      expect(
        await exchange.code(bob, list, {
          productType,
          startTime: '1700000000000',
          endTime: '1700000000000',
        }),
      ).toBe('00000');
    }
  });

  test('[CPY-27][CPY-28] take-profit and stop-loss on the wrong side, and zero sizes, are refused', async () => {
    await copying.follow(bob);
    await copying.open(alice, '0.1');
    const [copy] = await exchange.data<readonly Row[]>(bob, 'listFollowerTrackedOrders', {
      productType,
    });
    const tpsl = (prices: Row, trackingNo = copy!.trackingNo!) =>
      exchange.call(bob, 'setTrackedOrderTpsl', { trackingNo, productType, ...prices });
    expect((await tpsl({ stopSurplusPrice: '50000' })).code).toBe('31004');
    expect((await tpsl({ stopLossPrice: '50000' })).code).toBe('31005');
    expect((await tpsl({ stopLossPrice: '49000' }, '1000000000000000001')).code).toBe('43065');
    expect((await tpsl({ stopLossPrice: '49000', symbol: 'ETHUSDT' })).code).toBe('43065');
    expect((await tpsl({ stopSurplusPrice: '99999999999999999999' })).code).toBe('40020');
    expect((await tpsl({ stopLossPrice: '' })).data).toBe('success');
    expect((await tpsl({ symbol: 'btcusdt' })).data).toBe('success');
    expect((await tpsl({ stopSurplusPrice: '60000', stopLossPrice: '40000' })).data).toBe(
      'success',
    );
    expect((await tpsl({ stopSurplusPrice: '0' })).data).toBe('success');
    const [changed] = await exchange.data<readonly Row[]>(bob, 'listFollowerTrackedOrders', {
      productType,
    });
    expect(changed).toMatchObject({ presetStopSurplusPrice: '', presetStopLossPrice: '40000' });
  });

  test('[CPY-22][CPY-50] the follower and the operator see why an order was not copied', async () => {
    const poor = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10' } });
    await copying.follow(poor);
    const { orderId } = (await copying.open(alice, '0.1')) as { orderId: string };
    const { list, endId } = await exchange.data<{ list: readonly Row[]; endId: string }>(
      poor,
      'listUncopiedOrders',
      { productType },
    );
    expect(list).toMatchObject([
      {
        traderId: alice.uid,
        symbol: SYMBOL,
        posSide: 'long',
        size: '0.1',
        reason: 'insufficientMargin',
      },
    ]);
    expect(endId).toBe(list[0]!.id);
    const emitted = await exchange.operate('GET', `/operator/v1/uncopied-orders?uid=${poor.uid}`);
    const { id, time } = list[0]!;
    const order = { orderId, category: productType, symbol: SYMBOL, side: 'long', size: '0.1' };
    expect(emitted.data).toEqual([
      { id, time, uid: poor.uid, leader: alice.uid, ...order, reason: 'insufficientMargin' },
    ]);
    const records = async (query: Row) =>
      (
        await exchange.data<{ list: readonly Row[] }>(poor, 'listUncopiedOrders', {
          productType,
          ...query,
        })
      ).list;
    expect(
      await records({ symbol: SYMBOL, traderId: alice.uid, startTime: time!, endTime: time! }),
    ).toEqual(list);
    for (const other of [
      { symbol: 'ETHUSDT' },
      { traderId: maker.uid },
      { startTime: String(Number(time) + 1) },
    ])
      expect(await records(other)).toEqual([]);
    expect(await records({ endTime: String(Number(time) - 1) })).toEqual([]);
    expect(
      (await exchange.operate('GET', `/operator/v1/uncopied-orders?leader=${maker.uid}`)).data,
    ).toEqual([]);
  });
});
