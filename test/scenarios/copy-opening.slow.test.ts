/** Copies that open with their leader: size, leverage, order, and reasons for no copy. */

import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { type CopyMarket, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const reasons = (market: CopyMarket): string[] => market.missed().map(({ reason }) => reason);

describe('sizes', () => {
  test('[CPY-16][CPY-153] a multiple, an amount of margin and a fixed size each copy 0.1 of 0.5', ({
    market,
  }) => {
    const alice = market.leader();
    const multiple = market.follower(alice, { settings: [setting({ value: '0.2' })] });
    const amount = market.follower(alice, {
      settings: [setting({ sizing: 'amount', value: '500' })],
    });
    const size = market.follower(alice, { settings: [setting({ sizing: 'size', value: '0.1' })] });
    expect(market.open(alice, 'long', '0.5')).toBe('accepted');
    expect([multiple, amount, size].map((uid) => market.sizes(uid))).toEqual([
      ['0.1'],
      ['0.1'],
      ['0.1'],
    ]);
    expect(market.open(alice, 'short', '0.5')).toBe('accepted');
    // 500 × 10 / 49,999.9 = 0.10000020…, rounded down to 0.1.
    expect([multiple, amount, size].map((uid) => market.size(uid, 'BTCUSDT', 'short'))).toEqual([
      '0.1',
      '0.1',
      '0.1',
    ]);
  });

  test('[CPY-152] for an inverse contract an amount of the margin coin is a size', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice, {
      settings: [
        setting({ category: 'COIN-FUTURES', symbol: 'BTCUSD', sizing: 'amount', value: '0.02' }),
      ],
    });
    expect(market.order(market.maker, 'sell', '10', 'BTCUSD', '50000')).toBe('accepted');
    expect(market.open(alice, 'long', '0.5', 'BTCUSD')).toBe('accepted');
    expect(market.sizes(bob)).toEqual(['0.2']);
  });

  test('[CPY-17] rounded down to the step, skipped below the follow limit, cut above it', ({
    market,
  }) => {
    const listed = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!.instrument;
    market.accepted({
      type: 'listInstrument',
      instrument: { ...listed, followSizeMin: decimal('0.005'), followSizeMax: decimal('0.3') },
    });
    const alice = market.leader();
    const odd = market.follower(alice, { settings: [setting({ value: '0.33333' })] });
    const cut = market.follower(alice, { settings: [setting({ value: '5' })] });
    const least = market.follower(alice, { settings: [setting({ value: '0.05' })] });
    const skipped = market.follower(alice, { settings: [setting({ value: '0.049' })] });
    expect(market.open(alice, 'long', '0.1')).toBe('accepted');
    // 0.033333 in steps of 0.0001.
    expect(market.sizes(odd)).toEqual(['0.0333']);
    expect([market.sizes(cut), market.sizes(least), market.sizes(skipped)]).toEqual([
      ['0.3'],
      ['0.005'],
      [],
    ]);
    // 0.0049 is one step below the limit.
    expect(market.missed()).toMatchObject([
      { follower: skipped, leader: alice, reason: 'belowFollowLimit', size: 49_000_000n },
    ]);
  });

  test('[CPY-18][CPY-50] a setting limits the number of open copies of a leader in a symbol', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice, {
      settings: [setting({ heldMax: 2 }), setting({ symbol: 'ETHUSDT', heldMax: 2 })],
    });
    for (let count = 0; count < 2; count++) market.open(alice, 'long', '0.1');
    expect(market.sizes(bob)).toEqual(['0.1', '0.1']);
    market.open(alice, 'short', '0.1');
    expect([market.sizes(bob).length, ...reasons(market)]).toEqual([2, 'tooManyTrackedOrders']);
    expect(market.missed()).toMatchObject([{ follower: bob, size: 1_000_000_000n }]);
    market.quote('2500', 'ETHUSDT');
    market.open(alice, 'long', '1', 'ETHUSDT');
    expect(market.sizes(bob).length).toBe(3);
  });
});

describe('tracking and mirroring', () => {
  test("[CPY-13] an order of any call is tracked when it is done, also a maker's", ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.clearQuotes();
    expect(market.open(alice, 'long', '0.3', 'BTCUSDT', '49000')).toBe('accepted');
    expect(market.order(market.maker, 'sell', '5', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.order(market.maker, 'sell', '0.1', 'BTCUSDT', '49000')).toBe('accepted');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([[], []]);
    expect(market.order(market.maker, 'sell', '0.2', 'BTCUSDT', '49000')).toBe('accepted');
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.3'], ['0.3']]);
    expect(market.originals(alice)[0]!.opened.cost / market.originals(alice)[0]!.opened.size).toBe(
      490_000_000_000_000n,
    );
  });

  test('[CPY-13] a cancelled order is tracked with what it filled', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.clearQuotes();
    market.open(alice, 'long', '0.3', 'BTCUSDT', '49000');
    market.order(market.maker, 'sell', '0.1', 'BTCUSDT', '49000');
    market.order(market.maker, 'sell', '5', 'BTCUSDT', '50000');
    market.accepted({ type: 'cancelAllOrders', uid: alice, category: 'USDT-FUTURES' });
    expect([market.sizes(alice), market.sizes(bob)]).toEqual([['0.1'], ['0.1']]);
  });

  test('[CPY-14] originals and copies have tracking ids, and one order for each copy', ({
    market,
  }) => {
    const alice = market.leader();
    const [bob, carl] = [market.follower(alice), market.follower(alice)];
    market.open(alice, 'long', '0.1');
    const ids = [alice, bob, carl].flatMap((uid) => market.tracked(uid).map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    const orders = [alice, bob, carl].flatMap((uid) =>
      market.tracked(uid).map(({ openOrderId }) => openOrderId),
    );
    expect(new Set(orders).size).toBe(3);
  });

  test('[CPY-15] needs a setting for the symbol, or autoCopy in basic mode', ({ market }) => {
    const alice = market.leader();
    const set = market.follower(alice);
    const auto = market.follower(alice, {
      mode: 'basic',
      autoCopy: true,
      settings: [setting({ symbol: 'XRPUSDT' })],
    });
    const advanced = market.follower(alice, {
      mode: 'advanced',
      autoCopy: true,
      settings: [setting({ symbol: 'XRPUSDT' })],
    });
    const elsewhere = market.follower(alice, {
      mode: 'basic',
      settings: [setting({ symbol: 'XRPUSDT' })],
    });
    market.open(alice, 'long', '0.1');
    expect([set, auto, advanced, elsewhere].map((uid) => market.sizes(uid))).toEqual([
      ['0.1'],
      ['0.1'],
      [],
      [],
    ]);
    expect(market.missed()).toEqual([]);
  });

  test('[CPY-19] autoCopy without a setting copies the same size', ({ market }) => {
    const alice = market.leader();
    const auto = market.follower(alice, {
      mode: 'basic',
      autoCopy: true,
      settings: [setting({ value: '0.5' })],
    });
    market.quote('2500', 'ETHUSDT');
    market.open(alice, 'short', '2', 'ETHUSDT');
    expect(market.sizes(auto)).toEqual(['2']);
  });

  test('[CPY-42] followers are served in the order of their start; later ones do not copy it', ({
    market,
  }) => {
    const alice = market.leader();
    const [first, second] = [market.follower(alice), market.follower(alice)];
    market.accepted({ type: 'unfollow', uid: first, leader: alice });
    expect(market.follow(first, alice)).toBe('accepted');
    // Five lots at each price: the first follower gets the better one.
    market.clearQuotes();
    for (const price of ['50000', '50100', '50200'])
      market.order(market.maker, 'sell', '0.1', 'BTCUSDT', price);
    market.open(alice, 'long', '0.1');
    const late = market.follower(alice);
    const prices = [alice, second, first].map((uid) =>
      market.tracked(uid).map(({ opened }) => `${opened.cost / opened.size / 10n ** 10n}`),
    );
    expect(prices).toEqual([['50000'], ['50100'], ['50200']]);
    expect(market.sizes(late)).toEqual([]);
  });

  test('[CPY-43] a portion mirrors fifty, and the rest follows with the next command', ({
    market,
  }) => {
    const alice = market.leader();
    const followers = Array.from({ length: 120 }, () =>
      market.follower(alice, { settings: [setting({ value: '0.1' })] }),
    );
    market.open(alice, 'long', '0.1');
    const copied = (): number => followers.filter((uid) => market.sizes(uid).length > 0).length;
    expect([copied(), market.engine.hasDeferredWork()]).toEqual([50, true]);
    market.check();
    market.accepted({ type: 'tick' });
    expect([copied(), market.engine.hasDeferredWork()]).toEqual([100, true]);
    market.accepted({ type: 'tick' });
    expect([copied(), market.engine.hasDeferredWork()]).toEqual([120, false]);
  });

  test('[CPY-43] a follower who leaves and returns during mirroring follows from then on', ({
    market,
  }) => {
    const alice = market.leader();
    const settings = [setting({ value: '0.1' })];
    const followers = Array.from({ length: 160 }, () => market.follower(alice, { settings }));
    const last = followers.at(-1)!;
    market.open(alice, 'long', '0.1');
    // Each command mirrors fifty more, so this follower's turn comes after the third.
    market.accepted({ type: 'unfollow', uid: last, leader: alice });
    expect(market.follow(last, alice, { settings })).toBe('accepted');
    market.settle();
    expect(followers.filter((uid) => market.sizes(uid).length > 0)).toEqual(followers.slice(0, -1));
    market.open(alice, 'long', '0.1');
    market.settle();
    expect(market.sizes(last)).toEqual(['0.01']);
  });
});

describe('leverage and margin mode', () => {
  test("[CPY-20][CPY-150] basic mode uses the leader's settings, advanced mode those of the call", ({
    market,
  }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '25', 'isolated');
    const own = { margin: 'own', leverage: 'own', longLeverage: decimal('7') } as const;
    const basic = market.follower(alice, { mode: 'basic', settings: [setting({ ...own })] });
    const leader = market.follower(alice);
    const given = market.follower(alice, { settings: [setting(own)] });
    const position = market.follower(alice, {
      settings: [setting({ margin: 'own', leverage: 'position' })],
    });
    market.settings(position, 'BTCUSDT', '4', 'crossed');
    market.open(alice, 'long', '0.1');
    const modes = [basic, leader, given, position].map((uid) => {
      const { marginMode, leverage } = market.position(uid, 'BTCUSDT', 'long')!;
      return `${marginMode} ${leverage}`;
    });
    expect(modes).toEqual(['isolated 25', 'isolated 25', 'crossed 7', 'crossed 4']);
    expect(market.copies(given)[0]).toMatchObject({ leverage: '7', marginMode: 'crossed' });
    // 0.1 at 50,000, at seven times: 714.2857142857…, rounded up.
    expect(moneyText(market.copies(given)[0]!.margin)).toBe('714.2857142858');
  });

  test('[CPY-155] a margin mode in use cannot be switched, which is the reason', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(bob, 'short', '0.1');
    market.settings(alice, 'BTCUSDT', '10', 'isolated');
    market.open(alice, 'long', '0.1');
    expect([market.sizes(bob), reasons(market)]).toEqual([[], ['marginModeInUse']]);
  });

  const changes = (market: CopyMarket, uid: Uid): number =>
    [...market.emitted('leverageChanged'), ...market.emitted('marginModeChanged')].filter(
      (event) => event.uid === uid,
    ).length;

  test('[CPY-62] a refused copy leaves margin mode and leverage unchanged', ({ market }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '25', 'isolated');
    // 0.1 at 50,000 and 25 times holds 200 and a fee of 3.
    const [poor, just] = ['202.9', '203'].map((USDT) => market.joins({ USDT }, 'hedge')) as [
      Uid,
      Uid,
    ];
    for (const uid of [poor, just]) market.follow(uid, alice);
    market.open(alice, 'long', '0.1');
    expect(market.missed()).toMatchObject([{ follower: poor, reason: 'insufficientMargin' }]);
    expect([changes(market, poor), changes(market, just)]).toEqual([0, 2]);
    expect(market.state.accounts.get(poor)!.symbolSettings.size).toBe(0);
    expect(market.sizes(just)).toEqual(['0.1']);
  });

  test('[CPY-62] the margin of a lower leverage for open positions counts beside the copy', ({
    market,
  }) => {
    const alice = market.leader();
    market.settings(alice, 'BTCUSDT', '5', 'crossed');
    // A position of 5,000 needs 500 at ten times and 1,000 at five. The copy needs 1,000 and a fee
    // of 3, after the paid fee of 3.
    const [poor, just] = ['2005.9', '2006'].map((USDT) => market.joins({ USDT }, 'hedge')) as [
      Uid,
      Uid,
    ];
    for (const uid of [poor, just]) {
      market.open(uid, 'long', '0.1');
      market.follow(uid, alice);
    }
    market.open(alice, 'long', '0.1');
    expect(market.missed()).toMatchObject([{ follower: poor, reason: 'insufficientMargin' }]);
    expect([changes(market, poor), changes(market, just)]).toEqual([0, 1]);
    expect(market.position(poor, 'BTCUSDT', 'long')!.leverage).toBe('10');
    expect(market.position(just, 'BTCUSDT', 'long')!.leverage).toBe('5');
  });

  test('[CPY-62] nor does an empty book change them', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.settings(alice, 'BTCUSDT', '25', 'isolated');
    market.clearQuotes();
    market.order(market.maker, 'sell', '0.1', 'BTCUSDT', '50000');
    market.open(alice, 'long', '0.1');
    expect([reasons(market), changes(market, bob)]).toEqual([['noLiquidity'], 0]);
  });
});

describe('what is not copied', () => {
  test('[CPY-22] a refused copy does not affect the followers behind it', ({ market }) => {
    const alice = market.leader();
    const poor = market.joins({ USDT: '100' }, 'hedge');
    market.follow(poor, alice);
    const small = market.follower(alice, { settings: [setting({ value: '0.0001' })] });
    const rich = market.follower(alice);
    market.open(alice, 'long', '0.1');
    expect(market.sizes(rich)).toEqual(['0.1']);
    expect(market.missed()).toMatchObject([
      {
        follower: poor,
        reason: 'insufficientMargin',
        openOrderId: market.originals(alice)[0]!.openOrderId,
      },
      { follower: small, reason: 'belowFollowLimit' },
    ]);
    expect(moneyText(market.missed()[0]!.size)).toBe('0.1');
  });

  test('[CPY-22] the unfilled part is reported as missed', ({ market }) => {
    const alice = market.leader();
    const [bob, carl] = [market.follower(alice), market.follower(alice)];
    market.clearQuotes();
    market.order(market.maker, 'sell', '0.15', 'BTCUSDT', '50000');
    market.open(alice, 'long', '0.1');
    expect([market.sizes(bob), market.sizes(carl)]).toEqual([['0.05'], []]);
    expect(
      market.missed().map(({ follower, reason, size }) => [follower, reason, moneyText(size)]),
    ).toEqual([
      [bob, 'iocNotFull', '0.05'],
      [carl, 'noLiquidity', '0.1'],
    ]);
  });

  test('[CPY-22] a halted symbol copies nothing', ({ market }) => {
    const alice = market.leader();
    const followers = Array.from({ length: 60 }, () =>
      market.follower(alice, { settings: [setting({ value: '0.1' })] }),
    );
    market.open(alice, 'long', '0.1');
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'halted',
    });
    expect(new Set(reasons(market))).toEqual(new Set(['symbolClosed']));
    expect(followers.filter((uid) => market.sizes(uid).length > 0).length).toBe(50);
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status: 'normal',
    });
  });

  test('[CPY-21] copies are market orders', ({ market }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1', 'BTCUSDT', '50000');
    const orders = market.emitted('orderAccepted').filter(({ order }) => order.uid === bob);
    expect(orders.map(({ order }) => order.orderType)).toEqual(['market']);
  });
});
