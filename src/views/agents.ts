/** Agents, their customers, and the history ids of each day's commissions. */
import type { Id, Uid } from '../kernel/ids.ts';
import { DAY, type Timestamp } from '../kernel/time.ts';
import type { Agent } from '../messages/agents.ts';
import type { EventOf } from '../messages/events.ts';
import type { TimeWindow } from './pages.ts';
import type { Listeners, View } from './view.ts';

/** No query needs older days: lists of agents reach back thirty days. */
const COMMISSION_DAYS_MAX = 40;

export interface ReferredCustomer {
  readonly uid: Uid;
  readonly agentUid: Uid;
  /** The agent above the customer's agent. */
  readonly upperUid?: Uid;
  readonly registeredAt: Timestamp;
}

export interface CustomerQuery {
  readonly agentUid: Uid;
  /** Registration time; without a window, any time. */
  readonly window?: TimeWindow | undefined;
  /** Also customers of direct customers. */
  readonly showSub: boolean;
  readonly uid?: Uid | undefined;
  /** Only those who registered with this code. */
  readonly referralCode?: string | undefined;
  /** Starts at 1. */
  readonly pageNumber: number;
  readonly pageSize: number;
}

/** The first and the last id of a range of rows. */
export interface IdRange {
  readonly first: Id;
  readonly last: Id;
}

export interface AgentQueries {
  agent(uid: Uid): Agent | undefined;
  /** In creation order. */
  agents(): readonly Agent[];
  /** Number of an agent's direct customers. */
  customerCount(agentUid: Uid): number;
  customer(uid: Uid): ReferredCustomer | undefined;
  /** Newest first. The cost of a page does not depend on the number of customers. */
  customers(query: CustomerQuery): readonly ReferredCustomer[];
  /**
   * The history rows with the commissions of days that began within a window; undefined if there
   * are none.
   */
  commissionIds(window: TimeWindow): IdRange | undefined;
}

interface SavedAgents {
  readonly agents: Map<Uid, Agent>;
  readonly customers: Map<Uid, ReferredCustomer>;
  readonly commissionDays: Map<Timestamp, IdRange>;
}

type Lists = Map<Uid, ReferredCustomer[]>;

function addToList(lists: Lists, agentUid: Uid, customer: ReferredCustomer): void {
  const list = lists.get(agentUid);
  if (list === undefined) lists.set(agentUid, [customer]);
  else list.push(customer);
}

/**
 * Index of the first customer who registered at `since` or later, in a list ordered by
 * registration.
 */
function firstSince(list: readonly ReferredCustomer[], since: Timestamp): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle]!.registeredAt < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class AgentsView implements View<'agents'>, AgentQueries {
  readonly name = 'agents';
  #agents = new Map<Uid, Agent>();
  #codes = new Map<string, Uid>();
  #customers = new Map<Uid, ReferredCustomer>();
  /** By agent, in order of registration: direct customers, and these with their own. */
  #direct: Lists = new Map();
  #withSub: Lists = new Map();
  #commissionDays = new Map<Timestamp, IdRange>();

  readonly on: Listeners<'agents'> = {
    agentMade: ({ agent }) => {
      this.#agents.set(agent.uid, agent);
      this.#codes.set(agent.referralCode, agent.uid);
    },
    customerReferred: ({ type: _type, ...referred }, at) =>
      this.#add({ ...referred, registeredAt: at }),
    commissionPaid: (event) => this.#countCommission(event),
  };

  save(): SavedAgents {
    return {
      agents: new Map(this.#agents),
      customers: new Map(this.#customers),
      commissionDays: new Map(this.#commissionDays),
    };
  }

  restore(saved: unknown): void {
    const { agents, customers, commissionDays } = saved as SavedAgents;
    this.#agents = new Map(agents);
    this.#codes = new Map([...agents.values()].map(({ referralCode, uid }) => [referralCode, uid]));
    this.#commissionDays = new Map(commissionDays);
    this.#customers = new Map();
    this.#direct = new Map();
    this.#withSub = new Map();
    for (const customer of customers.values()) this.#add(customer);
  }

  agent(uid: Uid): Agent | undefined {
    return this.#agents.get(uid);
  }

  agents(): readonly Agent[] {
    return [...this.#agents.values()];
  }

  customerCount(agentUid: Uid): number {
    return this.#direct.get(agentUid)?.length ?? 0;
  }

  customer(uid: Uid): ReferredCustomer | undefined {
    return this.#customers.get(uid);
  }

  customers(query: CustomerQuery): readonly ReferredCustomer[] {
    const { window, pageNumber, pageSize } = query;
    const list = query.uid === undefined ? this.#listFor(query) : this.#listOfOne(query, query.uid);
    const first = window === undefined ? 0 : firstSince(list, window.start);
    const end =
      window === undefined ? list.length : firstSince(list, (window.end + 1) as Timestamp);
    const last = end - (pageNumber - 1) * pageSize;
    return last <= first ? [] : list.slice(Math.max(first, last - pageSize), last).reverse();
  }

  commissionIds({ start, end }: TimeWindow): IdRange | undefined {
    const ranges = [...this.#commissionDays]
      .filter(([day]) => day >= start && day <= end)
      .map(([, range]) => range);
    const [first, last] = [ranges[0]?.first, ranges.at(-1)?.last];
    return first === undefined || last === undefined ? undefined : { first, last };
  }

  #add(customer: ReferredCustomer): void {
    const { uid, agentUid, upperUid } = customer;
    this.#customers.set(uid, customer);
    addToList(this.#direct, agentUid, customer);
    addToList(this.#withSub, agentUid, customer);
    if (upperUid !== undefined) addToList(this.#withSub, upperUid, customer);
  }

  #isSeen({ agentUid, upperUid }: ReferredCustomer, query: CustomerQuery): boolean {
    return agentUid === query.agentUid || (query.showSub && upperUid === query.agentUid);
  }

  #listFor({ agentUid, showSub, referralCode }: CustomerQuery): readonly ReferredCustomer[] {
    if (referralCode === undefined)
      return (showSub ? this.#withSub : this.#direct).get(agentUid) ?? [];
    const named = this.#codes.get(referralCode);
    if (named === undefined) return [];
    const isOwn =
      named === agentUid || (showSub && this.#customers.get(named)?.agentUid === agentUid);
    return isOwn ? (this.#direct.get(named) ?? []) : [];
  }

  #listOfOne(query: CustomerQuery, uid: Uid): readonly ReferredCustomer[] {
    const customer = this.#customers.get(uid);
    if (customer === undefined || !this.#isSeen(customer, query)) return [];
    const code = this.#agents.get(customer.agentUid)?.referralCode;
    return query.referralCode === undefined || query.referralCode === code ? [customer] : [];
  }

  /** Days arrive in order, and so do their rows. */
  #countCommission({ commission, upper }: EventOf<'commissionPaid'>): void {
    const { day, commissionId } = commission;
    const first = this.#commissionDays.get(day)?.first ?? commissionId;
    this.#commissionDays.set(day, { first, last: upper?.commissionId ?? commissionId });
    for (const known of this.#commissionDays.keys()) {
      if (known >= day - COMMISSION_DAYS_MAX * DAY) break;
      this.#commissionDays.delete(known);
    }
  }
}
