import { describe, expect, test } from 'vitest';
import { AgentMarket } from '../../../test/scenarios/agents.test-support.ts';
import { canonicalBytes, fromCanonicalBytes } from '../../kernel/canonical.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { auditOf } from '../audit-of.test-support.ts';
import type { Accrual, EndedDay } from '../state/agent-books.ts';
import type { LevelRound } from '../state/levels.ts';
import type { State } from '../state/state.ts';

/**
 * Two agents, one of them a customer of the other, with a customer who has traded yesterday and
 * today.
 */
const market = new AgentMarket();
market.index('BTC', '60000');
const maker = market.registers(undefined, { USDT: '20000' });
const upper = market.registers(undefined, {});
const agent = market.registers(market.agent(upper), {});
const customer = market.registers(market.agent(agent));
market.grants(customer, 'futuresCoupon', '1.5');
market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
market.endsDay();
market.grants(customer, 'spotCoupon', '1');
market.trade(customer, maker, '0.1', 'BTCUSDT', '60000');
const sound = canonicalBytes(market.state);

function faultsAfter(plant: (state: State) => void): string {
  const state = fromCanonicalBytes<State>(sound);
  expect(auditOf(state).violations).toEqual([]);
  plant(state);
  return auditOf(state).violations.join('; ');
}

const more = (sums: Map<string, Amount>): void =>
  void sums.set('USDT', ((sums.get('USDT') ?? 0n) + 1n) as Amount);
const accrualOf = (state: State): Accrual =>
  [...state.agentBooks.accruals.get(customer)!.values()][0]!;
const endedDay = ({ agentBooks }: State, day: number): EndedDay => ({
  day: day as Timestamp,
  accruals: new Map(),
  agents: agentBooks.agents,
});

const roundFrom = (next: Uid, { nextUid: end }: State, ...kept: readonly Uid[]): LevelRound => ({
  next,
  end,
  indexes: new Map(),
  assets: new Map(kept.map((uid) => [uid, ZERO_AMOUNT])),
});

// biome-ignore-start lint/suspicious/noAssignInExpressions: rows plant faults by assignment
type Planted = [string, RegExp, (state: State) => void];

describe('the audit finds', () => {
  const planted: Planted[] = [
    [
      'fees that no fill was charged',
      /^fees in USDT are/,
      ({ agentBooks }) => more(agentBooks.feesCharged),
    ],
    [
      'fees that did not come back',
      /^fees in USDT are/,
      ({ agentBooks }) => more(agentBooks.feesRefunded),
    ],
    [
      'rebates that cost nothing',
      /rebates in USDT cost/,
      ({ agentBooks }) => more(agentBooks.rebatesPaid),
    ],
    [
      'rebates that no agent earned',
      /^customers earned/,
      ({ agentBooks }) => more(agentBooks.customers.get(customer)!.totals),
    ],
    [
      'more rebates than fees',
      /more USDT was paid in rebates than in fees/,
      ({ ledger, agentBooks }) => {
        const house = ledger.house.get('USDT')!;
        for (const sums of [agentBooks.rebatesPaid, agentBooks.customers.get(customer)!.totals])
          sums.set('USDT', (house.fees + 1n) as Amount);
        house.clearing = (house.clearing + house.rebates + house.fees + 1n) as Amount;
        house.rebates = -(house.fees + 1n) as Amount;
      },
    ],
    [
      'more to settle than was charged',
      /more fees in USDT wait/,
      (state) => void (accrualOf(state).fee = (10n ** 15n) as Amount),
    ],
    [
      'negative fees',
      /USDT-FUTURES BTCUSDT are wrong/,
      (state) => void (accrualOf(state).fee = -1n as Amount),
    ],
    [
      'fees under a wrong name',
      /are stored under/,
      (state) =>
        void state.agentBooks.accruals
          .get(customer)!
          .set('BTC SPOT BTCUSDT', { ...accrualOf(state), fee: 0n as Amount }),
    ],
    [
      'fees of an unknown user',
      /which was never created/,
      (state) => void state.agentBooks.accruals.set(1 as Uid, new Map()),
    ],
    [
      'a day that still runs',
      /is not in its place/,
      (state) => void state.agentBooks.endedDays.push(endedDay(state, state.at)),
    ],
    [
      'days out of order',
      /is not in its place/,
      (state) =>
        void state.agentBooks.endedDays.push(
          endedDay(state, 57_600_000),
          endedDay(state, -28_800_000),
        ),
    ],
    [
      'an agent that was never created',
      /was never created/,
      ({ agentBooks }) => void agentBooks.agents.set(1 as Uid, agentBooks.agents.get(agent)!),
    ],
    [
      'a missing referral code',
      /is not found by its code/,
      ({ agentBooks }) => agentBooks.referralCodes.clear(),
    ],
    [
      'a customer without an agent',
      /one of them does not exist/,
      ({ agentBooks }) => void agentBooks.agents.delete(upper),
    ],
    [
      'a credit that is used up',
      /credits of user/,
      ({ agentBooks }) => void (agentBooks.credits.get(customer)![0]!.left = 0n as Amount),
    ],
    [
      'a circle of agents',
      /earns on itself/,
      ({ agentBooks }) =>
        void agentBooks.customers.set(upper, { agentUid: agent, totals: new Map() }),
    ],
  ];
  test.each(planted)('[CLK-18][AGT-29] %s', (_, sentence, plant) =>
    expect(faultsAfter(plant)).toMatch(sentence),
  );

  const levels: Planted[] = [
    [
      'a level below the granted one',
      /less than its granted level/,
      ({ accounts }) => void (accounts.get(customer)!.grantedLevel = 'VIP2'),
    ],
    [
      'a volume of an unknown user',
      /which is no master/,
      ({ levels: { volumes } }) => void volumes.set(1 as Uid, []),
    ],
    [
      'a negative volume',
      /is negative/,
      ({ levels: { volumes } }) => void (volumes.get(customer)![0]!.spot = -1n as Amount),
    ],
    [
      'a day twice',
      /has the wrong day/,
      ({ levels: { volumes } }) => volumes.get(customer)!.push(volumes.get(customer)![0]!),
    ],
    [
      'a round without an end',
      /levels are computed from user/,
      (state) => void (state.levels.round = roundFrom(state.nextUid, state)),
    ],
    [
      'assets of a user whose level is computed',
      /level does not need/,
      (state) => void (state.levels.round = roundFrom(agent, state, upper)),
    ],
  ];
  test.each(levels)('[CLK-18][AGT-33] %s', (_, sentence, plant) =>
    expect(faultsAfter(plant)).toMatch(sentence),
  );
});
// biome-ignore-end lint/suspicious/noAssignInExpressions: rows plant faults by assignment
