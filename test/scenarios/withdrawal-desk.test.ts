/** Operator decisions on withdrawals, the kill switch, and chains that are closed or not listed. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { Desk } from './withdrawal-desk.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

let desk: Desk;

let alice: Uid;

beforeEach(() => {
  desk = new Desk();
  alice = desk.joins({ USDT: '2000000' });
});

const setsReserve = (amount: string | undefined) =>
  desk.says({
    type: 'setReserve',
    coin: 'USDT',
    operator: 'ann',
    ...(amount === undefined ? {} : { amount: decimal(amount) }),
  });

const switches = (on: boolean, operator = 'ann') =>
  desk.says({ type: 'switchWithdrawals', coin: 'USDT', on, operator });

/** Operator acts of the last command. */
const acts = () =>
  desk
    .emitted('operatorActed')
    .map(({ operator, act, orderId, coin, detail }) => ({ operator, act, orderId, coin, detail }));

describe('releasing', () => {
  test('[WDR-11] up to the automatic limit without an operator, above it by an operator', () => {
    expect(desk.stage(desk.requests(alice, { size: '10000' }))).toBe('released');
    const order = desk.requests(alice, { size: '10000.00000001' });
    expect([desk.stage(order), desk.asks(order)]).toEqual(['approval', 'withdrawalOutOfTurn']);
    expect([desk.decides(order, 'approve'), desk.stage(order), desk.asks(order)]).toEqual([
      'accepted',
      'released',
      'accepted',
    ]);
  });

  test("[WDR-11] a coin without a price waits for approval, and so does money above the house's daily limit", () => {
    const bob = desk.joins({ SOL: '10' });
    const sol = {
      coin: 'SOL',
      chain: 'SOL',
      address: 'So11111111111111111111111111111111111111112',
      size: '1',
    };
    expect(desk.stage(desk.requests(bob, sol))).toBe('approval');
    desk.index('SOL', '150');
    expect(desk.stage(desk.requests(bob, sol))).toBe('released');

    desk.lists('USDT', { houseDailyLimitUsd: decimal('15000') });
    const carol = desk.joins({ USDT: '20000' });
    const first = desk.requests(alice, { size: '10000' });
    expect(desk.stage(desk.requests(carol, { size: '5000.00000001' }))).toBe('approval');
    expect(desk.stage(desk.requests(carol, { size: '5000' }))).toBe('released');
    // Failed withdrawals do not count, and a new day starts at zero.
    desk.asks(first);
    desk.reports(first, 'failed');
    expect(desk.stage(desk.requests(alice, { size: '10000' }))).toBe('released');
    expect(desk.stage(desk.requests(alice, { size: '10' }))).toBe('approval');
    desk.passes(86_400_000);
    expect(desk.stage(desk.requests(alice, { size: '10' }))).toBe('released');
  });

  test('[WDR-34] above the second limit two operators approve, and one cannot count twice', () => {
    const most = desk.requests(alice, { size: '1000000' });
    expect([desk.decides(most, 'approve'), desk.stage(most)]).toEqual(['accepted', 'released']);
    desk.decides(most, 'reject');
    desk.lists('USDT', { secondApprovalUsd: undefined });
    const one = desk.requests(alice, { size: '250000' });
    expect([desk.decides(one, 'approve'), desk.stage(one)]).toEqual(['accepted', 'released']);
    const two = desk.requests(alice, { size: '250000.00000001' });
    expect([desk.decides(two, 'approve', 'Ann'), desk.stage(two)]).toEqual([
      'accepted',
      'approval',
    ]);
    for (const again of ['Ann', 'ann', ' ANN '])
      expect(desk.decides(two, 'approve', again)).toBe('secondOperatorNeeded');
    expect([desk.stage(two), desk.asks(two)]).toEqual(['approval', 'withdrawalOutOfTurn']);
    expect([desk.decides(two, 'approve', 'ben'), desk.stage(two)]).toEqual([
      'accepted',
      'released',
    ]);
    expect(desk.decides(two, 'approve', 'cid')).toBe('withdrawalOutOfTurn');
    desk.lists('USDT', { secondApprovalUsd: decimal('20000') });
    const third = desk.requests(alice, { size: '20001' });
    desk.decides(third, 'approve');
    expect([desk.stage(third), desk.decides(third, 'reject', 'ben'), desk.stage(third)]).toEqual([
      'approval',
      'accepted',
      undefined,
    ]);
  });

  test('[WDR-159] the listing at the request fixes the number of approvals', () => {
    desk.lists('USDT', { secondApprovalUsd: decimal('20000') });
    const [one, two] = [
      desk.requests(alice, { size: '20000' }),
      desk.requests(alice, { size: '20000.00000001' }),
    ];
    desk.lists('USDT', { secondApprovalUsd: decimal('15000') });
    expect([desk.decides(one, 'approve'), desk.stage(one)]).toEqual(['accepted', 'released']);
    desk.lists('USDT', { secondApprovalUsd: decimal('30000') });
    expect([desk.decides(two, 'approve'), desk.stage(two)]).toEqual(['accepted', 'approval']);
    expect([desk.decides(two, 'approve', 'ben'), desk.stage(two)]).toEqual([
      'accepted',
      'released',
    ]);
  });

  /** The stage after each decision, by stage; `x` is a refusal. */
  const turns: readonly (readonly [
    string,
    approve: string,
    reject: string,
    confirm: string,
    fail: string,
  ])[] = [
    ['approval', 'released', 'ended', 'x', 'x'],
    ['released', 'x', 'ended', 'x', 'ended'],
    ['asked', 'x', 'x', 'x', 'ended'],
    ['confirming', 'x', 'x', 'ended', 'ended'],
  ];
  test.each(turns)(
    '[WDR-15][WDR-153] each decision on a withdrawal in stage %s',
    (stage, ...expected) => {
      const decisions = ['approve', 'reject', 'confirm', 'fail'] as const;
      const outcomes = decisions.map((decision) => {
        const order = desk.requests(alice, { size: '20000' });
        if (stage !== 'approval') desk.decides(order, 'approve');
        if (stage === 'asked' || stage === 'confirming') desk.asks(order);
        if (stage === 'confirming') desk.reports(order, 'sent');
        expect(desk.stage(order)).toBe(stage);
        const answer = desk.decides(order, decision, 'ben');
        return answer === 'accepted' ? (desk.stage(order) ?? 'ended') : 'x';
      });
      expect(outcomes).toEqual(expected);
    },
  );

  test('[WDR-45] a withdrawal not seen on a chain is confirmed with a hash only', () => {
    const [released, asked, sent] = ['20000', '20000', '20000'].map((size) =>
      desk.requests(alice, { size }),
    ) as [Id, Id, Id];
    for (const order of [released, asked, sent]) desk.decides(order, 'approve');
    for (const order of [asked, sent]) desk.asks(order);
    desk.reports(sent, 'confirmed', 3);
    for (const order of [released, asked])
      expect(desk.decides(order, 'confirm')).toBe('withdrawalOutOfTurn');
    expect(desk.has(alice)).toBe('1940000 + 60000 locked');
    for (const order of [released, asked, sent]) {
      const [hash, shown] = order === sent ? [undefined, `hash-${sent}`] : ['by-hand', 'by-hand'];
      expect(desk.decides(order, 'confirm', 'ann', hash)).toBe('accepted');
      expect(desk.emitted('withdrawalEnded')).toMatchObject([
        { end: { orderId: order, confirmations: 20, hash: shown } },
      ]);
    }
    expect([desk.has(alice), desk.asks(released)]).toEqual(['1940000', 'unknownWithdrawal']);
  });

  test('[WDR-15] a confirm takes the money, a rejection or failure returns it; a second decision is refused', () => {
    const [first, second, third] = ['20000', '30000', '40000'].map((size) =>
      desk.requests(alice, { size }),
    ) as [Id, Id, Id];
    for (const order of [first, third]) desk.decides(order, 'approve');
    expect([
      desk.decides(first, 'confirm', 'ann', 'by-hand'),
      desk.decides(second, 'reject'),
      desk.decides(third, 'fail'),
    ]).toEqual(Array(3).fill('accepted'));
    expect([desk.has(alice), desk.house('outside'), desk.house('withdrawals')]).toEqual([
      '1980000',
      '-1980001',
      '1',
    ]);
    for (const order of [first, second, third, 4_242 as Id])
      for (const decision of ['approve', 'reject', 'confirm', 'fail'] as const)
        expect(desk.decides(order, decision)).toBe('unknownWithdrawal');
    expect(desk.has(alice)).toBe('1980000');
  });
});

describe('the audit trail', () => {
  test('[WDR-36] every act is recorded with its operator; refused ones are not', () => {
    const order = desk.requests(alice, { size: '20000' });
    expect([desk.decides(order, 'approve', ' Ann '), acts()]).toEqual([
      'accepted',
      [
        {
          operator: 'ann',
          act: 'approveWithdrawal',
          orderId: order,
          coin: 'USDT',
          detail: undefined,
        },
      ],
    ]);
    expect([desk.decides(order, 'approve', 'ben'), acts()]).toEqual(['withdrawalOutOfTurn', []]);
    desk.decides(order, 'fail', 'ben');
    expect(acts()).toMatchObject([{ operator: 'ben', act: 'failWithdrawal' }]);
    expect([switches(false), acts()]).toMatchObject([
      'accepted',
      [{ act: 'haltWithdrawals', coin: 'USDT' }],
    ]);
    expect([switches(false), acts()]).toEqual(['accepted', []]);
    expect([switches(true), acts()]).toMatchObject(['accepted', [{ act: 'resumeWithdrawals' }]]);
    expect([setsReserve('3000000'), acts()]).toMatchObject([
      'accepted',
      [{ act: 'setReserve', detail: '3000000' }],
    ]);
    const deposit = {
      type: 'deposit',
      uid: alice,
      coin: 'USDT',
      size: decimal('5'),
      clientOid: 'd' as never,
      operator: 'Ann',
    } as const;
    expect([desk.says(deposit), acts()]).toMatchObject([
      'accepted',
      [{ operator: 'ann', act: 'deposit', detail: '5' }],
    ]);
    expect([desk.says(deposit), acts()]).toEqual(['accepted', []]);
    expect([
      desk.says({ type: 'listCoin', coin: desk.state.coins.get('USDT')!, operator: 'ann' }),
      acts(),
    ]).toMatchObject(['accepted', [{ act: 'listCoin', coin: 'USDT' }]]);
  });

  test("[WDR-36] an act needs an operator's name", () => {
    const order = desk.requests(alice, { size: '20000' });
    for (const name of ['', '  ', 'x'.repeat(65), 'a\nb'])
      expect(desk.decides(order, 'approve', name)).toBe('fieldInvalid');
    expect([
      switches(false, ' '),
      desk.says({ type: 'setReserve', coin: 'USDT', operator: '' }),
    ]).toEqual(['fieldInvalid', 'fieldInvalid']);
    expect(
      desk.says({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal('1'), operator: '' }),
    ).toBe('fieldInvalid');
    expect(desk.says({ type: 'listCoin', coin: desk.state.coins.get('USDT')!, operator: '' })).toBe(
      'fieldInvalid',
    );
  });
});

describe('the kill switch', () => {
  test('[WDR-35] stops requests, transfers and sending of released withdrawals of that coin only', () => {
    const bob = desk.joins({ BTC: '1' });
    const released = desk.requests(alice, { size: '100' });
    const sent = desk.requests(alice, { size: '100' });
    desk.asks(sent);
    expect(switches(false)).toBe('accepted');
    expect([
      desk.withdraws(alice),
      desk.transfers(alice, { to: `${bob}`, size: '1' }),
      desk.asks(released),
    ]).toEqual(Array(3).fill('withdrawalsHalted'));
    expect(desk.transfers(bob, { to: `${alice}`, size: '1', coin: 'BTC' })).toBe('accepted');
    // A withdrawal already sent to the chain goes on, and its result is reported.
    expect(desk.reports(sent, 'confirmed', 20)).toBe('accepted');
    expect(desk.cancels(alice, released)).toBe('accepted');
    expect([switches(true), desk.withdraws(alice)]).toEqual(['accepted', 'accepted']);
    expect(desk.says({ type: 'switchWithdrawals', coin: 'NONE', on: false, operator: 'ann' })).toBe(
      'unknownCoin',
    );
  });
});

describe('a chain that is no longer listed', () => {
  test('[WDR-50] returns what was not sent to it; the rest goes on', () => {
    const [automatic, waiting] = [desk.requests(alice), desk.requests(alice, { size: '20000' })];
    const asked = desk.requests(alice, { size: '30' });
    expect(desk.asks(asked)).toBe('accepted');
    const address = '0x00000000000000000000000000000000000000ff';
    const elsewhere = desk.requests(alice, { size: '40', chain: 'BEP20', address });
    const { chains } = desk.state.coins.get('USDT')!;
    desk.lists('USDT', { chains: chains.filter(({ chain }) => chain !== 'TRC20') });
    desk.checkMoney();
    expect(
      desk
        .emitted('withdrawalEnded')
        .map(({ end }) => [end.orderId, end.status, end.status === 'failed' && end.failure]),
    ).toEqual([
      [automatic, 'failed', 'neverSent'],
      [waiting, 'failed', 'neverSent'],
    ]);
    expect([desk.stage(asked), desk.stage(elsewhere), desk.has(alice)]).toEqual([
      'asked',
      'released',
      '1999930 + 70 locked',
    ]);
    expect([desk.reports(asked, 'confirmed', 20), desk.has(alice)]).toEqual([
      'accepted',
      '1999930 + 40 locked',
    ]);
  });
});

describe('a closed chain', () => {
  const opens = (withdrawOpen: boolean, rename = (name: string): string => name): void => {
    const { chains } = desk.state.coins.get('USDT')!;
    const changed = chains.map((each) =>
      each.chain === 'TRC20' ? { ...each, chain: rename(each.chain), withdrawOpen } : each,
    );
    desk.lists('USDT', { chains: changed });
  };

  test('[WDR-35] keeps released withdrawals waiting until it is open again', () => {
    const [automatic, waiting] = [desk.requests(alice), desk.requests(alice, { size: '20000' })];
    opens(false);
    expect([
      desk.asks(automatic),
      desk.decides(waiting, 'approve', 'ann'),
      desk.asks(waiting),
    ]).toEqual(['chainClosed', 'accepted', 'chainClosed']);
    expect([desk.stage(automatic), desk.stage(waiting)]).toEqual(['released', 'released']);
    opens(true);
    expect([desk.asks(automatic), desk.asks(waiting)]).toEqual(['accepted', 'accepted']);
  });

  test('[WDR-50] a name in another case is the same chain, and nothing on it fails', () => {
    const order = desk.requests(alice);
    opens(true, (name) => name.toLowerCase());
    expect([desk.emitted('withdrawalEnded'), desk.stage(order), desk.asks(order)]).toEqual([
      [],
      'released',
      'accepted',
    ]);
  });
});
