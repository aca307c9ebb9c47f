/** Every named fault as a common client meets it, with the verdict on it; and the example bots. */
import { RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rehearse } from '../../examples/unknown-result/rehearse.ts';
import { type FaultName, namedFaults } from '../../src/gateway/faults/named-faults.ts';
import { Rehearsal, restingOrder } from './fault-rehearsal.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

const rehearsal = async (): Promise<Rehearsal> =>
  new Rehearsal(exchange, await exchange.trader({ deposits: { USDT: '100000' } }));

const clientOf = (
  { apiKey, secretKey: apiSecret, passphrase: apiPass }: Trader,
  timeout = 20_000,
): RestClientV3 =>
  new RestClientV3({ baseUrl: exchange.url, apiKey, apiSecret, apiPass }, { timeout });

type Order = Parameters<RestClientV3['submitNewOrder']>[0];
const order = (clientOid: string, qty = '0.01'): Order => restingOrder(clientOid, qty) as Order;

/**
 * How this client reports a call: the code of its answer, its status, or the name of the
 * connection's error.
 */
async function met(call: Promise<unknown>): Promise<string> {
  try {
    return ((await call) as { code: string }).code;
  } catch (thrown) {
    const { code, body } = thrown as { code?: number | string; body?: { code: string } };
    return body === undefined ? String(code) : `${code} ${body.code}`;
  }
}

/**
 * The result of placing one order, the result of querying it at once, and its verdict at once and
 * at the end.
 */
interface Story {
  readonly placing: string;
  readonly asking: string;
  readonly verdict: string;
  readonly finally?: string;
  /** The timeout of this client. */
  readonly patience?: number;
}

const NOT_FOUND = '400 25204';
const there = { asking: '00000', verdict: 'once' };
const missing = { asking: NOT_FOUND, verdict: 'never' };
const later = { ...missing, finally: 'once' };

const stories: Readonly<Partial<Record<FaultName, Story>>> = {
  'timeout-placed': { placing: '400 40010', ...there },
  'timeout-not-placed': { placing: '400 40010', ...missing },
  'timeout-placed-later': { placing: '400 40010', ...later },
  'service-error-placed': { placing: '400 40725', ...there },
  'service-error-not-placed': { placing: '400 40725', ...missing },
  'service-error-placed-later': { placing: '400 40725', ...later },
  'unknown-error-placed': { placing: '400 45001', ...there },
  'unknown-error-not-placed': { placing: '400 45001', ...missing },
  'unknown-error-placed-later': { placing: '400 45001', ...later },
  'connection-lost-before-commit': { placing: 'ECONNRESET', ...missing },
  'connection-lost-after-commit': { placing: 'ECONNRESET', ...there },
  'slow-request': { placing: '00000', ...there },
  'slow-answer': { placing: '00000', ...there },
  'answer-after-timeout': { placing: 'ECONNABORTED', ...there, patience: 2_000 },
  'order-not-found-yet': { placing: '00000', asking: NOT_FOUND, verdict: 'once' },
  'order-not-found-for-a-minute': { placing: '00000', asking: NOT_FOUND, verdict: 'once' },
  'rate-limited': { placing: '429 429', ...missing },
  'internal-error': { placing: '500 45001', ...missing },
  'internal-error-placed': { placing: '500 45001', ...there },
  'bad-gateway': { placing: '502 40725', ...missing },
  'bad-gateway-placed': { placing: '502 40725', ...there },
  unavailable: { placing: '503 40015', ...missing },
  'rate-limited-for-a-while': { placing: '429 429', asking: '429 429', verdict: 'never' },
  'unavailable-for-a-while': { placing: '503 40015', asking: '503 40015', verdict: 'never' },
  'dripping-answer': { placing: '00000', ...there },
};

describe('one order under each fault', () => {
  test.concurrent.each(Object.entries(stories))(
    '[FLT-30] %s',
    async (name, { patience, finally: end, ...story }) => {
      const one = await rehearsal();
      const client = clientOf(one.trader, patience);
      await one.set({ name });
      const placing = await met(client.submitNewOrder(order('mine')));
      const asking = await met(client.getOrderInfo({ clientOid: 'mine' }));
      const [row] = await one.verdicts();
      expect({ placing, asking, verdict: row?.verdict }).toEqual(story);
      expect(row).toMatchObject({ clientOid: 'mine', attempts: 1 });
      if (end !== undefined)
        await expect.poll(() => one.words(), { timeout: 15_000 }).toEqual([end]);
    },
  );

  test('[FLT-30] every named fault is covered by this file', () => {
    const others = [
      'second-order-lost',
      'cancel-timeout-done',
      'cancel-timeout-not-done',
      'order-info-unavailable',
      'one-answer-in-ten-lost',
    ];
    expect([...Object.keys(stories), ...others].sort()).toEqual(Object.keys(namedFaults).sort());
    expect(Object.keys(namedFaults).length).toBeGreaterThanOrEqual(20);
  });
});

describe('faults of more than one call', () => {
  test('[FLT-30] second-order-lost', async () => {
    const one = await rehearsal();
    const client = clientOf(one.trader);
    await one.set({ name: 'second-order-lost' });
    expect(await met(client.submitNewOrder(order('first')))).toBe('00000');
    expect(await met(client.submitNewOrder(order('second', '0.02')))).toBe('ECONNRESET');
    expect(await one.verdicts()).toMatchObject([{ clientOid: 'second', verdict: 'once' }]);
  });

  test.each([
    ['cancel-timeout-done', 'cancelled', 'once'],
    ['cancel-timeout-not-done', 'new', 'never'],
  ])('[FLT-30] %s', async (name, orderStatus, verdict) => {
    const one = await rehearsal();
    const client = clientOf(one.trader);
    await one.set({ name });
    await client.submitNewOrder(order('mine'));
    expect(await met(client.cancelOrder({ clientOid: 'mine' }))).toBe('400 40010');
    expect((await client.getOrderInfo({ clientOid: 'mine' })).data).toMatchObject({ orderStatus });
    expect(await one.words()).toEqual([verdict]);
  });

  test('[FLT-30] order-info-unavailable', async () => {
    const one = await rehearsal();
    const client = clientOf(one.trader);
    await one.set({ name: 'order-info-unavailable' });
    await client.submitNewOrder(order('mine'));
    const answers: string[] = [];
    for (let at = 0; at < 4; at++)
      answers.push(await met(client.getOrderInfo({ clientOid: 'mine' })));
    expect(answers).toEqual(['503 40015', '503 40015', '503 40015', '00000']);
    expect(await one.verdicts()).toEqual([]);
  });

  test('[FLT-30] one-answer-in-ten-lost', async () => {
    const one = await rehearsal();
    const client = clientOf(one.trader);
    await one.set({ name: 'one-answer-in-ten-lost' });
    let lost = 0;
    for (let at = 0; at < 60; at++) {
      const answer = await met(client.submitNewOrder(order(`order-${at}`, `0.${100 + at}`)));
      expect(['00000', 'ECONNRESET']).toContain(answer);
      if (answer !== '00000') lost++;
    }
    expect(lost).toBeGreaterThan(0);
    expect(lost).toBeLessThan(30);
    expect(await one.words()).toEqual(Array.from({ length: lost }, () => 'once'));
    expect(await one.openOrders()).toHaveLength(60);
  });
});

test.each([
  'connection-lost-after-commit',
  'timeout-placed',
  'timeout-placed-later',
  'bad-gateway-placed',
])('[FLT-31] under %s the naive bot places twice and the careful bot once', async (fault) => {
  const { trader } = await rehearsal();
  expect(await rehearse({ ...exchange.addresses, ...trader, fault })).toMatchObject({
    naive: { verdict: 'twice', attempts: 2 },
    careful: { verdict: 'once' },
  });
});

test('[FLT-31] two rehearsals in a row have separate verdicts', async () => {
  const { trader } = await rehearsal();
  const again = () =>
    rehearse({ ...exchange.addresses, ...trader, fault: 'connection-lost-after-commit' });
  await again();
  expect(await again()).toMatchObject({ naive: { attempts: 2 }, careful: { verdict: 'once' } });
});

test('[FLT-31] a rehearsal reports a fault that struck neither bot, and removes it', async () => {
  const { trader } = await rehearsal();
  const faults = async () => (await exchange.operate('GET', '/operator/v1/faults')).data;
  const before = await faults();
  const verdicts = await rehearse({
    ...exchange.addresses,
    ...trader,
    fault: 'cancel-timeout-done',
  });
  expect(verdicts).toEqual({ naive: undefined, careful: undefined });
  expect(await faults()).toEqual(before);
});
