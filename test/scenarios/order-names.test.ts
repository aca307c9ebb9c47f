/** Calls that name many orders by client id; the test counts lookups. */
import { expect, vi } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';

const OPEN = 100;
const NAMES = 50;

function rest(market: Market, uid: Uid, name: string): void {
  const draft = {
    symbol: 'BTCUSDT',
    side: 'buy',
    orderType: 'limit',
    timeInForce: 'gtc',
    reduceOnly: false,
  } as const;
  const [size, price] = ['0.001' as DecimalText, '40000' as DecimalText];
  const orders = [{ ...draft, size, price, clientOid: name as ClientOid }];
  const { outcome } = market.accepted({
    type: 'placeOrders',
    uid,
    category: 'USDT-FUTURES',
    orders,
  });
  expect(outcome).toMatchObject({ value: [{ ok: true }] });
}

function cancel(market: Market, uid: Uid, names: readonly string[]): string[] {
  const { outcome } = market.accepted({
    type: 'cancelOrders',
    uid,
    orders: names.map((name) => ({ clientOid: name as ClientOid })),
  });
  const answers = (
    outcome as { value: ({ ok: true } | { ok: false; refusal: { reason: string } })[] }
  ).value;
  return answers.map((answer) => (answer.ok ? 'cancelled' : answer.refusal.reason));
}

test.for(['never-', '90000'])(
  '[ORD-113] dozens of client ids such as %s1 cost one lookup for each order',
  (beginning, { market }) => {
    market.index('BTC', '50000');
    const alice = market.joins({ USDT: '10000' });
    for (let at = 0; at < OPEN; at++) rest(market, alice, `open-${at}`);
    market.passes(7 * HOUR);
    const looks = vi.spyOn(market.state.orders, 'get');
    const outcomes = cancel(
      market,
      alice,
      Array.from({ length: NAMES }, (_, at) => `${beginning}${at}`),
    );
    const count = looks.mock.calls.length;
    looks.mockRestore();
    expect(new Set(outcomes)).toEqual(new Set(['unknownOrder']));
    expect(count).toBe(OPEN);
  },
);

test('[ORD-113][ORD-85] a client id given twice in one call takes the older order too', ({
  market,
}) => {
  market.index('BTC', '50000');
  const alice = market.joins({ USDT: '10000' });
  for (const name of ['once', 'twice', '123']) rest(market, alice, name);
  market.passes(7 * HOUR);
  for (const name of ['twice', '123']) rest(market, alice, name);
  market.passes(7 * HOUR);
  expect(cancel(market, alice, ['twice', '123', 'twice', '123', 'twice', '123'])).toEqual([
    ...['cancelled', 'cancelled', 'cancelled', 'cancelled'],
    ...['unknownOrder', 'unknownOrder'],
  ]);
  expect(cancel(market, alice, ['once'])).toEqual(['cancelled']);
});
