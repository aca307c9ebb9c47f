import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import {
  answerOf,
  call,
  OPERATOR_TOKEN,
  operate,
  startTestExchange,
  type TestExchange,
} from './exchange.ts';

let exchange: TestExchange;

beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
});

afterAll(() => exchange.close());

describe('access', () => {
  const guarded = Object.values(operatorEndpoints).filter(({ access }) => access === 'operator');

  test.each(guarded.map(({ method, path }) => [method, path]))(
    '[OPR-01] %s %s needs the token',
    async (method, path) => {
      const target = `${exchange.operatorUrl}${path.replace(/:\w+/g, 'x')}`;
      const json = method === 'POST' ? { 'content-type': 'application/json' } : {};
      for (const headers of [
        json,
        { ...json, authorization: 'Bearer wrong' },
        { ...json, authorization: `Basic ${OPERATOR_TOKEN}` },
      ]) {
        expect(await answerOf(await fetch(target, { method, headers }))).toMatchObject({
          status: 401,
          code: '40037',
          data: null,
        });
      }
    },
  );

  test('[OPR-02] each API refuses the paths of the other', async () => {
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    for (const { method, path } of Object.values(operatorEndpoints))
      expect(
        await answerOf(await fetch(`${exchange.url}${path}`, { method, headers })),
      ).toMatchObject({ status: 404, code: '40404' });
    for (const { method, path } of Object.values(publicEndpoints))
      expect(
        await answerOf(await fetch(`${exchange.operatorUrl}${path}`, { method, headers })),
      ).toMatchObject({
        status: 404,
        code: '40404',
      });
  });

  test('[OPR-13] metrics need the token', async () => {
    expect(await answerOf(await fetch(`${exchange.operatorUrl}/metrics`))).toMatchObject({
      status: 401,
      code: '40037',
    });
    const answer = await fetch(`${exchange.operatorUrl}/metrics`, {
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain');
  });
});

test('[OPR-03] health needs no token and shows the progress', async () => {
  const { data } = await answerOf(await fetch(`${exchange.operatorUrl}/operator/v1/health`));
  expect(data).toEqual({
    status: 'serving',
    sequence: expect.any(Number),
    durable: expect.any(Number),
    stateHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    stateHashSequence: expect.any(Number),
    uptimeMs: expect.any(Number),
  });
});

test('[OPR-07] a deposit is credited once and shown to its user and in the ledger', async () => {
  const person = await exchange.person();
  const deposit = { uid: String(person.uid), coin: 'usdt', size: 250.5, clientOid: 'd-1' };
  const first = await operate(exchange, 'POST', '/operator/v1/deposits', deposit);
  const again = await operate(exchange, 'POST', '/operator/v1/deposits', deposit);
  expect(first.data).toEqual({ orderId: expect.stringMatching(/^1\d{18}$/) });
  expect(again.data).toEqual(first.data);
  expect(
    await operate(exchange, 'POST', '/operator/v1/deposits', { ...deposit, size: '1' }),
  ).toMatchObject({ code: '40786' });
  await operate(exchange, 'POST', '/operator/v1/deposits', {
    ...deposit,
    size: '0.25',
    clientOid: 'd-2',
  });

  const shown = await operate(exchange, 'GET', `/operator/v1/users/${person.uid}`);
  const nothing = { locked: '0', margin: '0', borrowed: '0', interest: '0' };
  expect(shown.data).toMatchObject({
    balances: [{ coin: 'USDT', available: '250.75', ...nothing, equity: '250.75' }],
  });
  expect((await call(exchange, person, 'GET', '/api/v3/account/assets')).data).toMatchObject({
    accountEquity: '250.75',
    usdtEquity: '250.75',
    effEquity: '250.75',
    assets: [
      {
        coin: 'USDT',
        equity: '250.75',
        usdValue: '250.75',
        balance: '250.75',
        available: '250.75',
        debt: '0',
        locked: '0',
      },
    ],
  });
  const records = (query: string) =>
    call(exchange, person, 'GET', '/api/v3/account/deposit-records', { query });
  expect((await records('')).data).toMatchObject([
    { clientOid: 'd-2', size: '0.25' },
    { clientOid: 'd-1', size: '250.5', coin: 'USDT', type: 'deposit', status: 'success' },
  ]);
  expect((await records('clientOid=d-1')).data).toMatchObject([{ clientOid: 'd-1' }]);
  expect((await records('clientOid=other')).data).toEqual([]);
  expect((await records('limit=1')).data).toMatchObject([{ clientOid: 'd-2' }]);
  expect((await records('cursor=1009007199254740991')).data).toHaveLength(2);
  expect((await records('cursor=1000000000000000000')).data).toEqual([]);
  const lines = (await operate(exchange, 'GET', `/operator/v1/ledger?uid=${person.uid}&coin=USDT`))
    .data as {
    amount: string;
    balance: string;
  }[];
  expect(lines.map(({ amount, balance }) => [amount, balance])).toEqual([
    ['0.25', '250.75'],
    ['250.5', '250.5'],
  ]);
});

test('[OPR-08] prices are set, pinned and released', async () => {
  const instrument = async (symbol: string) =>
    (
      (
        await operate(
          exchange,
          'GET',
          `/operator/v1/instruments?category=USDT-FUTURES&symbol=${symbol}`,
        )
      ).data as {
        indexPrice: string;
        markPrice: string;
      }[]
    )[0];
  expect(
    await operate(exchange, 'POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000' },
    ]),
  ).toMatchObject({ code: '00000', data: null });
  expect(await instrument('BTCUSDT')).toMatchObject({ indexPrice: '60000', markPrice: '60000' });
  await operate(exchange, 'POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: '61000' },
  ]);
  expect(await instrument('BTCUSDT')).toMatchObject({ indexPrice: '60000', markPrice: '61000' });
  await operate(exchange, 'POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', mark: null },
  ]);
  expect(await instrument('BTCUSDT')).toMatchObject({ markPrice: '60000' });
  expect(
    await operate(exchange, 'POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '90000' },
    ]),
  ).toMatchObject({ code: '40020', msg: expect.stringContaining('index') });
  expect(
    await operate(exchange, 'POST', '/operator/v1/prices', [
      { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '90000', force: true },
    ]),
  ).toMatchObject({ code: '00000' });
});

test('[PRC-06][API-33] of several prices the refusal names the invalid one, and none is set', async () => {
  const future = (symbol: string, index: string) => ({
    category: 'USDT-FUTURES',
    symbol,
    index,
    force: true,
  });
  const set = (...prices: readonly object[]) =>
    operate(exchange, 'POST', '/operator/v1/prices', prices);
  expect(await set(future('BTCUSDT', '60000'))).toMatchObject({ code: '00000' });
  expect(await set(future('BTCUSDT', '61000'), future('BTCUSDT', '61001'))).toMatchObject({
    code: '40020',
    msg: 'Parameter body[1].index error: BTC has two prices in this list',
  });
  expect(await set(future('BTCUSDT', '61000'), future('ETHUSDT', '0'))).toMatchObject({
    msg: expect.stringContaining('body[1].index'),
  });
  expect(await set(future('BTCUSDT', '61000'), future('XYZUSDT', '1'))).toMatchObject({
    code: '40034',
  });
  const shown = await operate(
    exchange,
    'GET',
    '/operator/v1/instruments?category=USDT-FUTURES&symbol=BTCUSDT',
  );
  expect(shown.data).toMatchObject([{ indexPrice: '60000' }]);
});

test('[OPR-09] the clock is shown and moved', async () => {
  const moved = await startTestExchange({ limits: false });
  const shown = async () =>
    (await operate(moved, 'GET', '/operator/v1/clock')).data as {
      now: string;
      wall: string;
      offsetMs: string;
      frozen: boolean;
    };
  expect(await shown()).toMatchObject({ offsetMs: '0', frozen: false });
  const answer = await operate(moved, 'POST', '/operator/v1/clock', { advanceMs: '3600000' });
  expect(answer.data).toEqual({ now: expect.stringMatching(/^\d{13}$/) });
  expect(Math.abs(Number.parseInt((await shown()).offsetMs, 10) - 3_600_000)).toBeLessThan(2_000);
  await operate(moved, 'POST', '/operator/v1/clock', { frozen: true });
  const [first, second] = [await shown(), await shown()];
  expect(first.frozen).toBe(true);
  expect(second.now).toBe(first.now);
  for (const to of ['1000', 'tomorrow', 'constructor'])
    expect(await operate(moved, 'POST', '/operator/v1/clock', { to }), to).toMatchObject({
      code: '40020',
      msg: expect.stringMatching(/^Parameter to /),
    });
  await moved.close();
});

describe('listings', () => {
  test('[OPR-10] clients see the status of an instrument', async () => {
    const status = async (url: string, key: string) =>
      ((await (await fetch(exchange.url + url)).json()) as { data: Record<string, string>[] })
        .data[0]?.[key];
    for (const [input, contract, unified] of [
      ['halted', 'maintain', 'restrictedAPI'],
      ['cancel_only', 'limit_open', 'limit_open'],
      ['off', 'off', 'offline'],
      ['normal', 'normal', 'online'],
    ] as const) {
      expect(
        await operate(exchange, 'POST', '/operator/v1/instruments/status', {
          category: 'USDT-FUTURES',
          symbol: 'XRPUSDT',
          status: input,
        }),
      ).toMatchObject({ code: '00000' });
      expect(
        await status(
          '/api/v2/mix/market/contracts?productType=usdt-futures&symbol=xrpusdt',
          'symbolStatus',
        ),
      ).toBe(contract);
      expect(
        await status('/api/v3/market/instruments?category=USDT-FUTURES&symbol=XRPUSDT', 'status'),
      ).toBe(unified);
    }
  });

  test('[OPR-10] coins and instruments can be read, changed and written back', async () => {
    const [coin] = (await operate(exchange, 'GET', '/operator/v1/coins?coin=SOL')).data as object[];
    expect(
      await operate(exchange, 'POST', '/operator/v1/coins', { ...coin, collateralRate: '0.5' }),
    ).toMatchObject({
      code: '00000',
      data: null,
    });
    expect((await operate(exchange, 'GET', '/operator/v1/coins?coin=SOL')).data).toMatchObject([
      { coin: 'SOL', collateralRate: '0.5' },
    ]);
    const [instrument] = (
      await operate(exchange, 'GET', '/operator/v1/instruments?category=SPOT&symbol=SOLUSDT')
    ).data as {
      status: string;
    }[];
    const { status: _, ...listing } = instrument ?? { status: '' };
    expect(
      await operate(exchange, 'POST', '/operator/v1/instruments', { ...listing, sizeMin: '0.1' }),
    ).toMatchObject({ code: '00000' });
    expect(
      (await operate(exchange, 'GET', '/operator/v1/instruments?category=SPOT&symbol=SOLUSDT'))
        .data,
    ).toMatchObject([{ sizeMin: '0.1', status: 'normal' }]);
  });
});

test('[OPR-11] the market is switched by on and off only', async () => {
  expect(await operate(exchange, 'POST', '/operator/v1/market', { state: 'on' })).toMatchObject({
    code: '00000',
    data: null,
  });
  expect(exchange.views.clock.marketOn()).toBe(true);
  await operate(exchange, 'POST', '/operator/v1/market', { state: 'off' });
  expect(exchange.views.clock.marketOn()).toBe(false);
  expect(await operate(exchange, 'POST', '/operator/v1/market', { state: 'maybe' })).toMatchObject({
    code: '40020',
  });
  expect(await operate(exchange, 'POST', '/operator/v1/market', {})).toMatchObject({
    code: '40019',
  });
  expect(
    await operate(exchange, 'POST', '/operator/v1/market', { state: 'on', percent: '5' }),
  ).toMatchObject({
    code: '40019',
    msg: expect.stringContaining('scene'),
  });
  expect((await operate(exchange, 'GET', '/operator/v1/market')).data).toEqual({
    state: 'off',
    scenes: [],
  });
});

test('[OPR-12] audit and snapshot are answered', async () => {
  const { data } = await operate(exchange, 'GET', '/operator/v1/audit');
  expect(data).toMatchObject({
    ok: true,
    stateHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    violations: [],
  });
  expect(
    (data as { coins: { coin: string; difference: string }[] }).coins.every(
      ({ difference }) => difference === '0',
    ),
  ).toBe(true);
  expect(await operate(exchange, 'POST', '/operator/v1/snapshot')).toMatchObject({
    code: '00000',
    data: { sequence: exchange.engine.sequence },
  });
});
