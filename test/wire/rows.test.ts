import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentRows } from '../../src/contract/agents.ts';
import { billRows } from '../../src/contract/bills.ts';
import { copyFollowerRows } from '../../src/contract/copy-followers.ts';
import { copyLeaderRows } from '../../src/contract/copy-leaders.ts';
import { copyTradingRows } from '../../src/contract/copy-trading.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import { fundingRateRows } from '../../src/contract/funding-rates.ts';
import { isolatedFillRows } from '../../src/contract/isolated-fills.ts';
import { isolatedMarginRows } from '../../src/contract/isolated-margin.ts';
import { spotTriggerOrderRows } from '../../src/contract/spot-trigger-orders.ts';
import { triggerOrderListRows } from '../../src/contract/trigger-order-lists.ts';
import { triggerOrderRows } from '../../src/contract/trigger-orders.ts';
import {
  type Answer,
  call,
  operate,
  type Person,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';
import { tradingRows } from './trading-rows.ts';

let exchange: TestExchange;
let alice: Person;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
  alice = await exchange.person({ usdt: '12.5' });
});
afterAll(() => exchange.close());

/**
 * A successful request of each endpoint: a query for GET, a body for POST, the path parameters
 * first.
 */
const publicRequests: Readonly<Record<string, string>> = {
  getAccountSettings: '',
  getAssets: '',
  listDepositRecords: '',
  listWithdrawalRecords: `startTime=${Date.now() - 1000}&endTime=${Date.now() + 60_000}`,
  requestWithdrawal:
    '{"coin":"USDT","chain":"trc20","transferType":"on_chain","address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t","size":"10","clientOid":"once"}',
  getMaxWithdrawal: 'coin=USDT',
  getDepositAddress: 'coin=USDT&chain=trc20',
  requestSpotWithdrawal:
    '{"coin":"USDT","chain":"trc20","transferType":"on_chain","address":"TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t","size":"10","clientOid":"once"}',
  listSpotWithdrawalRecords: `startTime=${Date.now() - 1000}&endTime=${Date.now() + 60_000}`,
  listSpotDepositRecords: '',
  getSpotDepositAddress: 'coin=USDT&chain=trc20',
  transfer: '{"fromType":"spot","toType":"usdt_futures","coin":"USDT","amount":"0.5"}',
  transferUnified: '{"fromType":"spot","toType":"usdt_futures","coin":"USDT","amount":"0.5"}',
  setLeverage: '{"category":"MARGIN","coin":"BTC","leverage":"2"}',
  setHoldMode: '{"holdMode":"hedge_mode"}',
  setFuturesLeverage:
    '{"symbol":"BTCUSDT","productType":"USDT-FUTURES","marginCoin":"USDT","leverage":"5"}',
  setFuturesMarginMode:
    '{"symbol":"BTCUSDT","productType":"USDT-FUTURES","marginCoin":"USDT","marginMode":"isolated"}',
  setFuturesPositionMode: '{"productType":"USDT-FUTURES","posMode":"one_way_mode"}',
  getServerTime: '',
  listFundingAssets: '',
  listAccountBalances: '',
  getOpenCount:
    'symbol=BTCUSDT&productType=USDT-FUTURES&marginCoin=USDT&openAmount=1&openPrice=60000',
  getMaxOpen: 'category=SPOT&symbol=BTCUSDT&orderType=limit&side=buy&price=60000',
  askMaxOpen:
    '{"category":"SPOT","symbol":"BTCUSDT","orderType":"limit","side":"buy","price":"60000"}',
  listCrossedInterest: `startTime=${Date.now() - 1000}`,
  listIsolatedInterest: `symbol=BTCUSDT&startTime=${Date.now() - 1000}`,
  listDiscountRates: '',
  listCrossedRates: 'coin=USDT',
  getLoanRate: 'coin=USDT',
  listAnnouncements: 'language=en_US',
  listCoins: '',
  listSpotSymbols: '',
  listMarginCurrencies: '',
  listContracts: 'productType=COIN-FUTURES',
  listInstruments: 'category=USDT-FUTURES',
};

/** Trading rows have tests of their own, on an exchange with a market. */
const copyRows = { ...copyTradingRows, ...copyFollowerRows, ...copyLeaderRows };
const elsewhere = new Set([
  'cancelWithdrawal',
  'cancelSpotWithdrawal',
  ...Object.keys({ ...fundingRateRows, ...billRows, ...spotTriggerOrderRows }),
  ...Object.keys({
    ...tradingRows,
    ...triggerOrderRows,
    ...triggerOrderListRows,
    ...agentRows,
    ...copyRows,
    ...isolatedFillRows,
    ...isolatedMarginRows,
  }),
]);
const offered = (name: string): boolean => !elsewhere.has(name);
const publicRows = Object.entries(publicEndpoints as Readonly<Record<string, Endpoint>>).filter(
  ([name]) => offered(name),
);

function send({ method }: Endpoint, path: string, input: string): Promise<Answer> {
  return call(exchange, alice, method, path, method === 'GET' ? { query: input } : { body: input });
}

describe('the public API', () => {
  test('[REQ-39] every implemented endpoint is called here', () => {
    expect(Object.keys(publicRequests).sort()).toEqual(publicRows.map(([name]) => name).sort());
  });

  test.each(publicRows)(
    '[REQ-39] %s answers by its row, on each of its paths',
    async (name, row) => {
      for (const path of [row.path, ...(row.aliases ?? [])]) {
        const answer = await send(row, path, publicRequests[name] ?? '');
        expect(answer).toMatchObject({ status: 200, code: '00000', msg: 'success' });
        expect(row.response.faults(answer.data, 'data')).toEqual([]);
      }
    },
  );

  test('[REQ-39] a leverage for each side is shown for its side', async () => {
    const person = await exchange.person();
    await call(exchange, person, 'POST', '/api/v3/account/set-hold-mode', {
      body: '{"holdMode":"hedge_mode"}',
    });
    const market = { symbol: 'ETHUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT' };
    await call(exchange, person, 'POST', '/api/v2/mix/account/set-margin-mode', {
      body: JSON.stringify({ ...market, marginMode: 'isolated' }),
    });
    const set = await call(exchange, person, 'POST', '/api/v2/mix/account/set-leverage', {
      body: JSON.stringify({ ...market, longLeverage: '7', shortLeverage: '8' }),
    });
    expect(set.data).toMatchObject({
      longLeverage: '7',
      shortLeverage: '8',
      marginMode: 'isolated',
    });
    const { data } = await call(exchange, person, 'GET', '/api/v3/account/settings');
    const rows = (data as { symbolConfigList: { symbol: string; category: string }[] })
      .symbolConfigList;
    expect(
      rows.find(({ symbol, category }) => symbol === 'ETHUSDT' && category === 'USDT-FUTURES'),
    ).toMatchObject({
      longLeverage: '7',
      shortLeverage: '8',
    });
    expect(publicEndpoints.getAccountSettings.response.faults(data, 'data')).toEqual([]);
  });

  test('[REQ-39] fields required only by some requests are sent for by name', async () => {
    const refusal = async (body: string) => {
      const { code, msg } = await call(exchange, alice, 'POST', '/api/v3/account/set-leverage', {
        body,
      });
      return `${code} ${msg}`;
    };
    expect(await refusal('{"category":"USDT-FUTURES","leverage":"5"}')).toMatch(/^40019 .*symbol/);
    expect(await refusal('{"category":"USDT-FUTURES","symbol":"BTCUSDT"}')).toMatch(
      /^40019 .*leverage/,
    );
    expect(await refusal('{"category":"MARGIN","leverage":"5"}')).toMatch(/^40019 .*coin/);
    expect(await refusal('{"category":"SPOT","leverage":"5"}')).toMatch(/^40020 .*category/);
  });

  test('[REQ-39] an unlisted symbol or coin is refused by name', async () => {
    expect(
      await call(exchange, alice, 'GET', '/api/v3/market/instruments', {
        query: 'category=SPOT&symbol=NONE',
      }),
    ).toMatchObject({
      code: '25100',
    });
    expect(
      await call(exchange, alice, 'GET', '/api/v2/mix/market/contracts', {
        query: 'productType=USDT-FUTURES&symbol=NONE',
      }),
    ).toMatchObject({ code: '40034' });
    expect(
      await call(exchange, alice, 'GET', '/api/v2/spot/public/coins', { query: 'coin=NONE' }),
    ).toMatchObject({ code: '40034' });
    expect(
      await call(exchange, alice, 'GET', '/api/v2/mix/market/contracts', {
        query: 'productType=SUSDT-FUTURES',
      }),
    ).toMatchObject({
      code: '00000',
      data: [],
    });
  });
});

describe('the operator API', () => {
  const reads = Object.entries(operatorEndpoints as Readonly<Record<string, Endpoint>>).filter(
    ([, { method }]) => method === 'GET',
  );

  test.each(reads)('[REQ-39] %s answers by its row', async (_, row) => {
    const answer = await operate(exchange, 'GET', row.path.replace(':uid', String(alice.uid)));
    expect(answer).toMatchObject({ status: 200, code: '00000' });
    expect(row.response.faults(answer.data, 'data')).toEqual([]);
  });
});

describe('contradictory and unknown values', () => {
  const CURSORS = ['idLessThan', 'idGreaterThan', 'cursor'];
  /** Pages of funding rates have page numbers (POS-90). */
  const paged = [...Object.entries(publicEndpoints), ...Object.entries(operatorEndpoints)].flatMap(
    ([name, row]: [string, Endpoint]) =>
      CURSORS.filter((cursor) => cursor in row.request.fields && !(name in fundingRateRows)).map(
        (cursor) => [name, cursor, row] as const,
      ),
  );

  test('[LIST-20] every list with pages is called here', () =>
    expect(paged.length).toBeGreaterThan(5));

  test.each(paged)('[LIST-20] %s refuses a %s that is not a number', (_, cursor, row) => {
    const field = row.request.fields[cursor]!;
    expect(field.decode('1000000000000000042', cursor)).toEqual({ ok: true, value: 42 });
    expect(field.decode('42', cursor)).toEqual({ ok: true, value: 0 });
    for (const other of ['abc', '-1'])
      expect(field.decode(other, cursor)).toMatchObject({
        ok: false,
        refusal: { reason: 'fieldInvalid', field: cursor },
      });
  });

  test('[LIST-20] a cursor that is not a number is refused by name; below the first id the list is empty', async () => {
    const records = (query: string): Promise<Answer> =>
      call(exchange, alice, 'GET', '/api/v3/account/deposit-records', { query });
    const all = await records('');
    expect(all.data).not.toEqual([]);
    expect((await records('cursor=99999999999999999999')).data).toEqual(all.data);
    expect(await records('cursor=42')).toMatchObject({ status: 200, code: '00000', data: [] });
    expect(await records('cursor=abc')).toMatchObject({
      status: 400,
      code: '40020',
      msg: expect.stringContaining('cursor'),
    });
    expect(await operate(exchange, 'GET', '/operator/v1/ledger?idLessThan=abc')).toMatchObject({
      code: '40020',
      msg: expect.stringContaining('idLessThan'),
    });
    expect(await records('orderId=42')).toMatchObject({ code: '00000', data: [] });
  });

  test("[ACC-21] a margin coin other than the symbol's is refused by name, on v2 and v3", async () => {
    const market = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      leverage: '3',
      marginMode: 'crossed',
    };
    const send2 = (path: string, body: object): Promise<Answer> =>
      call(exchange, alice, 'POST', `/api/v2/mix/account/${path}`, { body: JSON.stringify(body) });
    for (const path of ['set-leverage', 'set-margin-mode']) {
      const refused = await send2(path, { ...market, marginCoin: 'BTC' });
      expect(refused).toMatchObject({
        status: 400,
        code: '40020',
        msg: expect.stringContaining('marginCoin'),
      });
      expect(await send2(path, { ...market, marginCoin: 'usdt' })).toMatchObject({ code: '00000' });
      expect(await send2(path, { ...market, symbol: 'NOSUCH', marginCoin: 'BTC' })).toMatchObject({
        code: '40034',
      });
    }
    const send3 = (coin: string, symbol = 'BTCUSDT'): Promise<Answer> =>
      call(exchange, alice, 'POST', '/api/v3/account/set-leverage', {
        body: JSON.stringify({ category: 'USDT-FUTURES', symbol, coin, leverage: '3' }),
      });
    expect(await send3('BTC')).toMatchObject({
      status: 400,
      code: '40020',
      msg: expect.stringContaining('coin'),
    });
    expect(await send3('USDT')).toMatchObject({ code: '00000' });
  });

  test("[API-53] the account of another margin coin than the symbol's is not shown", async () => {
    const ask = (marginCoin: string): Promise<Answer> =>
      call(exchange, alice, 'GET', '/api/v2/mix/account/account', {
        query: `symbol=BTCUSDT&productType=USDT-FUTURES&marginCoin=${marginCoin}`,
      });
    expect(await ask('usdt')).toMatchObject({ code: '00000', data: { marginCoin: 'USDT' } });
    expect(await ask('BTC')).toMatchObject({
      status: 400,
      code: '40020',
      msg: expect.stringContaining('marginCoin'),
    });
  });

  test('[ACC-161] a leverage for both sides contradicts one for a single side', async () => {
    const v3 = { category: 'USDT-FUTURES', symbol: 'SOLUSDT', leverage: '3' };
    const v2 = {
      productType: 'USDT-FUTURES',
      symbol: 'SOLUSDT',
      marginCoin: 'USDT',
      leverage: '3',
    };
    const set = (path: string, body: object): Promise<Answer> =>
      call(exchange, alice, 'POST', path, { body: JSON.stringify(body) });
    for (const [path, body] of [
      ['/api/v3/account/set-leverage', v3],
      ['/api/v2/mix/account/set-leverage', v2],
    ] as const)
      for (const field of ['longLeverage', 'shortLeverage']) {
        const refused = { status: 400, code: '40020', msg: expect.stringContaining(field) };
        expect(await set(path, { ...body, [field]: '5' })).toMatchObject(refused);
        for (const same of ['3', '3.0', '03'])
          expect(await set(path, { ...body, [field]: same })).toMatchObject({ code: '00000' });
      }
  });

  test('[ACC-22] an invalid leverage of a side is refused by name', async () => {
    const set = (input: object): Promise<Answer> =>
      call(exchange, alice, 'POST', '/api/v3/account/set-leverage', {
        body: JSON.stringify({
          category: 'USDT-FUTURES',
          symbol: 'BTCUSDT',
          longLeverage: '3',
          shortLeverage: '3',
          ...input,
        }),
      });
    for (const field of ['longLeverage', 'shortLeverage'])
      expect(await set({ [field]: '126' })).toMatchObject({
        code: '25223',
        msg: `Parameter ${field} error: a leverage is a whole number from 1 to 125`,
      });
  });

  test('[ACC-23] a leverage is for the current margin mode; for the other it is refused', async () => {
    const set = (input: object): Promise<Answer> =>
      call(exchange, alice, 'POST', '/api/v3/account/set-leverage', {
        body: JSON.stringify({ category: 'USDT-FUTURES', symbol: 'ETHUSDT', ...input }),
      });
    const refused = { status: 400, code: '40020', msg: expect.stringContaining('marginMode') };
    expect(await set({ leverage: '3', marginMode: 'isolated' })).toMatchObject(refused);
    for (const sides of [
      { longLeverage: '3', shortLeverage: '3' },
      { longLeverage: '3' },
      { shortLeverage: '3' },
    ])
      expect(await set({ ...sides, marginMode: 'isolated' })).toMatchObject(refused);
    expect(
      await set({ category: 'MARGIN', coin: 'USDT', leverage: '3', marginMode: 'isolated' }),
    ).toMatchObject(refused);
    expect(
      exchange.views.accounts.symbolSetting(alice.uid, 'USDT-FUTURES', 'ETHUSDT').leverage,
    ).toBe('10');
    expect(await set({ leverage: '3', marginMode: 'crossed' })).toMatchObject({ code: '00000' });
    expect(
      await set({ category: 'MARGIN', coin: 'USDT', leverage: '3', marginMode: 'crossed' }),
    ).toMatchObject({ code: '00000' });
    const missing = { status: 400, code: '40019', msg: expect.stringContaining('leverage') };
    expect(await set({ category: 'MARGIN', coin: 'USDT' })).toMatchObject(missing);
    const { data } = await call(exchange, alice, 'GET', '/api/v3/account/settings');
    const { coinConfigList } = data as { readonly coinConfigList: readonly unknown[] };
    expect(coinConfigList).toContainEqual({ coin: 'USDT', leverage: '3' });
  });
});
