/** Withdrawals from request to end, Lightning, client ids and internal transfers. */

import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../src/core/engine.ts';
import { invoice } from '../../src/gateway/chains/invoices.test-support.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { DAY, HOUR, SECOND } from '../../src/kernel/time.ts';
import type { Chain } from '../../src/messages/listings.ts';
import { MARKET_START } from './market.test-support.ts';
import { throughBytes } from './scenario.ts';
import { Desk, type OnChain } from './withdrawal-desk.test-support.ts';

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

/** Sends the withdrawal and gives it twenty confirmations. */
function goesOut(orderId: Id): void {
  expect([
    desk.asks(orderId),
    desk.reports(orderId, 'sent'),
    desk.reports(orderId, 'confirmed', 20),
  ]).toEqual(Array(3).fill('accepted'));
}

describe('a withdrawal on chain', () => {
  test('[WDR-03][WDR-05][WDR-13][WDR-14] holds, is confirmed and takes: 100 with a fee of 1 sends 99', () => {
    const order = desk.requests(alice);
    expect([desk.has(alice), desk.stage(order)]).toEqual(['900 + 100 locked', 'released']);
    expect([desk.asks(order), desk.asks(order), desk.stage(order)]).toEqual([
      'accepted',
      'withdrawalOutOfTurn',
      'asked',
    ]);
    expect([desk.reports(order, 'sent'), desk.stage(order)]).toEqual(['accepted', 'confirming']);
    expect(desk.reports(order, 'confirmed', 19)).toBe('accepted');
    expect([desk.has(alice), desk.house('outside')]).toEqual(['900 + 100 locked', '-1000']);
    expect(desk.reports(order, 'confirmed', 20)).toBe('accepted');
    expect(desk.emitted('withdrawalEnded')).toMatchObject([
      { end: { status: 'completed', confirmations: 20, hash: `hash-${order}` } },
    ]);
    expect([
      desk.has(alice),
      desk.house('outside'),
      desk.house('withdrawals'),
      desk.stage(order),
    ]).toEqual(['900', '-901', '1', undefined]);
  });

  test.each(['failed', 'refused', 'never'] as const)(
    '[WDR-02][WDR-03] %s returns all of it once, and later reports are refused',
    (sighting) => {
      const order = desk.requests(alice);
      desk.asks(order);
      expect([desk.reports(order, sighting), desk.has(alice)]).toEqual(['accepted', '1000']);
      const late = [
        desk.reports(order, sighting),
        desk.reports(order, 'sent'),
        desk.reports(order, 'confirmed', 20),
      ];
      const desks = (['approve', 'reject', 'confirm', 'fail'] as const).map((decision) =>
        desk.decides(order, decision),
      );
      expect([...late, ...desks, desk.asks(order), desk.cancels(alice, order)]).toEqual(
        Array(9).fill('unknownWithdrawal'),
      );
      expect(desk.has(alice)).toBe('1000');
    },
  );

  test('[WDR-13][WDR-37] repeated, late and contradicting reports change nothing', () => {
    const order = desk.requests(alice);
    expect([
      desk.reports(order, 'sent'),
      desk.reports(order, 'never'),
      desk.reports(order, 'failed'),
    ]).toEqual(Array(3).fill('withdrawalOutOfTurn'));
    desk.asks(order);
    desk.reports(order, 'sent');
    desk.reports(order, 'confirmed', 5);
    for (const late of [
      desk.reports(order, 'sent'),
      desk.reports(order, 'confirmed', 5),
      desk.reports(order, 'confirmed', 4),
      desk.reports(order, 'confirmed', 9, 'another-hash'),
      desk.reports(order, 'never'),
      desk.reports(order, 'refused'),
    ])
      expect(late).toBe('withdrawalOutOfTurn');
    expect(desk.reports(order, 'confirmed', 6, 'with space')).toBe('fieldInvalid');
    expect([desk.has(alice), desk.stage(order)]).toEqual(['900 + 100 locked', 'confirming']);
  });

  test('[WDR-14] without required confirmations a withdrawal is done when sent or first confirmed', () => {
    changeChain('USDT', 'TRC20', { withdrawConfirmations: 0 });
    const first = desk.requests(alice);
    desk.asks(first);
    expect([desk.reports(first, 'sent'), desk.has(alice)]).toEqual(['accepted', '900']);
    const second = desk.requests(alice, { chain: 'ERC20', address: `0x${'a'.repeat(40)}` });
    desk.asks(second);
    expect([desk.reports(second, 'confirmed', 12), desk.has(alice)]).toEqual(['accepted', '800']);
  });

  test('[WDR-03] a replay from the journal ends in the same state', () => {
    goesOut(desk.requests(alice, { clientOid: 'first', remark: 'rent' }));
    desk.requests(alice, { size: '200' });
    desk.transfers(alice, { to: `${desk.joins({})}`, size: '5' });
    const again = createEngine();
    for (const { command, at } of desk.submitted) again.execute(throughBytes(command), at);
    expect(again.stateHash()).toBe(desk.engine.stateHash());
    const restored = createEngine();
    restored.restore(desk.engine.serialize());
    expect([restored.stateHash(), restored.audit().violations]).toEqual([
      desk.engine.stateHash(),
      [],
    ]);
  });
});

describe('Lightning', () => {
  const lightning = (text: string, size = '0.001'): OnChain => ({
    coin: 'BTC',
    chain: 'LIGHTNING',
    address: text,
    size,
  });
  const madeAt = MARKET_START / SECOND;

  test('[WDR-06] the recipient gets the size, and the fee is added to it', () => {
    const order = desk.requests(alice, lightning(invoice()));
    expect(desk.has(alice, 'BTC')).toBe('0.99899 + 0.00101 locked');
    desk.asks(order);
    desk.reports(order, 'confirmed', 1);
    expect([
      desk.has(alice, 'BTC'),
      desk.house('outside', 'BTC'),
      desk.house('withdrawals', 'BTC'),
    ]).toEqual(['0.99899', '-0.999', '0.00001']);
  });

  test('[WDR-09] an invoice needs its amount, pays before it expires, and is used once', () => {
    const good = invoice({ number: 5, madeAt, expirySeconds: 60 });
    expect(desk.withdraws(alice, lightning(good, '0.00100001'))).toBe('addressInvalid');
    expect(desk.withdraws(alice, lightning(invoice({ amount: '' }), '0.001'))).toBe(
      'addressInvalid',
    );
    expect(desk.withdraws(alice, lightning(invoice({ amount: '10p' }), '0.00000001'))).toBe(
      'addressInvalid',
    );
    desk.passes(60 * SECOND);
    expect(desk.withdraws(alice, lightning(good))).toBe('addressInvalid');
    const another = invoice({ number: 5, madeAt, expirySeconds: 61 });
    const order = desk.requests(alice, lightning(another));
    expect(desk.withdraws(alice, lightning(another))).toBe('addressInvalid');
    desk.asks(order);
    desk.reports(order, 'failed');
    expect(desk.withdraws(alice, lightning(another))).toBe('addressInvalid');
  });

  test('[WDR-06] a size need not exceed the fee, but the balance must cover both', () => {
    const poor = desk.joins({ BTC: '0.00101' });
    expect(
      desk.withdraws(poor, lightning(invoice({ amount: '1010u', number: 2 }), '0.00101')),
    ).toBe('insufficientBalance');
    expect(desk.withdraws(poor, lightning(invoice({ number: 3 })))).toBe('accepted');
  });
});

describe('client ids', () => {
  const mine = { clientOid: 'mine', remark: 'one' };

  test('[WDR-20] a repeated request gets the first answer at any later time and stage', () => {
    const order = desk.requests(alice, mine);
    const first = desk.last!.outcome;
    goesOut(order);
    desk.passes(400 * DAY);
    changeChain('USDT', 'TRC20', { withdrawOpen: false });
    desk.accepted({ type: 'switchWithdrawals', coin: 'USDT', on: false, operator: 'ann' });
    for (const again of [mine, { ...mine, remark: 'two' }, { ...mine, size: '100.00' }]) {
      expect(desk.withdraws(alice, again)).toBe('accepted');
      expect([desk.last!.outcome, desk.last!.events]).toEqual([first, []]);
    }
    expect(desk.has(alice)).toBe('900');
  });

  test('[WDR-20] other content under the same client id is refused, except for the remark', () => {
    desk.requests(alice, mine);
    const beneficiary = {
      memberCode: 'korbit',
      identityType: 'user',
      firstName: 'a',
      lastName: 'b',
    } as const;
    for (const other of [
      { size: '101' },
      { chain: 'BEP20' },
      { address: `0x${'a'.repeat(40)}` },
      { tag: '1' },
      { coin: 'USDC' },
      { beneficiary },
    ])
      expect(desk.withdraws(alice, { ...mine, ...other })).toBe('duplicateClientOid');
    expect(desk.transfers(alice, { to: '1', size: '100', clientOid: 'mine' })).toBe(
      'duplicateClientOid',
    );
    const bob = desk.joins({ USDT: '1000' });
    expect(desk.withdraws(bob, mine)).toBe('accepted');
    expect(desk.has(alice)).toBe('900 + 100 locked');
  });

  test('[WDR-20] a refused request leaves its client id unused', () => {
    expect([desk.withdraws(alice, { ...mine, size: '2000' }), desk.withdraws(alice, mine)]).toEqual(
      ['insufficientBalance', 'accepted'],
    );
  });
});

describe('transfers between users', () => {
  test('[WDR-16][WDR-17][WDR-18] arrive at once, without a fee, by uid, e-mail or mobile number', () => {
    const { outcome } = desk.accepted({
      type: 'createUser',
      level: 'VIP0',
      positionMode: 'oneWay',
      email: 'Bob@Example.org',
      areaCode: '+44',
      mobile: '7911 123456',
    });
    const { uid: bob } = (outcome as { value: { uid: Uid } }).value;
    expect(desk.transfers(alice, { to: `${bob}`, size: '0.00000001' })).toBe('accepted');
    const order = desk.orderId;
    expect(desk.emitted('depositCredited')).toMatchObject([
      { orderId: order, uid: bob, transfer: { fromAddress: `${alice}`, toAddress: `${bob}` } },
    ]);
    expect(desk.emitted('withdrawalEnded')).toMatchObject([
      { end: { orderId: order, uid: alice, status: 'completed' } },
    ]);
    expect(desk.transfers(alice, { to: ' bob@EXAMPLE.org', size: '10', kind: 'email' })).toBe(
      'accepted',
    );
    expect(
      desk.transfers(alice, { to: '(7911) 123-456', size: '20', kind: 'mobile', areaCode: '44' }),
    ).toBe('accepted');
    expect([desk.has(alice), desk.has(bob), desk.house('outside')]).toEqual([
      '969.99999999',
      '30.00000001',
      '-1000',
    ]);
  });

  test('[WDR-19] to the sender, an unknown recipient or a full account are refused', () => {
    const full = desk.joins({ USDT: '922337203.6854775807' });
    expect(desk.transfers(alice, { to: `${alice}`, size: '1' })).toBe('transferToSelf');
    for (const to of ['1000000999', 'bob', '', `${full}`])
      expect(desk.transfers(alice, { to, size: '1' })).toBe('unknownRecipient');
    expect(desk.last!.outcome).toEqual({ ok: false, refusal: { reason: 'unknownRecipient' } });
    // If the balance is too small, the answer shows nothing about the recipient.
    expect(desk.transfers(alice, { to: `${full}`, size: '99999999999' })).toBe(
      'insufficientBalance',
    );
    expect(desk.transfers(alice, { to: 'unknown@example.org', size: '1', kind: 'email' })).toBe(
      'unknownRecipient',
    );
    expect(
      desk.transfers(alice, { to: '7911123457', size: '1', kind: 'mobile', areaCode: '44' }),
    ).toBe('unknownRecipient');
    expect(desk.has(alice)).toBe('1000');
  });

  test('[WDR-07][WDR-17] a transfer has a listed coin, eight decimals, a positive size and the money', () => {
    const bob = `${desk.joins({})}`;
    expect(desk.transfers(alice, { to: bob, size: '1', coin: 'NONE' })).toBe('coinNotWithdrawn');
    for (const [size, reason] of [
      ['0.000000001', 'withdrawalTooFine'],
      ['0', 'withdrawalTooSmall'],
      ['1000.00000001', 'insufficientBalance'],
      ['1000', 'accepted'],
    ] as const)
      expect(desk.transfers(alice, { to: bob, size })).toBe(reason);
  });

  test('[WDR-20] a transfer repeated with its client id happens once', () => {
    const bob = `${desk.joins({})}`;
    const asked = { to: bob, size: '10', clientOid: 'once' };
    expect([
      desk.transfers(alice, asked),
      desk.transfers(alice, asked),
      desk.transfers(alice, { ...asked, size: '11' }),
    ]).toEqual(['accepted', 'accepted', 'duplicateClientOid']);
    expect(desk.has(alice)).toBe('990');
  });
});

describe('cancelling', () => {
  test('[WDR-29] before it is sent, by either id', () => {
    desk.lists('USDT', { automaticLimitUsd: decimal('0') });
    const waiting = desk.requests(alice, { clientOid: 'mine' });
    expect(desk.says({ type: 'cancelWithdrawal', uid: alice, clientOid: 'mine' as never })).toBe(
      'accepted',
    );
    expect([desk.has(alice), desk.stage(waiting)]).toEqual(['1000', undefined]);
    desk.lists('USDT', { automaticLimitUsd: decimal('10000') });
    const sent = desk.requests(alice);
    desk.asks(sent);
    expect([desk.cancels(alice, sent), desk.has(alice)]).toEqual([
      'withdrawalOutOfTurn',
      '900 + 100 locked',
    ]);
    expect(desk.says({ type: 'cancelWithdrawal', uid: alice })).toBe('orderIdNeeded');
  });

  test('[WDR-30] a withdrawal of another user gets the answer of an unknown one', () => {
    const order = desk.requests(alice, { clientOid: 'mine' });
    const eve = desk.joins({});
    const answers = [order, 4_242 as Id].map((id) => {
      desk.cancels(eve, id);
      return desk.last!.outcome;
    });
    expect(answers[0]).toEqual(answers[1]);
    expect(desk.says({ type: 'cancelWithdrawal', uid: eve, clientOid: 'mine' as never })).toBe(
      'unknownWithdrawal',
    );
    expect(desk.has(alice)).toBe('900 + 100 locked');
  });
});

test('[WDR-35] one chain of a coin can be closed', () => {
  changeChain('USDT', 'TRC20', { withdrawOpen: false });
  expect(desk.withdraws(alice)).toBe('chainClosed');
  expect(desk.withdraws(alice, { chain: 'BEP20', address: `0x${'b'.repeat(40)}` })).toBe(
    'accepted',
  );
  desk.passes(HOUR);
});
