/** Transfers over HTTP: within the one wallet no money moves. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const WITHIN = { fromType: 'spot', toType: 'usdt_futures', amount: '100', coin: 'USDT' };
const calls = ['transfer', 'transferUnified'] as const;

const usdtOf = async (trader: Trader): Promise<Row> =>
  (await exchange.data<{ assets: readonly Row[] }>(trader, 'getAssets', { coin: 'USDT' }))
    .assets[0]!;

describe.each(calls)('%s', (name) => {
  test('[ACC-32][ACC-33] a transfer of the whole wallet moves nothing, and one unit more is refused', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100' } });
    const before = await usdtOf(trader);
    for (const fromType of [
      'spot',
      'usdt_futures',
      'coin_futures',
      'usdc_futures',
      'crossed_margin',
      'uta',
    ])
      for (const toType of ['spot', 'crossed_margin', 'uta']) {
        const moved = await exchange.call(trader, name, { ...WITHIN, fromType, toType });
        expect([fromType, toType, moved.code]).toEqual([
          fromType,
          toType,
          fromType === toType ? '40020' : '00000',
        ]);
      }
    expect(await exchange.code(trader, name, { ...WITHIN, amount: '100.0000000001' })).toBe(
      '43012',
    );
    expect(await usdtOf(trader)).toEqual(before);
    expect(
      await exchange.data(trader, 'listTransferRecords', { coin: 'USDT', fromType: 'spot' }),
    ).toEqual([]);
  });

  test('[ACC-32] invalid transfers are refused', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100' } });
    const unknown = name === 'transfer' ? '40034' : '25201';
    const refused: readonly (readonly [object, string])[] = [
      [{ coin: 'NONE' }, unknown],
      [{ coin: 'BTC', amount: '0.1' }, '43012'],
      [{ amount: '0' }, '40020'],
      [{ amount: '0.00000000001' }, '40808'],
      [{ toType: 'p2p' }, '40020'],
      [{ toType: 'isolated_margin' }, '40019'],
    ];
    for (const [input, code] of refused)
      expect([input, await exchange.code(trader, name, { ...WITHIN, ...input })]).toEqual([
        input,
        code,
      ]);
  });

  test('[ACC-32][ISO-159] a repeated clientOid is the same transfer; another amount is refused', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100' } });
    const first = await exchange.data<Row>(trader, name, { ...WITHIN, clientOid: 'once' });
    expect(first).toEqual({ transferId: expect.stringMatching(/^1\d{18}$/), clientOid: 'once' });
    expect(await exchange.data(trader, name, { ...WITHIN, clientOid: 'once' })).toEqual(first);
    expect(await exchange.code(trader, name, { ...WITHIN, amount: '99', clientOid: 'once' })).toBe(
      '40786',
    );
    expect((await exchange.data<Row>(trader, name, WITHIN)).transferId).not.toBe(first.transferId);
  });

  test('[ACC-33][ISO-09] transfers into a pair and out of it move money', async () => {
    const trader = await exchange.trader({ deposits: { USDT: '100' } });
    const pair = { amount: '60', coin: 'USDT', symbol: 'BTCUSDT' };
    await exchange.data(trader, name, {
      ...pair,
      fromType: 'usdt_futures',
      toType: 'isolated_margin',
    });
    expect(await usdtOf(trader)).toMatchObject({ balance: '40' });
    await exchange.data(trader, name, {
      ...pair,
      amount: '25',
      fromType: 'isolated_margin',
      toType: 'spot',
    });
    expect(await usdtOf(trader)).toMatchObject({ balance: '65' });
  });
});

test('[ACC-31] available never exceeds balance, with orders and isolated margin', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '1000' } });
  const asset = async () => {
    const { available, balance, locked } = await usdtOf(trader);
    expect([available, balance, Number(available) <= Number(balance)]).toEqual([
      available,
      balance,
      true,
    ]);
    return { available, balance, locked };
  };
  expect(await asset()).toEqual({ available: '1000', balance: '1000', locked: '0' });
  const spot = {
    category: 'SPOT',
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    qty: '0.01',
    price: '50000',
  };
  await exchange.data(trader, 'placeOrder', spot);
  expect(await asset()).toEqual({ available: '500', balance: '1000', locked: '500' });
  const [symbol, productType, marginCoin] = ['BTCUSDT', 'USDT-FUTURES', 'USDT'];
  await exchange.data(trader, 'setFuturesMarginMode', {
    symbol,
    productType,
    marginCoin,
    marginMode: 'isolated',
  });
  await exchange.data(trader, 'placeOrder', {
    category: productType,
    symbol,
    side: 'buy',
    orderType: 'market',
    qty: '0.01',
  });
  // A value of 600.10 at leverage 10 is 60.01 of margin; the fee of 0.06 % is 0.36006.
  expect(await asset()).toEqual({ available: '439.62994', balance: '999.63994', locked: '500' });
});
