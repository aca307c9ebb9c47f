/** Copy trading over HTTP with `bitget-api`: follow, lead, list and close. */
import { RestClientV2 } from 'bitget-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CopyExchange, productType, type Row, SYMBOL, setting } from './copy-exchange.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

let copying: CopyExchange;
let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;

beforeAll(async () => {
  copying = await CopyExchange.start();
  ({ exchange } = copying);
});

afterAll(() => exchange.stop());

beforeEach(async () => {
  [alice, bob] = await copying.newPeople();
});

const clientOf = ({ apiKey, secretKey, passphrase }: Trader): RestClientV2 =>
  new RestClientV2({ apiKey, apiSecret: secretKey, apiPass: passphrase, baseUrl: exchange.url });

describe('bitget-api', () => {
  test('[CPY-33][CPY-36][CPY-38][CPY-170] a follower copies its leader, and v2 shows it on both sides', async () => {
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
    const [original] = (await trader.getFuturesTraderCurrentOrder({ productType })).data
      .trackingList;
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
    expect(copy).toMatchObject({
      traderId: alice.uid,
      openAvgPrice: '50000',
      openSize: '0.1',
      openMarginSz: '500',
      closeSize: '0',
    });

    const set = await follower.updateFuturesFollowerTPSL({
      trackingNo: copy!.trackingNo,
      productType,
      stopLossPrice: '45000',
    });
    expect(set.data).toBe('success');
    const [changed] = (await follower.getFuturesFollowerCurrentOrders({ productType }))
      .data as unknown as Row[];
    expect(changed).toMatchObject({
      presetStopSurplusPrice: '52000',
      presetStopLossPrice: '45000',
    });

    await copying.quote('51001');
    const closed = await trader.closeFuturesTraderOrder({
      trackingNo: original!.trackingNo,
      symbol: SYMBOL,
      productType,
    });
    expect(closed.data).toEqual([
      { trackingNo: original!.trackingNo, symbol: SYMBOL, productType },
    ]);
    const [ended] = (await follower.getFuturesFollowerHistoryOrders({ productType })).data
      .trackingList;
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
    expect(shares.profitSummary).toMatchObject({
      sumProfit: '9.394',
      yesterdayProfit: '0',
      waitProfit: '0',
    });
    expect(shares.profitHistoryList).toMatchObject([{ coin: 'USDT', profitCount: '9.394' }]);
    const [own] = (await trader.getFuturesTraderHistoryOrders({ productType })).data.trackingList;
    expect(own).toMatchObject({
      trackingNo: original!.trackingNo,
      openSize: '0.5',
      achievedPL: '500',
      stopType: 'normal',
    });
  });

  test('[CPY-44][CPY-47][CPY-48] followed leaders are listed with settings, until unfollowed', async () => {
    const follower = clientOf(bob);
    await copying.follow(bob, {
      traceType: 'count',
      traceValue: '0.1',
      leverType: 'specify',
      longLeverage: '7',
      maxHoldSize: '3',
    });
    expect((await follower.getFuturesFollowerSettings({ traderId: alice.uid })).data).toMatchObject(
      {
        followerEnable: 'YES',
        detailList: [
          {
            symbol: SYMBOL,
            leverType: 'specify',
            longLeverage: '7',
            traceType: 'count',
            traceValue: '0.1',
            maxHoldSize: '3',
          },
        ],
      },
    );
    await copying.open(alice, '0.5');
    await copying.quote('51001');
    await copying.close(alice, '0.5');
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
    expect(
      (await follower.getFuturesFollowerSettings({ traderId: alice.uid })).data.followerEnable,
    ).toBe('NO');
    expect(await exchange.code(bob, 'unfollowLeader', { traderId: alice.uid })).toBe('43062');

    await copying.follow(bob);
    expect((await follower.getFuturesFollowerTraders({})).data).toMatchObject([
      {
        traderId: alice.uid,
        traceTotalProfit: '0',
        traceTotalNetProfit: '0',
        traceTotalMarginAmount: '0',
      },
    ]);
  });

  test('[CPY-44][CPY-177] a copy from an earlier following goes on, and does not count for the new one', async () => {
    const follower = clientOf(bob);
    await copying.follow(bob, { traceValue: '0.2' });
    await copying.open(alice, '0.5');
    await follower.unfollowFuturesTrader({ traderId: alice.uid });
    await copying.follow(bob, { traceValue: '0.4' });
    await copying.open(alice, '0.5');
    await copying.quote('51001');
    await copying.close(alice, '1');
    expect((await copying.history(bob)).trackingList).toMatchObject([
      { openSize: '0.2', achievedPL: '200' },
      { openSize: '0.1', achievedPL: '100' },
    ]);
    // 0.2 at 50,000 and ten times; the leader gets a tenth of 200 less 6 and 6.12 of fees.
    expect((await follower.getFuturesFollowerTraders({})).data).toMatchObject([
      { traceTotalMarginAmount: '1000', traceTotalProfit: '200', traceTotalNetProfit: '169.092' },
    ]);
  });

  test('[CPY-18] settings above the order limit are accepted, as clients send them', async () => {
    expect(await copying.follow(bob, { maxHoldSize: '5000' })).toMatchObject({
      code: '00000',
      data: 'success',
    });
    const { data: shown } = await clientOf(bob).getFuturesFollowerSettings({ traderId: alice.uid });
    expect(shown.detailList).toMatchObject([{ maxHoldSize: '5000' }]);
    for (const maxHoldSize of ['0', '1000000000'])
      expect(await copying.follow(bob, { maxHoldSize })).toMatchObject({ code: '40053' });
  });

  test('[CPY-39][CPY-40] a symbol has follow limits', async () => {
    const limits = await clientOf(bob).getFuturesFollowerFollowLimit({
      symbol: SYMBOL,
      productType,
    });
    expect(limits.data).toEqual([
      { symbol: SYMBOL, maxFollowSize: '1200', minFollowSize: '0.0001' },
    ]);
    expect(
      (await exchange.data<readonly Row[]>(bob, 'listFollowLimits', { productType })).length,
    ).toBeGreaterThan(3);
    expect(await exchange.code(bob, 'listFollowLimits', {})).toBe('40019');
  });

  test('[CPY-40] follow limits never exceed the size of a market order', async () => {
    const path = `/operator/v1/instruments?category=${productType}&symbol=XRPUSDT`;
    const [{ status: _status, ...listed }] = (await exchange.operate('GET', path)).data as [Row];
    const wider = {
      ...listed,
      sizeMin: '10',
      marketSizeMax: '5000',
      followSizeMin: '1',
      followSizeMax: '100000',
    };
    await exchange.operate('POST', '/operator/v1/instruments', wider);
    expect(
      await exchange.data(bob, 'listFollowLimits', { productType, symbol: 'XRPUSDT' }),
    ).toEqual([{ symbol: 'XRPUSDT', maxFollowSize: '5000', minFollowSize: '10' }]);
    await exchange.operate('POST', '/operator/v1/instruments', listed);
  });

  test('[CPY-49] a follower closes its copies', async () => {
    await copying.follow(bob);
    await copying.open(alice, '0.1');
    await copying.open(alice, '0.2');
    const follower = clientOf(bob);
    const [newer, older] = (await follower.getFuturesFollowerCurrentOrders({ productType })).data;
    const one = await follower.closeFuturesFollowerPositions({
      productType,
      trackingNo: older!.trackingNo,
    });
    expect(one.data.orderIdList).toHaveLength(1);
    const left = (await follower.getFuturesFollowerCurrentOrders({ productType })).data;
    expect(left.map(({ trackingNo }) => trackingNo)).toEqual([newer!.trackingNo]);
    await follower.closeFuturesFollowerPositions({
      productType,
      symbol: SYMBOL,
      marginMode: 'cross',
      holdSide: 'long',
    });
    expect((await follower.getFuturesFollowerCurrentOrders({ productType })).data).toEqual([]);
    expect(await exchange.code(bob, 'closeFollowerTrackedOrders', { productType })).toBe('22002');
    expect((await copying.history(bob)).trackingList).toHaveLength(2);
  });

  // 100,000 less fees of 3 and 3.05694, with a profit of 99.9, is 100,093.84306. A tenth of
  // 93.84306 is held for Alice, who takes it. The rest of one step is worth 5.1001, of which 0.1001
  // is profit; at ten times it needs a tenth.
  test('[CPY-71] the profit share held for a partly closed copy is not shown as available', async () => {
    await copying.follow(bob);
    await copying.open(alice, '0.1');
    await copying.quote('51001');
    await copying.close(bob, '0.0999');
    const request = { productType, symbol: SYMBOL, marginCoin: 'USDT' };
    const { available, maxTransferOut } = await exchange.data<Row>(
      bob,
      'getFuturesAccount',
      request,
    );
    expect([available, maxTransferOut]).toEqual(['100093.84306', '100084.048844']);
  });
});
