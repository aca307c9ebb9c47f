import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Asset, SYMBOL } from './isolated-margin.test-support.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let alice: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
});

afterAll(() => exchange.stop());

/** A new user with 1,000 in the pair and 1,000 in the wallet; bitcoin is at 60,000. */
beforeEach(async () => {
  await exchange.clearBooks();
  await exchange.setIndex(SYMBOL, '60000');
  alice = await exchange.trader({ deposits: { USDT: '2000' } });
  await transfer('1000');
});

const transfer = (amount: string, values: object = {}) =>
  exchange.call(alice, 'transfer', {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount,
    coin: 'USDT',
    symbol: SYMBOL,
    ...values,
  });

const places = (values: Record<string, string>, caller = alice) =>
  exchange.call(caller, 'placeIsolatedOrder', {
    symbol: SYMBOL,
    orderType: 'limit',
    force: 'gtc',
    loanType: 'normal',
    side: 'buy',
    ...values,
  });

async function assets(): Promise<Record<string, string>> {
  const rows = await exchange.data<Asset[]>(alice, 'listIsolatedAssets', { symbol: SYMBOL });
  return Object.fromEntries(
    rows.map(({ coin, available, frozen, borrow }) => [coin, `${available}/${frozen}/${borrow}`]),
  );
}

describe('pairs', () => {
  test('[ISO-09][ISO-151] money moves between wallet and pair, and the pair shows both of its coins', async () => {
    expect(await assets()).toEqual({ USDT: '1000/0/0', BTC: '0/0/0' });
    const out = await transfer('400', { fromType: 'isolated_margin', toType: 'spot' });
    expect(out.data).toMatchObject({ transferId: expect.stringMatching(/^\d{19}$/) });
    expect(await assets()).toEqual({ USDT: '600/0/0', BTC: '0/0/0' });
    const [wallet] = await exchange.data<{ coin: string; available: string }[]>(
      alice,
      'listSpotAssets',
      { coin: 'USDT' },
    );
    expect(wallet).toMatchObject({ available: '1400' });
  });

  test('[ISO-24] refusals have the codes that clients know', async () => {
    expect((await transfer('1', { symbol: 'NOPEUSDT' })).code).toBe('50002');
    expect((await transfer('1', { coin: 'ETH' })).code).toBe('50003');
    expect((await transfer('1001')).code).toBe('43012');
    expect((await transfer('1001', { fromType: 'isolated_margin', toType: 'spot' })).code).toBe(
      '50020',
    );
    expect((await transfer('1', { toType: 'spot' })).code).toBe('40020');
    expect((await transfer('1', { toType: 'p2p' })).code).toBe('40020');
    expect((await transfer('1', { symbol: '' })).code).toBe('40019');
    expect(
      await exchange.code(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '9001',
      }),
    ).toBe('50020');
    expect(
      await exchange.code(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '1',
      }),
    ).toBe('50021');
    expect(
      await exchange.code(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '9000',
      }),
    ).toBe('00000');
    expect((await transfer('1', { fromType: 'isolated_margin', toType: 'spot' })).code).toBe(
      '43117',
    );
    expect((await places({ symbol: 'NOPEUSDT', baseSize: '0.01', price: '60000' })).code).toBe(
      '50002',
    );
    expect((await places({ baseSize: '1', price: '60000' })).code).toBe('50020');
    expect((await places({ price: '60000' })).code).toBe('40019');
    expect((await places({ orderType: 'market', baseSize: '0.01' })).code).toBe('40019');
    expect((await places({ baseSize: '0.01' })).code).toBe('40019');
    expect((await places({ baseSize: '0.01', price: '60000', loanType: 'sometimes' })).code).toBe(
      '40020',
    );
  });

  test('[ISO-34] the amounts shown can be borrowed and transferred out to the last unit', async () => {
    const request = { symbol: SYMBOL };
    const room = async () => ({
      ...(await exchange.data<Readonly<Record<string, string>>>(
        alice,
        'getIsolatedBorrowable',
        request,
      )),
      ...(await exchange.data<Readonly<Record<string, string>>>(
        alice,
        'getIsolatedRemovable',
        request,
      )),
    });
    const named = { symbol: SYMBOL, baseCoin: 'BTC', quoteCoin: 'USDT' };
    expect(await exchange.data(alice, 'getIsolatedBorrowable', request)).toMatchObject(named);
    // Equity of 1,000 at ten times: 9,000, or 0.15 bitcoin at 60,000.
    expect(await room()).toEqual({
      ...named,
      baseCoinMaxBorrowAmount: '0.15',
      quoteCoinMaxBorrowAmount: '9000',
      baseCoinMaxTransferOutAmount: '0',
      quoteCoinMaxTransferOutAmount: '1000',
    });
    const borrow = (coin: string, borrowAmount: string) =>
      exchange.code(alice, 'borrowIsolated', { symbol: SYMBOL, coin, borrowAmount });
    expect(await borrow('USDT', '5000')).toBe('00000');
    // 9 × 6,000 − 10 × 5,000 = 4,000, and 6,000 − 5,000 × 10 / 9 = 444.44…
    const emitted = await room();
    expect(emitted).toMatchObject({
      quoteCoinMaxBorrowAmount: '4000',
      quoteCoinMaxTransferOutAmount: '444.4444444444',
    });
    const out = { fromType: 'isolated_margin', toType: 'spot' };
    expect((await transfer('444.4444444445', out)).code).toBe('43117');
    expect((await transfer('444.4444444444', out)).code).toBe('00000');
    const left = (await room()).quoteCoinMaxBorrowAmount!;
    expect([left, await borrow('USDT', '0.0000000005')]).toEqual(['0.0000000004', '50020']);
    expect(await borrow('USDT', left)).toBe('00000');
    expect(await room()).toMatchObject({
      baseCoinMaxBorrowAmount: '0',
      quoteCoinMaxBorrowAmount: '0',
      quoteCoinMaxTransferOutAmount: '0',
    });
    expect(await exchange.code(alice, 'getIsolatedBorrowable', { symbol: 'NOPEUSDT' })).toBe(
      '50002',
    );
    expect(await exchange.code(alice, 'getIsolatedRemovable', { symbol: 'NOPEUSDT' })).toBe(
      '50002',
    );
  });

  test('[ISO-08][ISO-11][ISO-17][ISO-26] a loan is taken, has a risk rate and is repaid', async () => {
    expect(
      await exchange.data(alice, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '4000',
      }),
    ).toMatchObject({
      symbol: SYMBOL,
      coin: 'USDT',
      borrowAmount: '4000',
    });
    expect(await assets()).toEqual({ USDT: '5000/0/4000', BTC: '0/0/0' });
    expect(await exchange.data(alice, 'listIsolatedRisks')).toEqual([
      { symbol: SYMBOL, riskRateRatio: '0.8' },
    ]);
    const [pair] = await exchange.data<readonly object[]>(alice, 'listMarginCurrencies');
    expect(pair).toMatchObject({
      symbol: SYMBOL,
      warningRiskRatio: '0.9',
      liquidationRiskRatio: '0.95',
    });
    expect(
      await exchange.data(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '1000',
      }),
    ).toMatchObject({
      repayAmount: '1000',
      remainDebtAmount: '3000',
    });
    expect(
      await exchange.data(alice, 'repayIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        repayAmount: '5000',
      }),
    ).toMatchObject({
      repayAmount: '3000',
      remainDebtAmount: '0',
    });
    expect(await exchange.data(alice, 'listIsolatedRisks', { symbol: SYMBOL })).toEqual([
      { symbol: SYMBOL, riskRateRatio: '0' },
    ]);
  });

  test('[ISO-27] reading needs margin.read, and changes need margin.write', async () => {
    const key = async (...permissions: string[]) => {
      const { data } = await exchange.operate('POST', '/operator/v1/keys', {
        uid: alice.uid,
        permissions,
      });
      return { ...alice, ...(data as object) } as Trader;
    };
    const reader = await key('margin.read');
    expect(await exchange.code(reader, 'listIsolatedAssets')).toBe('00000');
    expect(
      await exchange.code(reader, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '1',
      }),
    ).toBe('40014');
    const writer = await key('margin.write');
    expect(await exchange.code(writer, 'listIsolatedAssets')).toBe('00000');
    expect(
      await exchange.code(writer, 'borrowIsolated', {
        symbol: SYMBOL,
        coin: 'USDT',
        borrowAmount: '1',
      }),
    ).toBe('00000');
    const other = await key('uta_trade.write', 'futures.write');
    expect(
      await exchange.code(other, 'listIsolatedFills', { symbol: SYMBOL, startTime: '1' }),
    ).toBe('40014');
  });
});
