/** The reserve that backs withdrawals, and deposits that it receives. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { feeding } from '../../src/views/view.ts';
import { WithdrawalsView } from '../../src/views/withdrawals.ts';
import { Desk, TRON } from './withdrawal-desk.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

let desk: Desk;

let alice: Uid;

beforeEach(() => {
  desk = new Desk();
  alice = desk.joins({ USDT: '2000000' });
});

const auditOf = (coin: string) => {
  const { held, owed } = desk.engine.audit().coins.find((row) => row.coin === coin)!;
  return { held: moneyText(held), owed: moneyText(owed) };
};

const setsReserve = (amount: string | undefined) =>
  desk.says({
    type: 'setReserve',
    coin: 'USDT',
    operator: 'ann',
    ...(amount === undefined ? {} : { amount: decimal(amount) }),
  });

describe('what the house holds', () => {
  test('[WDR-39] a credit never exceeds the reserve', () => {
    expect(setsReserve('2000100')).toBe('accepted');
    const credit = (size: string) =>
      desk.says({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal(size) });
    expect([credit('100.0000000001'), credit('100'), credit('0.0000000001')]).toEqual([
      'reserveTooSmall',
      'accepted',
      'reserveTooSmall',
    ]);
    expect([setsReserve(undefined), credit('1000000')]).toEqual(['accepted', 'accepted']);
  });

  test('[WDR-39] sent money leaves the reserve, failed withdrawals do not', () => {
    setsReserve('2000000');
    const [first, second] = [
      desk.requests(alice, { size: '101' }),
      desk.requests(alice, { size: '201' }),
    ];
    desk.asks(first);
    desk.reports(first, 'confirmed', 20);
    desk.decides(second, 'fail');
    // 2000000 less the 100 that were sent; the fee of 1 stays.
    expect(auditOf('USDT')).toEqual({ held: '1999900', owed: '1999899' });
    expect(desk.says({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal('0.01') })).toBe(
      'reserveTooSmall',
    );
  });

  test('[WDR-46] money to a deposit address of this exchange is credited once, when confirmed', () => {
    const bob = desk.joins({});
    setsReserve('2000000');
    const order = desk.requests(alice, { size: '101', recipient: bob });
    desk.asks(order);
    desk.reports(order, 'confirmed', 19);
    expect(desk.has(bob)).toBe('0');
    desk.reports(order, 'confirmed', 20);
    expect(desk.has(bob)).toBe('100');
    expect(desk.last!.events).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'depositCredited',
          uid: bob,
          arrival: { chain: 'TRC20', toAddress: TRON, recordId: `hash-${order}` },
        }),
      ]),
    );
    expect([
      desk.reports(order, 'confirmed', 21),
      desk.decides(order, 'confirm'),
      desk.has(bob),
    ]).toEqual(['unknownWithdrawal', 'unknownWithdrawal', '100']);
    // Nothing left the house: 100 came back, and the fee of 1 is its own.
    expect(auditOf('USDT')).toEqual({ held: '2000000', owed: '1999999' });
  });

  test('[WDR-39][WDR-46] money that returns to the house stays in the reserve that the operator sees', () => {
    const bob = desk.joins({});
    /** The reserve in a view of all events so far. */
    const seen = (): string => {
      const [engine, view] = [createEngine(), new WithdrawalsView(() => undefined)];
      const feed = feeding([view]);
      for (const { command, at } of desk.submitted) feed(engine.execute(command, at));
      return moneyText(view.reserves().get('USDT')!);
    };
    setsReserve('2000000');
    const [here, outside] = [
      desk.requests(alice, { size: '101', recipient: bob }),
      desk.requests(alice, { size: '201' }),
    ];
    for (const order of [here, outside]) desk.asks(order);
    desk.reports(here, 'confirmed', 20);
    expect([seen(), auditOf('USDT').held]).toEqual(['2000000', '2000000']);
    desk.reports(outside, 'confirmed', 20);
    expect([seen(), auditOf('USDT').held]).toEqual(['1999800', '1999800']);
  });

  test('[WDR-46][ORD-22] an arrived deposit first repays what its user has borrowed', () => {
    desk.index('BTC', '60000');
    const [bob, maker] = [desk.joins({ BTC: '1' }), desk.joins({ BTC: '1' })];
    expect(desk.order(maker, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect([desk.order(bob, 'buy', '0.01', 'MARGIN:BTCUSDT', '60000'), desk.debt(bob)]).toEqual([
      'accepted',
      '600 + 0',
    ]);
    const order = desk.requests(alice, { size: '101', recipient: bob });
    desk.asks(order);
    desk.reports(order, 'confirmed', 20);
    expect([desk.has(bob), desk.debt(bob)]).toEqual(['0', '500 + 0']);
  });

  test('[WDR-46] a failed withdrawal and an unknown recipient are credited to no user', () => {
    const bob = desk.joins({});
    const [failed, foreign] = [
      desk.requests(alice, { recipient: bob }),
      desk.requests(alice, { recipient: 5 as Uid }),
    ];
    for (const order of [failed, foreign]) desk.asks(order);
    desk.reports(failed, 'failed');
    desk.reports(foreign, 'confirmed', 20);
    expect(desk.has(bob)).toBe('0');
    expect(desk.last!.events.map(({ type }) => type)).not.toContain('depositCredited');
  });

  test('[WDR-46][MNY-18] an arrival is credited even above the deposit limit', () => {
    const most = '922337203.6854775807';
    const bob = desk.joins({ USDT: most });
    const order = desk.requests(alice, { size: '101', recipient: bob });
    desk.asks(order);
    desk.reports(order, 'confirmed', 20);
    expect(desk.has(bob)).toBe('922337303.6854775807');
    expect(
      desk.says({ type: 'deposit', uid: bob, coin: 'USDT', size: decimal('0.0000000001') }),
    ).toBe('balanceLimitExceeded');
    expect(desk.engine.audit().violations).toEqual([]);
  });

  test('[WDR-39] no withdrawal above the reserve is released, by operators or automatically', () => {
    setsReserve('2000000');
    const order = desk.requests(alice, { size: '20001' });
    const small = desk.requests(alice, { size: '9001' });
    expect(desk.stage(small)).toBe('released');
    desk.submit({ type: 'setReserve', coin: 'USDT', amount: decimal('28999.99'), operator: 'ann' });
    desk.submit({ type: 'decideWithdrawal', orderId: order, decision: 'approve', operator: 'ann' });
    expect(desk.last!.outcome).toMatchObject({ ok: false, refusal: { reason: 'reserveTooSmall' } });
    desk.submit({ type: 'setReserve', coin: 'USDT', amount: decimal('9008.99'), operator: 'ann' });
    desk.submit({ type: 'requestWithdrawal', ...sameAs(small), size: decimal('10') });
    expect(desk.stage(desk.orderId)).toBe('approval');
    // 20000 are sent in addition to the 9000 that were released.
    desk.submit({ type: 'setReserve', coin: 'USDT', amount: decimal('29000'), operator: 'ann' });
    desk.submit({ type: 'decideWithdrawal', orderId: order, decision: 'approve', operator: 'ann' });
    expect([desk.last!.outcome.ok, desk.stage(order)]).toEqual([true, 'released']);
  });

  // 300,000 less the fee of 1 are sent; the reserve is a cent too small.
  test('[WDR-39][WDR-34] with two approvals, the second one checks the reserve', () => {
    desk.isWatched = false;
    desk.lists('USDT', { secondApprovalUsd: undefined });
    const order = desk.requests(alice, { size: '300000' });
    setsReserve('299998.99');
    expect([desk.decides(order, 'approve', 'ann'), desk.decides(order, 'approve', 'ben')]).toEqual([
      'accepted',
      'reserveTooSmall',
    ]);
    setsReserve('299999');
    expect([desk.stage(order), desk.decides(order, 'approve', 'ben'), desk.stage(order)]).toEqual([
      'approval',
      'accepted',
      'released',
    ]);
  });

  const sameAs = (orderId: Id) => {
    const { uid, coin, chain, toAddress: address } = desk.state.withdrawals.live.get(orderId)!.row;
    return { uid, coin, chain, address, addressKind: 'tron' } as const;
  };

  test('[WDR-40] the audit shows what is held and owed, and names a shortfall', () => {
    expect(auditOf('USDT')).toEqual({ held: '2000000', owed: '2000000' });
    setsReserve('3000000');
    expect(auditOf('USDT')).toEqual({ held: '3000000', owed: '2000000' });
    desk.submit({ type: 'setReserve', coin: 'USDT', amount: decimal('1999999'), operator: 'ann' });
    expect(desk.engine.audit().violations).toEqual(['2000000 USDT is owed and 1999999 is held']);
  });

  test('[WDR-39] borrowed coins cannot leave: the house has only the deposits', () => {
    desk.index('BTC', '60000');
    const [maker, taker] = [desk.joins({ BTC: '0.1' }), desk.joins({ USDT: '100000' })];
    // Alice sells a borrowed bitcoin short, so the taker owns a coin that was never deposited.
    expect(desk.order(taker, 'buy', '1', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect(desk.order(alice, 'sell', '1', 'MARGIN:BTCUSDT', '60000')).toBe('accepted');
    const btc = {
      coin: 'BTC',
      chain: 'BTC',
      address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    };
    const order = desk.requests(taker, { ...btc, size: '0.1004' });
    expect([desk.stage(order), desk.decides(order, 'approve')]).toEqual([
      'approval',
      'reserveTooSmall',
    ]);
    expect(desk.stage(desk.requests(maker, { ...btc, size: '0.1' }))).toBe('released');
  });
});
