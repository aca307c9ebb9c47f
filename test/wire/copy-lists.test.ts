/** Lists of copy trading over HTTP: page by page, by time, and the same after a restart. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CopyExchange, productType, type Row, SYMBOL } from './copy-exchange.ts';
import type { Trader, TradingExchange } from './trading-exchange.ts';

const MINUTE = 60_000;

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

describe('lists', () => {
  test('[LIST-01][CPY-47] followed leaders are listed in pages; one followed again comes first', async () => {
    const [first, second, third] = [
      alice.uid,
      (await copying.newPeople())[0].uid,
      (await copying.newPeople())[0].uid,
    ];
    for (const traderId of [first, second, third]) await copying.follow(bob, {}, { traderId });
    const followed = async (pageNo: string, pageSize: string) =>
      (await exchange.data<readonly Row[]>(bob, 'listFollowedLeaders', { pageNo, pageSize })).map(
        ({ traderId }) => traderId,
      );
    expect([await followed('1', '2'), await followed('2', '2')]).toEqual([
      [third, second],
      [first],
    ]);
    await exchange.data(bob, 'unfollowLeader', { traderId: first });
    await copying.follow(bob, {}, { traderId: first });
    expect(await followed('1', '3')).toEqual([first, third, second]);
  });

  test('[CPY-31][CPY-169] history pages go both ways, with filters, and are the same after a restart', async () => {
    await copying.follow(bob);
    for (let count = 0; count < 5; count++) {
      await copying.open(alice, '0.1');
      await copying.close(alice, '0.1');
    }
    const all = (await copying.history(bob)).trackingList.map(({ trackingNo }) => trackingNo);
    expect(all).toHaveLength(5);
    const older: (string | undefined)[] = [];
    for (let endId = ''; ; ) {
      const page = await copying.history(bob, {
        limit: '2',
        ...(endId === '' ? {} : { idLessThan: endId }),
      });
      if (page.endId === '') break;
      expect(page.trackingList).toHaveLength(Math.min(2, 5 - older.length));
      older.push(...page.trackingList.map(({ trackingNo }) => trackingNo));
      endId = page.endId;
    }
    expect(older).toEqual(all);
    const newer: (string | undefined)[] = [];
    for (let endId = all[4]!; ; ) {
      const page = await copying.history(bob, { limit: '2', idGreaterThan: endId });
      if (page.endId === '') break;
      newer.unshift(...page.trackingList.map(({ trackingNo }) => trackingNo));
      endId = page.endId;
    }
    expect(newer).toEqual(all.slice(0, 4));
    expect((await copying.history(bob, { traderId: maker.uid })).trackingList).toEqual([]);
    expect(
      (await copying.history(bob, { traderId: alice.uid, symbol: SYMBOL })).trackingList,
    ).toHaveLength(5);
    expect((await copying.history(bob, { symbol: 'btcusdt' })).trackingList).toEqual([]);
    expect(await exchange.code(bob, 'listFollowerHistory', { productType, limit: '101' })).toBe(
      '40053',
    );
    expect(
      await exchange.code(bob, 'listFollowerHistory', {
        productType,
        startTime: '1',
        endTime: String(91 * 86_400_000),
      }),
    ).toBe('40705');
    const before = await copying.history(bob);
    await exchange.restart();
    expect(await copying.history(bob)).toEqual(before);
  });

  test('[CPY-34][CPY-35][CPY-37] a leader lists its open tracked orders', async () => {
    const carl = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    for (const trader of [bob, carl]) await copying.follow(trader);
    await copying.open(alice, '0.1');
    await copying.open(alice, '0.2', 'short');
    const current = (query: Readonly<Record<string, string>> = {}) =>
      exchange.data<{ trackingList: readonly Row[]; endId: string }>(
        alice,
        'listLeaderTrackedOrders',
        { productType, ...query },
      );
    const [newest, oldest] = (await current({ symbol: 'btcusdt' })).trackingList;
    expect((await current({ symbol: 'ETHUSDT' })).trackingList).toEqual([]);
    expect([newest!.openSize, newest!.followCount, oldest!.followCount]).toEqual(['0.2', '2', '2']);
    await exchange.data(carl, 'closeFollowerTrackedOrders', { productType });
    expect((await current()).trackingList.map(({ followCount }) => followCount)).toEqual([
      '1',
      '1',
    ]);
    const first = await current({ limit: '1' });
    expect([first.trackingList[0]!.trackingNo, first.endId]).toEqual([
      newest!.trackingNo,
      newest!.trackingNo,
    ]);
    expect((await current({ limit: '1', idLessThan: first.endId })).trackingList).toMatchObject([
      { trackingNo: oldest!.trackingNo },
    ]);
    expect((await current({ idGreaterThan: oldest!.trackingNo! })).trackingList).toMatchObject([
      { trackingNo: newest!.trackingNo },
    ]);
    // A start within the minute of the opening is rounded down to before it, and so is an end.
    const minute = Math.floor(Number(oldest!.openTime) / MINUTE) * MINUTE;
    expect(
      (await current({ startTime: String(minute + MINUTE - 1) })).trackingList.length,
    ).toBeGreaterThan(0);
    expect((await current({ endTime: String(minute - 1) })).trackingList).toEqual([]);
    const window = { productType, startTime: String(minute + 1), endTime: String(minute) };
    expect(await exchange.code(alice, 'listLeaderTrackedOrders', window)).toBe('40707');
    expect(
      await exchange.code(alice, 'listLeaderTrackedOrders', {
        ...window,
        endTime: window.startTime,
      }),
    ).toBe('00000');
    expect(
      await exchange.code(alice, 'listLeaderTrackedOrders', { productType, limit: '51' }),
    ).toBe('40053');
  });

  test('[CPY-35] a start and an end are rounded down to the minute', async () => {
    const clock = (move: object) => exchange.operate('POST', '/operator/v1/clock', move);
    const { now } = (await exchange.operate('GET', '/operator/v1/clock')).data as {
      readonly now: string;
    };
    const minute = Math.ceil(Number(now) / MINUTE) * MINUTE;
    await clock({ frozen: true });
    await clock({ to: String(minute + 30_000) });
    await copying.open(alice, '0.1');
    await clock({ frozen: false });
    const found = async (name: 'startTime' | 'endTime', at: number): Promise<number> =>
      (
        await exchange.data<{ trackingList: readonly Row[] }>(alice, 'listLeaderTrackedOrders', {
          productType,
          [name]: String(at),
        })
      ).trackingList.length;
    expect([
      await found('startTime', minute + MINUTE - 1),
      await found('startTime', minute + MINUTE),
    ]).toEqual([1, 0]);
    expect([
      await found('endTime', minute + MINUTE - 1),
      await found('endTime', minute + MINUTE),
    ]).toEqual([0, 1]);
  });

  test('[CPY-34][CPY-44] an open copy of a former leader is not a tracked order of its own', async () => {
    await copying.follow(bob);
    await copying.open(alice, '0.1');
    await exchange.data(bob, 'unfollowLeader', { traderId: alice.uid });
    await exchange.operate('POST', '/operator/v1/traders', { uid: bob.uid, profitShare: '0.1' });
    await copying.open(bob, '0.2');
    const own = await exchange.data<{ trackingList: readonly Row[] }>(
      bob,
      'listLeaderTrackedOrders',
      { productType },
    );
    expect(own.trackingList.map(({ openSize }) => openSize)).toEqual(['0.2']);
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toMatchObject([
      { traderId: alice.uid },
    ]);
  });

  test('[CPY-51][CPY-53] a leader lists its closed orders and its profit shares', async () => {
    await copying.follow(bob);
    await copying.open(alice, '0.1');
    await copying.open(alice, '0.2');
    await copying.quote('52001');
    await copying.close(alice, '0.3');
    const list = async (query = {}) =>
      (
        await exchange.data<{ trackingList: readonly Row[] }>(alice, 'listLeaderHistory', {
          productType,
          ...query,
        })
      ).trackingList;
    expect((await list()).map(({ openSize }) => openSize)).toEqual(['0.2', '0.1']);
    expect((await list({ order: 'asc' })).map(({ openSize }) => openSize)).toEqual(['0.1', '0.2']);
    // (200 − 3 − 3.12 + 400 − 6 − 6.24) / 10.
    const shares = await exchange.data<{ profitHistoryList: readonly Row[] }>(
      alice,
      'getProfitShares',
    );
    expect(shares.profitHistoryList).toMatchObject([{ coin: 'USDT', profitCount: '58.164' }]);
  });
});

describe('restart', () => {
  test('[CPY-13][CPY-31] open copies go on after a restart', async () => {
    await copying.follow(bob, { stopSurplusRatio: '30' });
    await copying.open(alice, '0.1');
    const before = await exchange.data(bob, 'listFollowerTrackedOrders', { productType });
    await exchange.operate('POST', '/operator/v1/snapshot', {});
    await exchange.restart();
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toEqual(before);
    const audit = await exchange.operate('GET', '/operator/v1/audit');
    expect(audit.data).toMatchObject({ ok: true, violations: [] });
    // 30 % at ten times: 51,500. The price triggers after the restart as before it.
    await copying.quote('51501');
    const dave = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    await copying.open(dave, '0.01', 'short');
    expect(await exchange.data(bob, 'listFollowerTrackedOrders', { productType })).toEqual([]);
    expect((await copying.history(bob)).trackingList).toMatchObject([
      { closePriceAvg: '51500', achievedPL: '150' },
    ]);
  });
});
