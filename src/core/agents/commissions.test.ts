import { expect, test } from 'vitest';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, money, moneyText, plus, type Rate, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { EventOf } from '../../messages/events.ts';
import type { CoreState } from '../derived/derived.ts';
import { WORK_PORTIONS } from '../derived/work-portions.ts';
import { doDeferredWork, hasDeferredWork } from '../event-loop.ts';
import { emptyDerived } from '../rebuild.ts';
import { emptyState } from '../state/state.ts';
import { EmittedEvents } from '../transaction/step.ts';
import { AGENTS_MAX, makeAgent } from './make-agent.ts';

const agent = 1 as Uid;

const DAY_BEGAN = 0 as Timestamp;

/** An ended day of one agent whose customers each have a fee of 2 to settle. */
function endedDay(customers: number): CoreState {
  const state = emptyState();
  const spec = {
    affiliation: 'affiliate',
    spotRatio: money<Rate>('0.5'),
    futuresRatio: money<Rate>('0.5'),
    userShare: 0n as Rate,
  } as const;
  const agents = new Map([[agent, { uid: agent, referralCode: '1', ...spec }]]);
  const accruals = new Map();
  for (let number = 0; number < customers; number++) {
    const uid = (100 + number) as Uid;
    const accrual = {
      coin: 'USDT',
      category: 'SPOT',
      symbol: 'BTCUSDT',
      dealAmount: money('2000'),
      fee: money('2'),
      negativeMakerFee: 0n,
    };
    state.agentBooks.customers.set(uid, { agentUid: agent, totals: new Map() });
    accruals.set(uid, new Map([['USDT SPOT BTCUSDT', accrual]]));
  }
  state.agentBooks.endedDays.push({ day: DAY_BEGAN, accruals, agents });
  return { state, derived: emptyDerived(state) };
}

test('[AGT-30] a large day is settled in portions, each customer in one of them', () => {
  const core = endedDay(2 * WORK_PORTIONS.commissions + 1);
  const settled: number[] = [];
  const uids = new Set<Uid>();
  while (hasDeferredWork(core)) {
    const at = 90_000_000 as Timestamp;
    const emitted = new EmittedEvents(at);
    doDeferredWork(core, at, emitted, () => undefined);
    const paid = emitted.events.filter(
      (event): event is EventOf<'commissionPaid'> => event.type === 'commissionPaid',
    );
    settled.push(paid.length);
    for (const { commission } of paid) uids.add(commission.uid);
  }
  expect(settled).toEqual([WORK_PORTIONS.commissions, WORK_PORTIONS.commissions, 1]);
  expect(uids.size).toBe(2 * WORK_PORTIONS.commissions + 1);
  const earned = [...core.state.agentBooks.customers.values()].map(
    ({ totals }) => totals.get('USDT') ?? ZERO_AMOUNT,
  );
  expect(moneyText(earned.reduce((sum, amount) => plus(sum, amount), ZERO_AMOUNT))).toBe(
    String(2 * WORK_PORTIONS.commissions + 1),
  );
  expect(core.state.ledger.wallets.get(agent)?.get('USDT')?.available).toBe(
    money<Amount>(String(2 * WORK_PORTIONS.commissions + 1)),
  );
});

test('[AGT-01] the number of agents has a maximum, at which existing agents can still change', () => {
  const { state, derived } = endedDay(0);
  const step = {
    state,
    derived,
    at: DAY_BEGAN,
    emit: () => undefined,
    settle: () => undefined,
    endPart: () => undefined,
  };
  const made = {
    uid: agent,
    referralCode: '1',
    affiliation: 'official',
    spotRatio: 0n as Rate,
    futuresRatio: 0n as Rate,
    userShare: 0n as Rate,
  } as const;
  for (let uid = 1; uid <= AGENTS_MAX; uid++) state.agentBooks.agents.set(uid as Uid, made);
  const other = (AGENTS_MAX + 1) as Uid;
  for (const uid of [agent, other]) state.accounts.set(uid, {} as never);
  const asked = {
    type: 'makeAgent',
    affiliation: 'affiliate',
    spotRatio: '0.1',
    futuresRatio: '0.1',
  } as never as Parameters<typeof makeAgent>[1];
  expect(makeAgent(step, { ...asked, uid: other })).toMatchObject({
    ok: false,
    refusal: { reason: 'exchangeFull' },
  });
  expect(makeAgent(step, { ...asked, uid: agent })).toMatchObject({ ok: true });
});
