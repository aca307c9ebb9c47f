import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Event } from '../../src/messages/events.ts';
import { createWorld, STORY_START, scenario } from './scenario.ts';

const rate = '0.1' as DecimalText;
const user = { type: 'createUser', level: 'VIP0', positionMode: 'oneWay' } as const;

describe('users', () => {
  test('[ACC-02] uids are assigned in order', () => {
    const { users } = scenario(`
      alice  joins
      bob    joins
      alice  joins  with email taken@example.com
    `);
    expect([...users.values()]).toEqual([1_000_000_003, 1_000_000_002]);
  });

  test('[ACC-01] a new user is one empty account', () => {
    const { engine } = scenario('alice joins | alice has 0 USDT');
    expect(engine.state.accounts.get(1_000_000_001 as Uid)).toEqual({
      profile: { uid: 1_000_000_001, name: 'alice', level: 'VIP0' },
      grantedLevel: 'VIP0',
      positionMode: 'oneWay',
      selfTradeMode: 'none',
      symbolSettings: new Map(),
      coinLeverages: new Map(),
      createdAt: STORY_START,
      openOrders: [],
      openFutures: 0,
      ordersToday: { day: 0, count: 0 },
      triggers: new Map(),
    });
  });

  test('[ACC-03] an e-mail address belongs to one user and is compared without case', () => {
    scenario(`
      alice  joins  with email Alice@Example.com
      bob    joins  with email alice@example.COM   | refused duplicateContact at email
      bob    joins  with email alice2@example.com
    `);
  });

  test('[ACC-03] spaces around an e-mail address are ignored', () => {
    const world = createWorld();
    world.submit({ ...user, email: ' Alice@Example.com ' });
    expect([...world.engine.state.contacts]).toEqual([['email:alice@example.com', 1_000_000_001]]);
    expect(world.submit({ ...user, email: 'alice@example.com' }).outcome).toEqual({
      ok: false,
      refusal: { reason: 'duplicateContact', field: 'email' },
    });
  });

  test('[ACC-04] a mobile number belongs to one user in any spelling', () => {
    scenario(`
      alice  joins  with mobile +86 138-0000-1111
      bob    joins  with mobile 86 13800001111     | refused duplicateContact at mobile
      bob    joins  with mobile 86 13800001112
      carol  joins  with mobile 1 13800001111
    `);
  });

  test.each([
    [{ mobile: '13800001111' }, 'fieldMissing', 'areaCode'],
    [{ areaCode: '86' }, 'fieldMissing', 'mobile'],
    [{ areaCode: '86', mobile: '123' }, 'fieldInvalid', 'mobile'],
    [{ areaCode: '86', mobile: '1234567890123456' }, 'fieldInvalid', 'mobile'],
    [{ areaCode: 'x', mobile: '13800001111' }, 'fieldInvalid', 'areaCode'],
    [{ email: 'alice' }, 'fieldInvalid', 'email'],
    [{ email: 'alice@@example.com' }, 'fieldInvalid', 'email'],
    [{ email: 'älice@example.com' }, 'fieldInvalid', 'email'],
    [{ email: `${'a'.repeat(243)}@example.com` }, 'fieldInvalid', 'email'],
  ])('[ACC-05] %j is refused', (fields, reason, field) => {
    const { outcome, events } = createWorld().submit({ ...user, ...fields });
    expect(outcome).toEqual({ ok: false, refusal: { reason, field } });
    expect(events).toEqual([]);
  });

  test('[ACC-05] the longest allowed address is accepted', () => {
    expect(
      createWorld().submit({ ...user, email: `${'a'.repeat(242)}@example.com` }).outcome.ok,
    ).toBe(true);
  });

  test('[ACC-06] the master of a sub-account must exist and must not be a sub-account', () => {
    const world = scenario(`
      alice  joins
      bob    joins  under alice
      carol  joins  under bob     | refused fieldInvalid at parentUid
      carol  joins  under alice
    `);
    expect(world.submit({ ...user, parentUid: 7 as Uid }).outcome).toEqual({
      ok: false,
      refusal: { reason: 'unknownUser', field: 'parentUid', detail: '7' },
    });
    expect(world.engine.state.accounts.get(world.uid('bob'))?.profile.parentUid).toBe(
      world.uid('alice'),
    );
  });

  test('[ACC-07] names and referral codes of valid form are stored unchanged', () => {
    const world = createWorld();
    const made = world.submit({
      type: 'makeAgent',
      uid: world.uid('carol'),
      affiliation: 'affiliate',
      spotRatio: rate,
      futuresRatio: rate,
    }).outcome;
    const { referralCode: code } = (made as { value: { referralCode: string } }).value;
    const { events } = world.submit({ ...user, name: '爱丽丝 😀', referralCode: code });
    expect(events[0]).toMatchObject({
      type: 'userCreated',
      user: { name: '爱丽丝 😀', referralCode: code },
    });
    expect(world.submit({ ...user, name: 'a'.repeat(64) }).outcome.ok).toBe(true);
    for (const name of ['', 'a'.repeat(65), 'a\nb', '\ud800'])
      expect(world.submit({ ...user, name }).outcome.ok, name).toBe(false);
    for (const referralCode of ['', 'a b', 'a'.repeat(33)])
      expect(world.submit({ ...user, referralCode }).outcome.ok).toBe(false);
  });

  test('[ACC-08] there are at most a million users', () => {
    const world = createWorld();
    world.uid('alice');
    const { accounts } = world.engine.state;
    const [alice] = accounts.values();
    while (accounts.size < 999_999) accounts.set((1_000_000_001 + accounts.size) as Uid, alice!);
    world.engine.state.nextUid = 1_001_000_000 as Uid;
    expect(world.submit(user).outcome.ok).toBe(true);
    expect(world.submit(user).outcome).toEqual({ ok: false, refusal: { reason: 'exchangeFull' } });
  });
});

const key = (world: ReturnType<typeof createWorld>, apiKey: string) =>
  ({
    type: 'createKey',
    uid: world.uid('alice'),
    apiKey,
    sealedSecret: `sealed ${apiKey}`,
    passphraseHash: 'hash',
    permissions: ['uta_trade.read'],
    addresses: [],
  }) as const;

describe('keys', () => {
  test('[ACC-10] a user has at most a hundred active keys; revoking one makes room', () => {
    const world = createWorld();
    for (let count = 1; count <= 100; count++)
      expect(world.submit(key(world, `k${count}`)).outcome.ok).toBe(true);
    expect(world.submit(key(world, 'k101')).outcome).toEqual({
      ok: false,
      refusal: { reason: 'tooManyKeys', field: 'uid', detail: '100' },
    });
    expect(world.submit({ type: 'revokeKey', apiKey: 'k3' }).outcome.ok).toBe(true);
    expect(world.submit(key(world, 'k101')).outcome.ok).toBe(true);
    expect(world.engine.audit().violations).toEqual([]);
  });

  test('[ACC-11] a revoked key stops working at once', () => {
    const world = createWorld();
    world.submit(key(world, 'k1'));
    expect(world.submit({ type: 'revokeKey', apiKey: 'k1' }).events).toEqual([
      { type: 'keyRevoked', apiKey: 'k1', uid: 1_000_000_001 },
    ]);
    expect(world.engine.state.credentials.keys.size).toBe(0);
    expect(world.submit({ type: 'revokeKey', apiKey: 'k1' }).outcome).toEqual({
      ok: false,
      refusal: { reason: 'unknownKey', field: 'apiKey' },
    });
  });

  test('[ACC-09] a key belongs to an existing user and has a unique name', () => {
    const world = createWorld();
    expect(world.submit({ ...key(world, 'k1'), uid: 7 as Uid }).outcome).toMatchObject({
      refusal: { reason: 'unknownUser', field: 'uid' },
    });
    const { events } = world.submit({
      ...key(world, 'k1'),
      permissions: ['copy.read', 'copy.read'],
      addresses: ['127.0.0.1', '::1'],
    });
    expect(events).toEqual<Event[]>([
      {
        type: 'keyCreated',
        key: {
          uid: 1_000_000_001 as Uid,
          apiKey: 'k1',
          sealedSecret: 'sealed k1',
          passphraseHash: 'hash',
          permissions: ['copy.read'],
          addresses: ['127.0.0.1', '::1'],
        },
      },
    ]);
    expect(world.submit(key(world, 'k1')).outcome).toMatchObject({
      refusal: { reason: 'fieldInvalid', field: 'apiKey' },
    });
    expect(world.submit({ ...key(world, 'k2'), addresses: ['here'] }).outcome).toMatchObject({
      refusal: { field: 'addresses' },
    });
    expect(
      world.submit({ ...key(world, 'k2'), addresses: new Array<string>(31).fill('::1') }).outcome,
    ).toMatchObject({
      refusal: { reason: 'tooManyItems' },
    });
    for (const field of ['sealedSecret', 'passphraseHash', 'publicKey']) {
      expect(world.submit({ ...key(world, 'k2'), [field]: '\ud800' }).outcome).toMatchObject({
        refusal: { reason: 'fieldInvalid', field },
      });
    }
  });

  test('[ACC-12] two states that differ only in their keys have equal digests', () => {
    const runs = ['first', 'other'].map((name) => {
      const world = createWorld();
      world.submit(key(world, name));
      world.submit(key(world, `${name}-2`));
      world.submit({ type: 'revokeKey', apiKey: name });
      return scenario('alice deposits 5 USDT', world).engine;
    });
    expect(runs[0]!.stateHash()).toBe(runs[1]!.stateHash());
    expect(runs[0]!.digest()).toBe(runs[1]!.digest());
    expect(Buffer.from(runs[0]!.serialize()).equals(Buffer.from(runs[1]!.serialize()))).toBe(false);
  });
});

describe('settings', () => {
  test('[ACC-13] each symbol is crossed at ten times until it is set', () => {
    scenario(`
      alice  joins                          | alice is crossed on BTCUSDT
                                            | leverage of alice on BTCUSDT long is 10
      alice  sets leverage 20 on BTCUSDT    | leverage of alice on BTCUSDT long is 20
                                            | leverage of alice on BTCUSDT short is 20
      alice  sets isolated on BTCUSDT       | alice is isolated on BTCUSDT
                                            | leverage of alice on BTCUSDT long is 20
      bob    joins                          | leverage of alice on ETHUSDT long is 10
                                            | alice is crossed on BTCPERP
                                            | leverage of bob on BTCUSDT long is 10
    `);
  });

  test('[ACC-14] leverage is a whole number from one to the maximum', () => {
    scenario(`
      alice  sets leverage 1 on BTCUSDT
      alice  sets leverage 125 on BTCUSDT
      alice  sets leverage 007.0 on BTCUSDT         | leverage of alice on BTCUSDT long is 7
      alice  sets leverage 126 on BTCUSDT           | refused leverageOutOfRange at leverage
      alice  sets leverage 0 on BTCUSDT             | refused leverageOutOfRange
      alice  sets leverage 0.5 on BTCUSDT           | refused leverageOutOfRange
      alice  sets leverage 10.5 on BTCUSDT          | refused leverageOutOfRange
      alice  sets leverage 10.00000000001 on BTCUSDT | refused leverageOutOfRange
    `);
  });

  test('[ACC-15][ACC-157] only isolated hedge mode has a leverage for each side', () => {
    scenario(`
      alice  sets leverage 5 on BTCUSDT for long    | leverage of alice on BTCUSDT long is 5
                                                    | leverage of alice on BTCUSDT short is 5
      alice  trades hedged
      alice  sets leverage 6 on BTCUSDT for short   | leverage of alice on BTCUSDT long is 6
                                                    | leverage of alice on BTCUSDT short is 6
      alice  sets isolated on BTCUSDT
      alice  sets leverage 7 on BTCUSDT for long    | leverage of alice on BTCUSDT long is 7
                                                    | leverage of alice on BTCUSDT short is 6
      alice  sets leverage 8 on BTCUSDT for short   | leverage of alice on BTCUSDT long is 7
                                                    | leverage of alice on BTCUSDT short is 8
      alice  sets crossed on BTCUSDT                | leverage of alice on BTCUSDT long is 6
                                                    | leverage of alice on BTCUSDT short is 6
      alice  sets isolated on BTCUSDT               | leverage of alice on BTCUSDT long is 7
      alice  sets leverage 9 on BTCUSDT             | leverage of alice on BTCUSDT long is 9
                                                    | leverage of alice on BTCUSDT short is 9
    `);
  });

  test('[ACC-16] each coin has its own loan leverage', () => {
    const { engine, users } = scenario(`
      alice  sets leverage 10 of coin BTC
      alice  sets leverage 11 of coin BTC    | refused leverageOutOfRange at leverage
      alice  sets leverage 1.5 of coin BTC   | refused leverageOutOfRange
      alice  sets leverage 2 of coin DOGE    | refused unknownCoin at coin
    `);
    expect([...engine.state.accounts.get(users.get('alice')!)!.coinLeverages]).toEqual([
      ['BTC', '10'],
    ]);
  });

  test('[ACC-16] a lowered maximum also limits leverage set earlier', () => {
    const world = scenario(`
      index  BTC    60000
      maker  deposits  10 BTC
      alice  deposits  10030 USDT
      alice  sets leverage 10 of coin USDT
      maker  sells  1 SPOT:BTCUSDT at 60000
    `);
    world.submit({
      type: 'listCoin',
      coin: { ...world.engine.state.coins.get('USDT')!, leverageMax: '3' as DecimalText },
    });
    scenario(
      `
      alice  buys   0.500001 MARGIN:BTCUSDT at 60000   | refused insufficientMargin
      alice  buys   0.5 MARGIN:BTCUSDT at 60000        | filled, alice owes 19970 USDT
    `,
      world,
    );
  });

  test('[ACC-17] the position mode applies to the whole account', () => {
    const { engine, users } = scenario('alice trades hedged | 1 positionModeChanged');
    expect(engine.state.accounts.get(users.get('alice')!)?.positionMode).toBe('hedge');
    const { events } = createWorld().submit({ ...user, positionMode: 'hedge' });
    expect(events[0]).toMatchObject({ positionMode: 'hedge' });
  });

  test('[ACC-18] setting the current value changes nothing', () => {
    scenario(`
      alice  trades one-way            | nothing
      alice  sets crossed on BTCUSDT   | nothing
    `);
  });

  test('[ACC-19] settings of an unknown user or unlisted symbol are refused', () => {
    const world = createWorld();
    const [uid, none] = [world.uid('alice'), 7 as Uid];
    const symbol = { category: 'USDT-FUTURES', symbol: 'DOGEUSDT' } as const;
    const leverage = '5' as never;
    const refusals = [
      world.submit({ type: 'setLeverage', uid: none, ...symbol, leverage }),
      world.submit({ type: 'setLeverage', uid, ...symbol, leverage }),
      world.submit({
        type: 'setSideLeverages',
        uid: none,
        ...symbol,
        longLeverage: leverage,
        shortLeverage: leverage,
      }),
      world.submit({
        type: 'setSideLeverages',
        uid,
        ...symbol,
        longLeverage: leverage,
        shortLeverage: leverage,
      }),
      world.submit({ type: 'setMarginMode', uid: none, ...symbol, marginMode: 'isolated' }),
      world.submit({ type: 'setMarginMode', uid, ...symbol, marginMode: 'isolated' }),
      world.submit({ type: 'setCoinLeverage', uid: none, coin: 'DOGE', leverage }),
      world.submit({ type: 'setPositionMode', uid: none, positionMode: 'hedge' }),
    ].map(({ outcome }) => (outcome.ok ? 'accepted' : outcome.refusal.reason));
    const either = ['unknownUser', 'unknownSymbol'];
    expect(refusals).toEqual([...either, ...either, ...either, 'unknownUser', 'unknownUser']);
  });
});
