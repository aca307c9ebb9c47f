/** Conditions of leading and following: just accepted and just refused. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { CommandOf } from '../../src/messages/commands.ts';
import { type CopyMarket, type SettingRequest, setting, test } from './copy-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

const make = (
  market: CopyMarket,
  uid: Uid,
  request: Partial<CommandOf<'makeLeader'>> = {},
): string => {
  const { outcome } = market.submit({
    type: 'makeLeader',
    uid,
    profitShare: decimal('0.1'),
    ...request,
  });
  return outcome.ok ? 'accepted' : outcome.refusal.reason;
};

const settingRefused = (
  market: CopyMarket,
  request: SettingRequest,
  mode: 'basic' | 'advanced' = 'advanced',
): string => {
  const uid = market.joins({ USDT: '1000' }, 'hedge');
  return market.follow(uid, market.leader(), { mode, settings: [setting(request)] });
};

describe('leaders', () => {
  test('[CPY-01] the share is a part of one, symbols are listed, and followers are limited', ({
    market,
  }) => {
    const uid = market.joins({}, 'hedge');
    expect(make(market, 7 as Uid)).toBe('unknownUser');
    expect(make(market, uid, { profitShare: decimal('1.0000000001') })).toBe('fieldInvalid');
    expect(make(market, uid, { profitShare: decimal('0.00000000001') })).toBe('tooFine');
    expect(make(market, uid, { symbols: ['BTCUSDT', 'NONE'] })).toBe('unknownSymbol');
    expect(make(market, uid, { followersMax: 0 })).toBe('fieldOutOfRange');
    expect(make(market, uid, { followersMax: 100_001 })).toBe('fieldOutOfRange');
    expect(
      make(market, uid, { profitShare: decimal('1'), symbols: ['BTCUSDT'], followersMax: 100_000 }),
    ).toBe('accepted');
  });

  test('[CPY-01] changed conditions apply to later copies; symbols limit what is tracked', ({
    market,
  }) => {
    const alice = market.leader('0.1');
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    expect(make(market, alice, { profitShare: decimal('0.5'), symbols: ['BTCUSDT'] })).toBe(
      'accepted',
    );
    market.open(alice, 'long', '0.1');
    expect(market.copies(bob).map(({ profitShare }) => profitShare)).toEqual([
      1_000_000_000n,
      5_000_000_000n,
    ]);
    market.quote('2500', 'ETHUSDT');
    market.open(alice, 'long', '1', 'ETHUSDT');
    expect(market.tracked(alice).length).toBe(2);
  });

  test('[CPY-04] a flat one-way account is switched to hedge mode, and neither side leaves it', ({
    market,
  }) => {
    const flat = market.joins({ USDT: '1000' });
    const busy = market.joins({ USDT: '100000' });
    expect(market.order(busy, 'buy', '0.1', 'BTCUSDT')).toBe('accepted');
    expect(make(market, busy)).toBe('positionModeInUse');
    expect(make(market, flat)).toBe('accepted');
    expect(market.state.accounts.get(flat)?.positionMode).toBe('hedge');
    const oneWay = market.joins({ USDT: '1000' });
    expect(market.follow(oneWay, flat)).toBe('cannotFollow');
    const follower = market.follower(flat);
    for (const uid of [flat, follower])
      expect(
        market.submit({ type: 'setPositionMode', uid, positionMode: 'oneWay' }).outcome,
      ).toMatchObject({
        refusal: { reason: 'positionModeInUse' },
      });
    market.accepted({ type: 'unfollow', uid: follower, leader: flat });
    market.accepted({ type: 'setPositionMode', uid: follower, positionMode: 'oneWay' });
  });
});

describe('followers', () => {
  test('[CPY-02] only leaders with room are followed, and no account follows itself', ({
    market,
  }) => {
    const alice = market.leader();
    const plain = market.joins({}, 'hedge');
    expect(market.follow(plain, plain)).toBe('followsHimself');
    expect(market.follow(alice, alice)).toBe('followsHimself');
    expect(market.follow(plain, market.joins({}, 'hedge'))).toBe('unknownLeader');
    expect(make(market, alice, { followersMax: 1 })).toBe('accepted');
    expect(market.follow(plain, alice)).toBe('accepted');
    expect(market.follow(plain, alice, { settings: [setting({ value: '2' })] })).toBe('accepted');
    expect(market.follow(market.joins({}, 'hedge'), alice)).toBe('leaderFull');
    market.accepted({ type: 'unfollow', uid: plain, leader: alice });
    expect(market.follow(market.joins({}, 'hedge'), alice)).toBe('accepted');
  });

  test('[CPY-49][CPY-03] a former follower who leads closes originals as leader and copies as follower', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    market.accepted({ type: 'unfollow', uid: bob, leader: alice });
    expect(make(market, bob)).toBe('accepted');
    market.open(bob, 'long', '0.2');
    expect(market.sizes(bob)).toEqual(['0.1', '0.2']);
    expect([market.closeTracked(bob, { role: 'leader' }), market.sizes(bob)]).toEqual([
      'accepted',
      ['0.1'],
    ]);
    expect([market.closeTracked(bob), market.sizes(bob)]).toEqual(['accepted', []]);
  });

  test('[CPY-03] leaders do not follow, followers do not lead, and accounts of one master neither', ({
    market,
  }) => {
    const [alice, other] = [market.leader(), market.leader()];
    expect(market.follow(alice, other)).toBe('cannotFollow');
    const bob = market.follower(alice);
    expect(make(market, bob)).toBe('cannotFollow');
    const sub = market.accepted({
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'hedge',
      parentUid: alice,
    });
    expect(market.follow((sub.outcome as { value: { uid: Uid } }).value.uid, alice)).toBe(
      'cannotFollow',
    );
  });

  test('[CPY-06] a call names a symbol once, and only symbols that the leader leads', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.joins({}, 'hedge');
    expect(market.follow(bob, alice, { settings: [setting(), setting()] })).toBe('fieldInvalid');
    expect(market.follow(bob, alice, { settings: [setting({ symbol: 'NONE' })] })).toBe(
      'unknownSymbol',
    );
    expect(make(market, alice, { symbols: ['ETHUSDT'] })).toBe('accepted');
    expect(market.follow(bob, alice)).toBe('symbolNotLed');
    expect(market.follow(bob, alice, { settings: [setting({ symbol: 'ETHUSDT' })] })).toBe(
      'accepted',
    );
  });

  test('[CPY-08] values are positive, margin coins fit, and a custom leverage is given and allowed', ({
    market,
  }) => {
    expect(settingRefused(market, { value: '0' })).toBe('sizeNotPositive');
    expect(settingRefused(market, { value: '0.00000000001' })).toBe('tooFine');
    expect(settingRefused(market, { marginCoin: 'BTC' })).toBe('fieldInvalid');
    expect(settingRefused(market, { marginCoin: 'USDT' })).toBe('accepted');
    expect(settingRefused(market, { leverage: 'own' })).toBe('fieldMissing');
    expect(settingRefused(market, { leverage: 'own', longLeverage: decimal('125') })).toBe(
      'accepted',
    );
    expect(settingRefused(market, { leverage: 'own', longLeverage: decimal('126') })).toBe(
      'leverageOutOfRange',
    );
    expect(
      settingRefused(market, {
        leverage: 'own',
        longLeverage: decimal('5'),
        shortLeverage: decimal('1.5'),
      }),
    ).toBe('leverageOutOfRange');
    expect(settingRefused(market, { leverage: 'own' }, 'basic')).toBe('accepted');
  });

  test('[CPY-09] a fixed size needs advanced mode, also when only the mode is changed', ({
    market,
  }) => {
    expect(settingRefused(market, { sizing: 'size', value: '0.1' }, 'basic')).toBe('fieldInvalid');
    const alice = market.leader();
    const bob = market.follower(alice, { settings: [setting({ sizing: 'size', value: '0.1' })] });
    expect(
      market.follow(bob, alice, { mode: 'basic', settings: [setting({ symbol: 'ETHUSDT' })] }),
    ).toBe('fieldInvalid');
    expect(market.follow(bob, alice, { mode: 'basic' })).toBe('accepted');
  });

  test('[CPY-64] advanced mode is refused if an earlier leverage is not allowed', ({ market }) => {
    const alice = market.leader();
    const bob = market.joins({ USDT: '100000' }, 'hedge');
    const own = (longLeverage?: string): SettingRequest => ({
      leverage: 'own',
      sizing: 'amount',
      value: '500',
      ...(longLeverage === undefined ? {} : { longLeverage: decimal(longLeverage) }),
    });
    const follows = (mode: 'basic' | 'advanced', request: SettingRequest): string =>
      market.follow(bob, alice, { mode, settings: [setting(request)] });
    for (const leverage of [undefined, '1.00000000001', '1.5', '126']) {
      expect(
        [follows('basic', own(leverage)), follows('advanced', { symbol: 'ETHUSDT' })],
        leverage,
      ).toEqual(['accepted', 'fieldInvalid']);
      expect(market.last!.outcome).toMatchObject({
        refusal: { field: 'mode', detail: 'BTCUSDT needs an allowed leverage' },
      });
    }
    // In basic mode it has no effect, and any allowed leverage is enough: 500 at twenty times and
    // 50,000 is 0.2.
    expect([market.open(alice, 'long', '0.1'), market.sizes(bob)]).toEqual(['accepted', ['0.1']]);
    expect([follows('basic', own('20')), follows('advanced', { symbol: 'ETHUSDT' })]).toEqual([
      'accepted',
      'accepted',
    ]);
    market.close(alice, 'long', '0.1');
    expect([market.open(alice, 'long', '0.3'), market.sizes(bob)]).toEqual(['accepted', ['0.2']]);
  });

  test('[CPY-64] a setting that a listing has outdated is reported; others can still change', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice, {
      settings: [setting({ leverage: 'own', longLeverage: decimal('100') })],
    });
    const { instrument } = market.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    const tiers = instrument.tiers.map((tier) => ({ ...tier, leverageMax: decimal('2') }));
    market.accepted({
      type: 'listInstrument',
      instrument: { ...instrument, leverageMax: decimal('2'), tiers },
    });
    expect(market.follow(bob, alice, { settings: [setting({ symbol: 'ETHUSDT' })] })).toBe(
      'accepted',
    );
    expect(market.open(alice, 'long', '0.1')).toBe('accepted');
    expect(market.missed().map(({ reason, size }) => [reason, size])).toEqual([
      ['leverageOutOfRange', 0n],
    ]);
  });

  test('[CPY-10] ratios are whole numbers from 1 to 400', ({ market }) => {
    for (const ratio of ['1', '400', '20.0']) {
      expect(settingRefused(market, { takeProfitRatio: decimal(ratio) })).toBe('accepted');
      expect(settingRefused(market, { stopLossRatio: decimal(ratio) })).toBe('accepted');
    }
    for (const ratio of ['0', '401', '1.5']) {
      expect(settingRefused(market, { takeProfitRatio: decimal(ratio) })).toBe(
        'takeProfitRatioOutOfRange',
      );
      expect(settingRefused(market, { stopLossRatio: decimal(ratio) })).toBe(
        'stopLossRatioOutOfRange',
      );
    }
  });

  test('[CPY-11] settings replace those of the same symbol; autoCopy stays if it is missing', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice, {
      mode: 'basic',
      autoCopy: true,
      settings: [setting(), setting({ symbol: 'ETHUSDT' })],
    });
    expect(market.follow(bob, alice, { mode: 'basic', settings: [setting({ value: '3' })] })).toBe(
      'accepted',
    );
    const [emitted] = market.emitted('followingChanged');
    expect(emitted!.following).toMatchObject({ autoCopy: true, mode: 'basic' });
    expect(emitted!.following.settings.map(({ symbol, value }) => `${symbol} ${value}`)).toEqual([
      'BTCUSDT 3',
      'ETHUSDT 1',
    ]);
  });

  test('[CPY-12][CPY-151] a symbol that is off cannot be set', ({ market }) => {
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'XRPUSDT',
      status: 'off',
    });
    expect(settingRefused(market, { symbol: 'XRPUSDT' })).toBe('copyNotNow');
  });

  test('[CPY-151] in a symbol that is off prices cannot be set, but can be removed', ({
    market,
  }) => {
    const alice = market.leader();
    const bob = market.follower(alice);
    market.open(alice, 'long', '0.1');
    const { id } = market.copies(bob)[0]!;
    const switchTo = (status: 'off' | 'cancelOnly' | 'halted') =>
      market.accepted({
        type: 'setInstrumentStatus',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        status,
      });
    expect(market.tpsl(bob, id, { takeProfit: '52000', stopLoss: '48000' })).toBe('accepted');
    switchTo('halted');
    expect(market.tpsl(bob, id, { takeProfit: '53000' })).toBe('accepted');
    for (const status of ['cancelOnly', 'off'] as const) {
      switchTo(status);
      expect(market.tpsl(bob, id, { takeProfit: '54000' })).toBe('copyNotNow');
      expect(market.tpsl(bob, id, { takeProfit: '0', stopLoss: '47000' })).toBe('copyNotNow');
    }
    expect(market.tpsl(bob, id, { takeProfit: '0' })).toBe('accepted');
    expect(market.copies(bob)[0]).toMatchObject({
      takeProfit: undefined,
      stopLoss: 480_000_000_000_000n,
    });
  });
});
