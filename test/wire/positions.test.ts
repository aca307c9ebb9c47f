/** Crossed, linear and inverse positions over HTTP: every figure is computed by hand. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { category, type Trade } from './positions.test-support.ts';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '100000000', BTC: '1000' } });
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

const time = expect.stringMatching(/^\d{13}$/);

/** Trades against the maker, whose order rests first. */
async function trade(
  trader: Trader,
  { side, qty, price, symbol = 'BTCUSDT', category: kind = category, ...rest }: Trade,
): Promise<void> {
  const order = { category: kind, symbol, qty, price, orderType: 'limit' };
  await exchange.data(maker, 'placeOrder', { ...order, side: side === 'buy' ? 'sell' : 'buy' });
  await exchange.data(trader, 'placeOrder', { ...order, side, ...rest });
}

const all = (trader: Trader, productType = category) =>
  exchange.data<Row[]>(trader, 'getAllPositions', { productType });

const current = async (trader: Trader, values: Record<string, string> = {}) =>
  (await exchange.data<{ list: Row[] }>(trader, 'getCurrentPositions', { category, ...values }))
    .list;

describe('crossed and linear', () => {
  test('[POS-52][POS-42] the liquidation price of a hedged pair counts the maintenance of each side', async () => {
    await exchange.setIndex('BTCUSDT', '50000', '50000');
    const trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '25000' } });
    await trade(trader, { side: 'buy', qty: '3', price: '50000', posSide: 'long' });
    await trade(trader, { side: 'sell', qty: '1', price: '50000', posSide: 'short' });
    // 24,880 + 2 × (P − 50,000) = 3P × 0.0056 − 50 + P × 0.0046: P = 75,070 / 1.9786 =
    // 37,940.9683614677…
    const shown = (await all(trader)).map(({ liquidationPrice }) => liquidationPrice);
    expect(shown).toEqual(['37940.9683614678', '37940.9683614678']);
    await exchange.setIndex('BTCUSDT', '37941', shown[0]!);
    expect((await all(trader)).length).toBe(2);
    await exchange.setIndex('BTCUSDT', '37941', '37940.9683614677');
    expect((await all(trader)).length).toBeLessThan(2);
    await exchange.operate('POST', '/operator/v1/prices', [
      { category, symbol: 'BTCUSDT', mark: null },
    ]);
  });

  test('[POS-02][POS-04][POS-05][POS-06][POS-07][POS-11][POS-198][POS-199] v2 and v3 show every field of a long', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '10000' } });
    expect(await all(trader)).toEqual([]);
    expect(await current(trader)).toEqual([]);
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000' });
    // Fee 30,000 × 0.0006 = 18, so the wallet has 9,982. Then the mark falls to 59,000: profit 0.5
    // × −1,000 = −500.
    await exchange.setIndex('BTCUSDT', '59000');
    const figures = {
      // 29,500 / 10
      margin: '2950',
      // (9,982 − 30,000) / (0.5 × (0.0046 − 1)) = 20,018 / 0.4977 = 40,221.016676712879…
      liquidation: '40221.0166767129',
      // 29,500 × 0.0046 = 135.7 over 9,982 − 500 = 9,482: 0.014311326724…
      ratio: '0.0143113268',
      // (30,000 + 18) / (0.5 × 0.9994) = 30,018 / 0.4997 = 60,072.043225935561…
      breakEven: '60072.0432259356',
    };
    const v2 = {
      symbol: 'BTCUSDT',
      marginCoin: 'USDT',
      holdSide: 'long',
      openDelegateSize: '0',
      marginSize: figures.margin,
      available: '0.5',
      locked: '0',
      total: '0.5',
      leverage: '10',
      achievedProfits: '0',
      openPriceAvg: '60000',
      marginMode: 'crossed',
      posMode: 'one_way_mode',
      unrealizedPL: '-500',
      liquidationPrice: figures.liquidation,
      keepMarginRate: '0.004',
      markPrice: '59000',
      marginRatio: figures.ratio,
      breakEvenPrice: figures.breakEven,
      totalFee: '',
      deductedFee: '-18',
      assetMode: 'union',
      cTime: time,
      uTime: time,
    };
    expect(await all(trader)).toEqual([
      { ...v2, takeProfit: '', stopLoss: '', takeProfitId: '', stopLossId: '' },
    ]);
    const single = { productType: 'usdt-futures', symbol: 'btcusdt', marginCoin: 'usdt' };
    expect(await exchange.data(trader, 'getSinglePosition', single)).toEqual([
      { ...v2, autoMargin: 'off' },
    ]);
    expect(await current(trader)).toEqual([
      {
        category,
        symbol: 'BTCUSDT',
        marginCoin: 'USDT',
        holdMode: 'one_way_mode',
        posSide: 'long',
        marginMode: 'crossed',
        positionBalance: figures.margin,
        available: '0.5',
        frozen: '0',
        total: '0.5',
        leverage: '10',
        curRealisedPnl: '0',
        avgPrice: '60000',
        positionStatus: 'normal',
        unrealisedPnl: '-500',
        liquidationPrice: figures.liquidation,
        mmr: '0.004',
        // −500 / 2,950 = −0.169491525423…
        profitRate: '-0.1694915255',
        markPrice: '59000',
        breakEvenPrice: figures.breakEven,
        totalFunding: '0',
        openFeeTotal: '-18',
        closeFeeTotal: '0',
        createdTime: time,
        updatedTime: time,
      },
    ]);
  });

  test('[POS-09] the open size counts orders that increase the position, not those that reduce it', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000' });
    const rest = { category, symbol: 'BTCUSDT', orderType: 'limit' };
    await exchange.data(trader, 'placeBatch', [
      { ...rest, side: 'buy', qty: '0.2', price: '50000' },
      { ...rest, side: 'buy', qty: '0.1', price: '51000' },
      { ...rest, side: 'sell', qty: '0.4', price: '70000' },
      { ...rest, side: 'sell', qty: '0.1', price: '70000', reduceOnly: 'yes' },
    ]);
    expect((await all(trader))[0]).toMatchObject({ openDelegateSize: '0.3', total: '0.5' });
  });

  test('[POS-09] in hedge mode the open size counts orders that open the same side', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '100000' } });
    const rest = { category, symbol: 'BTCUSDT', orderType: 'limit' };
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000', posSide: 'long' });
    await trade(trader, { side: 'sell', qty: '0.4', price: '60000', posSide: 'short' });
    await exchange.data(trader, 'placeBatch', [
      { ...rest, side: 'buy', qty: '0.2', price: '50000', posSide: 'long' },
      { ...rest, side: 'sell', qty: '0.1', price: '70000', posSide: 'long' },
      { ...rest, side: 'sell', qty: '0.3', price: '70000', posSide: 'short' },
    ]);
    const shown = Object.fromEntries(
      (await all(trader)).map(({ holdSide, openDelegateSize }) => [holdSide, openDelegateSize]),
    );
    expect(shown).toEqual({ long: '0.2', short: '0.3' });
  });

  test('[POS-12][POS-14][POS-18][POS-22] a partial close realises its part, and the last one ends the row', async () => {
    await exchange.setIndex('BTCUSDT', '48000');
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    await trade(trader, { side: 'buy', qty: '1', price: '50000' });
    await trade(trader, { side: 'buy', qty: '3', price: '48000' });
    await trade(trader, { side: 'sell', qty: '2', price: '49000' });
    // Entry 48,500; 2 × 500 realised. Fees: (50,000 + 144,000) × 0.0006 = 116.4 in, 98,000 × 0.0006
    // = 58.8 out.
    expect((await all(trader))[0]).toMatchObject({
      total: '2',
      openPriceAvg: '48500',
      achievedProfits: '1000',
      unrealizedPL: '-1000',
      deductedFee: '-175.2',
    });
    expect((await current(trader))[0]).toMatchObject({
      curRealisedPnl: '1000',
      openFeeTotal: '-116.4',
      closeFeeTotal: '-58.8',
    });
    await trade(trader, { side: 'sell', qty: '2', price: '48500' });
    expect(await all(trader)).toEqual([]);
  });

  test('[API-56][VIEW-25] a closed position is in the history of v2 and v3', async () => {
    await exchange.setIndex('BTCUSDT', '48000');
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    await trade(trader, { side: 'sell', qty: '1', price: '50000' });
    await trade(trader, { side: 'sell', qty: '3', price: '48000' });
    await trade(trader, { side: 'buy', qty: '4', price: '48000' });
    const times = { ctime: time, utime: time, cTime: time, uTime: time };
    // Sold at 48,500 on average, bought back at 48,000: 4 × 500. Fees 194,000 × 0.0006 = 116.4 and
    // 192,000 × 0.0006 = 115.2.
    const { list, endId } = await exchange.data<{ list: Row[]; endId: string }>(
      trader,
      'listFuturesPositionHistory',
      {
        productType: category,
      },
    );
    expect(list).toEqual([
      {
        positionId: endId,
        symbol: 'BTCUSDT',
        marginCoin: 'USDT',
        holdSide: 'short',
        posMode: 'one_way_mode',
        openAvgPrice: '48500',
        closeAvgPrice: '48000',
        marginMode: 'crossed',
        openTotalPos: '4',
        closeTotalPos: '4',
        pnl: '2000',
        netProfit: '1768.4',
        totalFunding: '0',
        openFee: '-116.4',
        closeFee: '-115.2',
        ...times,
      },
    ]);
    const unified = await exchange.data<{ list: Row[]; cursor: string }>(
      trader,
      'listPositionHistory',
      { category, symbol: 'BTCUSDT' },
    );
    expect(unified).toMatchObject({
      list: [
        { posSide: 'short', openPriceAvg: '48500', closePriceAvg: '48000', cumRealisedPnl: '2000' },
      ],
      cursor: endId,
    });
    expect(await exchange.data(trader, 'listPositionHistory', { category, cursor: endId })).toEqual(
      { list: [], cursor: '' },
    );
    expect(
      (
        await exchange.data<{ list: Row[] }>(trader, 'listFuturesPositionHistory', {
          symbol: 'ETHUSDT',
        })
      ).list,
    ).toEqual([]);
  });

  test('[POS-01][POS-03][POS-16] positions are filtered, and listed latest created first', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    await exchange.setIndex('ETHUSDT', '3000');
    const trader = await exchange.trader({ deposits: { USDT: '100000' } });
    await trade(trader, { side: 'buy', qty: '0.1', price: '60000' });
    await trade(trader, { side: 'sell', qty: '1', price: '3000', symbol: 'ETHUSDT' });
    expect((await all(trader)).map(({ symbol, holdSide }) => [symbol, holdSide])).toEqual([
      ['ETHUSDT', 'short'],
      ['BTCUSDT', 'long'],
    ]);
    const filtered = (marginCoin: string) =>
      exchange.data<Row[]>(trader, 'getAllPositions', { productType: category, marginCoin });
    expect([await filtered('usdt'), await filtered('BTC')].map((rows) => rows.length)).toEqual([
      2, 0,
    ]);
    expect((await current(trader, { symbol: 'btcusdt' })).map(({ symbol }) => symbol)).toEqual([
      'BTCUSDT',
    ]);
    expect((await current(trader, { posSide: 'short' })).map(({ symbol }) => symbol)).toEqual([
      'ETHUSDT',
    ]);
    expect(await current(trader, { symbol: 'BTCUSDT', posSide: 'short' })).toEqual([]);
    expect(await all(trader, 'COIN-FUTURES')).toEqual([]);
    expect(
      await exchange.code(trader, 'getSinglePosition', {
        productType: category,
        symbol: 'BTCUSDT',
      }),
    ).toBe('40019');
  });
});

describe('funding', () => {
  test('[POS-13] funding is shown after it is charged, negative if paid', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '10000' } });
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000' });
    expect([(await all(trader))[0]!.totalFee, (await current(trader))[0]!.totalFunding]).toEqual([
      '',
      '0',
    ]);
    await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '28800000' });
    // Without a book there is no premium: 30,000 × 0.0001.
    expect([(await all(trader))[0]!.totalFee, (await current(trader))[0]!.totalFunding]).toEqual([
      '-3',
      '-3',
    ]);
    // (30,000 + 18 + 3) / (0.5 × 0.9994) = 30,021 / 0.4997 = 60,078.046828096858…
    expect((await all(trader))[0]!.breakEvenPrice).toBe('60078.0468280969');
  });
});

describe('inverse', () => {
  test('[POS-19][POS-30][POS-52] profit, margin and fees are in the coin', async () => {
    await exchange.setIndex('BTCUSDT', '50000');
    const trader = await exchange.trader({ deposits: { BTC: '1' } });
    const kind = 'COIN-FUTURES';
    await trade(trader, {
      side: 'buy',
      qty: '1',
      price: '50000',
      symbol: 'BTCUSD',
      category: kind,
    });
    await exchange.setIndex('BTCUSDT', '60000');
    // V = 50,000: profit 1 − 50,000/60,000 = 0.1666666666 (rounded down); margin 50,000/60,000/10 =
    // 0.0833333334 (rounded up).
    expect((await all(trader, kind))[0]).toMatchObject({
      symbol: 'BTCUSD',
      marginCoin: 'BTC',
      total: '1',
      openPriceAvg: '50000',
      unrealizedPL: '0.1666666666',
      marginSize: '0.0833333334',
      deductedFee: '-0.0006',
      keepMarginRate: '0.004',
      markPrice: '60000',
      // 0.9994 BTC of collateral, at 0.95: 0.95 × (0.9994 + 1 − V/P) = V × 0.0046/P, so P = 47,730
      // / 1.89943 = 25,128.59120894162…, rounded up.
      liquidationPrice: '25128.5912089417',
    });
  });
});
