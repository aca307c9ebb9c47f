import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FAULTS_MAX } from '../../src/gateway/faults/fault-laboratory.ts';
import { answerOf } from './exchange.ts';
import { PLACE, Rehearsal, restingOrder } from './fault-rehearsal.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

const rehearsal = async (): Promise<Rehearsal> =>
  new Rehearsal(exchange, await exchange.trader({ deposits: { USDT: '100000' } }));

describe('setting faults', () => {
  const post = (body: unknown) => exchange.refusal('POST', '/operator/v1/faults', body);

  test('[FLT-01][FLT-150] a fault needs a listed name or an effect', async () => {
    expect(await post({})).toMatch(/^40019 .*effect/);
    expect(await post({ match: { times: 2 } })).toMatch(/^40019 .*effect/);
    expect(await post({ name: 'no-such-fault' })).toMatch(/^40020 .*name/);
    expect(await post({ name: 'constructor' })).toMatch(/^40020 .*name/);
    expect(await post({ effect: { kind: 'reply', code: '40010' } })).toMatch(
      /^40019 .*effect\.order/,
    );
    expect(await post({ effect: { kind: 'reply', code: '40009', order: 'placed' } })).toMatch(
      /^40020 .*effect\.code/,
    );
    expect(await post({ effect: { kind: 'status', status: 404 } })).toMatch(
      /^40020 .*effect\.status/,
    );
    expect(await post({ effect: { kind: 'explode' } })).toMatch(/^40020 .*effect\.kind/);
    expect(await post({ effect: { kind: 'delay', ms: 600_001 } })).toMatch(/^40020 .*effect\.ms/);
    expect(await post({ effect: 'cut' })).toMatch(/^40020 .*effect/);
    expect(
      await post({ effect: { kind: 'cut', when: 'afterCommit', order: 'notPlaced' } }),
    ).toMatch(/^40020 .*effect\.order/);
    expect(await post({ effect: { kind: 'hide', ms: 5, when: 'before' } })).toMatch(
      /^40020 .*effect\.when/,
    );
    const { data } = await exchange.operate('POST', '/operator/v1/faults', {
      name: 'my own',
      match: { uid: '1', times: 1_000_000 },
      effect: { kind: 'delay', ms: 600_000 },
    });
    await exchange.operate('DELETE', `/operator/v1/faults/${(data as { id: string }).id}`);
  });

  test('[FLT-01] a match narrows a named fault, and an effect replaces its own', async () => {
    const one = await rehearsal();
    const { trader } = one;
    const narrowed = await one.set({
      name: 'second-order-lost',
      match: { clientOid: 'only-this' },
    });
    const replaced = await one.set({ name: 'second-order-lost', effect: { kind: 'hide', ms: 5 } });
    const { data } = await exchange.operate('GET', '/operator/v1/faults');
    const rows = data as { id: string }[];
    expect(rows.find(({ id }) => id === narrowed)).toEqual({
      id: narrowed,
      name: 'second-order-lost',
      match: { nth: 2, clientOid: 'only-this', uid: trader.uid, times: 1 },
      effect: { kind: 'cut', when: 'afterCommit' },
      hits: 0,
    });
    expect(rows.find(({ id }) => id === replaced)).toMatchObject({
      match: { uid: trader.uid, times: 1 },
      effect: { kind: 'hide', ms: 5 },
    });
    await exchange.operate('DELETE', '/operator/v1/faults');
  });

  test('[FLT-02] nth, times, clientOid and chance choose the calls', async () => {
    const nth = await rehearsal();
    await nth.set({
      match: { nth: 2, times: 2 },
      effect: { kind: 'reply', code: '40010', order: 'notPlaced' },
    });
    expect([await nth.place(), await nth.place(), await nth.place(), await nth.place()]).toEqual([
      '00000',
      '40010',
      '40010',
      '00000',
    ]);
    const named = await rehearsal();
    await named.set({
      match: { clientOid: 'b' },
      effect: { kind: 'reply', code: '45001', order: 'notPlaced' },
    });
    expect([await named.place(restingOrder('a')), await named.place(restingOrder('b'))]).toEqual([
      '00000',
      '45001',
    ]);
    const drawn = async (seed: number): Promise<string> => {
      const one = await rehearsal();
      await one.set({
        match: { probability: 0.5, seed, times: 100 },
        effect: { kind: 'reply', code: '40725', order: 'notPlaced' },
      });
      let codes = '';
      for (let at = 0; at < 12; at++) codes += (await one.place()) === '40725' ? 'x' : '.';
      return codes;
    };
    const [first, again, other] = [await drawn(7), await drawn(7), await drawn(8)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(first).toMatch(/x/);
    expect(first).toMatch(/\./);
    expect(await post({ match: { probability: 1.1 }, name: 'timeout-placed' })).toMatch(
      /^40020 .*probability/,
    );
    expect(await post({ match: { times: 0 }, name: 'timeout-placed' })).toMatch(/^40020 .*times/);
  });

  test('[FLT-03] order effects skip calls that place no order, unless the endpoint is named', async () => {
    const one = await rehearsal();
    const reply = await one.set({ effect: { kind: 'reply', code: '40010', order: 'notPlaced' } });
    const setMode = { holdMode: 'one_way_mode' };
    expect(await exchange.code(one.trader, 'setHoldMode', setMode)).toBe('00000');
    expect(await one.hits(reply)).toBe(0);
    expect(await one.place()).toBe('40010');
    await one.set({
      match: { endpoint: '/api/v3/account/set-hold-mode' },
      effect: { kind: 'reply', code: '40010', order: 'placed' },
    });
    expect(await exchange.code(one.trader, 'setHoldMode', setMode)).toBe('40010');
    await one.set({ effect: { kind: 'status', status: 503 } });
    expect(await exchange.code(one.trader, 'getAssets')).toBe('40015');
  });

  test('[FLT-151] an endpoint with two paths is struck on both; an unknown path is refused', async () => {
    const paths = ['/api/v2/public/time', '/api/v3/public/time'];
    const statuses = async (): Promise<number[]> =>
      Promise.all(paths.map(async (path) => (await fetch(`${exchange.url}${path}`)).status));
    for (const endpoint of paths) {
      await exchange.operate('POST', '/operator/v1/faults', {
        match: { endpoint, times: 2 },
        effect: { kind: 'status', status: 502 },
      });
      expect([await statuses(), await statuses()]).toEqual([
        [502, 502],
        [200, 200],
      ]);
    }
    expect(
      await post({ name: 'timeout-placed', match: { endpoint: '/api/v3/trade/nowhere' } }),
    ).toMatch(/^40020 .*match\.endpoint/);
  });

  test('[FLT-04] faults are listed with their hits, and cleared one at a time or together', async () => {
    const one = await rehearsal();
    const [struck, spare] = [
      await one.set({ name: 'timeout-placed' }),
      await one.set({ name: 'unavailable' }),
    ];
    await exchange.operate('DELETE', `/operator/v1/faults/${spare}`);
    expect(await one.place()).toBe('40010');
    expect([await one.hits(struck), await one.hits(spare)]).toEqual([1, undefined]);
    expect(await exchange.refusal('DELETE', `/operator/v1/faults/${spare}`)).toMatch(/^40034/);
    await exchange.operate('DELETE', '/operator/v1/faults');
    expect((await exchange.operate('GET', '/operator/v1/faults')).data).toEqual([]);
    for (let at = 0; at < FAULTS_MAX; at++) exchange.laboratory.set({ name: 'timeout-placed' });
    expect(await post({ name: 'timeout-placed' })).toMatch(/^40058/);
    await exchange.operate('DELETE', '/operator/v1/faults');
    expect(await one.place()).toBe('00000');
  });

  test('[FLT-05] faults do not strike or count refused calls, nor operator calls', async () => {
    const one = await rehearsal();
    const id = await one.set({ effect: { kind: 'status', status: 500 }, match: { times: 10 } });
    expect(await one.place({ ...restingOrder(), qty: 'many' })).toBe('40020');
    expect(await exchange.code({ ...one.trader, secretKey: 'another' }, 'getAssets')).toBe('40009');
    expect(await one.hits(id)).toBe(0);
    await exchange.operate('POST', '/operator/v1/faults', {
      match: { times: 10 },
      effect: { kind: 'status', status: 502 },
    });
    expect((await exchange.operate('GET', '/operator/v1/clock')).code).toBe('00000');
    expect((await answerOf(await fetch(`${exchange.url}/api/v2/public/time`))).status).toBe(502);
    await exchange.operate('DELETE', '/operator/v1/faults');
  });
});

describe('effects', () => {
  test.each(['40010', '40725', '45001'])(
    '[FLT-10] %s with the order placed, not placed, or placed later',
    async (code) => {
      const one = await rehearsal();
      for (const order of ['placed', 'notPlaced', 'placedLater'])
        await one.set({
          match: { clientOid: order },
          effect: { kind: 'reply', code, order, delayMs: 400 },
        });
      for (const [at, name] of ['placed', 'notPlaced', 'placedLater'].entries()) {
        const answer = await exchange.call(
          one.trader,
          'placeOrder',
          restingOrder(name, `0.0${at + 1}`),
        );
        expect(answer).toMatchObject({ status: 400, code, data: null });
      }
      expect(await one.openOrders()).toEqual(['placed']);
      expect(await one.words()).toEqual(['once', 'never', 'never']);
      await expect
        .poll(() => one.openOrders(), { timeout: 5_000 })
        .toEqual(['placedLater', 'placed']);
      expect(await one.words()).toEqual(['once', 'never', 'once']);
    },
  );

  test('[FLT-11] a connection is cut before or after the whole execution', async () => {
    const one = await rehearsal();
    for (const when of ['beforeCommit', 'afterCommit'])
      await one.set({ match: { clientOid: when }, effect: { kind: 'cut', when } });
    expect(await one.place(restingOrder('beforeCommit'))).toBe('cut');
    expect(await one.place(restingOrder('afterCommit', '0.02'))).toBe('cut');
    expect(await one.openOrders()).toEqual(['afterCommit']);
    expect(await one.words()).toEqual(['never', 'once']);
  });

  test('[FLT-12] a delay before holds the order back, a delay after only its answer', async () => {
    const one = await rehearsal();
    for (const when of ['before', 'after'])
      await one.set({ match: { clientOid: when }, effect: { kind: 'delay', ms: 3_000, when } });
    const since = performance.now();
    const answers = Promise.all([
      one.place(restingOrder('before')),
      one.place(restingOrder('after')),
    ]);
    await expect.poll(() => one.openOrders(), { timeout: 2_900, interval: 20 }).toEqual(['after']);
    expect(await answers).toEqual(['00000', '00000']);
    expect(performance.now() - since).toBeGreaterThan(2_900);
    expect(await one.openOrders()).toHaveLength(2);
  });

  test('[FLT-13] a hidden order is missing from order-info, lists and page ends, and returns later', async () => {
    const one = await rehearsal();
    expect(await one.place(restingOrder('seen'))).toBe('00000');
    await one.set({ effect: { kind: 'hide', ms: 3_000 } });
    expect(await one.place(restingOrder('hidden'))).toBe('00000');
    expect(await exchange.code(one.trader, 'getOrder', { clientOid: 'hidden' })).toBe('25204');
    const page = await exchange.data<{
      list: { clientOid: string; orderId: string }[];
      cursor: string;
    }>(one.trader, 'listOpenOrders');
    expect(page.list.map(({ clientOid }) => clientOid)).toEqual(['seen']);
    const onlyHidden = await exchange.data<typeof page>(one.trader, 'listOpenOrders', {
      limit: '1',
    });
    expect(onlyHidden.list).toEqual([]);
    const older = await exchange.data<typeof page>(one.trader, 'listOpenOrders', {
      limit: '1',
      cursor: onlyHidden.cursor,
    });
    expect(older.list.map(({ clientOid }) => clientOid)).toEqual(['seen']);
    const classic = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', clientOid: 'hidden' };
    expect(await exchange.code(one.trader, 'getFuturesOrder', classic)).toBe('40109');
    await expect.poll(() => one.openOrders(), { timeout: 10_000 }).toEqual(['hidden', 'seen']);
    expect(await exchange.code(one.trader, 'getOrder', { clientOid: 'hidden' })).toBe('00000');
  });

  test('[FLT-13] an order that is identified only by its clientOid can be hidden', async () => {
    const one = await rehearsal();
    const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    const other = await exchange.trader({ deposits: { USDT: '100000' } });
    const limit = { ...market, orderType: 'limit', price: '60000', qty: '0.02' };
    await exchange.data(other, 'placeOrder', { ...limit, side: 'sell' });
    await exchange.data(one.trader, 'placeOrder', { ...limit, side: 'buy' });
    const close = {
      ...market,
      side: 'sell',
      orderType: 'limit',
      price: '70000',
      qty: '0.02',
      reduceOnly: 'yes',
    };
    await exchange.data(one.trader, 'placeOrder', { ...close, clientOid: 'replaced' });
    await one.set({ effect: { kind: 'hide', ms: 60_000 } });
    expect(
      await exchange.data(one.trader, 'placeOrder', { ...close, clientOid: 'unreported' }),
    ).toEqual({
      orderId: null,
      clientOid: 'unreported',
    });
    expect(await one.openOrders()).toEqual([]);
    expect(await exchange.code(one.trader, 'getOrder', { clientOid: 'unreported' })).toBe('25204');
  });

  test.each([
    [429, '429'],
    [500, '45001'],
    [502, '40725'],
    [503, '40015'],
  ])('[FLT-14] HTTP %i has the envelope with code %s', async (status, code) => {
    const one = await rehearsal();
    await one.set({ effect: { kind: 'status', status } });
    expect(await exchange.call(one.trader, 'placeOrder', restingOrder('not'))).toMatchObject({
      status,
      code,
      data: null,
    });
    await one.set({ effect: { kind: 'status', status, order: 'placed' } });
    expect(await exchange.call(one.trader, 'placeOrder', restingOrder('done'))).toMatchObject({
      status,
      code,
      data: null,
    });
    expect(await one.openOrders()).toEqual(['done']);
    expect(await one.words()).toEqual(['once']);
  });

  test('[FLT-15] an answer is sent byte by byte', async () => {
    const one = await rehearsal();
    await one.set({ effect: { kind: 'drip', bytesPerSecond: 100 } });
    const since = performance.now();
    expect(await one.place()).toBe('00000');
    expect(performance.now() - since).toBeGreaterThan(700);
    expect(await one.words()).toEqual(['once']);
  });

  test('[FLT-16] a delay and a cut strike together; of two cuts the older fault strikes first', async () => {
    const one = await rehearsal();
    const delay = await one.set({ effect: { kind: 'delay', ms: 300, when: 'before' } });
    const cut = await one.set({ effect: { kind: 'cut', when: 'afterCommit' } });
    const reply = await one.set({ effect: { kind: 'reply', code: '45001', order: 'notPlaced' } });
    expect(await one.place(restingOrder('x'))).toBe('cut');
    expect([await one.hits(delay), await one.hits(cut), await one.hits(reply)]).toEqual([1, 1, 0]);
    expect(await one.place(restingOrder('x'))).toBe('45001');
    expect(await one.verdicts()).toMatchObject([
      { faults: [delay, cut, reply], attempts: 2, verdict: 'once' },
    ]);
  });
});

test('[FLT-06] a restart clears faults and verdicts, and keeps the orders they struck', async () => {
  const one = await rehearsal();
  await one.set({ name: 'connection-lost-after-commit', match: { times: 5 } });
  expect(await one.place(restingOrder('struck'))).toBe('cut');
  await exchange.restart();
  expect((await exchange.operate('GET', '/operator/v1/faults')).data).toEqual([]);
  expect(await one.verdicts()).toEqual([]);
  expect(await one.openOrders()).toEqual(['struck']);
  expect(await one.place()).toBe('00000');
});

test('[FLT-20][FLT-154] a verdict names its endpoint, time, faults and orders', async () => {
  const one = await rehearsal();
  const before = Date.now();
  const id = await one.set({ name: 'timeout-placed', match: { endpoint: PLACE } });
  await one.place(restingOrder('mine'));
  const { orderId } = await exchange.data<{ orderId: string }>(one.trader, 'getOrder', {
    clientOid: 'mine',
  });
  await exchange.operate('DELETE', '/operator/v1/faults');
  const [verdict] = await one.verdicts();
  expect(verdict).toEqual({
    endpoint: PLACE,
    clientOid: 'mine',
    at: expect.stringMatching(/^\d{13}$/),
    faults: [id],
    attempts: 1,
    orders: [orderId],
    verdict: 'once',
  });
  expect(Number(verdict!.at)).toBeGreaterThanOrEqual(before);
  expect((await exchange.operate('GET', '/operator/v1/verdicts')).data).toContainEqual(verdict);
});
