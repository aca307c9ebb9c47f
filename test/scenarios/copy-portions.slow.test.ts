/**
 * Acts between two portions of mirroring, by followers whose turn has not come or by their leader.
 */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

/** Size of one portion. */
const SLICE = 50;

const crowd = (market: CopyMarket, leader: Uid, count: number): Uid[] =>
  Array.from({ length: count }, () => market.follower(leader, { settings: [setting()] }));

/** Leaves a copy of 0.02 for each follower that should be closed to 0.01, and no bid. */
function waitingForTakers(market: CopyMarket, count: number): { alice: Uid; followers: Uid[] } {
  const alice = market.leader();
  const followers = crowd(market, alice, count);
  market.open(alice, 'long', '0.02');
  market.settle();
  market.clearQuotes();
  expect(market.close(alice, 'long', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
  market.order(market.maker, 'buy', '0.01', 'BTCUSDT');
  market.settle();
  expect(followers.every((uid) => market.sizes(uid)[0] === '0.02')).toBe(true);
  return { alice, followers };
}

test('[CPY-179] an order that its leader closed before a follower', ({ market }) => {
  const alice = market.leader();
  const followers = crowd(market, alice, SLICE + 2);
  market.open(alice, 'long', '0.01');
  expect(followers.map((uid) => market.sizes(uid).length).indexOf(0)).toBe(SLICE);
  market.close(alice, 'long', '0.01');
  expect(market.missed().map(({ follower, reason, size }) => [follower, reason, size])).toEqual([
    [followers[SLICE], 'originalClosed', 0n],
    [followers[SLICE + 1], 'originalClosed', 0n],
  ]);
  market.settle();
  expect([followers.flatMap((uid) => market.sizes(uid)), market.state.copy.tracked.size]).toEqual([
    [],
    0,
  ]);
});

test("[CPY-23] two closing orders of a leader before a follower's turn are one close", ({
  market,
}) => {
  const alice = market.leader();
  const followers = crowd(market, alice, 2 * SLICE + 5);
  market.open(alice, 'long', '0.02');
  market.settle();
  // The second original needs two portions; between them the leader closes half of the first.
  market.open(alice, 'long', '0.01');
  for (let count = 0; count < 2; count++) market.close(alice, 'long', '0.005');
  const last = followers.at(-1)!;
  market.settle();
  expect(market.fills(last)).toEqual(['normal sell 0.01 at 49999.9']);
  expect(followers.map((uid) => market.sizes(uid).join(' '))).toEqual(
    followers.map(() => '0.01 0.01'),
  );
});

test('[CPY-24] a follower who closed a copy before their turn keeps the rest of the position', ({
  market,
}) => {
  const alice = market.leader();
  const followers = crowd(market, alice, SLICE + 1);
  const last = followers.at(-1)!;
  market.open(alice, 'long', '0.01');
  market.settle();
  market.open(last, 'long', '0.01');
  market.close(alice, 'long', '0.01');
  expect([market.sizes(followers[SLICE - 1]!), market.sizes(last)]).toEqual([[], ['0.01']]);
  market.close(last, 'long', '0.01');
  expect(market.fills(last)).toEqual(['normal sell 0.01 at 49999.9']);
  market.settle();
  expect([market.sizes(last), market.size(last, 'BTCUSDT', 'long')]).toEqual([[], '0.01']);
});

test('[CPY-46] what a follower has already closed is not closed again', ({ market }) => {
  const { followers } = waitingForTakers(market, 2 * SLICE + 3);
  const [whole, part, none] = followers.slice(-3) as [Uid, Uid, Uid];
  // An order in another symbol wakes nothing.
  market.order(market.maker, 'buy', '1', 'ETHUSDT', '2000');
  expect(market.engine.hasDeferredWork()).toBe(false);
  expect(market.order(market.maker, 'buy', '50', 'BTCUSDT', '49000')).toBe('accepted');
  expect(followers.map((uid) => market.sizes(uid)[0]).indexOf('0.02')).toBe(SLICE);
  market.close(whole, 'long', '0.02');
  expect(followers.map((uid) => market.sizes(uid)[0]).indexOf('0.02', SLICE)).toBe(2 * SLICE + 1);
  market.close(part, 'long', '0.01');
  expect([whole, part, none].map((uid) => market.fills(uid))).toEqual([
    [],
    ['normal sell 0.01 at 49000'],
    ['normal sell 0.01 at 49000'],
  ]);
  expect([whole, part, none].map((uid) => market.sizes(uid))).toEqual([[], ['0.01'], ['0.01']]);
});

test("[CPY-46] a taker of the follower's own order leaves nothing to close", ({ market }) => {
  const { followers } = waitingForTakers(market, 1);
  const bob = followers[0]!;
  expect(market.close(bob, 'long', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
  // The rest of this order would take more if there was more to close.
  market.order(market.maker, 'buy', '1', 'BTCUSDT', '50000');
  expect([market.fills(bob), market.sizes(bob)]).toEqual([['normal sell 0.01 at 50000'], ['0.01']]);
});

test('[CPY-46] two orders in one command find a pending close once', ({ market }) => {
  const { followers } = waitingForTakers(market, 1);
  const bids = ['49000', '49001'].map((price) => ({
    symbol: 'BTCUSDT',
    side: 'buy' as const,
    orderType: 'limit' as const,
    timeInForce: 'gtc' as const,
    reduceOnly: false,
    size: '1' as DecimalText,
    price: price as DecimalText,
  }));
  market.accepted({
    type: 'placeOrders',
    uid: market.maker,
    category: 'USDT-FUTURES',
    orders: bids,
  });
  expect([market.fills(followers[0]!), market.sizes(followers[0]!)]).toEqual([
    ['normal sell 0.01 at 49001'],
    ['0.01'],
  ]);
});

// 0.01 from 50,000 to 59,999.9 earns 99.999 and costs fees of 0.3 and 0.3599994: the leader gets a
// tenth of 99.3390006.
test('[CPY-160] more closes than one portion settles give nothing away before the leader', ({
  market,
}) => {
  const alice = market.leader();
  const [bob, friend] = [market.follower(alice), market.joins({})];
  for (let count = 0; count <= SLICE; count++) market.open(alice, 'long', '0.01');
  expect(market.sizes(bob)).toHaveLength(SLICE + 1);
  market.quote('60000');
  market.accepted({ type: 'closePositions', uid: bob, category: 'USDT-FUTURES' });
  expect(market.ended(bob)).toHaveLength(SLICE);
  const transfer = {
    type: 'transferToUser',
    uid: bob,
    coin: 'USDT',
    recipientKind: 'uid',
    recipient: `${friend}`,
  } as const;
  // 100,000 + 51 × 99.3390006 − 50 × 9.93390006.
  expect(market.available(bob)).toBe('104569.5940276');
  const { outcome } = market.submit({ ...transfer, size: '104569.5940276' as DecimalText });
  expect(outcome).toMatchObject({ ok: false, refusal: { reason: 'insufficientBalance' } });
  expect(market.ended(bob)).toMatchObject([{ share: '9.93390006' }]);
});

test('[CLK-12][CPY-160] pending shares are settled after a restart, and first for an account that acts', ({
  market,
}) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  for (let count = 0; count <= SLICE; count++) market.open(alice, 'long', '0.01');
  market.quote('60000');
  market.accepted({ type: 'closePositions', uid: bob, category: 'USDT-FUTURES' });
  expect(market.ended(bob)).toHaveLength(SLICE);
  market.engine.restore(market.engine.serialize());
  market.check();
  market.accepted({ type: 'cancelAllOrders', uid: bob, category: 'USDT-FUTURES' });
  expect(market.ended(bob)).toMatchObject([{ share: '9.93390006' }]);
});

// The leader closes 0.4 of the 0.5 that an open order has filled so far, so only the other 0.6 are
// tracked.
test('[CLK-12][CPY-55] an unfinished order of a leader stays followed after a restart', ({
  market,
}) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.clearQuotes();
  expect(market.open(alice, 'long', '1', 'BTCUSDT', '50000')).toBe('accepted');
  market.order(market.maker, 'sell', '0.5', 'BTCUSDT', '50000');
  market.engine.restore(market.engine.serialize());
  market.check();
  market.order(market.maker, 'buy', '0.4', 'BTCUSDT', '50000.1');
  expect(market.close(alice, 'long', '0.4')).toBe('accepted');
  market.order(market.maker, 'sell', '5', 'BTCUSDT', '50000');
  expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.6'], ['0.6']]);
});
