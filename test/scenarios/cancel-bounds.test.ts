/**
 * Cancels that name a market: orders of another market stay, even if their id or client id is
 * given.
 */
import { expect } from 'vitest';
import type { ClientOid, Uid } from '../../src/kernel/ids.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { OrderMarket } from '../../src/messages/order-commands.ts';
import { type Market, test } from './market.test-support.ts';
import { Triggers } from './trigger-market.test-support.ts';

const open = (market: Market, uid: Uid): string[] =>
  [...market.state.orders.values()].filter((order) => order.uid === uid).map(({ key }) => key);

function outcomes(market: Market, command: Command): string[] {
  const { outcome } = market.accepted(command);
  const items = (outcome as { value: readonly { ok: boolean; refusal?: { reason: string } }[] })
    .value;
  return items.map(({ ok, refusal }) => (ok ? 'cancelled' : refusal!.reason));
}

/** An account with bids for two inverse contracts. */
function bids(market: Market): Uid {
  market.index('BTC', '50000');
  market.index('ETH', '2500');
  const alice = market.joins({ BTC: '10', ETH: '100' });
  for (const [name, price] of [
    ['BTCUSD', '49000'],
    ['ETHUSD', '2400'],
  ] as const)
    expect(market.order(alice, 'buy', '1', name, price)).toBe('accepted');
  return alice;
}

test('[ORD-101] all orders of a margin coin are cancelled, and those of another stay', ({
  market,
}) => {
  const alice = bids(market);
  market.accepted({
    type: 'cancelAllOrders',
    uid: alice,
    category: 'COIN-FUTURES',
    marginCoin: 'ETH',
  });
  expect(open(market, alice)).toEqual(['COIN-FUTURES:BTCUSD']);
  market.accepted({
    type: 'cancelAllOrders',
    uid: alice,
    category: 'COIN-FUTURES',
    marginCoin: 'BTC',
  });
  expect(open(market, alice)).toEqual([]);
});

test.for([
  [{ category: 'USDT-FUTURES' }, 'unknownOrder'],
  [{ category: 'COIN-FUTURES', symbol: 'ETHUSD' }, 'unknownOrder'],
  [{ category: 'COIN-FUTURES', marginCoin: 'ETH' }, 'unknownOrder'],
  [{ category: 'COIN-FUTURES', symbol: 'BTCUSD', marginCoin: 'BTC' }, 'cancelled'],
] as const)('[ORD-87] an order named with %o: %s', ([input, answer], { market }) => {
  const alice = bids(market);
  const [order] = market.state.orders.values();
  expect(
    outcomes(market, {
      type: 'cancelOrders',
      uid: alice,
      orders: [{ orderId: order!.id }],
      market: input as OrderMarket,
    }),
  ).toEqual([answer]);
  expect(open(market, alice)).toHaveLength(answer === 'cancelled' ? 1 : 2);
});

test('[ORD-87] triggers of a margin coin are cancelled, and those of another stay', ({
  market,
}) => {
  const triggers = new Triggers(market);
  market.index('ETH', '2500');
  const alice = market.joins({ BTC: '10', ETH: '100' });
  const bitcoin = triggers.placed(alice, 'buy', {
    category: 'COIN-FUTURES',
    symbol: 'BTCUSD',
    at: '49000',
    name: 'x',
  });
  triggers.placed(alice, 'buy', { category: 'COIN-FUTURES', symbol: 'ETHUSD', at: '2400' });
  const of = {
    type: 'cancelTriggers',
    uid: alice,
    category: 'COIN-FUTURES',
    kinds: ['conditional'],
  } as const;
  const named = [{ clientOid: 'x' as ClientOid }];
  expect(outcomes(market, { ...of, marginCoin: 'ETH', triggers: named })).toEqual([
    'unknownTrigger',
  ]);
  market.accepted({ ...of, marginCoin: 'ETH' });
  expect([...market.state.triggers.keys()]).toEqual([bitcoin]);
  market.accepted({ ...of, marginCoin: 'BTC' });
  expect(market.state.triggers.size).toBe(0);
});
