import { describe, expect, test } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR, MINUTE, type Timestamp } from '../../src/kernel/time.ts';
import { test as market } from './market.test-support.ts';
import { refusalOf } from './phrases.ts';
import { createWorld, scenario } from './scenario.ts';

/** Alice has two futures orders and one spot order; bob has one futures order. */
const MARKET = `
  index  BTC       60000
  alice  deposits  100000 USDT
  bob    deposits  100000 USDT
  alice  buys  0.1 BTCUSDT at 50000 as one
  alice  buys  0.1 BTCUSDT at 51000 as two
  alice  buys  0.1 SPOT:BTCUSDT at 50000 as coins
  bob    buys  0.1 BTCUSDT at 50000 as bobs
`;

describe('a countdown', () => {
  test('[ORD-106] cancels all open orders of the account at its end, also later ones', () => {
    scenario(`${MARKET}
      alice  counts down     20s
      wall   passes          19999ms
      alice  buys  0.1 BTCUSDT at 52000 as late   | order one of alice is new
                                                  | order coins of alice is new
      wall   passes          1ms
      bob    deposits        1 USDT               | order one of alice is cancelled byUser
                                                  | order two of alice is cancelled byUser
                                                  | order coins of alice is cancelled byUser
                                                  | order late of alice is cancelled byUser
                                                  | order bobs of bob is new
      alice  buys  0.1 BTCUSDT at 50000 as anew
      wall   passes          1h
      bob    deposits        1 USDT               | order anew of alice is new
    `);
  });

  test('[ORD-189] starts again with every call, longer or shorter, and 0 ends it', () => {
    scenario(`${MARKET}
      alice  counts down     20s
      wall   passes          15s
      alice  counts down     60s
      wall   passes          59s
      bob    deposits        1 USDT   | order one of alice is new
      alice  counts down     5s
      wall   passes          4s
      alice  counts down     0s
      wall   passes          10m
      bob    deposits        1 USDT   | order one of alice is new
      alice  counts down     60s
      alice  counts down     5s
      wall   passes          5s
      bob    deposits        1 USDT   | order one of alice is cancelled byUser
      alice  buys  0.1 BTCUSDT at 50000 as anew
      wall   passes          10m
      bob    deposits        1 USDT   | order anew of alice is new
    `);
  });

  test('[ORD-106] follows the exchange clock, also when it is moved', () => {
    scenario(`${MARKET}
      alice  counts down     60s
      clock  advances        59s   | order one of alice is new
      clock  advances        1s    | order one of alice is cancelled byUser
    `);
  });

  test('[ORD-106] lasts 5 to 60 seconds', () => {
    const world = scenario(MARKET);
    const uid = world.uid('alice');
    for (const ms of [5_000, 60_000, 0])
      expect(world.submit({ type: 'setCountdown', uid, ms }).outcome.ok).toBe(true);
    for (const ms of [1, 4_999, 60_001])
      expect(refusalOf(world.submit({ type: 'setCountdown', uid, ms }))).toEqual({
        reason: 'fieldInvalid',
        field: 'countdown',
      });
    expect(
      refusalOf(createWorld().submit({ type: 'setCountdown', uid: 77 as Uid, ms: 0 })),
    ).toMatchObject({ reason: 'unknownUser' });
  });

  test('[ORD-106] that is set many times needs few timers', () => {
    const world = scenario(MARKET);
    const uid = world.uid('alice');
    for (let second = 0; second < 600; second++) {
      for (const ms of [60_000, 0, 30_000]) world.submit({ type: 'setCountdown', uid, ms });
      world.wall = (world.wall + 1_000) as Timestamp;
    }
    const timers = world.engine.state.timers.filter(({ kind }) => kind === 'countdown');
    expect([timers.length <= 3, world.engine.state.countdowns.size]).toEqual([true, 1]);
    scenario('wall passes 1h', world);
    scenario('bob deposits 1 USDT | order one of alice is cancelled byUser', world);
    expect([
      world.engine.state.countdowns.size,
      world.engine.state.timers.some(({ kind }) => kind === 'countdown'),
    ]).toEqual([0, false]);
  });
});

// Funding is paid at 08:00.
market('[ORD-106] ends after all else that falls due at its moment', ({ market: small }) => {
  small.index('BTC', '50000');
  const [long, short] = [small.joins({ USDT: '100000' }), small.joins({ USDT: '100000' })];
  small.trade(long, short, '1', 'BTCUSDT', '50000');
  small.passes(8 * HOUR - MINUTE);
  expect(small.order(long, 'buy', '0.1', 'BTCUSDT', '40000')).toBe('accepted');
  small.accepted({ type: 'setCountdown', uid: long, ms: MINUTE });
  small.passes(MINUTE);
  const happened = small.last!.events.flatMap(({ type }) =>
    type === 'fundingSettled' || type === 'orderEnded' ? [type] : [],
  );
  expect([new Set(happened.slice(0, -1)), happened.at(-1)]).toEqual([
    new Set(['fundingSettled']),
    'orderEnded',
  ]);
});
