/** Checks of a withdrawal request, in order. */

import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DAY } from '../../src/kernel/time.ts';
import type { Chain } from '../../src/messages/listings.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import { Desk, type OnChain, TRON } from './withdrawal-desk.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

let desk: Desk;

let alice: Uid;

beforeEach(() => {
  desk = new Desk();
  desk.index('BTC', '60000');
  alice = desk.joins({ USDT: '1000', BTC: '1', XRP: '500' });
});

/** Changes one chain of a coin. */
function changeChain(coin: string, name: string, change: Partial<Chain>): void {
  const { chains } = desk.state.coins.get(coin)!;
  desk.lists(coin, {
    chains: chains.map((chain) => (chain.chain === name ? { ...chain, ...change } : chain)),
  });
}

describe('the checks of a request', () => {
  const EVM = `0x${'a'.repeat(40)}`;
  const cases: readonly (readonly [string, refused: OnChain, reason: string, accepted: OnChain])[] =
    [
      ['coin', { coin: 'NONE' }, 'coinNotWithdrawn', { coin: 'USDT' }],
      ['chain missing', { chain: undefined }, 'fieldMissing', { chain: 'trc20' }],
      ['chain unknown', { chain: 'BTC' }, 'unknownChain', { chain: 'BEP20', address: EVM }],
      ['address', { address: TRON.replace('TR7', 'TR8') }, 'addressInvalid', { address: TRON }],
      [
        'address of another chain',
        { chain: 'ERC20' },
        'addressInvalid',
        { chain: 'ERC20', address: EVM },
      ],
      ['decimals', { size: '10.123456789' }, 'withdrawalTooFine', { size: '10.12345678' }],
      [
        'more decimals than money has',
        { size: '10.12345678912' },
        'withdrawalTooFine',
        { size: '10.1234567800000' },
      ],
      ['minimum', { size: '9.99999999' }, 'withdrawalTooSmall', { size: '10' }],
      ['nothing', { size: '0' }, 'withdrawalTooSmall', { size: '10' }],
      ['money', { size: '1000.00000001' }, 'insufficientBalance', { size: '1000' }],
    ];
  test.each(cases)('[WDR-04][WDR-07][WDR-08][WDR-150] %s', (_, refused, reason, accepted) => {
    expect([desk.withdraws(alice, refused), desk.has(alice)]).toEqual([reason, '1000']);
    expect(desk.withdraws(alice, accepted)).toBe('accepted');
  });

  const XRP = {
    coin: 'XRP',
    chain: 'XRP',
    address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    size: '100',
  };
  test('[WDR-10] a required tag is a number of 32 bits', () => {
    desk.index('XRP', '0.5');
    for (const tag of [undefined, 'seven', '-1', '4294967296', '12345678901'])
      expect(desk.withdraws(alice, tag === undefined ? XRP : { ...XRP, tag })).toBe('tagNeeded');
    for (const tag of ['0', '4294967295'])
      expect(desk.withdraws(alice, { ...XRP, tag })).toBe('accepted');
    expect(desk.withdraws(alice, { tag: 'ignored where none is needed' })).toBe('accepted');
  });

  test('[WDR-150] a size is on the step of its chain and above the fee', () => {
    changeChain('USDT', 'TRC20', { withdrawStep: decimal('0.5'), withdrawMin: decimal('0') });
    expect([
      desk.withdraws(alice, { size: '10.25' }),
      desk.withdraws(alice, { size: '10.5' }),
    ]).toEqual(['withdrawalOffStep', 'accepted']);
    expect([desk.withdraws(alice, { size: '1' }), desk.withdraws(alice, { size: '1.5' })]).toEqual([
      'withdrawalNotAboveFee',
      'accepted',
    ]);
  });

  test('[WDR-12][WDR-150] single maximum and daily limit, in USD at index', () => {
    const rich = desk.joins({ USDT: '9000000', BTC: '100' });
    expect(desk.withdraws(rich, { size: '1000000.00000001' })).toBe('withdrawalTooLarge');
    // 16.66666666 × 60000 = 999999.9996; a hundred-millionth more is 1000000.0002.
    const btc = {
      coin: 'BTC',
      chain: 'BTC',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    };
    expect([
      desk.withdraws(rich, { ...btc, size: '16.66666667' }),
      desk.withdraws(rich, { ...btc, size: '16.66666666' }),
    ]).toEqual(['withdrawalTooLarge', 'accepted']);
    const order = desk.requests(rich, { size: '1000000' });
    expect(desk.withdraws(rich, { size: '1000000' })).toBe('accepted');
    expect([desk.withdraws(rich, { size: '10' }), desk.withdraws(alice, { size: '10' })]).toEqual([
      'dailyLimitExceeded',
      'accepted',
    ]);
    expect([desk.decides(order, 'reject'), desk.withdraws(rich, { size: '1000000' })]).toEqual([
      'accepted',
      'accepted',
    ]);
    desk.passes(DAY);
    expect(desk.withdraws(rich, { size: '1000000' })).toBe('accepted');
  });

  const LIMITS: readonly (readonly [Level, string])[] = [
    ['VIP0', '3000000'],
    ['VIP1', '4000000'],
    ['VIP2', '6000000'],
    ['VIP3', '8000000'],
    ['VIP4', '10000000'],
    ['VIP5', '12000000'],
    ['VIP6', '15000000'],
    ['VIP7', '20000000'],
    ['PRO6', '20000000'],
  ];
  test.each(LIMITS)('[WDR-12] %s withdraws %s a day and no more', (level, limit) => {
    desk.lists('USDT', { singleLimitUsd: decimal('100000000') });
    const { outcome } = desk.accepted({ type: 'createUser', level, positionMode: 'oneWay' });
    const { uid } = (outcome as { value: { uid: Uid } }).value;
    desk.accepted({ type: 'deposit', uid, coin: 'USDT', size: decimal('30000000') });
    expect(desk.withdraws(uid, { size: `${limit}.00000001` })).toBe('dailyLimitExceeded');
    expect(desk.withdraws(uid, { size: limit })).toBe('accepted');
  });

  test('[WDR-152] a coin may have its own limits', () => {
    desk.lists('USDT', {
      dailyLimitsUsd: [{ level: 'VIP0', limit: decimal('150') }],
      automaticLimitUsd: decimal('50'),
    });
    expect([
      desk.withdraws(alice, { size: '150.00000001' }),
      desk.withdraws(alice, { size: '100' }),
    ]).toEqual(['dailyLimitExceeded', 'accepted']);
    expect(desk.stage(desk.orderId)).toBe('approval');
    expect(desk.stage(desk.requests(alice, { size: '50' }))).toBe('released');
  });

  test('[WDR-07][WDR-150] each check comes before the next', () => {
    changeChain('XRP', 'XRP', {
      withdrawStep: decimal('0.5'),
      withdrawMin: decimal('20'),
      withdrawFee: decimal('30'),
    });
    desk.lists('XRP', {
      automaticLimitUsd: decimal('0'),
      singleLimitUsd: decimal('40'),
      dailyLimitsUsd: [{ level: 'VIP0', limit: decimal('35') }],
    });
    desk.index('XRP', '1');
    const poor = desk.joins({});
    const steps: readonly (readonly [OnChain, string])[] = [
      [{ coin: 'NONE', chain: undefined }, 'coinNotWithdrawn'],
      [{ ...XRP, chain: undefined, address: 'x' }, 'fieldMissing'],
      [{ ...XRP, chain: 'NONE', address: 'x' }, 'unknownChain'],
      [{ ...XRP, address: 'x', size: '1.123456789' }, 'addressInvalid'],
      [{ ...XRP, size: '1.123456789' }, 'tagNeeded'],
      [{ ...XRP, tag: '1', size: '1.123456789' }, 'withdrawalTooFine'],
      [{ ...XRP, tag: '1', size: '1.25' }, 'withdrawalOffStep'],
      [{ ...XRP, tag: '1', size: '1.5' }, 'withdrawalTooSmall'],
      [{ ...XRP, tag: '1', size: '25' }, 'withdrawalNotAboveFee'],
      [{ ...XRP, tag: '1', size: '41' }, 'withdrawalTooLarge'],
      [{ ...XRP, tag: '1', size: '36' }, 'dailyLimitExceeded'],
      [{ ...XRP, tag: '1', size: '35' }, 'insufficientBalance'],
    ];
    expect(steps.map(([asked]) => desk.withdraws(poor, asked))).toEqual(
      steps.map(([, reason]) => reason),
    );
    expect(desk.withdraws(alice, { ...XRP, tag: '1', size: '35' })).toBe('accepted');
  });

  test('[WDR-22] margin of a position cannot leave, and leaving money backs no position', () => {
    const maker = desk.joins({ USDT: '1000000' });
    desk.trade(alice, maker, '0.1', 'BTCUSDT', '60000');
    const trader = desk.joins({ USDT: '1000' });
    desk.trade(trader, maker, '0.1', 'BTCUSDT', '60000');
    // 6000 at ten times needs 600, and the fee is 6000 × 0.0006 = 3.6. Free are 1000 − 3.6 − 600 =
    // 396.4.
    expect([
      desk.withdraws(trader, { size: '396.40000001' }),
      desk.withdraws(trader, { size: '396.4' }),
    ]).toEqual(['insufficientBalance', 'accepted']);
    expect(desk.transfers(trader, { to: `${maker}`, size: '0.00000001' })).toBe(
      'insufficientBalance',
    );
    // 600 back a position of 6000. At 54100 the loss is 590, and 10 are less than half a percent of
    // 5410. Money on hold for withdrawals does not count.
    desk.pin('BTCUSDT', '54100');
    expect(desk.size(trader, 'BTCUSDT', 'long')).toBe('0');
    expect(desk.has(trader)).toMatch(/ \+ 396\.4 locked$/);
  });
});
