/**
 * What happens between two slices of mirroring: those whose turn has not come yet do something
 * themselves, or their leader does.
 */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

/** As many as one slice serves. */
const SLICE = 50;

const crowd = (market: CopyMarket, leader: Uid, count: number): Uid[] =>
  Array.from({ length: count }, () => market.follower(leader, { settings: [setting()] }));

/**
 * Leaves a copy of 0.02 for each, all of them to come down to 0.01 and nobody there who would take
 * any of it.
 */
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

test('[CPY-23] what a leader closes in two orders before its turn has come is closed in one', ({
  market,
}) => {
  const alice = market.leader();
  const followers = crowd(market, alice, 2 * SLICE + 5);
  market.open(alice, 'long', '0.02');
  market.settle();
  // The second original keeps two slices busy, in which she closes half of the first.
  market.open(alice, 'long', '0.01');
  for (let count = 0; count < 2; count++) market.close(alice, 'long', '0.005');
  const last = followers.at(-1)!;
  market.settle();
  expect(market.fills(last)).toEqual(['normal sell 0.01 at 49999.9']);
  expect(followers.map((uid) => market.sizes(uid).join(' '))).toEqual(
    followers.map(() => '0.01 0.01'),
  );
});

test('[CPY-24] who has closed his copy before its turn has come keeps what is his own', ({
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

test('[CPY-46] who has closed by himself what had still to be closed is not closed again', ({
  market,
}) => {
  const { followers } = waitingForTakers(market, 2 * SLICE + 3);
  const [whole, part, none] = followers.slice(-3) as [Uid, Uid, Uid];
  // Nobody comes for them in another symbol.
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

test('[CPY-46] somebody who takes what its holder offers himself leaves nothing to be closed', ({
  market,
}) => {
  const { followers } = waitingForTakers(market, 1);
  const bob = followers[0]!;
  expect(market.close(bob, 'long', '0.01', 'BTCUSDT', '50000')).toBe('accepted');
  // Its rest would take more, were there more to close.
  market.order(market.maker, 'buy', '1', 'BTCUSDT', '50000');
  expect([market.fills(bob), market.sizes(bob)]).toEqual([['normal sell 0.01 at 50000'], ['0.01']]);
});

test('[CPY-46] two who come in one command find what waits once', ({ market }) => {
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

// 0.01 from 50,000 to 59,999.9 earns 99.999 and costs 0.3 and 0.3599994 of fees: a tenth of
// 99.3390006 is the leader's.
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

test('[CLK-12][CPY-160] what waits is settled after a restart, and first for an account that acts', ({
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

// She closes 0.4 of the 0.5 that her open order has brought so far, so that no more than the other
// 0.6 of it is tracked.
test('[CLK-12][CPY-55] a leader’s order that is still open is followed after a restart', ({
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
