/**
 * Every named fault on each version of the API, as ccxt meets it: the error thrown, the next query,
 * and the verdict.
 */
import type { Exchange as CcxtExchange } from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FaultName, namedFaults } from '../../src/gateway/faults/named-faults.ts';
import { ccxtFor } from './ccxt-client.ts';
import { Rehearsal } from './fault-rehearsal.ts';
import { TradingExchange } from './trading-exchange.ts';

const VERSIONS = [
  ['v2 swap', false, 'BTC/USDT:USDT'],
  ['v2 spot', false, 'BTC/USDT'],
  ['v3 swap', true, 'BTC/USDT:USDT'],
  ['v3 spot', true, 'BTC/USDT'],
] as const;

let exchange: TradingExchange;
/** What the client of each API version has loaded, for reuse. */
const loaded = new Map<boolean, CcxtExchange>();
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  const trader = await exchange.trader();
  for (const uta of [false, true]) {
    const client = ccxtFor(exchange, trader, uta);
    await client.loadMarkets();
    loaded.set(uta, client);
  }
});
afterAll(() => exchange.stop());

async function stage(
  uta: boolean,
  patience = 20_000,
): Promise<{ one: Rehearsal; client: CcxtExchange }> {
  const one = new Rehearsal(exchange, await exchange.trader({ deposits: { USDT: '100000' } }));
  const client = ccxtFor(exchange, one.trader, uta);
  client.setMarketsFromExchange(loaded.get(uta)!);
  client.timeout = patience;
  return { one, client };
}

const place = (client: CcxtExchange, symbol: string, name: string, amount = 0.01) =>
  client.createOrder(symbol, 'limit', 'buy', amount, 50_000, { clientOid: name });
const ask = (client: CcxtExchange, symbol: string, name: string) =>
  client.fetchOrder('', symbol, { clientOrderId: name });

/** The class of the thrown error; `fine` if there is none. */
async function met(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'fine';
  } catch (thrown) {
    return (thrown as Error).constructor.name;
  }
}

interface Story {
  readonly placing: string;
  /** The result of querying the order; `missing` if it is not found. */
  readonly asking: string;
  readonly verdict: string;
  readonly finally?: string;
  /** The timeout of this client. */
  readonly patience?: number;
}

const there = { asking: 'fine', verdict: 'once' };
const missing = { asking: 'missing', verdict: 'never' };
const later = { ...missing, finally: 'once' };

const stories: Readonly<Partial<Record<FaultName, Story>>> = {
  'timeout-placed': { placing: 'AuthenticationError', ...there },
  'timeout-not-placed': { placing: 'AuthenticationError', ...missing },
  'timeout-placed-later': { placing: 'AuthenticationError', ...later },
  'service-error-placed': { placing: 'ExchangeError', ...there },
  'service-error-not-placed': { placing: 'ExchangeError', ...missing },
  'service-error-placed-later': { placing: 'ExchangeError', ...later },
  'unknown-error-placed': { placing: 'ExchangeError', ...there },
  'unknown-error-not-placed': { placing: 'ExchangeError', ...missing },
  'unknown-error-placed-later': { placing: 'ExchangeError', ...later },
  'connection-lost-before-commit': { placing: 'NetworkError', ...missing },
  'connection-lost-after-commit': { placing: 'NetworkError', ...there },
  'slow-request': { placing: 'fine', ...there },
  'slow-answer': { placing: 'fine', ...there },
  'answer-after-timeout': { placing: 'RequestTimeout', ...there, patience: 2_000 },
  'order-not-found-yet': { placing: 'fine', asking: 'missing', verdict: 'once' },
  'order-not-found-for-a-minute': { placing: 'fine', asking: 'missing', verdict: 'once' },
  'rate-limited': { placing: 'DDoSProtection', ...missing },
  'rate-limited-for-a-while': {
    placing: 'DDoSProtection',
    asking: 'DDoSProtection',
    verdict: 'never',
  },
  'internal-error': { placing: 'ExchangeError', ...missing },
  'internal-error-placed': { placing: 'ExchangeError', ...there },
  'bad-gateway': { placing: 'ExchangeError', ...missing },
  'bad-gateway-placed': { placing: 'ExchangeError', ...there },
  unavailable: { placing: 'ExchangeError', ...missing },
  'unavailable-for-a-while': {
    placing: 'ExchangeError',
    asking: 'ExchangeError',
    verdict: 'never',
  },
  'dripping-answer': { placing: 'fine', ...there },
};

const OF_SEVERAL_CALLS = [
  'second-order-lost',
  'cancel-timeout-done',
  'cancel-timeout-not-done',
  'order-info-unavailable',
  'one-answer-in-ten-lost',
];

test('[FLT-30] every named fault is covered on every API version', () => {
  expect([...Object.keys(stories), ...OF_SEVERAL_CALLS].sort()).toEqual(
    Object.keys(namedFaults).sort(),
  );
});

describe.each(VERSIONS)('%s', (_, uta, symbol) => {
  /** Only v2 has its own error for an unknown order. */
  const expected = (asking: string): string => {
    if (asking !== 'missing') return asking;
    return uta ? 'ExchangeError' : 'OrderNotFound';
  };

  test.concurrent.each(Object.entries(stories))(
    '[FLT-30] %s',
    async (name, { patience, finally: end, ...story }) => {
      const { one, client } = await stage(uta, patience);
      const fault = await one.set({ name });
      const placing = await met(place(client, symbol, 'mine'));
      expect(await one.hits(fault)).toBe(1);
      const asking = await met(ask(client, symbol, 'mine'));
      const [row] = await one.verdicts();
      expect({ placing, asking, verdict: row?.verdict }).toEqual({
        ...story,
        asking: expected(story.asking),
      });
      if (end !== undefined)
        await expect.poll(() => one.words(), { timeout: 15_000 }).toEqual([end]);
      await client.close();
    },
  );

  test('[FLT-30] second-order-lost', async () => {
    const { one, client } = await stage(uta);
    await one.set({ name: 'second-order-lost' });
    expect(await met(place(client, symbol, 'first'))).toBe('fine');
    expect(await met(place(client, symbol, 'second', 0.02))).toBe('NetworkError');
    expect(await one.verdicts()).toMatchObject([{ clientOid: 'second', verdict: 'once' }]);
    await client.close();
  });

  test.each([
    ['cancel-timeout-done', 'canceled', 'once'],
    ['cancel-timeout-not-done', 'open', 'never'],
  ])('[FLT-30][FLT-07] %s', async (name, status, verdict) => {
    const { one, client } = await stage(uta);
    const fault = await one.set({ name });
    const { id } = await place(client, symbol, 'mine');
    expect(await met(client.cancelOrder(id!, symbol))).toBe('AuthenticationError');
    expect(await one.hits(fault)).toBe(1);
    expect((await client.fetchOrder(id!, symbol)).status).toBe(status);
    expect(await one.words()).toEqual([verdict]);
    await client.close();
  });

  test('[FLT-30][FLT-07] order-info-unavailable', async () => {
    const { one, client } = await stage(uta);
    const fault = await one.set({ name: 'order-info-unavailable' });
    await place(client, symbol, 'mine');
    const answers: string[] = [];
    for (let at = 0; at < 4; at++) answers.push(await met(ask(client, symbol, 'mine')));
    expect(answers).toEqual(['ExchangeError', 'ExchangeError', 'ExchangeError', 'fine']);
    expect(await one.hits(fault)).toBe(3);
    await client.close();
  });

  test('[FLT-30] one-answer-in-ten-lost', async () => {
    const { one, client } = await stage(uta);
    client.enableRateLimit = false;
    await one.set({ name: 'one-answer-in-ten-lost' });
    const answers: string[] = [];
    for (let at = 0; at < 40; at++)
      answers.push(await met(place(client, symbol, `order-${at}`, 0.01 + at / 10_000)));
    const lost = answers.filter((answer) => answer === 'NetworkError');
    expect(lost.length).toBeGreaterThan(0);
    expect(new Set(answers)).toEqual(new Set(['fine', 'NetworkError']));
    expect(await one.words()).toEqual(lost.map(() => 'once'));
    await client.close();
  });
});

test('[FLT-07] an endpoint kind matches all its calls, independent of the object cancelled, and no others', async () => {
  const { one, client } = await stage(false);
  const symbol = 'BTC/USDT:USDT';
  const effect = { kind: 'reply', code: '40010', order: 'notPlaced' };
  const fault = await one.set({ match: { call: 'cancel', times: 10 }, effect });
  const { id } = await place(client, symbol, 'mine');
  const trigger = await client.createOrder(symbol, 'market', 'buy', 0.01, undefined, {
    triggerPrice: 70_000,
  });
  expect(await met(client.cancelOrder(trigger.id!, symbol, { trigger: true }))).toBe(
    'AuthenticationError',
  );
  expect(await met(client.cancelAllOrders(symbol))).toBe('AuthenticationError');
  expect(await met(client.cancelOrders([id!], symbol))).toBe('AuthenticationError');
  expect(await met(ask(client, symbol, 'mine'))).toBe('fine');
  expect(await one.hits(fault)).toBe(3);
  const asking = await one.set({ match: { call: 'ask' }, effect: { kind: 'status', status: 503 } });
  expect(await met(client.fetchOpenOrders(symbol))).toBe('fine');
  expect(await one.hits(asking)).toBe(0);
  await client.close();
});

test('[FLT-07] a fault may name an endpoint of its kind; one of another kind is refused', async () => {
  const { one, client } = await stage(false);
  const symbol = 'BTC/USDT:USDT';
  const fault = await one.set({
    name: 'cancel-timeout-done',
    match: { endpoint: '/api/v2/mix/order/cancel-order' },
  });
  const { id } = await place(client, symbol, 'mine');
  await client.cancelAllOrders(symbol);
  expect(await one.hits(fault)).toBe(0);
  expect(await met(client.cancelOrder(id!, symbol))).toBe('AuthenticationError');
  const other = { name: 'cancel-timeout-done', match: { endpoint: '/api/v2/mix/order/detail' } };
  expect(await exchange.refusal('POST', '/operator/v1/faults', other)).toMatch(
    /^40020 .*match\.endpoint/,
  );
  await client.close();
});
