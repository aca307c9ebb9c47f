/** Agents, their customers, and the settlement of commissions at the end of each day. */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { money, moneyText } from '../../src/kernel/money.ts';
import { DAY, type Timestamp } from '../../src/kernel/time.ts';
import { type AgentMarket, test } from './agents.test-support.ts';

const refusal = (
  market: AgentMarket,
  spec: Partial<Record<'spotRatio' | 'futuresRatio' | 'userShare', string>>,
  uid: Uid,
): unknown => {
  const input = { spotRatio: '0.1', futuresRatio: '0.1', ...spec } as Record<
    'spotRatio' | 'futuresRatio',
    DecimalText
  >;
  const { outcome } = market.submit({ type: 'makeAgent', uid, affiliation: 'official', ...input });
  return outcome.ok ? 'accepted' : outcome.refusal;
};

describe('agents and customers', () => {
  test('[AGT-01] a ratio is between zero and one', ({ market, maker }) => {
    for (const field of ['spotRatio', 'futuresRatio', 'userShare']) {
      expect(refusal(market, { [field]: '1' }, maker)).toBe('accepted');
      expect(refusal(market, { [field]: '0' }, maker)).toBe('accepted');
      expect(refusal(market, { [field]: '1.0000000001' }, maker)).toMatchObject({
        reason: 'fieldOutOfRange',
        field,
      });
      expect(refusal(market, { [field]: '0.00000000001' }, maker)).toMatchObject({
        reason: 'tooFine',
        field,
      });
    }
    expect(refusal(market, {}, 1 as Uid)).toMatchObject({ reason: 'unknownUser', field: 'uid' });
  });

  test("[AGT-02] a user who registers with a code becomes that agent's customer", ({
    market,
    maker,
  }) => {
    const before = market.registers(undefined);
    const code = market.agent(maker);
    const customer = market.registers(code);
    expect(market.emitted('customerReferred')).toEqual([]);
    expect(
      [before, customer, market.registers(undefined)].map((uid) => market.agentOf(uid)),
    ).toEqual([undefined, maker, undefined]);
  });

  test('[AGT-36] an unknown code, or one of no agent yet, is refused by field and creates no user', ({
    market,
    maker,
  }) => {
    const register = (referralCode: string) =>
      market.submit({ type: 'createUser', level: 'VIP0', positionMode: 'oneWay', referralCode })
        .outcome;
    const users = market.state.accounts.size;
    const refused = (detail: string) => ({
      ok: false,
      refusal: { reason: 'unknownReferralCode', field: 'referralCode', detail },
    });
    expect(register('GJDGXT')).toEqual(refused('GJDGXT'));
    expect(market.agent(maker)).toBe('GJDGXT');
    expect(register('gjdgxt')).toEqual(refused('gjdgxt'));
    expect(market.state.accounts.size).toBe(users);
    expect(register('GJDGXT')).toMatchObject({ ok: true });
  });

  test("[AGT-26] a sub-account is never a customer of its master or of the master's sub-accounts", ({
    market,
    maker,
  }) => {
    const code = market.agent(maker);
    const own = market.registers(code, {}, maker);
    const agentBelow = market.registers(undefined, {}, maker);
    const ownByOther = market.registers(market.agent(agentBelow), {}, maker);
    const stranger = market.registers(undefined);
    const otherSub = market.registers(code, {}, stranger);
    expect([own, ownByOther, otherSub].map((uid) => market.agentOf(uid))).toEqual([
      undefined,
      undefined,
      maker,
    ]);
  });

  test('[AGT-26] agents cannot form a circle of any length', ({ market, maker }) => {
    const second = market.registers(market.agent(maker));
    const third = market.registers(market.agent(second));
    const code = market.agent(third);
    expect(market.agentOf(market.registers(code, {}, maker))).toBeUndefined();
    expect(market.agentOf(market.registers(code, {}, second))).toBeUndefined();
    // Below the agents the tree may grow.
    expect(market.agentOf(market.registers(market.agent(maker), {}, third))).toBe(maker);
  });
});

describe('a settlement day', () => {
  test('[AGT-15][AGT-17][AGT-18][AGT-20] makes and pays one row for each coin and market', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { spot: '0.2', futures: '0.3' }));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.trade(maker, customer, '0.05', 'BTCUSDT', '60000');
    market.trade(customer, maker, '0.01', 'SPOT:BTCUSDT', '60000');
    market.trade(maker, customer, '0.005', 'SPOT:BTCUSDT', '60000');
    const day = (market.midnight - DAY) as Timestamp;
    expect(market.endsDay()).toEqual([
      // Taker 6000 × 0.0006 = 3.6, maker 3000 × 0.0002 = 0.6.
      'BTCUSDT USDT-FUTURES: fee 4.2 USDT of 9000, rebate 1.26',
      'BTCUSDT SPOT: fee 0.00001 BTC of 600, rebate 0.000002',
      'BTCUSDT SPOT: fee 0.3 USDT of 300, rebate 0.06',
    ]);
    expect(
      market.commissions().map((row) => [row.agentUid, row.uid, row.day, row.dayTotal, row.total]),
    ).toEqual([
      [agent, customer, day, money('1.32'), money('1.32')],
      [agent, customer, day, money('0.000002'), money('0.000002')],
      [agent, customer, day, money('1.32'), money('1.32')],
    ]);
    expect([market.available(agent), market.available(agent, 'BTC')]).toEqual(['1.32', '0.000002']);
    expect([market.house('rebates'), market.house('rebates', 'BTC')]).toEqual([
      '-1.32',
      '-0.000002',
    ]);
  });

  test('[AGT-20] is settled once', ({ market, maker }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    expect(market.endsDay()).toHaveLength(1);
    for (const ms of [0, 0, 1, DAY, 0]) {
      market.passes(ms);
      expect(market.rows()).toEqual([]);
    }
    expect(market.available(agent)).toBe('1.08');
  });

  test('[AGT-15] ends at midnight in UTC+8: one millisecond before and after are two days', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent));
    const { midnight } = market;
    market.passes(midnight - market.at - 1);
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    expect(market.rows()).toEqual([]);
    market.passes(1);
    expect(market.commissions().map(({ day, fee }) => [day, moneyText(fee)])).toEqual([
      [midnight - DAY, '3.6'],
    ]);
    market.trade(customer, maker, '0.02', 'BTCUSDT', '60000');
    market.endsDay();
    expect(
      market
        .commissions()
        .map(({ day, fee, dayTotal, total }) => [day, ...[fee, dayTotal, total].map(moneyText)]),
    ).toEqual([[midnight, '0.72', '0.216', '1.296']]);
  });

  test('[AGT-15][CLK-08] ends before other timers of midnight; triggers that they fire belong to the new day', ({
    market,
    maker,
  }) => {
    const customer = market.registers(market.agent(market.registers(undefined)));
    market.passes(market.midnight - market.at - 63_000);
    // Sampled every five seconds from a minute before, at 300 above the index: the mark is 60,055
    // at the last sample of the day and 60,060 at the next.
    market.order(maker, 'buy', '0.01', 'BTCUSDT', '60590');
    market.order(maker, 'sell', '0.01', 'BTCUSDT', '60610');
    const decimals = { size: '0.01' as DecimalText, triggerPrice: '60057' as DecimalText };
    const order = { side: 'buy', orderType: 'market', reduceOnly: false } as const;
    const trigger = {
      kind: 'conditional',
      symbol: 'BTCUSDT',
      marginMode: 'crossed',
      source: 'mark',
      ...decimals,
      ...order,
    } as const;
    market.accepted({ type: 'placeTrigger', uid: customer, category: 'USDT-FUTURES', trigger });
    expect([market.endsDay(), market.fills(customer)]).toEqual([[], ['normal buy 0.01 at 60610']]);
    expect(market.endsDay()).toEqual([
      'BTCUSDT USDT-FUTURES: fee 0.36366 USDT of 606.1, rebate 0.109098',
    ]);
    expect(market.commissions().map(({ day }) => day)).toEqual([market.midnight - 2 * DAY]);
  });

  test('[AGT-15][AGT-30] that passed without commands is settled before the next command', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    const { midnight } = market;
    market.at = (midnight + 5 * DAY) as Timestamp;
    expect(market.order(customer, 'buy', '0.1', 'BTCUSDT', '50000')).toBe('accepted');
    expect(market.commissions().map(({ day }) => day)).toEqual([midnight - DAY]);
    expect(market.last!.events.findIndex(({ type }) => type === 'commissionPaid')).toBeLessThan(
      market.last!.events.findIndex(({ type }) => type === 'orderAccepted'),
    );
  });

  test('[AGT-15][AGT-30] that passed during a clock move is settled before the move answers', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    const { midnight } = market;
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: 9 * DAY });
    expect(market.commissions().map(({ day, total }) => [day, moneyText(total)])).toEqual([
      [midnight - DAY, '1.08'],
    ]);
    market.at = market.engine.at;
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.accepted({ type: 'moveClock', wall: market.at, advanceMs: 3 * DAY });
    expect(market.commissions().map(({ day, total }) => [day, moneyText(total)])).toEqual([
      [midnight + 8 * DAY, '2.16'],
    ]);
    market.at = market.engine.at;
  });

  test('[AGT-24] uses the ratios at its end for the whole day', ({ market, maker }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { futures: '0.3' }));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    expect(market.agent(agent, { futures: '0.5' })).toBe(
      market.state.agentBooks.agents.get(agent)!.referralCode,
    );
    expect(market.endsDay()).toEqual(['BTCUSDT USDT-FUTURES: fee 3.6 USDT of 6000, rebate 1.8']);
  });

  test('[AGT-19] passes the share on to the customer', ({ market, maker }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { futures: '0.3', share: '0.25' }));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    expect(
      market
        .commissions()
        .map(({ rebate, customerShare }) => [rebate, customerShare].map(moneyText)),
    ).toEqual([['1.08', '0.27']]);
    expect([market.available(agent), market.got('rebate', customer)]).toEqual(['0.81', '0.27']);
  });

  test("[AGT-20][ORD-22] each rebate repays the agent's debts first", ({ market, maker }) => {
    const agent = market.registers(undefined, { BTC: '1' });
    expect(market.order(maker, 'sell', '0.01', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect([
      market.order(agent, 'buy', '0.01', 'MARGIN:BTCUSDT', '60000'),
      market.debt(agent),
    ]).toEqual(['accepted', '600 + 0']);
    const code = market.agent(agent);
    for (const customer of [market.registers(code), market.registers(code)])
      market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    expect(market.moves(agent)).toEqual([
      'rebate 1.08',
      'repay -1.08',
      'rebate 1.08',
      'repay -1.08',
    ]);
  });

  // 6.00001 cost 0.003600006; the agent gets 0.3 of it, and the customer a quarter of that,
  // 0.00027000045.
  test("[AGT-19] a customer's share is rounded down and the agent keeps the dust", ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { share: '0.25' }));
    market.trade(customer, maker, '0.0001', 'BTCUSDT', '60000.1');
    market.endsDay();
    expect([market.got('rebate', customer), market.got('rebate', agent)]).toEqual([
      '0.0002700004',
      '0.0008100014',
    ]);
  });

  // 600 sold for a fee of 0.6 make a rebate of 0.12. 6,000 opened for 3.6 and closed for 1.2 make
  // 1.44. The customer gets half of each.
  test("[AGT-19][ORD-22] a share repays the customer's debts first", ({ market, maker }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { share: '0.5' }), { BTC: '1' });
    market.trade(maker, customer, '0.01', 'SPOT:BTCUSDT', '60000');
    expect(market.order(maker, 'sell', '0.02', 'SPOT:BTCUSDT', '60000')).toBe('accepted');
    expect(market.order(customer, 'buy', '0.02', 'MARGIN:BTCUSDT', '60000')).toBe('accepted');
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.trade(maker, customer, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    expect(market.moves(customer)).toEqual([
      'rebate 0.06',
      'repay -0.06',
      'rebate 0.72',
      'repay -0.72',
    ]);
  });

  test('[AGT-22] the agent above sees the row under its own id and earns nothing', ({
    market,
    maker,
  }) => {
    const upper = market.registers(undefined, {});
    const agent = market.registers(market.agent(upper), {});
    const customer = market.registers(market.agent(agent));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    const [emitted] = market.emitted('commissionPaid');
    expect(emitted).toMatchObject({
      commission: { agentUid: agent, uid: customer },
      upper: { agentUid: upper },
    });
    expect(emitted!.upper!.commissionId).toBeGreaterThan(emitted!.commission.commissionId);
    expect([market.available(agent), market.available(upper)]).toEqual(['1.08', '0']);
  });

  test('[AGT-21] without a rebate there is no row', ({ market, maker }) => {
    const agent = market.registers(undefined, {});
    const customer = market.registers(market.agent(agent, { futures: '0', spot: '0.0000001' }));
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.trade(customer, maker, '0.01', 'SPOT:BTCUSDT', '60000');
    expect(market.endsDay()).toEqual([]);
    expect(market.house('rebates')).toBe('0');
  });

  test('[AGT-21] self-trades of a customer earn nothing, also between master and sub-account', ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const code = market.agent(agent);
    const customer = market.registers(code, { USDT: '20000', BTC: '0.1' });
    const sub = market.registers(code, { USDT: '10000' }, customer);
    market.trade(sub, customer, '0.01', 'SPOT:BTCUSDT', '60000');
    market.trade(customer, customer, '0.01', 'SPOT:BTCUSDT', '60000');
    expect(market.state.agentBooks.accruals.size).toBe(0);
    expect(market.endsDay()).toEqual([]);
    market.trade(sub, maker, '0.01', 'SPOT:BTCUSDT', '60000');
    expect(market.endsDay()).toHaveLength(1);
  });

  test("[AGT-21] forced trades of a customer earn nothing; their counterparties' trades do", ({
    market,
    maker,
  }) => {
    const agent = market.registers(undefined, {});
    const code = market.agent(agent);
    const customer = market.registers(code, { USDT: '330' });
    const other = market.registers(code);
    market.settings(customer, 'BTCUSDT', '20', 'isolated');
    market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
    market.endsDay();
    market.order(other, 'buy', '0.1', 'BTCUSDT', '57050');
    market.index('BTC', '57000');
    expect(market.fills(customer)).toEqual(['liquidation sell 0.1 at 57050']);
    // 5705 × 0.0002 = 1.141, of which 0.3.
    expect(market.endsDay()).toEqual([
      'BTCUSDT USDT-FUTURES: fee 1.141 USDT of 5705, rebate 0.3423',
    ]);
    expect(market.commissions()[0]!.uid).toBe(other);
  });
});
