/** Fee rates of users and earnings of agents, computed by the rules from all events. */
import type { Random } from '../../src/kernel/random.ts';
import type { Agent } from '../../src/messages/agents.ts';
import type { Instrument } from '../../src/messages/listings.ts';
import { type Customer, customers } from '../lists/copy-rows.ts';
import type { EmittedEvents } from '../lists/recorded-run.ts';
import { decimals, eventsOf } from '../lists/row.ts';
import { listingsOf, whole } from './pairs.ts';
import { type Question, Refused } from './question.ts';

type Market = 'spot' | 'futures';
interface Rates {
  readonly maker: bigint;
  readonly taker: bigint;
}

const LEVELS = [
  'VIP0',
  'VIP1',
  'VIP2',
  'VIP3',
  'VIP4',
  'VIP5',
  'VIP6',
  'VIP7',
  'PRO1',
  'PRO2',
  'PRO3',
  'PRO4',
  'PRO5',
  'PRO6',
] as const;
type Level = (typeof LEVELS)[number];

/** Level by level, until an operator sets others (POS-26). */
const FIRST: Readonly<Record<Market, { readonly maker: string; readonly taker: string }>> = {
  spot: {
    maker: '0.001 0.0008 0.00065 0.0005 0.0004 0.0003 0.0002 0 0 0 0 0 0 0',
    taker:
      '0.001 0.0008 0.0007 0.0006 0.0005 0.0004 0.00035 0.0003 0.00028 0.00026 0.00024 0.00022 0.0002 0.00018',
  },
  futures: {
    maker:
      '0.0002 0.00019 0.00016 0.00014 0.00012 0.0001 0.00008 0.00006 0.00005 0.00004 0.00003 0.00002 0.00001 0',
    taker:
      '0.0006 0.00055 0.0005 0.00045 0.0004 0.00037 0.00034 0.00031 0.00029 0.00028 0.00027 0.00026 0.00025 0.00024',
  },
};

const USERS_DRAWN = 4;

const marketOf = (category: string): Market => (category.endsWith('FUTURES') ? 'futures' : 'spot');
export const ratesText = ({ maker, taker }: Rates) => ({
  makerFeeRate: decimals(maker),
  takerFeeRate: decimals(taker),
});

export function tableOf(
  emitted: readonly EmittedEvents[],
  market: Market,
): ReadonlyMap<Level, Rates> {
  const input = eventsOf(emitted, 'feesSet').findLast(({ event }) => event.market === market)?.event
    .table;
  const [makers, takers] = [FIRST[market].maker.split(' '), FIRST[market].taker.split(' ')];
  return new Map(
    LEVELS.map((level, place) => [
      level,
      input?.[level] ?? { maker: whole(makers[place]!), taker: whole(takers[place]!) },
    ]),
  );
}

function levelsOf(emitted: readonly EmittedEvents[]): ReadonlyMap<number, Level> {
  const levels = new Map<number, Level>();
  for (const { event } of emitted) {
    if (event.type === 'userCreated') levels.set(event.user.uid, event.user.level);
    if (event.type === 'levelChanged') levels.set(event.uid, event.level);
  }
  return levels;
}

export class RateQuestions {
  readonly #random: Random;
  readonly #emitted: readonly EmittedEvents[];
  readonly #levels: ReadonlyMap<number, Level>;
  readonly #tables: Readonly<Record<Market, ReadonlyMap<Level, Rates>>>;
  readonly #listings: readonly Instrument[];
  readonly #agents: ReadonlyMap<number, Agent>;
  readonly #customers: readonly Customer[];

  constructor(random: Random, emitted: readonly EmittedEvents[]) {
    this.#random = random;
    this.#emitted = emitted;
    this.#levels = levelsOf(emitted);
    this.#tables = { spot: tableOf(emitted, 'spot'), futures: tableOf(emitted, 'futures') };
    this.#listings = [...listingsOf(emitted).values()];
    this.#agents = new Map(
      eventsOf(emitted, 'agentMade').map(({ event }) => [event.agent.uid as number, event.agent]),
    );
    this.#customers = customers(emitted);
  }

  /** A random choice. */
  get some(): readonly Question[] {
    const everyone = [...this.#levels.keys()];
    const users = Array.from({ length: USERS_DRAWN }, () => this.#random.pick(everyone));
    return [...users.flatMap((uid) => this.#paidBy(uid)), ...this.#rebates(), ...this.#operators()];
  }

  #ratesOf = (uid: number, category: string): Rates =>
    this.#tables[marketOf(category)].get(this.#levels.get(uid)!)!;

  #paidBy(uid: number): readonly Question[] {
    const { category, symbol } = this.#random.pick(this.#listings);
    const rates = ratesText(this.#ratesOf(uid, category));
    const first = eventsOf(this.#emitted, 'userCreated').find(
      ({ event }) => event.user.uid === uid,
    )!.event.user.level;
    const reached = [
      `fees of ${this.#levels.get(uid)}`,
      ...(first === this.#levels.get(uid) ? [] : ['fees of a level that was reached']),
      ...(eventsOf(this.#emitted, 'feesSet').some(
        ({ event }) => event.market === marketOf(category),
      )
        ? [`fees set in ${marketOf(category)}`]
        : []),
    ];
    const all = this.#listings.filter((listed) => listed.category === category);
    const businessType = category === 'SPOT' ? 'spot' : category === 'MARGIN' ? 'margin' : 'mix';
    const common = { uid, reached };
    return [
      { ...common, name: 'getFeeRate', asked: { category, symbol }, right: rates },
      {
        ...common,
        name: 'listFeeRates',
        asked: { category },
        right: all.map((listed) => ({ symbol: listed.symbol, ...rates })),
      },
      {
        ...common,
        name: 'listFeeRates',
        asked: { category, symbol },
        right: [{ symbol, ...rates }],
      },
      { ...common, name: 'getTradeRate', asked: { symbol, businessType }, right: rates },
    ];
  }

  /** AGT-10 to AGT-12. */
  #rebates(): readonly Question[] {
    const everyone = [...this.#levels.keys()];
    const drawn = Array.from({ length: USERS_DRAWN }, () => this.#random.pick(this.#customers));
    const asked = drawn.flatMap(({ agent, upper, uid }) => [
      [agent, uid] as const,
      [upper ?? agent, uid] as const,
      [this.#random.pick([...this.#agents.keys(), uid]), this.#random.pick(everyone)] as const,
    ]);
    return asked.map(([caller, uid]) => {
      const agent = this.#agents.get(caller);
      const isDirect = this.#customers.some(
        (customer) => customer.uid === uid && customer.agent === caller,
      );
      const { right, what } = this.#rebate(agent, uid, isDirect);
      return {
        name: 'getRebateRatios',
        uid: caller,
        asked: { uid: String(uid) },
        right,
        reached: [what],
      };
    });
  }

  #rebate(agent: Agent | undefined, uid: number, isDirect: boolean) {
    if (agent === undefined) return { right: new Refused('40029'), what: 'no agent' };
    if (!isDirect) return { right: new Refused('70207'), what: 'no customer' };
    const right = {
      affiliationType: agent.affiliation,
      userLevel: this.#levels.get(uid),
      clientSpotRebateRatio: decimals(agent.spotRatio),
      clientFuturesRebateRatio: decimals(agent.futuresRatio),
    };
    return { right, what: `a customer of an ${agent.affiliation} agent` };
  }

  #operators(): readonly Question[] {
    const table = (market: Market) =>
      LEVELS.map((level) => ({
        level,
        maker: decimals(this.#tables[market].get(level)!.maker),
        taker: decimals(this.#tables[market].get(level)!.taker),
      }));
    const agents = [...this.#agents.values()].map((agent) => ({
      uid: String(agent.uid),
      referralCode: agent.referralCode,
      affiliationType: agent.affiliation,
      spotRatio: decimals(agent.spotRatio),
      futuresRatio: decimals(agent.futuresRatio),
      userShare: decimals(agent.userShare),
      customers: this.#customers.filter((customer) => customer.agent === agent.uid).length,
    }));
    return [
      {
        name: 'getFees',
        uid: 0,
        asked: {},
        right: { spot: table('spot'), futures: table('futures') },
        reached: [],
      },
      {
        name: 'listAgents',
        uid: 0,
        asked: {},
        right: agents,
        reached: agents.length > 1 ? ['several agents'] : [],
      },
    ];
  }
}
