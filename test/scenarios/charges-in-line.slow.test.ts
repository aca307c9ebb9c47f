/**
 * Events between a due charge and its execution: timers, transfers, and ended orders (CLK-27,
 * CLK-28).
 */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Id, Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { DAY, HOUR, MINUTE } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';
import { triggerCommand } from './trigger-market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

function finishCharges(market: Market): void {
  while (market.engine.hasDeferredWork()) market.passes(0);
}

describe('a queue of charges', () => {
  test('[CLK-27] still has entries if the last command charged one account too many', ({
    market,
  }) => {
    market.index('BTC', '50000');
    // An account that is long and short is charged for both together: 99 and 2.
    const both = market.joins({ USDT: '1000000' }, 'hedge');
    market.accepted({ type: 'setSelfTradeMode', uid: both, selfTradeMode: 'none' });
    market.order(both, 'sell', '1', 'BTCUSDT', '50000', { positionSide: 'short' });
    for (let count = 0; count < 99; count++)
      expect(market.order(market.joins({ USDT: '1000' }), 'buy', '0.01', 'BTCUSDT')).toBe(
        'accepted',
      );
    expect(market.order(both, 'buy', '0.01', 'BTCUSDT', '50000', { positionSide: 'long' })).toBe(
      'accepted',
    );
    // An account was in debt during the hour, and none is when it ends.
    const seller = market.joins({ BTC: '1' });
    const borrower = market.joins({ BTC: '0.01' });
    market.passes(7 * HOUR + 1);
    market.index('BTC', '50000');
    market.order(seller, 'sell', '0.001', 'SPOT:BTCUSDT', '50000');
    expect(market.order(borrower, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    market.accepted({ type: 'deposit', uid: borrower, coin: 'USDT', size: decimal('100') });
    expect(market.debt(borrower)).toBe('none');
    market.passes(HOUR - 1);
    expect(market.emitted('fundingCharged')).toHaveLength(101);
    expect([market.state.pendingCharges, market.engine.hasDeferredWork()]).toEqual([
      undefined,
      false,
    ]);
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: HOUR });
  });

  /**
   * 120 accounts are long 0.01 BTC at 50,000, isolated at 125 times: a margin of 4 for 500, and a
   * maintenance of 2.3 at 0.46 %.
   */
  function isolatedCrowd(market: Market): readonly Uid[] {
    market.index('BTC', '50000');
    const short = market.joins({ USDT: '10000000' });
    market.order(short, 'sell', '1.2', 'BTCUSDT', '50000');
    return Array.from({ length: 120 }, () => {
      const uid = market.joins({ USDT: '5' });
      market.settings(uid, 'BTCUSDT', '125', 'isolated');
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
      return uid;
    });
  }
  const fundingsOf = (market: Market, uids: readonly Uid[]): Set<string> =>
    new Set(uids.map((uid) => moneyText(market.position(uid, 'BTCUSDT', 'long')!.funding!)));

  test('[CLK-151] is done before the next hour, so that an isolated position pays what it has', ({
    market,
  }) => {
    const poor = isolatedCrowd(market);
    // At 49,832 their buffer is 0.027728, and they owe 0.049832 at eight and again at sixteen.
    market.pin('BTCUSDT', '49832');
    market.passes(16 * HOUR);
    finishCharges(market);
    expect(fundingsOf(market, poor)).toEqual(new Set(['-0.0277279999']));
  });

  test('[CLK-151][CLK-22] is done before the next hour, even if one command passes many hours', ({
    market,
  }) => {
    const poor = isolatedCrowd(market);
    // Each owes 0.052 every eight hours and gains 20, so its margin of 4 is free: 90 times are
    // 4.68.
    market.pin('BTCUSDT', '52000');
    market.passes(30 * DAY);
    finishCharges(market);
    expect(fundingsOf(market, poor)).toEqual(new Set(['-4']));
  });
});

describe('several symbols with funding at the same time', () => {
  test('[CLK-27] charge a hundred accounts per command together, although every account is in both', ({
    market,
  }) => {
    market.index('BTC', '50000');
    market.index('ETH', '2500');
    const short = market.joins({ USDT: '10000000' });
    market.order(short, 'sell', '10', 'BTCUSDT', '50000');
    market.order(short, 'sell', '100', 'ETHUSDT', '2500');
    for (let count = 0; count < 150; count++) {
      const uid = market.joins({ USDT: '1000' });
      market.order(uid, 'buy', '0.01', 'BTCUSDT');
      market.order(uid, 'buy', '0.1', 'ETHUSDT');
    }
    const counts: number[] = [];
    market.passes(8 * HOUR);
    counts.push(market.emitted('fundingCharged').length);
    while (market.engine.hasDeferredWork()) {
      market.passes(0);
      counts.push(market.emitted('fundingCharged').length);
    }
    // The first hundred are charged for BTCUSDT before ETHUSDT is funded; the other 50 and the
    // short are charged for both together.
    expect(counts).toEqual([100, 100, 100, 2]);
  });
});

// A long of 0.01 bitcoin at 50,000 pays a fee of 0.3, all its USDT, and 0.05 funding for eight
// hours: an hour costs 0.00000125 of it.
test.for([0, 120])(
  '[CLK-153] a loan for funding owes interest from that hour on, with %i pending',
  (others, { market }) => {
    market.index('BTC', '50000');
    market.order(market.joins({ USDT: '10000000', BTC: '1' }), 'sell', '2', 'BTCUSDT', '50000');
    for (let count = 0; count < others; count++)
      market.order(market.joins({ USDT: '1000' }), 'buy', '0.01', 'BTCUSDT');
    const [long, borrower] = [market.joins({ USDT: '0.3', BTC: '1' }), market.joins({ BTC: '1' })];
    for (const uid of [long, borrower])
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    expect([market.debt(long), market.debt(borrower)]).toEqual(['none', '0.3 + 0']);
    market.passes(8 * HOUR);
    finishCharges(market);
    expect(market.debt(long)).toBe('0.05 + 0.0000000625');
  },
);

describe('pending interest is charged first', () => {
  /**
   * This number of accounts bought 0.001 BTC each with 50 borrowed USDT. The last account comes
   * after them and is charged by the fourth command.
   */
  function borrowersBefore(market: Market, last: Readonly<Record<string, string>>): Uid {
    market.index('BTC', '50000');
    market.order(market.joins({ BTC: '10' }), 'sell', '5', 'SPOT:BTCUSDT', '50000');
    for (let count = 0; count < 300; count++)
      expect(
        market.order(market.joins({ BTC: '0.01' }), 'buy', '0.001', 'MARGIN:BTCUSDT', '50000'),
      ).toBe('accepted');
    return market.joins(last);
  }

  test('[CLK-28] when another user transfers money to the account', ({ market }) => {
    const last = borrowersBefore(market, { BTC: '0.01' });
    const friend = market.joins({ USDT: '100' });
    market.order(last, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000');
    market.passes(HOUR);
    market.accepted({
      type: 'transferToUser',
      uid: friend,
      coin: 'USDT',
      size: decimal('50'),
      recipientKind: 'uid',
      recipient: `${last}`,
    });
    // 50 × 0.00000125 of interest, which the 50 pay first.
    expect(market.debt(last)).toBe('0.0000625 + 0');
  });

  test('[CLK-28] when a withdrawal is returned', ({ market }) => {
    const last = borrowersBefore(market, { USDT: '50', BTC: '0.01' });
    const input = {
      coin: 'USDT',
      size: decimal('50'),
      chain: 'TRC20',
      address: 'T',
      addressKind: 'tron',
    } as const;
    const { outcome } = market.accepted({ type: 'requestWithdrawal', uid: last, ...input });
    const { orderId } = (outcome as { value: { orderId: Id } }).value;
    market.order(last, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000');
    market.passes(HOUR);
    market.accepted({ type: 'decideWithdrawal', orderId, decision: 'fail', operator: 'ann' });
    expect(market.debt(last)).toBe('0.0000625 + 0');
  });

  test('[CLK-28] when a chain credits a withdrawal of another user', ({ market }) => {
    const last = borrowersBefore(market, { BTC: '0.01' });
    const friend = market.joins({ USDT: '100' });
    market.order(last, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000');
    const input = {
      coin: 'USDT',
      size: decimal('50'),
      chain: 'TRC20',
      address: 'T',
      addressKind: 'tron',
      recipient: last,
    } as const;
    const { outcome } = market.accepted({ type: 'requestWithdrawal', uid: friend, ...input });
    const { orderId } = (outcome as { value: { orderId: Id } }).value;
    market.accepted({ type: 'askChain', orderId });
    market.passes(HOUR);
    market.accepted({
      type: 'reportChain',
      orderId,
      sighting: 'confirmed',
      confirmations: 20,
      hash: 'hash',
    });
    // The chain takes 1 of 50; the rest pays the interest first.
    expect(market.debt(last)).toBe('1.0000625 + 0');
  });

  test('[CLK-28] when a leader gets a profit share', ({ market }) => {
    const leader = borrowersBefore(market, { USDT: '10', BTC: '0.1' });
    market.accepted({ type: 'setPositionMode', uid: leader, positionMode: 'hedge' });
    market.accepted({ type: 'makeLeader', uid: leader, profitShare: decimal('0.1') });
    const follower = market.joins({ USDT: '1000' }, 'hedge');
    market.accepted({
      type: 'setCopySettings',
      uid: follower,
      leader,
      mode: 'basic',
      autoCopy: true,
      settings: [],
    });
    market.order(market.joins({ USDT: '1000' }), 'sell', '0.01', 'BTCUSDT', '50000');
    expect(
      market.order(leader, 'buy', '0.001', 'BTCUSDT', undefined, { positionSide: 'long' }),
    ).toBe('accepted');
    market.order(market.joins({ USDT: '1000' }), 'buy', '0.01', 'BTCUSDT', '51000');
    expect(market.order(leader, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    market.passes(HOUR);
    expect([...market.state.pendingCharges!.keys()].at(-1)).toBe(leader);
    market.accepted({
      type: 'closeTrackedOrders',
      uid: follower,
      role: 'follower',
      category: 'USDT-FUTURES',
    });
    expect(market.emitted('trackedOrderEnded').filter(({ share }) => share > 0n)).toHaveLength(1);
    // The leader owes 50 less 9.97, and interest. A tenth of the follower's profit of 0.9394 pays
    // the interest first.
    expect(market.debt(leader)).toBe('39.9361100375 + 0');
  });

  test('[CLK-28] when an agent gets commissions, also over several portions', ({ market }) => {
    const agent = borrowersBefore(market, { BTC: '0.01' });
    const spec = {
      affiliation: 'affiliate',
      spotRatio: decimal('0.3'),
      futuresRatio: decimal('0.3'),
    } as const;
    const { outcome } = market.accepted({ type: 'makeAgent', uid: agent, ...spec });
    const { referralCode } = (outcome as { value: { referralCode: string } }).value;
    for (let count = 0; count < 250; count++) {
      const joined = market.accepted({
        type: 'createUser',
        level: 'VIP0',
        positionMode: 'oneWay',
        referralCode,
      });
      const { uid } = (joined.outcome as { value: { uid: Uid } }).value;
      market.accepted({ type: 'deposit', uid, coin: 'USDT', size: decimal('50') });
      expect(market.order(uid, 'buy', '0.001', 'SPOT:BTCUSDT', '50000')).toBe('accepted');
    }
    market.passes(15.5 * HOUR);
    finishCharges(market);
    expect(market.order(agent, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
    market.passes(HOUR / 2);
    // The day is settled in two portions, because the borrowers have traded too; the hour is fixed
    // between them.
    expect(market.emitted('commissionPaid')).toHaveLength(250);
    expect([
      market.state.pendingCharges!.size > 100,
      market.state.pendingCharges!.has(agent),
    ]).toEqual([true, false]);
  });

  const switchOff = (market: Market): unknown =>
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'SPOT',
      symbol: 'BTCUSDT',
      status: 'off',
    });
  const endCountdown = (market: Market): unknown => market.passes(10);
  test.for([
    ['because its symbol is switched off', switchOff],
    ["because the account's countdown has ended", endCountdown],
  ] as const)(
    '[CLK-28] when an order that held the owed money ends: %s',
    ([_why, end], { market }) => {
      const last = borrowersBefore(market, { USDT: '60', BTC: '0.01' });
      market.order(last, 'buy', '0.001', 'SPOT:BTCUSDT', '49000');
      market.order(last, 'buy', '0.001', 'MARGIN:BTCUSDT', '50000');
      expect([market.available(last), market.debt(last)]).toEqual(['0', '39 + 0']);
      market.passes(HOUR - MINUTE + 10);
      market.accepted({ type: 'setCountdown', uid: last, ms: MINUTE });
      market.passes(MINUTE - 10);
      end(market);
      finishCharges(market);
      // 39 × 0.00000125; the 49 that the order held repay nothing before the next hour.
      expect([market.available(last), market.debt(last)]).toEqual(['49', '39 + 0.00004875']);
    },
  );
});

describe('pending funding is charged first', () => {
  /**
   * 250 accounts are long before the last one, which needs 25.3 to open the same again. It has 0.03
   * more and owes 0.05.
   */
  function longsBefore(market: Market, join: () => Uid): Uid {
    market.index('BTC', '50000');
    market.order(market.joins({ USDT: '10000000' }), 'sell', '100', 'BTCUSDT', '50000');
    for (let count = 0; count < 250; count++)
      market.order(market.joins({ USDT: '1000' }), 'buy', '0.01', 'BTCUSDT');
    return join();
  }

  test("[CLK-28] before the account's trigger needs margin", ({ market }) => {
    const last = longsBefore(market, () => market.joins({ USDT: '50.63' }));
    market.settings(last, 'BTCUSDT', '20', 'crossed');
    expect(market.order(last, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    market.accepted(triggerCommand(last, 'buy', { at: '50000.1', size: '0.01', source: 'mark' }));
    market.passes(8 * HOUR);
    market.pin('BTCUSDT', '50000.1');
    expect(
      market.emitted('triggerFailed').map(({ uid, refusal }) => [uid, refusal.reason]),
    ).toEqual([[last, 'insufficientMargin']]);
    expect(market.emitted('fundingCharged')[0]!.uid).toBe(last);
  });

  test('[CLK-28] before the account copies an order', ({ market }) => {
    const leader = market.joins({ USDT: '10000' }, 'hedge');
    market.accepted({ type: 'makeLeader', uid: leader, profitShare: decimal('0.1') });
    const last = longsBefore(market, () => market.joins({ USDT: '50.63' }, 'hedge'));
    market.settings(leader, 'BTCUSDT', '20', 'crossed');
    market.settings(last, 'BTCUSDT', '20', 'crossed');
    expect(market.order(last, 'buy', '0.01', 'BTCUSDT', undefined, { positionSide: 'long' })).toBe(
      'accepted',
    );
    market.accepted({
      type: 'setCopySettings',
      uid: last,
      leader,
      mode: 'basic',
      autoCopy: true,
      settings: [],
    });
    market.passes(8 * HOUR);
    expect(
      market.order(leader, 'buy', '0.01', 'BTCUSDT', undefined, { positionSide: 'long' }),
    ).toBe('accepted');
    expect(
      market.emitted('orderNotCopied').map(({ missed }) => [missed.follower, missed.reason]),
    ).toEqual([[last, 'insufficientMargin']]);
  });

  test('[CLK-28][ORD-102] before a replacing order looks for the order it replaces', ({
    market,
  }) => {
    const last = longsBefore(market, () => market.joins({ USDT: '1000' }));
    const taker = market.joins({ USDT: '1000' });
    for (const uid of [taker, last])
      expect(market.order(uid, 'buy', '0.01', 'BTCUSDT')).toBe('accepted');
    expect(market.order(last, 'buy', '0.01', 'BTCUSDT', '49990')).toBe('accepted');
    expect(market.order(taker, 'sell', '0.01', 'BTCUSDT', '51000', { reduceOnly: true })).toBe(
      'accepted',
    );
    market.passes(8 * HOUR);
    expect(
      market.order(taker, 'sell', '0.01', 'BTCUSDT', '49990', {
        reduceOnly: true,
        timeInForce: 'fok',
      }),
    ).toBe('accepted');
    expect(market.fills(taker)).toEqual(['normal sell 0.01 at 49990']);
    expect(
      market
        .emitted('fundingCharged')
        .slice(0, 2)
        .map(({ uid }) => uid),
    ).toEqual([taker, last]);
  });
});
