/** Bills as common clients read them; only the address is changed. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BILLS, startBilledRun } from './billed-run.ts';
import { ccxtFor } from './ccxt-client.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const SWAP = 'BTC/USDT:USDT';

let exchange: TradingExchange;
let alice: Trader;
let transferIds: readonly string[];
beforeAll(async () => {
  exchange = await TradingExchange.start();
  ({ alice, transferIds } = await startBilledRun(exchange));
});
afterAll(() => exchange.stop());

describe.each([
  ['classic', false],
  ['unified', true],
] as const)('ccxt, %s', (_, uta) => {
  test('[API-55][BILL-04] fetchLedger of swaps shows profit and fees', async () => {
    const client = ccxtFor(exchange, alice, uta);
    const entries = await client.fetchLedger('USDT', undefined, undefined, { type: 'swap' });
    expect(entries).toMatchObject([
      {
        type: 'trade',
        amount: 0,
        fee: { currency: 'USDT', cost: 36 },
        after: 9964,
        currency: 'USDT',
      },
      { type: 'fee', amount: 6, direction: 'out', before: 9964, after: 9958 },
      { type: 'trade', amount: 100, direction: 'in', fee: { cost: 36.06 }, after: 10021.94 },
    ]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3);
    await client.close();
  });

  test('[API-55][BILL-04] fetchLedger of spot shows every bill that is not of futures', async () => {
    const client = ccxtFor(exchange, alice, uta);
    const entries = await client.fetchLedger('USDT', undefined, undefined, { type: 'spot' });
    const traded = {
      type: 'trade',
      direction: 'out',
      amount: 6000,
      before: 10021.94,
      after: 4021.94,
    };
    if (uta) expect(entries).toMatchObject([traded]);
    // Spot and futures share one wallet: the bills that are not of futures are listed here.
    else
      expect(entries).toMatchObject([
        { type: 'deposit', direction: 'in', amount: 10_000, after: 10_000 },
        traded,
        { type: 'withdrawal', direction: 'out', amount: 99, fee: { cost: 1 }, after: 3921.94 },
        { type: 'transfer', direction: 'out', amount: 50 },
        { type: 'transfer', direction: 'out', amount: 500 },
        { type: 'transfer', direction: 'in', amount: 100, after: 3471.94 },
      ]);
    await client.close();
  });

  test('[API-55][BILL-04] fetchFundingHistory', async () => {
    const client = ccxtFor(exchange, alice, uta);
    expect(await client.fetchFundingHistory(SWAP)).toMatchObject([
      { symbol: SWAP, code: 'USDT', amount: -6, id: expect.any(String) },
    ]);
    await client.close();
  });
});

test('[API-55][BILL-04] ccxt, unified: bills without a trade are listed by their category', async () => {
  const client = ccxtFor(exchange, alice, true);
  const entries = await client.fetchLedger('USDT', undefined, undefined, { category: 'OTHER' });
  expect(entries.map(({ type, direction, amount }) => `${type} ${direction} ${amount}`)).toEqual([
    'deposit in 10000',
    'withdrawal out 99',
    'transfer out 50',
    'transfer out 500',
    'transfer in 100',
  ]);
  await client.close();
});

test('[API-55][BILL-07] ccxt: fetchTransfers lists transfers in both directions', async () => {
  const client = ccxtFor(exchange, alice, false);
  expect(await client.fetchTransfers('USDT')).toMatchObject([
    {
      id: transferIds[0],
      currency: 'USDT',
      amount: 500,
      fromAccount: 'spot',
      toAccount: 'isolated',
      status: 'ok',
    },
  ]);
  expect(
    await client.fetchTransfers('USDT', undefined, undefined, { fromAccount: 'isolated' }),
  ).toMatchObject([
    { id: transferIds[1], amount: 100, fromAccount: 'isolated', toAccount: 'spot' },
  ]);
  await client.close();
});

test('[API-55][BILL-04][BILL-05][BILL-07] bitget-api reads every list', async () => {
  const keys = {
    apiKey: alice.apiKey,
    apiSecret: alice.secretKey,
    apiPass: alice.passphrase,
    baseUrl: exchange.url,
  };
  const [v2, v3] = [new RestClientV2(keys), new RestClientV3(keys)];
  const futures = await v2.getFuturesAccountBills({
    productType: 'USDT-FUTURES',
    businessType: 'contract_settle_fee',
  });
  expect(futures.data.bills).toMatchObject([{ amount: '-6', symbol: 'BTCUSDT', balance: '9958' }]);
  const spot = await v2.getSpotAccountBills({ groupType: 'withdraw' });
  expect(spot.data).toMatchObject([
    { businessType: 'withdraw', size: '-99', fees: '-1', coin: 'USDT' },
  ]);
  const moved = await v2.getSpotTransferHistory({ coin: 'USDT', fromType: 'spot' });
  expect(moved.data.map(({ transferId }) => transferId)).toEqual([transferIds[0]]);
  const pair = {
    symbol: 'BTCUSDT',
    startTime: String(Date.now() - 86_400_000),
    endTime: String(Date.now() + 2 * 86_400_000),
  };
  const isolated = await v2.getMarginFinancialHistory('isolated', pair);
  expect(isolated.data.resultList).toHaveLength(4);
  const unified = await v3.getFinancialRecords({ category: 'USDT-FUTURES', limit: '2' });
  expect(unified.data.list.map(({ type }) => type)).toEqual([
    'SELL_DEAL',
    'CONTRACT_MAIN_SETTLE_FEE_USER_OUT',
  ]);
  const rest = await v3.getFinancialRecords({
    category: 'USDT-FUTURES',
    cursor: unified.data.cursor,
  });
  expect(rest.data.list.map(({ type }) => type)).toEqual([BILLS[2]![3]]);
});
