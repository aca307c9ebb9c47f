/**
 * Every field of every row of copy trading, computed by hand, with a clock that only moves in steps
 * of a second.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CopyExchange, productType, type Row, SYMBOL } from './copy-exchange.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

const DAY = 86_400_000;

let copying: CopyExchange;
let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  copying = await CopyExchange.start();
  ({ exchange } = copying);
  await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
  [alice, bob] = await copying.newPeople();
});
afterAll(() => exchange.stop());

async function nextSecond(): Promise<string> {
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '1000' });
  return ((await exchange.operate('GET', '/operator/v1/clock')).data as { readonly now: string })
    .now;
}

interface Page {
  readonly trackingList: readonly Row[];
  readonly endId: string;
}

/** Ended futures orders of the account, newest first. */
const orderIds = async (trader: Trader): Promise<readonly string[]> => {
  const { list } = await exchange.data<{ list: readonly Row[] }>(trader, 'listOrderHistory', {
    category: productType,
  });
  return list.map(({ orderId }) => orderId!);
};

test('[CPY-48] copy settings field by field; for an unfollowed leader, the defaults', async () => {
  const settings = (): Promise<unknown> =>
    exchange.data(bob, 'getCopySettings', { traderId: alice.uid });
  expect(await settings()).toEqual({
    followerEnable: 'NO',
    mode: 'advanced',
    autoCopy: 'off',
    detailList: [],
  });
  expect(await exchange.data(alice, 'getProfitShares')).toMatchObject({
    profitHistoryList: [],
    profitSummary: { sumProfit: '0' },
  });
  expect(await exchange.code(bob, 'getCopySettings', { traderId: copying.maker.uid })).toBe(
    '40860',
  );
  const own = {
    marginType: 'specify',
    leverType: 'specify',
    longLeverage: '7',
    shortLeverage: '9',
    traceType: 'amount',
    traceValue: '0.3',
  };
  const input = { ...own, maxHoldSize: '12', stopSurplusRatio: '41', stopLossRatio: '52' };
  expect(await copying.follow(bob, input)).toMatchObject({ data: 'success' });
  expect(await settings()).toEqual({
    followerEnable: 'YES',
    mode: 'advanced',
    autoCopy: 'off',
    detailList: [{ symbol: SYMBOL, productType, marginCoin: 'USDT', ...input }],
  });
  const simple = { traceType: 'percent', traceValue: '0.2' };
  expect(await copying.follow(bob, simple, { mode: 'basic', autoCopy: 'on' })).toMatchObject({
    data: 'success',
  });
  const notGiven = {
    longLeverage: '',
    shortLeverage: '',
    maxHoldSize: '',
    stopSurplusRatio: '',
    stopLossRatio: '',
  };
  expect(await settings()).toMatchObject({
    mode: 'basic',
    autoCopy: 'on',
    detailList: [{ ...simple, ...notGiven }],
  });
  await exchange.data(bob, 'unfollowLeader', { traderId: alice.uid });
});

test('[CPY-31][CPY-33][CPY-36][CPY-47][CPY-51][CPY-53] an order and its copy, field by field', async () => {
  const followerTime = await nextSecond();
  await copying.follow(bob, { traceValue: '0.2', stopSurplusRatio: '40', stopLossRatio: '50' });
  const openTime = await nextSecond();
  await copying.open(alice, '0.5');
  await nextSecond();
  const [[openOrderId], [copyOrderId]] = [await orderIds(alice), await orderIds(bob)];

  // 0.5 bitcoin at 50,000 and ten times: a fee of 25,000 × 0.0006.
  const current = await exchange.data<Page>(alice, 'listLeaderTrackedOrders', { productType });
  const { trackingNo } = current.trackingList[0]!;
  const opened = {
    symbol: SYMBOL,
    posSide: 'long',
    openLeverage: '10',
    openPriceAvg: '50000',
    openTime,
  };
  const prices = { presetStopSurplusPrice: '', presetStopLossPrice: '' };
  const order = { trackingNo, ...opened, openOrderId, openSize: '0.5', openFee: '-15' };
  expect(current).toEqual({
    trackingList: [{ ...order, ...prices, followCount: '1' }],
    endId: trackingNo,
  });

  // A gain of 40 % of the margin is 4 % of the price, a loss of 50 % is 5 %.
  const copies = await exchange.data<readonly Row[]>(bob, 'listFollowerTrackedOrders', {
    productType,
  });
  const copy = {
    trackingNo: copies[0]!.trackingNo,
    traderId: alice.uid,
    productType,
    ...opened,
    openSize: '0.1',
    openFee: '-3',
  };
  const request = (traderId: string) =>
    exchange.data(bob, 'listFollowerTrackedOrders', { productType, traderId });
  expect([await request(alice.uid), await request(copying.maker.uid)]).toEqual([copies, []]);
  expect(copies).toEqual([
    {
      ...copy,
      traderName: alice.uid,
      openOrderId: copyOrderId,
      closeOrderId: '',
      openAvgPrice: '50000',
      closeAvgPrice: '',
      closeSize: '0',
      openMarginSz: '500',
      closeTime: '',
      presetStopSurplusPrice: '52000',
      presetStopLossPrice: '47500',
    },
  ]);

  await copying.quote('51001');
  const closeTime = await nextSecond();
  await copying.close(alice, '0.5');
  await nextSecond();
  const [[closeOrderId], [copyCloseId]] = [await orderIds(alice), await orderIds(bob)];
  // Sold at 51,000: profits of 500 and 100; fees of 25,500 and 5,100 × 0.0006. The leader gets (100
  // − 3 − 3.06) / 10.
  const closed = { closePriceAvg: '51000', closeTime };
  const ended = {
    ...order,
    productType,
    ...closed,
    closeOrderId,
    closeSize: '0.5',
    closeFee: '-15.3',
    achievedPL: '500',
  };
  const history = (query: Row = {}) =>
    exchange.data<Page>(alice, 'listLeaderHistory', { productType, ...query });
  const whole = {
    trackingList: [{ ...ended, stopType: 'normal', cTime: openTime }],
    endId: trackingNo,
  };
  expect(await history()).toEqual(whole);
  expect(await history({ symbol: SYMBOL, startTime: openTime, endTime: openTime })).toEqual(whole);
  for (const other of [
    { symbol: 'ETHUSDT' },
    { startTime: String(Number(openTime) + 1) },
    { endTime: String(Number(openTime) - 1) },
    { idLessThan: trackingNo! },
  ])
    expect(await history(other)).toEqual({ trackingList: [], endId: '' });
  expect(await copying.history(bob)).toEqual({
    trackingList: [
      {
        ...copy,
        ...closed,
        openOrderId: copyOrderId,
        closeOrderId: copyCloseId,
        closeSize: '0.1',
        closeFee: '-3.06',
        achievedPL: '100',
        profitRate: '0.2',
        netProfit: '84.546',
      },
    ],
    endId: copy.trackingNo,
  });

  expect(await exchange.data(bob, 'listFollowedLeaders')).toEqual([
    {
      certificationType: '',
      traderId: alice.uid,
      traderName: alice.uid,
      maxFollowLimit: '100000',
      followCount: '1',
      traceTotalMarginAmount: '500',
      traceTotalNetProfit: '84.546',
      traceTotalProfit: '100',
      currentTradingPairs: [SYMBOL],
      followerTime,
      bgbMaxFollowLimit: '0',
      bgbFollowCount: '0',
    },
  ]);

  const since = async (times: Row) =>
    (await exchange.data<readonly unknown[]>(bob, 'listFollowedLeaders', times)).length;
  expect(await since({ startTime: followerTime, endTime: followerTime })).toBe(1);
  expect(await since({ startTime: String(Number(followerTime) + 1) })).toBe(0);
  expect(await since({ endTime: String(Number(followerTime) - 1) })).toBe(0);

  // The clock was at the beginning of this day before the first second.
  const today = Math.floor(Number(followerTime) / 60_000) * 60_000;
  const shares = (yesterdayProfit: string, yesterdayTime: number) => ({
    profitSummary: {
      yesterdayProfit,
      sumProfit: '9.394',
      waitProfit: '0',
      yesterdayTime: String(yesterdayTime),
    },
    profitHistoryList: [{ coin: 'USDT', profitCount: '9.394', lastProfitTime: closeTime }],
  });
  expect(await exchange.data(alice, 'getProfitShares')).toEqual(shares('0', today - DAY));
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
  expect(await exchange.data(alice, 'getProfitShares')).toEqual(shares('9.394', today));
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
  expect(await exchange.data(alice, 'getProfitShares')).toEqual(shares('0', today + DAY));
});
