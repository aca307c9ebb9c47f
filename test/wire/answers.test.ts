import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openVault } from '../../src/gateway/auth/vault.ts';
import { ok } from '../../src/kernel/result.ts';
import { HistoryUnavailable } from '../../src/views/history/history.ts';
import {
  type Answer,
  answerOf,
  call,
  OPERATOR_TOKEN,
  operate,
  type Person,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';

const SET = '/api/v3/account/set-leverage';
const GOOD = JSON.stringify({ category: 'USDT-FUTURES', symbol: 'BTCUSDT', leverage: '20' });

let exchange: TestExchange;
let alice: Person;

beforeAll(async () => {
  exchange = await startTestExchange({
    limits: false,
    replaced: {
      listSpotSymbols: () => {
        throw new Error('a secret path /srv/rialto and a reason');
      },
      // This answer cannot be written as JSON.
      listContracts: async () => ok([{ size: 1n }] as never),
      listDepositRecords: async () => {
        throw new HistoryUnavailable('the file is gone');
      },
    },
  });
  alice = await exchange.person();
});

afterAll(() => exchange.close());

const post = (body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(exchange, alice, 'POST', SET, { body, headers });

describe('answers', () => {
  test('[REQ-30] success is HTTP 200, 00000 and success; a refusal has null for data', async () => {
    const good = await fetch(`${exchange.url}/api/v2/public/time`);
    expect(good.status).toBe(200);
    expect(Object.keys((await good.json()) as object)).toEqual([
      'code',
      'msg',
      'requestTime',
      'data',
    ]);
    expect(await post('{}')).toMatchObject({ status: 400, code: '40019', data: null });
  });

  test('[REQ-31] requestTime is a whole number in exchange time', async () => {
    const moved = await startTestExchange({ limits: false });
    await operate(moved, 'POST', '/operator/v1/clock', { advanceMs: '3600000' });
    const answer = await answerOf(await fetch(`${moved.url}/api/v2/public/time`));
    expect(Number.isSafeInteger(answer.requestTime)).toBe(true);
    expect(answer.requestTime - Date.now()).toBeGreaterThan(3_590_000);
    expect(answer.data).toEqual({ serverTime: expect.stringMatching(/^\d{13}$/) });
    await moved.close();
  });

  test('[REQ-32] zh-CN and every zh get Chinese, others English, on every kind of refusal', async () => {
    const chinese = /[\u4e00-\u9fff]/;
    for (const locale of ['zh-CN', 'zh', 'ZH-tw']) {
      expect((await post('{}', { locale })).msg).toMatch(chinese);
      expect(
        (await answerOf(await fetch(`${exchange.url}/nowhere`, { headers: { locale } }))).msg,
      ).toMatch(chinese);
      expect(
        (await call(exchange, alice, 'GET', '/api/v3/account/settings', { headers: { locale } }))
          .msg,
      ).toBe('success');
    }
    for (const locale of ['en-US', 'fr', 'x-zh'])
      expect((await post('{}', { locale })).msg).not.toMatch(chinese);
    expect(
      (
        await answerOf(
          await fetch(exchange.url + SET, { method: 'POST', headers: { locale: 'zh-CN' } }),
        )
      ).msg,
    ).toMatch(chinese);
  });

  test.each(['starting', 'stopping', 'halted'] as const)(
    '[REQ-33] while %s, every call except health is 503',
    async (status) => {
      exchange.world.status = status;
      try {
        expect(await post(GOOD)).toMatchObject({ status: 503, code: '40015', data: null });
        expect(await answerOf(await fetch(`${exchange.url}/api/v2/public/time`))).toMatchObject({
          status: 503,
          code: '40015',
        });
        expect(await operate(exchange, 'GET', '/operator/v1/clock')).toMatchObject({
          status: 503,
          code: '40015',
        });
        expect(await operate(exchange, 'GET', '/operator/v1/health')).toMatchObject({
          status: 200,
          data: { status },
        });
      } finally {
        exchange.world.status = 'serving';
      }
    },
  );

  test('[REQ-34] an error in a handler is logged once and not shown to the caller', async () => {
    const before = exchange.logged.length;
    const answer = await answerOf(await fetch(`${exchange.url}/api/v2/spot/public/symbols`));
    expect(answer).toMatchObject({ status: 400, code: '40010', data: null });
    expect(JSON.stringify(answer)).not.toMatch(/secret|srv|stack|\.ts/);
    const lines = exchange.logged.slice(before);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      endpoint: 'listSpotSymbols',
      msg: 'a call failed',
    });
  });

  test('[REQ-34] a document that cannot be made is an internal error', async () => {
    const before = exchange.logged.length;
    exchange.world.metricsFail = true;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    const answer = await answerOf(await fetch(`${exchange.operatorUrl}/metrics`, { headers }));
    exchange.world.metricsFail = false;
    expect(answer).toMatchObject({ status: 400, code: '40010', data: null });
    expect(JSON.stringify(answer)).not.toMatch(/secret|srv|stack|\.ts/);
    expect(
      exchange.logged.slice(before).map((line) => (JSON.parse(line) as { msg: string }).msg),
    ).toEqual(['a document failed']);
    expect((await fetch(`${exchange.operatorUrl}/metrics`, { headers })).status).toBe(200);
  });

  test('[REQ-34] an answer that cannot be written is an internal error', async () => {
    const answer = await answerOf(
      await fetch(`${exchange.url}/api/v2/mix/market/contracts?productType=USDT-FUTURES`),
    );
    expect(answer).toMatchObject({ status: 400, code: '40010', data: null });
  });

  test('[REQ-34] a secret sealed under another master key fails its own calls only', async () => {
    const broken = await exchange.person();
    const key = exchange.views.keys.find(broken.apiKey);
    await exchange.submit({ type: 'revokeKey', apiKey: broken.apiKey });
    await exchange.submit({
      type: 'createKey',
      ...key!,
      sealedSecret: openVault(Buffer.alloc(32)).seal(broken.apiKey, 'x', Buffer.alloc(12)),
    });
    expect(await call(exchange, broken, 'GET', '/api/v3/account/settings')).toMatchObject({
      status: 400,
      code: '40010',
    });
    expect(await call(exchange, alice, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
    });
  });

  test('[REQ-35] history that cannot be read is 503', async () => {
    expect(await call(exchange, alice, 'GET', '/api/v3/account/deposit-records')).toMatchObject({
      status: 503,
      code: '40015',
    });
  });

  test('[VIEW-152] an open order is found by either id while history cannot be read', async () => {
    const bob = await exchange.person({ usdt: '100000' });
    await operate(exchange, 'POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000', force: true },
    ]);
    const order = {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderType: 'limit',
      side: 'buy',
      qty: '0.01',
      price: '50000',
    };
    const body = JSON.stringify({ ...order, clientOid: 'mine' });
    const { orderId } = (await call(exchange, bob, 'POST', '/api/v3/trade/place-order', { body }))
      .data as { orderId: string };
    const ask = (query: string) =>
      call(exchange, bob, 'GET', '/api/v3/trade/order-info', { query });
    const { history } = exchange.views;
    const { endedOrders } = history;
    Object.assign(history, { endedOrders: () => Promise.reject(new HistoryUnavailable('gone')) });
    const answers = [
      await ask(`orderId=${orderId}`),
      await ask('clientOid=mine'),
      await ask('clientOid=other'),
    ];
    Object.assign(history, { endedOrders });
    expect(answers.map(({ code }) => code)).toEqual(['00000', '00000', '40015']);
  });

  test('[REQ-35] a change whose answer cannot be read is not reported as refused', async () => {
    const person = await exchange.person();
    const { accounts } = exchange.views;
    const symbolSetting = accounts.symbolSetting.bind(accounts);
    const modeNow = () => symbolSetting(person.uid, 'USDT-FUTURES', 'BTCUSDT').marginMode;
    const market = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' };
    // The answer shows the setting after the change, which cannot be read.
    const readUntilSet: typeof symbolSetting = (...request) => {
      if (modeNow() === 'isolated') throw new HistoryUnavailable('gone');
      return symbolSetting(...request);
    };
    expect(modeNow()).toBe('crossed');
    Object.assign(accounts, { symbolSetting: readUntilSet });
    const body = JSON.stringify({ ...market, marginMode: 'isolated' });
    const answer = await call(exchange, person, 'POST', '/api/v2/mix/account/set-margin-mode', {
      body,
    });
    Object.assign(accounts, { symbolSetting });
    expect(modeNow()).toBe('isolated');
    expect(answer).toMatchObject({ status: 400, code: '40010' });
  });
});
