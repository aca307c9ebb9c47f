/** Edge cases of withdrawals: hashes, recipients, reserves, and limits of an earlier day. */
import { beforeEach, expect, test } from 'vitest';
import { invoice } from '../../src/gateway/chains/invoices.test-support.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { clientOidOf, type Id, type Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY } from '../../src/kernel/time.ts';
import { Desk } from './withdrawal-desk.test-support.ts';

let desk: Desk;
let alice: Uid;
beforeEach(() => {
  desk = new Desk();
  alice = desk.joins({ USDT: '5000' });
});

const confirms = (orderId: Id, confirmations: number, hash?: string): string =>
  desk.says({
    type: 'reportChain',
    orderId,
    sighting: 'confirmed',
    confirmations,
    ...(hash === undefined ? {} : { hash }),
  });

test('[WDR-14] confirmations count without the hash once it is known, and not before', () => {
  const order = desk.requests(alice);
  desk.asks(order);
  expect(confirms(order, 1)).toBe('withdrawalOutOfTurn');
  expect(confirms(order, 1, 'abc')).toBe('accepted');
  expect([confirms(order, 2, 'abd'), confirms(order, 1), confirms(order, 2)]).toEqual([
    'withdrawalOutOfTurn',
    'withdrawalOutOfTurn',
    'accepted',
  ]);
  expect(desk.state.withdrawals.live.get(order)!.progress).toMatchObject({
    hash: 'abc',
    confirmations: 2,
  });
  expect([confirms(order, 20), desk.emitted('withdrawalEnded')[0]?.end]).toMatchObject([
    'accepted',
    { status: 'completed', hash: 'abc' },
  ]);
});

test('[WDR-45] a hash from an operator is printable and has a maximum length', () => {
  const order = desk.requests(alice);
  for (const hash of ['', 'a b', 'a\n', 'é', 'a'.repeat(129)])
    expect([hash, desk.decides(order, 'confirm', 'ann', hash)]).toEqual([hash, 'fieldInvalid']);
  expect(desk.stage(order)).toBe('released');
  expect(desk.decides(order, 'confirm', 'ann', 'a'.repeat(128))).toBe('accepted');
});

// 3,000 a day: 2,500 are used on the second day when the 1,000 of the first return.
test('[WDR-12] a return from an earlier day does not change the used amount of today', () => {
  const bob = desk.joins({ USDT: '5000' });
  desk.lists('USDT', { dailyLimitsUsd: [{ level: 'VIP0', limit: '3000' as DecimalText }] });
  const before = desk.requests(bob, { size: '1000' });
  desk.passes(DAY);
  desk.requests(bob, { size: '2500' });
  expect([desk.decides(before, 'reject'), desk.has(bob)]).toEqual([
    'accepted',
    '2500 + 2500 locked',
  ]);
  expect(desk.withdraws(bob, { size: '500.00000001' })).toBe('dailyLimitExceeded');
  expect(desk.withdraws(bob, { size: '500' })).toBe('accepted');
});

test('[WDR-39] a reserve is of a listed coin and has the decimals of money', () => {
  const sets = (coin: string, amount: string) =>
    desk.says({ type: 'setReserve', coin, amount: amount as DecimalText, operator: 'ann' });
  expect([sets('NONE', '1'), sets('USDT', '6000000.00000000001')]).toEqual([
    'unknownCoin',
    'tooFine',
  ]);
  expect(desk.state.withdrawals.reserves.size).toBe(0);
  expect(sets('USDT', '6000000.0000000001')).toBe('accepted');
});

/** Held and owed amounts of a coin in the audit, and its violations. */
function audited(coin: string): [string, string, readonly string[]] {
  const { coins, violations } = desk.engine.audit();
  const { held, owed } = coins.find((row) => row.coin === coin)!;
  return [moneyText(held), moneyText(owed), violations];
}

// The fee of 1 belongs to the house. Of 5,000 deposited, 100 were sent and 4,899 are owed.
test('[WDR-40] a house that holds all user money is not short, even if it spent its earnings', () => {
  const order = desk.requests(alice, { size: '101' });
  desk.asks(order);
  desk.reports(order, 'confirmed', 20);
  const sets = (amount: string) =>
    desk.accepted({
      type: 'setReserve',
      coin: 'USDT',
      amount: amount as DecimalText,
      operator: 'ann',
    });
  sets('4899');
  expect(audited('USDT')).toEqual(['4899', '4899', []]);
  sets('4898.9999999999');
  expect(audited('USDT')).toEqual([
    '4898.9999999999',
    '4899',
    ['4899 USDT is owed and 4898.9999999999 is held'],
  ]);
});

/**
 * A short of 1 BTC passes between accounts. From 60,000 to 50,000 the first account gains 60,000 /
 * 50,000 - 1 = 0.2. From there to 80,000 the second loses 1 - 50,000 / 80,000 = 0.375, and the long
 * gains 1 - 60,000 / 80,000 = 0.25. Clearing pays the missing 0.075.
 *
 * Takers pay 0.0006 and makers 0.0002 of the value: 0.0006 + 0.0002 on 1; 0.00072 on 1.2 and 0.0002
 * on 1; 0.00045 on 0.75 and 0.000125 on 0.625. The sum is 0.002295.
 */
test('[WDR-39][WDR-40] clearing payments increase what is owed', () => {
  desk.index('BTC', '60000');
  const [long, first, second] = [
    desk.joins({ BTC: '10' }),
    desk.joins({ BTC: '10' }),
    desk.joins({ BTC: '10' }),
  ];
  desk.order(first, 'sell', '1', 'BTCUSD', '60000');
  desk.order(long, 'buy', '1', 'BTCUSD', '60000');
  desk.order(second, 'sell', '1', 'BTCUSD', '50000');
  desk.order(first, 'buy', '1', 'BTCUSD', '50000');
  desk.order(second, 'buy', '1', 'BTCUSD', '80000');
  desk.order(long, 'sell', '1', 'BTCUSD', '80000');
  desk.submit({ type: 'setReserve', coin: 'BTC', amount: '30' as DecimalText, operator: 'ann' });
  expect(audited('BTC')).toEqual(['30', '30.072705', ['30.072705 BTC is owed and 30 is held']]);
  desk.submit({
    type: 'setReserve',
    coin: 'BTC',
    amount: '30.072705' as DecimalText,
    operator: 'ann',
  });
  expect(audited('BTC')).toEqual(['30.072705', '30.072705', []]);
  const credits = (): string =>
    desk.says({ type: 'deposit', uid: long, coin: 'BTC', size: '0.0000000001' as DecimalText });
  expect(credits()).toBe('reserveTooSmall');
  desk.submit({
    type: 'setReserve',
    coin: 'BTC',
    amount: '30.0727050001' as DecimalText,
    operator: 'ann',
  });
  expect(credits()).toBe('accepted');
});

test('[WDR-151] an invoice amount finer than the chain takes is refused for its size', () => {
  const asked = { coin: 'BTC', chain: 'LIGHTNING', address: invoice({ amount: '12345670p' }) };
  expect(desk.withdraws(alice, { ...asked, size: '0.0000123457' })).toBe('addressInvalid');
  for (const size of ['0.00001234567', '0.000012345670', '00.00001234567'])
    expect(desk.withdraws(alice, { ...asked, size })).toBe('withdrawalTooFine');
});

test('[WDR-19] an address that no user has, in any form, is an unknown recipient', () => {
  const { outcome } = desk.accepted({
    type: 'createUser',
    level: 'VIP0',
    positionMode: 'oneWay',
    email: 'bob@example.org',
    mobile: '7911123456',
    areaCode: '44',
  });
  const bob = (outcome as { value: { uid: Uid } }).value.uid;
  const wrong = [
    { to: 'bob', kind: 'email' },
    { to: '', kind: 'email' },
    { to: '7911123456', kind: 'mobile' },
    { to: '7911123456', kind: 'mobile', areaCode: 'GB' },
    { to: 'bob', kind: 'mobile', areaCode: '44' },
  ] as const;
  for (const input of wrong)
    expect([input, desk.transfers(alice, { ...input, size: '1' })]).toEqual([
      input,
      'unknownRecipient',
    ]);
  expect(
    desk.transfers(alice, { to: '7911123456', kind: 'mobile', areaCode: '44', size: '1' }),
  ).toBe('accepted');
  expect([desk.has(bob), desk.has(alice)]).toEqual(['1', '4999']);
});

// Each request takes the same number of ids, so the next id is known.
test('[WDR-20] without a client id the order id is used, with a suffix if that is taken', () => {
  const [first, second] = [desk.requests(alice), desk.requests(alice)];
  const fourth = clientOidOf((second + 2 * (second - first)) as Id);
  desk.requests(alice, { clientOid: fourth });
  expect(clientOidOf(desk.requests(alice))).toBe(fourth);
  expect(desk.last?.outcome).toMatchObject({ value: { clientOid: `${fourth}_` } });
});

test('[WDR-50] removing a chain of a coin does not affect withdrawals of other coins', () => {
  const bob = desk.joins({ BTC: '1' });
  const bitcoin = {
    coin: 'BTC',
    chain: 'BTC',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    size: '0.1',
  };
  const [tether, other] = [desk.requests(alice), desk.requests(bob, bitcoin)];
  desk.lists('USDT', {
    chains: desk.state.coins.get('USDT')!.chains.filter(({ chain }) => chain !== 'TRC20'),
  });
  expect([desk.stage(tether), desk.stage(other)]).toEqual([undefined, 'approval']);
  expect([desk.has(alice), desk.has(bob, 'BTC')]).toEqual(['5000', '0.9 + 0.1 locked']);
});

// 100 return while 600 are owed.
test('[WDR-29][ORD-22] returned money first repays what its user has borrowed meanwhile', () => {
  desk.index('BTC', '60000');
  const [bob, maker] = [desk.joins({ USDT: '100', BTC: '1' }), desk.joins({ BTC: '1' })];
  const order = desk.requests(bob);
  expect(desk.order(maker, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  expect([desk.order(bob, 'buy', '0.01', 'MARGIN:BTCUSDT', '60000'), desk.debt(bob)]).toEqual([
    'accepted',
    '600 + 0',
  ]);
  expect([desk.cancels(bob, order), desk.has(bob), desk.debt(bob)]).toEqual([
    'accepted',
    '0',
    '500 + 0',
  ]);
});

// 150 a day are released automatically. The 20,000 never were, so their rejection frees nothing.
test('[WDR-11][WDR-12] a rejection does not change the amount released automatically today', () => {
  const bob = desk.joins({ USDT: '50000' });
  desk.lists('USDT', { houseDailyLimitUsd: '150' as DecimalText });
  const [small, large] = [desk.requests(bob), desk.requests(bob, { size: '20000' })];
  expect([desk.stage(small), desk.stage(large), desk.decides(large, 'reject')]).toEqual([
    'released',
    'approval',
    'accepted',
  ]);
  expect(desk.stage(desk.requests(bob, { size: '50.00000001' }))).toBe('approval');
  expect(desk.stage(desk.requests(bob, { size: '50' }))).toBe('released');
});

// 150 a day are released automatically, 100 of them today. The returned amount was yesterday's.
test('[WDR-11][WDR-12] a return on a later day frees nothing of that day', () => {
  const bob = desk.joins({ USDT: '50000' });
  desk.lists('USDT', { houseDailyLimitUsd: '150' as DecimalText });
  const yesterdays = desk.requests(bob);
  desk.passes(DAY);
  expect(desk.stage(desk.requests(bob))).toBe('released');
  expect(desk.cancels(bob, yesterdays)).toBe('accepted');
  expect(desk.stage(desk.requests(bob, { size: '50.00000001' }))).toBe('approval');
  expect(desk.stage(desk.requests(bob, { size: '50' }))).toBe('released');
});

test('[WDR-17][ORD-22] a received transfer first repays what the recipient owes', () => {
  desk.index('BTC', '60000');
  const [bob, maker] = [desk.joins({ BTC: '1' }), desk.joins({ BTC: '1' })];
  expect(desk.order(maker, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
  expect([desk.order(bob, 'buy', '0.01', 'MARGIN:BTCUSDT', '60000'), desk.debt(bob)]).toEqual([
    'accepted',
    '600 + 0',
  ]);
  expect([
    desk.transfers(alice, { to: `${bob}`, size: '100' }),
    desk.has(bob),
    desk.debt(bob),
  ]).toEqual(['accepted', '0', '500 + 0']);
  expect([
    desk.transfers(alice, { to: `${bob}`, size: '501' }),
    desk.has(bob),
    desk.debt(bob),
  ]).toEqual(['accepted', '1', 'none']);
});

test('[WDR-07][WDR-35] a stopped coin is reported after an unknown chain and before an invalid address', () => {
  const { chains } = desk.state.coins.get('USDT')!;
  const refusals = () =>
    [{ chain: 'NONE' }, { address: 'bad' }].map((asked) => desk.withdraws(alice, asked));
  desk.lists('USDT', { chains: chains.map((chain) => ({ ...chain, withdrawOpen: false })) });
  expect(refusals()).toEqual(['unknownChain', 'chainClosed']);
  desk.accepted({ type: 'switchWithdrawals', coin: 'USDT', on: false, operator: 'ann' });
  expect(refusals()).toEqual(['unknownChain', 'withdrawalsHalted']);
});
