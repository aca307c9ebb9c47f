/** A port at its limit of waiting calls refuses further calls. */
import { expect, test } from 'vitest';
import { wireRejection } from '../../src/contract/wire-rejections.ts';
import { WAITING_MAX, WAITING_PER_USER_MAX } from '../../src/gateway/http/concurrency-limiter.ts';
import { ok, refuse } from '../../src/kernel/result.ts';
import { answerOf, call, operate, startTestExchange } from './exchange.ts';
import { idleSocket } from './sockets.ts';

const TIME = '/api/v2/public/time';

/** Calls that wait for the gate continue when it is released. */
function closedGate() {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { gate, release: () => release() };
}

test.each([
  ['', undefined],
  [', also while faults are set', { name: 'internal-error', match: { uid: '1' } }],
])(
  '[REQ-44] beyond 1,024 waiting calls the answer is 429 at once, and the operator is served%s',
  async (_, fault) => {
    const { gate, release } = closedGate();
    const busy = await startTestExchange({
      limits: false,
      replaced: { listCoins: () => gate.then(() => ok([])) },
    });
    if (fault !== undefined)
      expect(await operate(busy, 'POST', '/operator/v1/faults', fault)).toMatchObject({
        code: '00000',
      });
    const waiting = await Promise.all(Array.from({ length: 4 }, () => idleSocket(busy.port)));
    for (const socket of waiting)
      socket.write(
        'GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(WAITING_MAX / 4),
      );
    const deadline = performance.now() + 10_000;
    let answer = await answerOf(await fetch(busy.url + TIME));
    while (answer.status === 200 && performance.now() < deadline)
      answer = await answerOf(await fetch(busy.url + TIME));
    expect(answer).toMatchObject({ status: 429, code: '429', data: null });
    expect(await operate(busy, 'GET', '/operator/v1/clock')).toMatchObject({
      status: 200,
      code: '00000',
    });
    release();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await answerOf(await fetch(busy.url + TIME))).toMatchObject({ status: 200 });
    for (const socket of waiting) socket.destroy();
    await busy.close();
  },
);

test('[REQ-151] a refused connection is read when there is room, and then its requests are answered', async () => {
  const { gate, release } = closedGate();
  const busy = await startTestExchange({
    limits: false,
    replaced: { listCoins: () => gate.then(() => ok([])) },
  });
  const [waiting, refused] = [await idleSocket(busy.port), await idleSocket(busy.port)];
  waiting.write('GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(WAITING_MAX));
  await expect
    .poll(async () => (await fetch(busy.url + TIME)).status, { timeout: 10_000 })
    .toBe(429);
  let input = '';
  refused.on('data', (chunk) => {
    input += chunk.toString('latin1');
  });
  const statuses = () => [...input.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  const ask = () => refused.write(`GET ${TIME} HTTP/1.1\r\nHost: x\r\n\r\n`);
  ask();
  await expect.poll(statuses).toEqual(['429']);
  ask();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(statuses()).toEqual(['429']);
  release();
  await expect.poll(statuses).toEqual(['429', '200']);
  for (const socket of [waiting, refused]) socket.destroy();
  await busy.close();
});

test('[REQ-44] reads that wait for history do not block orders', async () => {
  const { gate, release } = closedGate();
  const busy = await startTestExchange({
    limits: false,
    replaced: { listCoins: () => gate.then(() => ok([])) },
  });
  const alice = await busy.person({ usdt: '100000' });
  const waiting = await idleSocket(busy.port);
  waiting.write('GET /api/v2/spot/public/coins HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(WAITING_MAX));
  await expect
    .poll(async () => (await fetch(busy.url + TIME)).status, { timeout: 10_000 })
    .toBe(429);
  const body = JSON.stringify({ holdMode: 'one_way_mode' });
  expect(await call(busy, alice, 'POST', '/api/v3/account/set-hold-mode', { body })).toMatchObject({
    status: 200,
    code: '00000',
  });
  release();
  waiting.destroy();
  await busy.close();
});

test('[REQ-49] a user with too many waiting calls waits for them, and no other user does', async () => {
  const { gate, release } = closedGate();
  const slow = async () => {
    await gate;
    return refuse(wireRejection('orderNotFound'));
  };
  const paths = [
    'trade/order-info?clientOid=a',
    'trade/history-orders',
    'trade/unfilled-orders',
    'trade/fills',
    'account/settings',
  ];
  const positions = [
    'position/current-position?category=USDT-FUTURES',
    'position/history-position?category=USDT-FUTURES',
  ];
  const busy = await startTestExchange({
    replaced: {
      getOrder: slow,
      listOrderHistory: slow,
      listOpenOrders: slow,
      listFills: slow,
      getAccountSettings: slow,
      getCurrentPositions: slow,
      listPositionHistory: slow,
    },
  });
  const [alice, bob] = [await busy.person(), await busy.person()];
  const ask = (target: string) => {
    const [path = '', query = ''] = target.split('?');
    return call(busy, alice, 'GET', `/api/v3/${path}`, { query });
  };
  const request = [...paths, ...positions].flatMap((target) =>
    Array.from({ length: 20 }, () => ask(target)),
  );
  const set = (who: typeof alice) =>
    call(busy, who, 'POST', '/api/v3/account/set-hold-mode', {
      body: JSON.stringify({ holdMode: 'one_way_mode' }),
    });
  await expect
    .poll(async () => (await ask('account/assets')).code, { interval: 150, timeout: 5_000 })
    .toBe('429');
  // Orders and cancels of the user do not wait for its reads.
  expect([(await set(alice)).code, (await set(bob)).code]).toEqual(['00000', '00000']);
  expect(await call(busy, bob, 'GET', '/api/v3/account/assets')).toMatchObject({ code: '00000' });
  release();
  const codes = (await Promise.all(request)).map(({ code }) => code);
  expect(codes.filter((code) => code === '25204')).toHaveLength(WAITING_PER_USER_MAX);
  expect(codes.filter((code) => code === '429')).toHaveLength(codes.length - WAITING_PER_USER_MAX);
  await busy.close();
});
