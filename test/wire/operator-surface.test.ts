import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorEndpoints, publicEndpoints } from '../../src/contract/endpoints.ts';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import { ADDRESSES_PER_KEY_MAX } from '../../src/messages/bounds.ts';
import { PERMISSIONS } from '../../src/messages/vocabulary.ts';
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

describe('the door', () => {
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

  test('[OPR-02] neither plane serves the other’s paths', async () => {
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

test('[OPR-03] health needs no token and tells how far things are', async () => {
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

describe('users and keys', () => {
  test('[OPR-04] a user is made and shown', async () => {
    const made = await operate(exchange, 'POST', '/operator/v1/users', {
      name: 'Erin',
      email: 'erin@example.org',
      level: 'vip3',
      holdMode: 'hedge_mode',
    });
    const { uid } = made.data as { uid: string };
    expect(uid).toMatch(/^\d{10}$/);
    const shown = await operate(exchange, 'GET', `/operator/v1/users/${uid}`);
    expect(shown.data).toMatchObject({
      uid,
      name: 'Erin',
      email: 'erin@example.org',
      mobile: null,
      level: 'VIP3',
      parentUid: null,
      settings: { holdMode: 'hedge_mode' },
      balances: [],
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/9999999999')).toMatchObject({
      status: 400,
      code: '40034',
      data: null,
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/abc')).toMatchObject({
      code: '40020',
    });
    expect(await operate(exchange, 'GET', '/operator/v1/users/9007199254740991')).toMatchObject({
      code: '40034',
    });
    for (const beyond of ['9007199254740992', '9007199254740993', '9999999999999999']) {
      expect(await operate(exchange, 'GET', `/operator/v1/users/${beyond}`)).toMatchObject({
        code: '40020',
      });
      const answer = await operate(exchange, 'POST', '/operator/v1/deposits', {
        uid: beyond,
        coin: 'USDT',
        size: '1',
      });
      expect(answer).toMatchObject({
        status: 400,
        code: '40020',
        msg: expect.stringContaining('uid'),
      });
    }
  });

  test('[OPR-45] users are listed newest first, by name and in pages', async () => {
    const uids: string[] = [];
    for (const name of ['Twin', 'Other', 'Twin']) {
      const { data } = await operate(exchange, 'POST', '/operator/v1/users', { name });
      uids.push((data as { uid: string }).uid);
    }
    const [first, other, last] = uids as [string, string, string];
    const listed = async (query: string): Promise<unknown> => {
      const { data } = await operate(exchange, 'GET', `/operator/v1/users?${query}`);
      return (data as readonly { uid: string }[]).map(({ uid }) => uid);
    };
    expect(await listed('limit=3')).toEqual([last, other, first]);
    expect(await listed(`limit=1&uidLessThan=${last}`)).toEqual([other]);
    expect(await listed('name=Twin')).toEqual([last, first]);
    expect(await listed(`name=Twin&uidLessThan=${last}`)).toEqual([first]);
    expect(await listed('name=twin')).toEqual([]);
    const { data } = await operate(exchange, 'GET', '/operator/v1/users?name=Other');
    expect(data).toEqual([{ uid: other, name: 'Other', level: 'VIP0', parentUid: null }]);
    expect(await operate(exchange, 'GET', '/operator/v1/users?limit=1001')).toMatchObject({
      code: expect.not.stringMatching('00000'),
    });
    expect((await operate(exchange, 'GET', '/operator/v1/users?limit=1000')).code).toBe('00000');
  });

  test('[OPR-04][ACC-06] a sub-account shows its master, to the operator and to itself', async () => {
    const master = await exchange.person();
    const made = await operate(exchange, 'POST', '/operator/v1/users', {
      parentUid: String(master.uid),
    });
    const { uid } = made.data as { uid: string };
    expect((await operate(exchange, 'GET', `/operator/v1/users/${uid}`)).data).toMatchObject({
      uid,
      parentUid: String(master.uid),
    });
    const key = (await operate(exchange, 'POST', '/operator/v1/keys', { uid }))
      .data as ShownCredentials;
    for (const path of ['/api/v3/account/info', '/api/v2/spot/account/info'])
      expect((await call(exchange, key, 'GET', path)).data).toMatchObject({
        userId: uid,
        parentId: String(master.uid),
      });
  });

  test('[OPR-05] a key is made, works, and has every permission by default', async () => {
    const { uid } = await exchange.person();
    const made = await operate(exchange, 'POST', '/operator/v1/keys', { uid: String(uid) });
    const shown = made.data as { apiKey: string; secretKey: string; passphrase: string };
    expect(Object.keys(shown)).toEqual(['apiKey', 'secretKey', 'passphrase']);
    expect(await call(exchange, shown, 'GET', '/api/v3/account/settings')).toMatchObject({
      code: '00000',
      data: { uid: String(uid) },
    });
    expect(exchange.views.keys.find(shown.apiKey)?.permissions).toEqual(PERMISSIONS);
  });

  test('[OPR-05][OPR-150] a key has what was requested; a bad address or public key is refused', async () => {
    const { uid } = await exchange.person();
    const ask = (more: object) =>
      operate(exchange, 'POST', '/operator/v1/keys', { uid: String(uid), ...more });
    const made = await ask({ permissions: ['copy.read'], ips: ['::ffff:10.0.0.1', '2001:DB8::1'] });
    expect(exchange.views.keys.find((made.data as { apiKey: string }).apiKey)).toMatchObject({
      permissions: ['copy.read'],
      addresses: ['10.0.0.1', '2001:db8::1'],
    });
    const address = await ask({ ips: ['10.0.0.1', 'localhost'] });
    expect(address).toMatchObject({ status: 400, code: '40020' });
    expect(address.msg).toContain('ips[1]');
    const zone = await ask({ ips: ['::1%eth0'] });
    expect(zone).toMatchObject({
      status: 400,
      code: '40020',
      msg: expect.stringContaining('ips[0]'),
    });
    const addresses = Array.from({ length: ADDRESSES_PER_KEY_MAX + 1 }, (_, at) => `10.0.0.${at}`);
    expect(await ask({ ips: addresses.slice(1) })).toMatchObject({ code: '00000' });
    expect(await ask({ ips: addresses })).toMatchObject({
      code: '40058',
      msg: expect.stringContaining('ips'),
    });
    expect(operatorEndpoints.createKey.request.fields.ips?.schema.maxItems).toBe(
      ADDRESSES_PER_KEY_MAX,
    );
    expect(await ask({ publicKey: 'junk' })).toMatchObject({ code: '40020' });
    expect(await ask({ permissions: ['all'] })).toMatchObject({ code: '40020' });
    expect(await ask({ uid: '9999999999' })).toMatchObject({ status: 400 });
  });

  test('[OPR-05] an empty list of addresses names none, and does not mean all', async () => {
    const { uid } = await exchange.person();
    const keys = exchange.views.keys.count();
    const answer = await operate(exchange, 'POST', '/operator/v1/keys', {
      uid: String(uid),
      ips: [],
    });
    expect(answer).toMatchObject({
      status: 400,
      code: '40019',
      msg: expect.stringContaining('ips'),
    });
    expect(exchange.views.keys.count()).toBe(keys);
  });

  test('[OPR-06] a key is revoked once', async () => {
    const { apiKey } = await exchange.person();
    expect(await operate(exchange, 'DELETE', `/operator/v1/keys/${apiKey}`)).toMatchObject({
      status: 200,
      data: null,
    });
    expect(await operate(exchange, 'DELETE', `/operator/v1/keys/${apiKey}`)).toMatchObject({
      status: 400,
      code: '40041',
    });
  });
});

test('[OPR-07] a deposit is credited once, and seen by its user and in the ledger', async () => {
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

test('[PRC-06][API-33] of several prices it is told which one is refused, and none is set', async () => {
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
    msg: 'Parameter body[1].index error: BTC has another one in this list',
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
  test('[OPR-10] an instrument’s status is what clients see', async () => {
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

test('[OPR-11] the market is switched on and off, and by no other word', async () => {
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

test('[OPR-12] audit and snapshot answer', async () => {
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
