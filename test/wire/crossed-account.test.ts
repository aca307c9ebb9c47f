/** The crossed account over HTTP: every figure is computed by hand. */
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

describe('crossed and linear', () => {
  test('[API-53][ACC-151][ACC-152][ACC-153][ACC-154][ACC-155][ACC-156][ACC-164] v3 and v2 show every figure of the account', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '10000', BTC: '0.1' } });
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000' });
    await exchange.setIndex('BTCUSDT', '62000');
    // USDT: 10,000 − 18 + 0.5 × 2,000 = 10,982. BTC: 0.1 × 62,000 = 6,200; as margin × 0.95 =
    // 5,890.
    const assets = await exchange.data(trader, 'getAssets');
    expect(assets).toEqual({
      accountEquity: '17182',
      usdtEquity: '17182',
      // 17,182 / 62,000 = 0.277129032258…
      btcEquity: '0.2771290322',
      unrealisedPnl: '1000',
      usdtUnrealisedPnl: '1000',
      // 1,000 / 62,000
      btcUnrealizedPnl: '0.0161290322',
      effEquity: '16872',
      // 31,000 × 0.0046 and 31,000 / 10
      mmr: '142.6',
      imr: '3100',
      // 142.6 / 16,872 = 0.008451872925…, rounded up, which never understates the risk; 3,100 /
      // 16,872 = 0.183736368…
      mgnRatio: '0.008451873',
      positionMgnRatio: '0.1837363679',
      assets: [
        {
          coin: 'USDT',
          equity: '10982',
          usdValue: '10982',
          balance: '9982',
          available: '9982',
          debt: '0',
          locked: '0',
        },
        {
          coin: 'BTC',
          equity: '0.1',
          usdValue: '6200',
          balance: '0.1',
          available: '0.1',
          debt: '0',
          locked: '0',
        },
      ],
    });
    const [account] = await exchange.data<Row[]>(trader, 'listFuturesAccounts', {
      productType: category,
    });
    expect(account).toMatchObject({
      marginCoin: 'USDT',
      locked: '0',
      available: '9982',
      // 16,872 − 3,100
      crossedMaxAvailable: '13772',
      isolatedMaxAvailable: '9982',
      maxTransferOut: '9982',
      accountEquity: '10982',
      usdtEquity: '10982',
      crossedRiskRate: '0.008451873',
      unrealizedPL: '1000',
      crossedMargin: '3100',
      isolatedMargin: '0',
      unionTotalMargin: '16872',
      unionAvailable: '13772',
      unionMm: '142.6',
      assetMode: 'union',
    });
    const one = { productType: category, symbol: 'BTCUSDT', marginCoin: 'USDT' };
    expect(await exchange.data(trader, 'getFuturesAccount', one)).toMatchObject({
      accountEquity: '10982',
      crossedMarginLeverage: '10',
      isolatedLongLever: '10',
      isolatedShortLever: '10',
      marginMode: 'crossed',
      posMode: 'one_way_mode',
    });
    expect(await exchange.code(trader, 'getFuturesAccount', { ...one, symbol: 'NOSUCH' })).toBe(
      '40034',
    );
  });

  test('[POS-176] the margin ratio of a crossed account is the same number in every field', async () => {
    await exchange.setIndex('BTCUSDT', '60000');
    const trader = await exchange.trader({ deposits: { USDT: '10000' } });
    await trade(trader, { side: 'buy', qty: '0.5', price: '60000' });
    // 138 / 9,982 = 0.013824884792…
    const [position] = await all(trader);
    const { mgnRatio } = await exchange.data<Row>(trader, 'getAssets');
    const [account] = await exchange.data<Row[]>(trader, 'listFuturesAccounts', {
      productType: category,
    });
    expect([position!.marginRatio, mgnRatio, account!.crossedRiskRate]).toEqual([
      '0.0138248848',
      '0.0138248848',
      '0.0138248848',
    ]);
    await exchange.setIndex('BTCUSDT', '59000');
    // 0.014311326724…: rounding to the nearest would understate the risk.
    const [fallen] = await all(trader);
    expect([fallen!.marginRatio, (await exchange.data<Row>(trader, 'getAssets')).mgnRatio]).toEqual(
      ['0.0143113268', '0.0143113268'],
    );
  });
});
