import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalBytes, fromCanonicalBytes } from '../kernel/canonical.ts';
import type { Id, Sequence, Uid } from '../kernel/ids.ts';
import type { Rate } from '../kernel/money.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import type { Commission } from '../messages/agents.ts';
import type { Event } from '../messages/events.ts';
import { AgentsView, type CustomerQuery } from './agents.ts';
import { feeding } from './view.ts';

const AGENT = 1 as Uid;
const BELOW = 2 as Uid;
const OTHER = 3 as Uid;

const made = (uid: Uid): Event => ({
  type: 'agentMade',
  agent: {
    uid,
    referralCode: `C${uid}`,
    affiliation: 'affiliate',
    spotRatio: 0n as Rate,
    futuresRatio: 0n as Rate,
    userShare: 0n as Rate,
  },
});
const referred = (uid: number, agentUid: Uid): Event => ({
  type: 'customerReferred',
  uid: uid as Uid,
  agentUid,
  ...(agentUid === BELOW ? { upperUid: AGENT } : {}),
});
const paid = (day: number, commissionId: number, above?: number): Event => ({
  type: 'commissionPaid',
  commission: { day: day as Timestamp, commissionId: commissionId as Id } as Commission,
  ...(above === undefined ? {} : { upper: { agentUid: AGENT, commissionId: above as Id } }),
});

/** Applies each event one second after the previous one. */
function viewAfter(events: readonly Event[]): AgentsView {
  const view = new AgentsView();
  for (const [number, event] of events.entries())
    feeding([view])({
      sequence: (number + 1) as Sequence,
      at: (number * 1_000) as Timestamp,
      events: [event],
    });
  return view;
}

const restored = (view: AgentsView): AgentsView => {
  const again = new AgentsView();
  again.restore(fromCanonicalBytes(canonicalBytes(view.save())));
  return again;
};

const AGENTS = [made(AGENT), made(BELOW), made(OTHER)];
const query = (given: Partial<CustomerQuery>): CustomerQuery => ({
  agentUid: AGENT,
  showSub: false,
  pageNumber: 1,
  pageSize: 100,
  ...given,
});
const uidsOf = (view: AgentsView, given: Partial<CustomerQuery>): Uid[] =>
  view.customers(query(given)).map(({ uid }) => uid);

describe('customers', () => {
  test('[AGT-31] equal a filter over all of them, on every page, live and restored', () => {
    const customer = fc.constantFrom(AGENT, BELOW, OTHER);
    const queries = fc.record({
      agentUid: customer,
      showSub: fc.boolean(),
      pageNumber: fc.integer({ min: 1, max: 4 }),
      pageSize: fc.integer({ min: 1, max: 5 }),
      window: fc.option(
        fc
          .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 30 }))
          .map(([start, length]) => ({
            start: (start * 1_000) as Timestamp,
            end: ((start + length) * 1_000) as Timestamp,
          })),
        { nil: undefined },
      ),
    });
    fc.assert(
      fc.property(fc.array(customer, { maxLength: 25 }), queries, (agents, wanted) => {
        const events = agents.map((agentUid, number) => referred(100 + number, agentUid));
        const view = viewAfter([...AGENTS, ...events]);
        const { agentUid, showSub, window, pageNumber, pageSize } = wanted;
        const all = agents
          .map((by, number) => ({ by, uid: 100 + number, at: (number + 3) * 1_000 }))
          .filter(({ by }) => by === agentUid || (showSub && agentUid === AGENT && by === BELOW))
          .filter(({ at }) => window === undefined || (at >= window.start && at <= window.end))
          .map(({ uid }) => uid)
          .reverse();
        const page = all.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
        expect(uidsOf(view, wanted)).toEqual(page);
        expect(uidsOf(restored(view), wanted)).toEqual(page);
      }),
    );
  });

  test('[AGT-09] by uid: direct customers, and with showSub those below', () => {
    const view = viewAfter([
      ...AGENTS,
      referred(10, AGENT),
      referred(11, BELOW),
      referred(12, OTHER),
    ]);
    for (const [uid, showSub, found] of [
      [10, false, 1],
      [11, false, 0],
      [11, true, 1],
      [12, true, 0],
      [13, true, 0],
    ] as const)
      expect(uidsOf(view, { uid: uid as Uid, showSub })).toHaveLength(found);
    expect(uidsOf(view, { uid: 10 as Uid, referralCode: 'C2' })).toEqual([]);
  });

  test("[AGT-09] by code: those who used it, if it is the agent's own or, with showSub, of one below", () => {
    const live = viewAfter([
      ...AGENTS,
      referred(BELOW, AGENT),
      referred(10, AGENT),
      referred(11, BELOW),
      referred(12, OTHER),
    ]);
    for (const view of [live, restored(live)]) {
      expect(uidsOf(view, { referralCode: `C${AGENT}` })).toEqual([10, BELOW]);
      expect(uidsOf(view, { referralCode: `C${BELOW}` })).toEqual([]);
      expect(uidsOf(view, { referralCode: `C${BELOW}`, showSub: true })).toEqual([11]);
      for (const code of [`C${OTHER}`, 'an unknown code'])
        expect(uidsOf(view, { referralCode: code, showSub: true })).toEqual([]);
    }
  });
});

describe('commission rows of days', () => {
  const view = viewAfter([
    ...AGENTS,
    paid(0, 5, 6),
    paid(0, 7),
    paid(DAY, 9),
    paid(2 * DAY, 10, 12),
  ]);
  test.each([
    [0, 3 * DAY, { first: 5, last: 12 }],
    [1, 3 * DAY, { first: 9, last: 12 }],
    [0, DAY - 1, { first: 5, last: 7 }],
    [0, DAY, { first: 5, last: 9 }],
    [1, DAY - 1, undefined],
    [3 * DAY, 9 * DAY, undefined],
  ])('[AGT-13] from %d to %d are found by their ids', (start, end, expected) => {
    const window = { start: start as Timestamp, end: end as Timestamp };
    expect(view.commissionIds(window)).toEqual(expected);
    expect(restored(view).commissionIds(window)).toEqual(expected);
  });

  test('[AGT-13] days that no query can reach are dropped', () => {
    const old = viewAfter([paid(0, 1), paid(DAY, 2), paid(41 * DAY, 3)]);
    const always = { start: 0 as Timestamp, end: (99 * DAY) as Timestamp };
    expect(old.commissionIds(always)).toEqual({ first: 2, last: 3 });
  });
});
