/** Incidents in which exchanges lost withdrawn money, repeated here. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { Desk } from './withdrawal-desk.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

let desk: Desk;
let alice: Uid;
let bob: Uid;
beforeEach(() => {
  desk = new Desk();
  desk.index('BTC', '60000');
  alice = desk.joins({ BTC: '1', USDT: '1000' });
  bob = desk.joins({});
});

describe('incidents', () => {
  test('[WDR-03] INC-race-internal-transfer: a thousand transfers of the same coin move it once', () => {
    desk.isWatched = false;
    const answers = Array.from({ length: 1_000 }, (_, at) =>
      desk.transfers(at % 2 === 0 ? alice : bob, {
        to: `${at % 2 === 0 ? bob : alice}`,
        size: '1',
        coin: 'BTC',
      }),
    );
    // It moves back and forth a thousand times and is with one user at a time.
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1_000);
    expect([desk.has(alice, 'BTC'), desk.has(bob, 'BTC')]).toEqual(['1', '0']);
    const burst = Array.from({ length: 1_000 }, () =>
      desk.transfers(alice, { to: `${bob}`, size: '0.6', coin: 'BTC' }),
    );
    expect(burst.filter((answer) => answer === 'accepted')).toHaveLength(1);
    expect([desk.has(alice, 'BTC'), desk.has(bob, 'BTC')]).toEqual(['0.4', '0.6']);
    desk.checkMoney();
  });

  test('[WDR-03] INC-race-withdraw: concurrent requests are paid while money lasts', () => {
    desk.isWatched = false;
    const answers = Array.from({ length: 200 }, () => desk.withdraws(alice, { size: '300' }));
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(3);
    expect(new Set(answers.slice(3))).toEqual(new Set(['insufficientBalance']));
    expect(desk.has(alice)).toBe('100 + 900 locked');
    desk.checkMoney();
  });

  test('[WDR-38] INC-credit-before-final: money that may still arrive is not returned', () => {
    const order = desk.requests(alice, { size: '500' });
    desk.asks(order);
    // The reply is lost, so neither the user nor an operator can cancel it.
    expect([
      desk.cancels(alice, order),
      desk.decides(order, 'reject'),
      desk.withdraws(alice, { size: '501' }),
    ]).toEqual(['withdrawalOutOfTurn', 'withdrawalOutOfTurn', 'insufficientBalance']);
    expect(desk.has(alice)).toBe('500 + 500 locked');
    // It was sent after all. It is done with the chain's number of confirmations, and not with one
    // less.
    desk.reports(order, 'confirmed', 19);
    expect([desk.has(alice), desk.house('outside')]).toEqual(['500 + 500 locked', '-1000']);
    desk.reports(order, 'confirmed', 20);
    expect([desk.has(alice), desk.house('outside')]).toEqual(['500', '-501']);
  });

  test('[WDR-38] INC-credit-before-final: transferred money can be spent at once', () => {
    expect(desk.transfers(bob, { to: `${alice}`, size: '1' })).toBe('insufficientBalance');
    expect([
      desk.transfers(alice, { to: `${bob}`, size: '1000' }),
      desk.transfers(bob, { to: `${alice}`, size: '1000' }),
    ]).toEqual(['accepted', 'accepted']);
    expect(desk.house('outside')).toBe('-1000');
  });

  test('[WDR-39] INC-admin-unit: a credit in bitcoin instead of dollars exceeds the reserve', () => {
    desk.accepted({ type: 'setReserve', coin: 'BTC', amount: decimal('46000'), operator: 'ann' });
    desk.accepted({
      type: 'setReserve',
      coin: 'USDT',
      amount: decimal('1000000'),
      operator: 'ann',
    });
    const credit = (coin: string) =>
      desk.says({ type: 'deposit', uid: bob, coin, size: decimal('620000'), operator: 'ann' });
    expect([credit('BTC'), desk.has(bob, 'BTC')]).toEqual(['reserveTooSmall', '0']);
    expect([credit('USDT'), desk.has(bob)]).toEqual(['accepted', '620000']);
    // A second click with the same client id does not credit again.
    const once = {
      type: 'deposit',
      uid: bob,
      coin: 'BTC',
      size: decimal('10'),
      clientOid: 'bonus' as never,
      operator: 'ann',
    } as const;
    expect([desk.says(once), desk.says(once), desk.has(bob, 'BTC')]).toEqual([
      'accepted',
      'accepted',
      '10',
    ]);
  });

  test('[WDR-11][WDR-34] INC-admin-unit: a mistaken credit cannot leave before operators approve', () => {
    desk.lists('BTC', { secondApprovalUsd: decimal('250000') });
    desk.accepted({
      type: 'deposit',
      uid: bob,
      coin: 'BTC',
      size: decimal('620'),
      operator: 'ann',
    });
    const btc = {
      coin: 'BTC',
      chain: 'BTC',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    };
    expect(desk.withdraws(bob, { ...btc, size: '620' })).toBe('withdrawalTooLarge');
    const order = desk.requests(bob, { ...btc, size: '16' });
    expect([
      desk.stage(order),
      desk.decides(order, 'approve', 'ann'),
      desk.decides(order, 'approve', 'ann'),
    ]).toEqual(['approval', 'accepted', 'secondOperatorNeeded']);
    expect(desk.withdraws(bob, { ...btc, size: '35' })).toBe('withdrawalTooLarge');
    for (let at = 0; at < 2; at++) desk.requests(bob, { ...btc, size: '16' });
    // 48 bitcoin are 2,880,000; another withdrawal would exceed three million.
    expect(desk.withdraws(bob, { ...btc, size: '16' })).toBe('dailyLimitExceeded');
  });

  test('[WDR-22] INC-self-liquidate-withdraw-margin: margin cannot leave while a loss is open', () => {
    const maker = desk.joins({ USDT: '1000000' });
    const trader = desk.joins({ USDT: '1000' });
    desk.trade(trader, maker, '0.1', 'BTCUSDT', '60000');
    // 396.4 are free. A loss of 300 leaves 96.4, and the lower value needs 570 instead of 600.
    desk.pin('BTCUSDT', '57000');
    expect(desk.withdraws(trader, { size: '126.40000001' })).toBe('insufficientBalance');
    expect(desk.withdraws(trader, { size: '126.4' })).toBe('accepted');
    expect(desk.transfers(trader, { to: `${bob}`, size: '0.00000001' })).toBe(
      'insufficientBalance',
    );
  });

  test('[POS-37][WDR-22] no withdrawal leads to liquidation, even if maintenance is above initial margin', () => {
    desk.index('BTC', '50000');
    const [maker, trader] = [desk.joins({ USDT: '1000000' }), desk.joins({ USDT: '2000' })];
    desk.settings(trader, 'BTCUSDT', '125', 'crossed');
    desk.order(maker, 'sell', '1', 'BTCUSDT', '50000');
    desk.order(trader, 'buy', '1', 'BTCUSDT', '50000');
    const { instrument } = desk.state.instruments.get('USDT-FUTURES:BTCUSDT')!;
    const tiers = [
      {
        fromValue: decimal('0'),
        toValue: decimal('1000000'),
        leverageMax: decimal('50'),
        maintenanceRate: decimal('0.01'),
      },
    ];
    desk.accepted({
      type: 'listInstrument',
      instrument: { ...instrument, leverageMax: decimal('50'), tiers },
    });
    // 1,970 are available. The initial margin is still 400, but 50,000 × 0.0106 = 530 must stay.
    expect(desk.transfers(trader, { to: `${bob}`, size: '1500' })).toBe('insufficientBalance');
    expect(desk.transfers(trader, { to: `${bob}`, size: '1440' })).toBe('insufficientBalance');
    expect(desk.transfers(trader, { to: `${bob}`, size: '1439.99999999' })).toBe('accepted');
    expect([desk.emitted('liquidationBegun'), desk.size(trader, 'BTCUSDT', 'long')]).toEqual([
      [],
      '1',
    ]);
  });
});
