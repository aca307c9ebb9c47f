/** Public candles, funding rates and tiers over HTTP, on v2 and v3. */
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

describe('candles, funding, tiers', () => {
  test('[VIEW-24] candles aggregate the trades of their time', async () => {
    const candle = [
      expect.stringMatching(/^\d{13}$/),
      '60100',
      '60100',
      '59900',
      '59900',
      '0.7',
      '42030',
    ];
    expect(await ask('listFuturesCandles', { ...v2, granularity: '1Dutc' })).toEqual([candle]);
    expect(await ask('listCandles', { ...futures, interval: '1D' })).toEqual([candle]);
    const [day] = await ask<string[][]>('listCandles', { ...futures, interval: '1D' });
    expect(Number.parseInt(day![0]!, 10) % 86_400_000).toBe(0);
    const minutes = await ask<string[][]>('listCandles', { ...futures, interval: '1m' });
    expect(minutes[0]![1]).toBe('60100');
    expect(minutes.at(-1)![4]).toBe('59900');
    expect(
      await ask<string[][]>('listCandles', { ...futures, interval: '1m', endTime: '1' }),
    ).toEqual([]);
    // The index of USDT is 1, so both values are the same.
    expect(await ask('listSpotCandles', { symbol: 'BTCUSDT', granularity: '1h' })).toEqual([
      [expect.any(String), '60000', '60000', '60000', '60000', '0.1', '6000', '6000'],
    ]);
    expect(await exchange.code(maker, 'listCandles', { ...futures, interval: '7m' })).toBe('40020');
  });

  test('[VIEW-49] M is a month and m a minute, on v2 and v3', async () => {
    const [futuresMonth] = await ask<string[][]>('listCandles', { ...futures, interval: '1M' });
    expect(new Date(Number(futuresMonth![0])).toISOString()).toMatch(/-01T00:00:00.000Z$/);
    for (const granularity of ['1M', '1Mutc'])
      expect(await ask('listFuturesCandles', { ...v2, granularity })).toEqual([futuresMonth]);
    const [spotMonth] = await ask<string[][]>('listSpotCandles', {
      symbol: 'BTCUSDT',
      granularity: '1M',
    });
    expect(spotMonth!.slice(0, 7)).toEqual([
      futuresMonth![0],
      '60000',
      '60000',
      '60000',
      '60000',
      '0.1',
      '6000',
    ]);
    const [minute] = await ask<string[][]>('listSpotCandles', {
      symbol: 'BTCUSDT',
      granularity: '1m',
    });
    expect(Date.now() - Number(minute![0])).toBeLessThan(3_600_000);
    const [markMonth] = await ask<string[][]>('listMarkCandles', { ...v2, granularity: '1M' });
    expect(markMonth![0]).toBe(futuresMonth![0]);
  });

  test('[VIEW-48] a week begins on Monday', async () => {
    const [week] = await ask<string[][]>('listCandles', { ...futures, interval: '1W' });
    expect(new Date(Number(week![0])).getUTCDay()).toBe(1);
    expect(Number(week![0]) % 86_400_000).toBe(0);
  });

  test('[VIEW-50] a candle that starts at the end of a window is outside it', async () => {
    const request = { ...futures, interval: '1D' };
    const [day] = await ask<string[][]>('listCandles', request);
    expect(await ask('listCandles', { ...request, endTime: day![0]! })).toEqual([]);
    expect(await ask('listCandles', { ...request, endTime: String(Number(day![0]) + 1) })).toEqual([
      day,
    ]);
  });

  test('[POS-60][POS-61] the next funding is shown, every eight hours', async () => {
    // The mid price is (59,800 + 60,200) / 2 = 60,000, equal to the index: no premium, so the rate
    // is the interest of 0.01 %.
    const [rate] = await ask<Row[]>('getFuturesFundingRate', v2);
    expect(rate).toMatchObject({
      symbol: 'BTCUSDT',
      fundingRate: '0.0001',
      fundingRateInterval: '8',
      minFundingRate: '-0.003',
      maxFundingRate: '0.003',
    });
    const next = Number.parseInt(rate!.nextUpdate!, 10);
    expect([next % 28_800_000, next > Date.now(), next - Date.now() <= 28_800_000]).toEqual([
      0,
      true,
      true,
    ]);
    expect(await ask('getFundingRate', { symbol: 'BTCUSDT' })).toEqual([rate]);
    expect(await ask('getFuturesFundingTime', v2)).toEqual([
      { symbol: 'BTCUSDT', nextFundingTime: rate!.nextUpdate, ratePeriod: '8' },
    ]);
    expect(await ask<Row[]>('getFuturesFundingRate', { productType: 'USDC-FUTURES' })).toHaveLength(
      2,
    );
    expect(await exchange.code(maker, 'getFundingRate', { symbol: 'ETHBTC' })).toBe('25100');
  });

  test('[POS-60] the next settlement shown is the next one due, at any funding interval', async () => {
    const listed = (
      await exchange.operate('GET', '/operator/v1/instruments?category=USDT-FUTURES&symbol=BTCUSDT')
    ).data as Row[];
    const { status: _status, indexPrice: _index, markPrice: _mark, ...instrument } = listed[0]!;
    await exchange.operate('POST', '/operator/v1/instruments', {
      ...instrument,
      fundingHours: '6',
    });
    const midnight = Date.now() - (Date.now() % 86_400_000) + 2 * 86_400_000;
    const moveTo = (to: number) =>
      exchange.operate('POST', '/operator/v1/clock', { to: String(to) });
    const paid = async () =>
      (await exchange.data<Row[]>(taker, 'getAllPositions', { productType: 'USDT-FUTURES' }))[0]!
        .totalFee;
    await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
    await moveTo(midnight - 90 * 60_000);
    expect((await ask<Row[]>('getFuturesFundingTime', v2))[0]).toMatchObject({
      nextFundingTime: String(midnight),
      ratePeriod: '6',
    });
    const before = await paid();
    await moveTo(midnight - 1);
    expect(await paid()).toBe(before);
    await moveTo(midnight);
    expect(await paid()).not.toBe(before);
    expect((await ask<Row[]>('getFuturesFundingRate', v2))[0]).toMatchObject({
      nextUpdate: String(midnight + 6 * 3_600_000),
    });
    await exchange.operate('POST', '/operator/v1/instruments', { ...instrument });
    await exchange.operate('POST', '/operator/v1/clock', { frozen: false });
  });

  test('[POS-91] the rate shown is the rate charged, with the premium so far counted', async () => {
    const eth = { category: 'USDT-FUTURES', symbol: 'ETHUSDT' };
    const place = (trader: Trader, side: string, price: string) =>
      exchange.data(trader, 'placeOrder', { ...eth, ...order(side, price, '1') });
    const emitted = async () =>
      (
        await ask<Row[]>('getFuturesFundingRate', {
          productType: 'USDT-FUTURES',
          symbol: 'ETHUSDT',
        })
      )[0]!.fundingRate;
    const moveTo = (to: number) =>
      exchange.operate('POST', '/operator/v1/clock', { to: String(to) });
    const { now } = (await exchange.operate('GET', '/operator/v1/clock')).data as { now: string };
    const start = Number.parseInt(now, 10) - (Number.parseInt(now, 10) % 86_400_000) + 86_400_000;
    await exchange.operate('POST', '/operator/v1/clock', { frozen: true });
    await moveTo(start + 1_000);
    await exchange.setIndex('ETHUSDT', '3000', '3000');
    await place(maker, 'sell', '3000');
    await place(taker, 'buy', '3000');
    // The mid price is 3,006, which is 0.2 % above the index, in all but the first of 5,760
    // samples: 0.2 % × 5,759 / 5,760 − 0.05 %.
    await place(maker, 'sell', '3007');
    await place(maker, 'buy', '3005');
    expect(await emitted()).toBe('0.0014996528');
    await moveTo(start + 14_400_000);
    expect(await emitted()).toBe('0.0014996528');
    // From the middle of the interval on it equals the index. Half of the time at 0.2 % makes 0.1
    // %, less 0.05 %.
    await exchange.data(maker, 'cancelSymbolOrders', {
      category: 'USDT-FUTURES',
      symbol: 'ETHUSDT',
    });
    await place(maker, 'sell', '3001');
    await place(maker, 'buy', '2999');
    expect(await emitted()).toBe('0.0005');
    await moveTo(start + 28_800_000 - 1);
    expect(await emitted()).toBe('0.0005');
    await moveTo(start + 28_800_000);
    // One ETH at a mark of 3,000 pays 1.5. In the next interval the book is always at its index.
    const [position] = await exchange.data<Row[]>(taker, 'getSinglePosition', {
      ...v2,
      symbol: 'ETHUSDT',
      marginCoin: 'USDT',
    });
    expect([position!.totalFee, await emitted()]).toEqual(['-1.5', '0.0001']);
    await exchange.restart();
    expect(await emitted()).toBe('0.0001');
    await exchange.operate('POST', '/operator/v1/clock', { frozen: false });
  });

  test('[POS-91][POS-88] the rate of a symbol that is off is shown as none, which is what is charged', async () => {
    const xrp = { category: 'USDT-FUTURES', symbol: 'XRPUSDT' };
    const status = (to: string) =>
      exchange.operate('POST', '/operator/v1/instruments/status', { ...xrp, status: to });
    const emitted = async () => {
      const request = { productType: 'USDT-FUTURES', symbol: 'XRPUSDT' };
      const rows = [
        ask<Row[]>('getFuturesFundingRate', request),
        ask<Row[]>('getFundingRate', { symbol: 'XRPUSDT' }),
      ];
      const tickers = [ask<Row[]>('getFuturesTicker', request), ask<Row[]>('listTickers', xrp)];
      return (await Promise.all([...rows, ...tickers])).map(([row]) => row!.fundingRate);
    };
    expect(await emitted()).toEqual(['0.0001', '0.0001', '0.0001', '0.0001']);
    await status('off');
    expect(await emitted()).toEqual(['0', '0', '0', '0']);
    await status('normal');
    expect(await emitted()).toEqual(['0.0001', '0.0001', '0.0001', '0.0001']);
  });

  test('[POS-40] every tier of a symbol is listed', async () => {
    const tiers = await ask<Row[]>('listFuturesTiers', v2);
    expect(tiers[0]).toEqual({
      symbol: 'BTCUSDT',
      level: '1',
      startUnit: '0',
      endUnit: '50000',
      leverage: '125',
      keepMarginRate: '0.004',
    });
    expect(tiers[1]).toMatchObject({
      level: '2',
      startUnit: '50000',
      endUnit: '200000',
      leverage: '100',
      keepMarginRate: '0.005',
    });
    expect((await ask<Row[]>('listPositionTiers', futures))[1]).toEqual({
      tier: '2',
      minTierValue: '50000',
      maxTierValue: '200000',
      leverage: '100',
      mmr: '0.005',
    });
  });
});
