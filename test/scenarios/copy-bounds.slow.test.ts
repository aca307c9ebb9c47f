/** Limits of copy trading for one account, and copies that fail. */
import { expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const placed = (market: CopyMarket): string[] =>
  market
    .missed()
    .map(
      ({ follower, reason }) => `${reason} for ${follower === undefined ? 'everyone' : follower}`,
    );

test('[CPY-22] an account has at most a thousand tracked orders, as leader or follower', ({
  market,
}) => {
  const [alice, carol] = [market.leader(), market.leader()];
  const bob = market.follower(alice);
  expect(market.follow(bob, carol)).toBe('accepted');
  for (let count = 0; count < 999; count++) market.open(alice, 'long', '0.0001');
  market.open(carol, 'long', '0.0001');
  expect([market.originals(alice).length, market.copies(bob).length, placed(market)]).toEqual([
    999,
    1_000,
    [],
  ]);
  // The leader's order would be number 1,000 and the follower's number 1,001.
  market.open(alice, 'long', '0.0001');
  expect([market.originals(alice).length, market.copies(bob).length, placed(market)]).toEqual([
    1_000,
    1_000,
    [`tooManyTrackedOrders for ${bob}`],
  ]);
  market.open(alice, 'long', '0.0001');
  expect([market.originals(alice).length, placed(market)]).toEqual([
    1_000,
    ['tooManyTrackedOrders for everyone'],
  ]);
  // A tracked order that ends makes room for another.
  market.close(alice, 'long', '0.0001');
  market.open(alice, 'long', '0.0001');
  expect([market.originals(alice).length, market.copies(bob).length, placed(market)]).toEqual([
    1_000,
    1_000,
    [],
  ]);
});

test('[CPY-66] an account follows at most a hundred leaders; leaving one keeps the others', ({
  market,
}) => {
  const leaders = Array.from({ length: 101 }, () => market.leader());
  const [first, second, last] = [leaders[0]!, leaders[1]!, leaders[100]!];
  const bob = market.joins({ USDT: '100000' }, 'hedge');
  for (const leader of leaders.slice(0, 100)) expect(market.follow(bob, leader)).toBe('accepted');
  expect(market.follow(bob, last)).toBe('tooManyItems');
  // Changing a following needs no more room.
  expect(market.follow(bob, first, { settings: [setting({ value: '2' })] })).toBe('accepted');
  market.accepted({ type: 'unfollow', uid: bob, leader: first });
  expect(market.follow(bob, last)).toBe('accepted');
  for (const leader of [first, second, last]) market.open(leader, 'long', '0.1');
  expect(market.sizes(bob)).toEqual(['0.1', '0.1']);
});

// Alice takes half of bob's offer; the rest of it is the best price for bob's copy.
test("[CPY-22] a copy stopped by the account's own order is missed whole", ({ market }) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.accepted({ type: 'setSelfTradeMode', uid: bob, selfTradeMode: 'cancelTaker' });
  market.clearQuotes();
  expect(market.open(bob, 'short', '0.2', 'BTCUSDT', '50000')).toBe('accepted');
  market.order(market.maker, 'sell', '10', 'BTCUSDT', '50000.1');
  market.open(alice, 'long', '0.1');
  expect(placed(market)).toEqual([`selfTrade for ${bob}`]);
  expect(moneyText(market.missed()[0]!.size)).toBe('0.1');
  expect([market.sizes(bob), market.size(bob, 'BTCUSDT', 'long')]).toEqual([[], '0']);
});

// Bob's 0.5 at 50,000 needs 5,000 at five times, and cost a fee of 15. The copy of 0.1 needs 1,000
// and a fee of 3.
test.for([
  ['5014.99', 'leverageNeedsMargin', '7'],
  ['5015', 'insufficientMargin', '7'],
  ['6017.99', 'insufficientMargin', '7'],
  ['6018', undefined, '5'],
] as const)(
  '[CPY-62] with %s a copy that lowers the leverage of an open position: %s',
  ([money, reason, leverage], { market }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '5', 'crossed');
    const bob = market.joins({ USDT: money }, 'hedge');
    market.settings(bob, 'BTCUSDT', '7', 'crossed');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.open(bob, 'long', '0.5');
    market.open(alice, 'long', '0.1');
    expect(placed(market)).toEqual(reason === undefined ? [] : [`${reason} for ${bob}`]);
    expect([market.sizes(bob), market.position(bob, 'BTCUSDT', 'long')!.leverage]).toEqual([
      reason === undefined ? ['0.1'] : [],
      leverage,
    ]);
  },
);

// 1 at 50,000 with the mark at 49,100 costs 900 and a fee of 30 at once, and needs 0.46 % of
// 49,100: 225.86.
test.for([
  ['1155.86', [], []],
  ['1155.87', ['1'], ['100']],
] as const)(
  '[CPY-62] with %s a copy that could not afford its first fill: %s',
  ([money, sizes, leverages], { market }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '100', 'crossed');
    const bob = market.joins({ USDT: money }, 'hedge');
    expect(market.follow(bob, alice)).toBe('accepted');
    market.pin('BTCUSDT', '49100');
    market.open(alice, 'long', '1');
    expect([market.sizes(bob), placed(market)]).toEqual([
      sizes,
      sizes.length > 0 ? [] : [`insufficientMargin for ${bob}`],
    ]);
    const changes = market.emitted('leverageChanged').filter(({ uid }) => uid === bob);
    expect(changes.map((change) => change.leverage)).toEqual(leverages);
  },
);

test("[CPY-154] a side without its own leverage is copied with the account's setting", ({
  market,
}) => {
  const alice = market.leader();
  market.settings(alice, 'BTCUSDT', '20', 'isolated');
  const own = setting({ margin: 'own', leverage: 'own', longLeverage: '5' as DecimalText });
  const bob = market.follower(alice, { settings: [own] });
  market.settings(bob, 'BTCUSDT', '7', 'isolated');
  market.open(alice, 'long', '0.1');
  market.open(alice, 'short', '0.1');
  expect(market.copies(bob).map(({ side, leverage }) => `${side} ${leverage}`)).toEqual([
    'long 5',
    'short 7',
  ]);
});

// 0.2 of 0.5 are bought before the leader closes 0.1. A maker pays 0.02 %: half of the first fee of
// 2 is left, and the other 0.3 cost 3.
test('[CPY-182] the closed part of an unfinished order is not tracked; other orders keep theirs', ({
  market,
}) => {
  const [alice, dan] = [market.leader(), market.leader()];
  market.clearQuotes();
  market.open(dan, 'long', '0.2', 'BTCUSDT', '49999');
  market.order(market.maker, 'sell', '0.1', 'BTCUSDT');
  market.open(alice, 'short', '0.3', 'BTCUSDT', '50100');
  market.order(market.maker, 'buy', '0.1', 'BTCUSDT');
  market.open(alice, 'long', '0.5', 'BTCUSDT', '50000');
  market.order(market.maker, 'sell', '0.2', 'BTCUSDT');
  market.close(alice, 'long', '0.1', 'BTCUSDT', '50050');
  market.order(market.maker, 'buy', '0.1', 'BTCUSDT');
  expect(market.size(alice, 'BTCUSDT', 'long')).toBe('0.1');
  market.order(market.maker, 'sell', '0.4', 'BTCUSDT');
  market.order(market.maker, 'buy', '0.2', 'BTCUSDT');
  expect([market.sizes(alice), market.sizes(dan)]).toEqual([['0.4', '0.3'], ['0.2']]);
  expect(market.originals(alice).map(({ openFee }) => moneyText(openFee))).toEqual(['4', '3.006']);
});

test('[CPY-49] in a halted symbol nothing is closed until trading resumes', ({ market }) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.open(alice, 'long', '0.1');
  const halt = (status: 'halted' | 'normal'): void => {
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status,
    });
  };
  halt('halted');
  expect(market.closeTracked(bob)).toBe('symbolClosed');
  expect(market.closeTracked(bob, { symbol: 'BTCUSDT' })).toBe('symbolClosed');
  halt('normal');
  expect(market.closeTracked(bob)).toBe('accepted');
});

test('[CPY-49] a copy that ends by the close of another is not closed again', ({ market }) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.accepted({ type: 'setSelfTradeMode', uid: bob, selfTradeMode: 'none' });
  market.open(alice, 'long', '0.1');
  market.open(alice, 'short', '0.1');
  const [long, short] = market.copies(bob).map(({ id }) => id) as [Id, Id];
  market.clearQuotes();
  // The order that closes the long sells to the order that closes the short.
  expect(market.close(bob, 'short', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
  const { outcome } = market.accepted({
    type: 'closeTrackedOrders',
    uid: bob,
    role: 'follower',
    category: 'USDT-FUTURES',
  });
  expect(
    (outcome as { value: readonly { trackingId: Id }[] }).value.map(({ trackingId }) => trackingId),
  ).toEqual([long]);
  expect(market.emitted('trackedOrderEnded').map(({ order }) => order.trackingId)).toEqual([
    long,
    short,
  ]);
  expect([market.sizes(bob), market.fills(bob)]).toEqual([
    [],
    ['normal sell 0.1 at 50000', 'normal buy 0.1 at 50000'],
  ]);
});

test('[CPY-25] a take-profit ends a short when the price has fallen to it', ({ market }) => {
  const alice = market.leader();
  const bob = market.follower(alice);
  market.open(alice, 'short', '0.1');
  expect(market.tpsl(bob, market.copies(bob)[0]!.id, { takeProfit: '49500' })).toBe('accepted');
  const dave: Uid = market.joins({ USDT: '100000' });
  for (const [price, left] of [
    ['49500.1', ['0.1']],
    ['49500', []],
  ] as const) {
    market.quote(price);
    market.order(dave, 'buy', '0.01', 'BTCUSDT');
    expect(market.sizes(bob)).toEqual(left);
  }
  // From 49,999.9 to 49,500.
  expect(market.ended(bob)).toMatchObject([{ closer: 'takeProfit', profit: '49.99' }]);
});

test.for([
  ['long', { takeProfit: '50500', stopLoss: '49500' }, '50500', 'takeProfit'],
  ['long', { takeProfit: '50500', stopLoss: '49500' }, '49500', 'stopLoss'],
  ['short', { takeProfit: '49500', stopLoss: '50500' }, '49500', 'takeProfit'],
  ['short', { takeProfit: '49500', stopLoss: '50500' }, '50500', 'stopLoss'],
] as const)(
  '[CPY-25] a %s with %o is ended at %s by its %s',
  ([side, prices, price, closer], { market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, side, '0.1');
    expect(market.tpsl(bob, market.copies(bob)[0]!.id, prices)).toBe('accepted');
    market.quote(price);
    market.order(market.joins({ USDT: '100000' }), 'buy', '0.01', 'BTCUSDT');
    expect(market.ended(bob)).toMatchObject([{ closer }]);
  },
);

test('[CPY-17] a follow limit is no wider than the limit of an order', ({ market }) => {
  const listed = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!.instrument;
  const sizes = { sizeMin: decimal('0.005'), marketSizeMax: decimal('0.3') };
  market.accepted({
    type: 'listInstrument',
    instrument: {
      ...listed,
      ...sizes,
      followSizeMin: decimal('0.0001'),
      followSizeMax: decimal('50'),
    },
  });
  const alice = market.leader();
  const cut = market.follower(alice, { settings: [setting({ value: '5' })] });
  const least = market.follower(alice, { settings: [setting({ value: '0.05' })] });
  const skipped = market.follower(alice, { settings: [setting({ value: '0.049' })] });
  expect(market.open(alice, 'long', '0.1')).toBe('accepted');
  expect([market.sizes(cut), market.sizes(least), market.sizes(skipped)]).toEqual([
    ['0.3'],
    ['0.005'],
    [],
  ]);
});
