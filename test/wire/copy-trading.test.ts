/** Copy trading over HTTP, as `bitget-api` speaks it: follow, lead, watch, close, and read it all again after a restart. */
import { RestClientV2 } from 'bitget-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const SYMBOL = 'BTCUSDT';
const productType = 'USDT-FUTURES' as const;
const MINUTE = 60_000;

let exchange: TradingExchange;
let maker: Trader;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000' } });
  await exchange.setIndex(SYMBOL, '50000');
});
afterAll(() => exchange.stop());

beforeEach(async () => {
  await exchange.clearBooks();
  alice = await leader();
  bob = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
  await quote('50000');
});

async function leader(profitShare = '0.1'): Promise<Trader> {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  await exchange.operate('POST', '/operator/v1/traders', { uid: trader.uid, profitShare });
  return trader;
}

const clientOf = ({ apiKey, secretKey, passphrase }: Trader): RestClientV2 =>
  new RestClientV2({ apiKey, apiSecret: secretKey, apiPass: passphrase, baseUrl: exchange.url });

/** The maker buys and sells a lot around a price. */
async function quote(price: string): Promise<void> {
  await exchange.setIndex(SYMBOL, price, price);
  await exchange.data(maker, 'cancelSymbolOrders', { category: productType });
  for (const [side, at] of [
    ['sell', price],
    ['buy', String(Number(price) - 1)],
  ] as const)
    await exchange.data(maker, 'placeOrder', { category: productType, symbol: SYMBOL, side, orderType: 'limit', price: at, qty: '100' });
}

const setting = (wish: Readonly<Record<string, string>> = {}) => ({
  symbol: SYMBOL,
  productType,
  marginType: 'trader' as const,
  leverType: 'trader' as const,
  traceType: 'percent' as const,
  traceValue: '1',
  ...wish,
});

const follow = (trader: Trader, wish: Readonly<Record<string, string>> = {}, more: Readonly<Record<string, unknown>> = {}) =>
  exchange.call(trader, 'setCopySettings', { traderId: alice.uid, settings: [setting(wish)], ...more });

const open = (trader: Trader, qty: string, posSide: 'long' | 'short' = 'long') =>
  exchange.data(trader, 'placeOrder', {
    category: productType,
    symbol: SYMBOL,
    side: posSide === 'long' ? 'buy' : 'sell',
    posSide,
    orderType: 'market',
    qty,
  });

const close = (trader: Trader, qty: string) =>
  exchange.data(trader, 'placeOrder', { category: productType, symbol: SYMBOL, side: 'sell', posSide: 'long', orderType: 'market', qty });

type Row = Readonly<Record<string, string>>;
const history = async (trader: Trader, query: Readonly<Record<string, string>> = {}) =>
  exchange.data<{ trackingList: readonly Row[]; endId: string }>(trader, 'listFollowerHistory', { productType, ...query });

describe('bitget-api', () => {
  test('[CPY-33][CPY-36][CPY-38] a follower sees what his leader does, on both sides, to its end', async () => {
    const [trader, follower] = [clientOf(alice), clientOf(bob)];
    const followed = await follower.updateFuturesFollowerSettings({
      traderId: alice.uid,
      settings: [setting({ traceValue: '0.2', stopSurplusRatio: '40' }) as never],
    });
    expect(followed.data).toBe('success');
    await trader.futuresSubmitOrder({
      symbol: SYMBOL,
      productType,
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '0.5',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'market',
    });
    const [original] = (await trader.getFuturesTraderCurrentOrder({ productType })).data.trackingList;
    expect(original).toMatchObject({
      symbol: SYMBOL,
      posSide: 'long',
      openLeverage: '10',
      openPriceAvg: '50000',
      openSize: '0.5',
      presetStopSurplusPrice: '',
      presetStopLossPrice: '',
      openFee: '-15',
      followCount: '1',
    });
    const [copy] = (await follower.getFuturesFollowerCurrentOrders({ productType })).data;
    expect(copy).toMatchObject({ traderId: alice.uid, openAvgPrice: '50000', openSize: '0.1', openMarginSz: '500', closeSize: '0' });

    const set = await follower.updateFuturesFollowerTPSL({ trackingNo: copy!.trackingNo, productType, stopLossPrice: '45000' });
    expect(set.data).toBe('success');
    const [changed] = (await follower.getFuturesFollowerCurrentOrders({ productType })).data as unknown as Row[];
    expect(changed).toMatchObject({ presetStopSurplusPrice: '52000', presetStopLossPrice: '45000' });

    await quote('51001');
    const closed = await trader.closeFuturesTraderOrder({ trackingNo: original!.trackingNo, symbol: SYMBOL, productType });
    expect(closed.data).toEqual([{ trackingNo: original!.trackingNo, symbol: SYMBOL, productType }]);
    const [ended] = (await follower.getFuturesFollowerHistoryOrders({ productType })).data.trackingList;
    // Sold at 51,000: profit 100, fees 3 and 3.06, a tenth of 93.94 shared, on a margin of 500.
    expect(ended).toMatchObject({
      trackingNo: copy!.trackingNo,
      traderId: alice.uid,
      openOrderId: copy!.openOrderId,
      productType,
      symbol: SYMBOL,
      posSide: 'long',
      openLeverage: '10',
      openPriceAvg: '50000',
      openSize: '0.1',
      closePriceAvg: '51000',
      closeSize: '0.1',
      openFee: '-3',
      closeFee: '-3.06',
      achievedPL: '100',
      profitRate: '0.2',
      netProfit: '84.546',
    });
    const shares = (await trader.getFuturesTraderProfitHistory()).data;
    expect(shares.profitSummary).toMatchObject({ sumProfit: '9.394', yesterdayProfit: '0', waitProfit: '0' });
    expect(shares.profitHistoryList).toMatchObject([{ coin: 'USDT', profitCount: '9.394' }]);
    const [own] = (await trader.getFuturesTraderHistoryOrders({ productType })).data.trackingList;
    expect(own).toMatchObject({ trackingNo: original!.trackingNo, openSize: '0.5', achievedPL: '500', stopType: 'normal' });
  });

  test('[CPY-44][CPY-47][CPY-48] whom one follows, how, and no longer', async () => {
    const follower = clientOf(bob);
    await follow(bob, { traceType: 'count', traceValue: '0.1', leverType: 'specify', longLeverage: '7', maxHoldSize: '3' });
    expect((await follower.getFuturesFollowerSettings({ traderId: alice.uid })).data).toMatchObject({
      followerEnable: 'YES',
      detailList: [{ symbol: SYMBOL, leverType: 'specify', longLeverage: '7', traceType: 'count', traceValue: '0.1', maxHoldSize: '3' }],
    });
    await open(alice, '0.5');
    await quote('51001');
    await close(alice, '0.5');
    const [traders] = [(await follower.getFuturesFollowerTraders({})).data];
    // 5,000 at seven times.
    expect(traders).toMatchObject([
      {
        traderId: alice.uid,
        followCount: '1',
        traceTotalProfit: '100',
        traceTotalNetProfit: '84.546',
        traceTotalMarginAmount: '714.2857142858',
      },
    ]);
    expect((await follower.unfollowFuturesTrader({ traderId: alice.uid })).data).toBe('success');
    expect((await follower.getFuturesFollowerTraders({})).data).toEqual([]);
    expect((await follower.getFuturesFollowerSettings({ traderId: alice.uid })).data.followerEnable).toBe('NO');
    expect(await exchange.code(bob, 'unfollowLeader', { traderId: alice.uid })).toBe('43062');

    await follow(bob);
    expect((await follower.getFuturesFollowerTraders({})).data).toMatchObject([
      { traderId: alice.uid, traceTotalProfit: '0', traceTotalNetProfit: '0', traceTotalMarginAmount: '0' },
    ]);
  });

  test('[CPY-18] settings that allow more orders than anybody can have open, as clients send them', async () => {
    expect(await follow(bob, { maxHoldSize: '5000' })).toMatchObject({ code: '00000', data: 'success' });
    const { data: shown } = await clientOf(bob).getFuturesFollowerSettings({ traderId: alice.uid });
    expect(shown.detailList).toMatchObject([{ maxHoldSize: '5000' }]);
    for (const maxHoldSize of ['0', '1000000000']) expect(await follow(bob, { maxHoldSize })).toMatchObject({ code: '40053' });
  });

  test('[CPY-39][CPY-40] follow limits of a symbol', async () => {
    const limits = await clientOf(bob).getFuturesFollowerFollowLimit({ symbol: SYMBOL, productType });
    expect(limits.data).toEqual([{ symbol: SYMBOL, maxFollowSize: '1200', minFollowSize: '0.0001' }]);
    expect((await exchange.data<readonly Row[]>(bob, 'listFollowLimits', { productType })).length).toBeGreaterThan(3);
    expect(await exchange.code(bob, 'listFollowLimits', {})).toBe('40019');
  });

  test('[CPY-40] follow limits beyond what a market order may be are not promised', async () => {
    const path = `/operator/v1/instruments?category=${productType}&symbol=XRPUSDT`;
    const [{ status: _status, ...listed }] = (await exchange.operate('GET', path)).data as [Row];
    const wider = { ...listed, sizeMin: '10', marketSizeMax: '5000', followSizeMin: '1', followSizeMax: '100000' };
    await exchange.operate('POST', '/operator/v1/instruments', wider);
    expect(await exchange.data(bob, 'listFollowLimits', { productType, symbol: 'XRPUSDT' })).toEqual([
      { symbol: 'XRPUSDT', maxFollowSize: '5000', minFollowSize: '10' },
    ]);
    await exchange.operate('POST', '/operator/v1/instruments', listed);
  });

  test('[CPY-49] a follower closes his copies', async () => {
    await follow(bob);
    await open(alice, '0.1');
    await open(alice, '0.2');
    const follower = clientOf(bob);
    const [newer, older] = (await follower.getFuturesFollowerCurrentOrders({ productType })).data;
    const one = await follower.closeFuturesFollowerPositions({ productType, trackingNo: older!.trackingNo });
    expect(one.data.orderIdList).toHaveLength(1);
    const left = (await follower.getFuturesFollowerCurrentOrders({ productType })).data;
    expect(left.map(({ trackingNo }) => trackingNo)).toEqual([newer!.trackingNo]);
    await follower.closeFuturesFollowerPositions({ productType, symbol: SYMBOL, marginMode: 'cross', holdSide: 'long' });
    expect((await follower.getFuturesFollowerCurrentOrders({ productType })).data).toEqual([]);
    expect(await exchange.code(bob, 'closeFollowerTrackedOrders', { productType })).toBe('22002');
    expect((await history(bob)).trackingList).toHaveLength(2);
  });
});

describe('refusals', () => {
  test('[CPY-02][CPY-04][CPY-06][CPY-09][CPY-10] settings that cannot be kept to are told by their own codes', async () => {
    const settings = (items: readonly unknown[], more = {}) =>
      exchange.code(bob, 'setCopySettings', { traderId: alice.uid, settings: items, ...more });
    expect(await settings([])).toBe('40019');
    expect(await settings(Array.from({ length: 11 }, (_, at) => setting({ symbol: `S${at}` })))).toBe('40058');
    expect(await settings([setting(), setting()])).toBe('40020');
    expect(await settings([setting({ traceType: 'count' })], { mode: 'basic' })).toBe('40020');
    expect(await settings([setting({ stopSurplusRatio: '401' })])).toBe('43056');
    expect(await settings([setting({ stopLossRatio: '0' })])).toBe('43055');
    expect(await settings([setting()], { traderId: bob.uid })).toBe('43063');
    expect(await settings([setting()], { traderId: maker.uid })).toBe('40860');
    const oneWay = await exchange.trader();
    expect((await follow(oneWay)).code).toBe('31002');
    await exchange.operate('POST', '/operator/v1/traders', { uid: alice.uid, profitShare: '0.1', maxFollowers: 1 });
    expect(await follow(bob)).toMatchObject({ code: '00000', data: 'success' });
    const late = await exchange.trader({ holdMode: 'hedge_mode' });
    expect((await follow(late)).code).toBe('43045');
    expect(await exchange.code(bob, 'setHoldMode', { holdMode: 'one_way_mode' })).toBe('40920');
  });

  test('[CPY-07][CPY-12] basic mode copies every symbol, and what cannot be done now fails', async () => {
    expect(await follow(bob, {}, { mode: 'BASIC', autoCopy: 'ON' })).toMatchObject({ data: 'success' });
    expect(await exchange.data(bob, 'getCopySettings', { traderId: alice.uid })).toMatchObject({ mode: 'basic', autoCopy: 'on' });
    await exchange.operate('POST', '/operator/v1/instruments/status', { category: productType, symbol: 'XRPUSDT', status: 'off' });
    expect(await follow(bob, { symbol: 'XRPUSDT' })).toMatchObject({ code: '00000', data: 'fail' });
    await exchange.operate('POST', '/operator/v1/instruments/status', { category: productType, symbol: 'XRPUSDT', status: 'normal' });
  });

  test('[CPY-05] calls for leaders from anybody else', async () => {
    expect(await exchange.code(bob, 'listLeaderTrackedOrders', { productType })).toBe('40732');
    expect(await exchange.code(bob, 'listLeaderHistory', { productType })).toBe('40732');
    expect(await exchange.code(bob, 'getProfitShares')).toBe('40732');
    expect(await exchange.code(bob, 'closeLeaderTrackedOrders', { productType })).toBe('40732');
    const tpsl = { productType, trackingNo: '1000000000000000001', stopLossPrice: '1' };
    expect(await exchange.code(bob, 'setLeaderTrackedOrderTpsl', tpsl)).toBe('40732');
  });

  test('[LIST-10] a start after the end is refused by the lists of a follower', async () => {
    for (const list of ['listFollowerTrackedOrders', 'listFollowedLeaders'] as const) {
      expect(await exchange.code(bob, list, { productType, startTime: '1700000000001', endTime: '1700000000000' })).toBe('40707');
      expect(await exchange.code(bob, list, { productType, startTime: '1700000000000', endTime: '1700000000000' })).toBe('00000');
    }
  });

  test('[CPY-27][CPY-28] prices on the wrong side, and numbers of nothing', async () => {
    await follow(bob);
    await open(alice, '0.1');
    const [copy] = await exchange.data<readonly Row[]>(bob, 'listFollowerTrackedOrders', { productType });
    const tpsl = (prices: Row, trackingNo = copy!.trackingNo!) =>
      exchange.call(bob, 'setTrackedOrderTpsl', { trackingNo, productType, ...prices });
    expect((await tpsl({ stopSurplusPrice: '50000' })).code).toBe('31004');
    expect((await tpsl({ stopLossPrice: '50000' })).code).toBe('31005');
    expect((await tpsl({ stopLossPrice: '49000' }, '1000000000000000001')).code).toBe('43065');
    expect((await tpsl({ stopLossPrice: '49000', symbol: 'ETHUSDT' })).code).toBe('43065');
    expect((await tpsl({ stopSurplusPrice: '99999999999999999999' })).code).toBe('40020');
    expect((await tpsl({ stopLossPrice: '' })).data).toBe('success');
    expect((await tpsl({ symbol: 'btcusdt' })).data).toBe('success');
    expect((await tpsl({ stopSurplusPrice: '60000', stopLossPrice: '40000' })).data).toBe('success');
    expect((await tpsl({ stopSurplusPrice: '0' })).data).toBe('success');
    const [changed] = await exchange.data<readonly Row[]>(bob, 'listFollowerTrackedOrders', { productType });
    expect(changed).toMatchObject({ presetStopSurplusPrice: '', presetStopLossPrice: '40000' });
  });

  test('[CPY-22][CPY-50] what was not copied is told to the follower and to the operator', async () => {
    const poor = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10' } });
    await follow(poor);
    const { orderId } = (await open(alice, '0.1')) as { orderId: string };
    const { list, endId } = await exchange.data<{ list: readonly Row[]; endId: string }>(poor, 'listUncopiedOrders', { productType });
    expect(list).toMatchObject([{ traderId: alice.uid, symbol: SYMBOL, posSide: 'long', size: '0.1', reason: 'insufficientMargin' }]);
    expect(endId).toBe(list[0]!.id);
    const told = await exchange.operate('GET', `/operator/v1/uncopied-orders?uid=${poor.uid}`);
    expect(told.data).toMatchObject([{ uid: poor.uid, leader: alice.uid, orderId, reason: 'insufficientMargin' }]);
    expect((await exchange.operate('GET', `/operator/v1/uncopied-orders?leader=${maker.uid}`)).data).toEqual([]);
  });
});

describe('lists', () => {
  test('[CPY-31] history page by page in both directions, filtered, and the same after a restart', async () => {
    await follow(bob);
    for (let count = 0; count < 5; count++) {
      await open(alice, '0.1');
      await close(alice, '0.1');
    }
    const all = (await history(bob)).trackingList.map(({ trackingNo }) => trackingNo);
    expect(all).toHaveLength(5);
    const older: (string | undefined)[] = [];
    for (let endId = ''; ; ) {
      const page = await history(bob, { limit: '2', ...(endId === '' ? {} : { idLessThan: endId }) });
      if (page.endId === '') break;
      older.push(...page.trackingList.map(({ trackingNo }) => trackingNo));
      endId = page.endId;
    }
    expect(older).toEqual(all);
    const newer: (string | undefined)[] = [];
    for (let endId = all[4]!; ; ) {
      const page = await history(bob, { limit: '2', idGreaterThan: endId });
      if (page.endId === '') break;
      newer.unshift(...page.trackingList.map(({ trackingNo }) => trackingNo));
      endId = page.endId;
    }
    expect(newer).toEqual(all.slice(0, 4));
    expect((await history(bob, { traderId: maker.uid })).trackingList).toEqual([]);
    expect((await history(bob, { traderId: alice.uid, symbol: SYMBOL })).trackingList).toHaveLength(5);
    expect((await history(bob, { symbol: 'btcusdt' })).trackingList).toEqual([]);
    expect(await exchange.code(bob, 'listFollowerHistory', { productType, limit: '101' })).toBe('40053');
    expect(await exchange.code(bob, 'listFollowerHistory', { productType, startTime: '1', endTime: String(91 * 86_400_000) })).toBe(
      '40705',
    );
    const before = await history(bob);
    await exchange.restart();
    expect(await history(bob)).toEqual(before);
  });

  test('[CPY-34][CPY-35][CPY-37] open tracked orders of a leader', async () => {
    const carl = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    for (const trader of [bob, carl]) await follow(trader);
    await open(alice, '0.1');
    await open(alice, '0.2', 'short');
    const current = (query: Readonly<Record<string, string>> = {}) =>
      exchange.data<{ trackingList: readonly Row[]; endId: string }>(alice, 'listLeaderTrackedOrders', { productType, ...query });
    const [newest, oldest] = (await current({ symbol: 'btcusdt' })).trackingList;
    expect([newest!.openSize, newest!.followCount, oldest!.followCount]).toEqual(['0.2', '2', '2']);
    await exchange.data(carl, 'closeFollowerTrackedOrders', { productType });
    expect((await current()).trackingList.map(({ followCount }) => followCount)).toEqual(['1', '1']);
    const first = await current({ limit: '1' });
    expect([first.trackingList[0]!.trackingNo, first.endId]).toEqual([newest!.trackingNo, newest!.trackingNo]);
    expect((await current({ limit: '1', idLessThan: first.endId })).trackingList).toMatchObject([{ trackingNo: oldest!.trackingNo }]);
    expect((await current({ idGreaterThan: oldest!.trackingNo! })).trackingList).toMatchObject([{ trackingNo: newest!.trackingNo }]);
    // A start within the minute of the opening is rounded down to before it, an end as well.
    const minute = Math.floor(Number(oldest!.openTime) / MINUTE) * MINUTE;
    expect((await current({ startTime: String(minute + MINUTE - 1) })).trackingList.length).toBeGreaterThan(0);
    expect((await current({ endTime: String(minute - 1) })).trackingList).toEqual([]);
    const window = { productType, startTime: String(minute + 1), endTime: String(minute) };
    expect(await exchange.code(alice, 'listLeaderTrackedOrders', window)).toBe('40707');
    expect(await exchange.code(alice, 'listLeaderTrackedOrders', { ...window, endTime: window.startTime })).toBe('00000');
    expect(await exchange.code(alice, 'listLeaderTrackedOrders', { productType, limit: '51' })).toBe('40053');
  });

  test('[CPY-34][CPY-44] what a leader still has of a leader that he followed before is no order of his own', async () => {
    await follow(bob);
    await open(alice, '0.1');
    await exchange.data(bob, 'unfollowLeader', { traderId: alice.uid });
    await exchange.operate('POST', '/operator/v1/traders', { uid: bob.uid, profitShare: '0.1' });
    await open(bob, '0.2');
    const own = await exchange.data<{ trackingList: readonly Row[] }>(bob, 'listLeaderTrackedOrders', { productType });
    expect(own.trackingList.map(({ openSize }) => openSize)).toEqual(['0.2']);
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toMatchObject([{ traderId: alice.uid }]);
  });

  test('[CPY-51][CPY-53] a leader reads what he closed and what he was paid', async () => {
    await follow(bob);
    await open(alice, '0.1');
    await open(alice, '0.2');
    await quote('52001');
    await close(alice, '0.3');
    const list = async (query = {}) =>
      (await exchange.data<{ trackingList: readonly Row[] }>(alice, 'listLeaderHistory', { productType, ...query })).trackingList;
    expect((await list()).map(({ openSize }) => openSize)).toEqual(['0.2', '0.1']);
    expect((await list({ order: 'asc' })).map(({ openSize }) => openSize)).toEqual(['0.1', '0.2']);
    // (200 − 3 − 3.12 + 400 − 6 − 6.24) / 10.
    const shares = await exchange.data<{ profitHistoryList: readonly Row[] }>(alice, 'getProfitShares');
    expect(shares.profitHistoryList).toMatchObject([{ coin: 'USDT', profitCount: '58.164' }]);
  });
});

describe('restart', () => {
  test('[CPY-13][CPY-31] what is open goes on where it was', async () => {
    await follow(bob, { stopSurplusRatio: '30' });
    await open(alice, '0.1');
    const before = await exchange.data(bob, 'listFollowerTrackedOrders', { productType });
    await exchange.operate('POST', '/operator/v1/snapshot', {});
    await exchange.restart();
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toEqual(before);
    const audit = await exchange.operate('GET', '/operator/v1/audit');
    expect(audit.data).toMatchObject({ ok: true, violations: [] });
    // 30 % at ten times: 51,500. The price is watched after the restart as before it.
    await quote('51501');
    const dave = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    await open(dave, '0.01', 'short');
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toEqual([]);
    expect((await history(bob)).trackingList).toMatchObject([{ closePriceAvg: '51500', achievedPL: '150' }]);
  });
});
