/**
 * Draws the users and instruments of a simulated exchange for each seed, so that runs differ in
 * what they exercise.
 */

import { codeOf } from '../../core/agents/make-agent.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { UID_FIRST, type Uid } from '../../kernel/ids.ts';
import type { Random } from '../../kernel/random.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { Command } from '../../messages/commands.ts';
import type { Instrument } from '../../messages/listings.ts';
import { isFutures, LEVELS, type PositionMode } from '../../messages/vocabulary.ts';

/**
 * Makers quote, takers take, whales sweep, and gamblers are liquidated. Hedgers hold both sides,
 * and borrowers trade with loans. Copiers copy leaders, agents refer customers, and attackers send
 * invalid requests.
 */
/** In order of creation: an agent's customers come after the agent. */
export const ROLES = [
  'agent',
  'maker',
  'taker',
  'whale',
  'gambler',
  'hedger',
  'borrower',
  'attacker',
  'leader',
  'copier',
] as const;
export type Role = (typeof ROLES)[number];

const HEADCOUNT: Readonly<Record<Role, number>> = {
  maker: 3,
  taker: 3,
  whale: 1,
  gambler: 3,
  hedger: 2,
  borrower: 2,
  attacker: 1,
  leader: 1,
  copier: 3,
  agent: 1,
};

/**
 * Starting balances, in coins worth about a dollar; other coins are scaled by their index price.
 */
const WEALTH: Readonly<Record<Role, number>> = {
  maker: 5_000_000,
  taker: 50_000,
  whale: 20_000_000,
  gambler: 2_000,
  hedger: 100_000,
  borrower: 20_000,
  attacker: 1_000,
  leader: 200_000,
  copier: 50_000,
  agent: 1_000,
};

export interface Crowd {
  readonly members: Readonly<Record<Role, readonly Uid[]>>;
  readonly everyone: readonly Uid[];
  /** The instruments of this run: enough in each category, and few enough for deep books. */
  readonly instruments: readonly Instrument[];
  readonly futures: readonly Instrument[];
  readonly spots: readonly Instrument[];
  /** The first commands of a run, in order: none is refused. */
  readonly beginning: readonly Command[];
}

const decimal = (text: string): DecimalText => text as DecimalText;

const indexOf = (coin: string): number =>
  Number.parseInt(DEMO_INDEX_PRICES[coin as keyof typeof DEMO_INDEX_PRICES] ?? '1', 10);

const worth = (coin: string, dollars: number): DecimalText => {
  const price = indexOf(coin);
  return decimal(price <= 1 ? String(dollars) : (dollars / price).toFixed(4));
};

/** One or two of each category; SPOT and MARGIN share books. */
function drawInstruments(random: Random): readonly Instrument[] {
  const categories = [
    'USDT-FUTURES',
    'USDT-FUTURES',
    'COIN-FUTURES',
    'USDC-FUTURES',
    'SPOT',
    'MARGIN',
  ] as const;
  const drawn = categories.map((category) =>
    random.pick(DEFAULT_INSTRUMENTS.filter((instrument) => instrument.category === category)),
  );
  return [...new Set(drawn)];
}

const positionModeOf = (role: Role, random: Random): PositionMode =>
  role === 'hedger' || role === 'leader' || role === 'copier'
    ? 'hedge'
    : random.below(4) === 0
      ? 'hedge'
      : 'oneWay';

export function drawCrowd(random: Random): Crowd {
  const instruments = drawInstruments(random);
  const members = Object.fromEntries(ROLES.map((role) => [role, [] as Uid[]])) as Record<
    Role,
    Uid[]
  >;
  const users: Command[] = [];
  const deposits: Command[] = [];
  for (const role of ROLES) {
    for (let at = 0; at < HEADCOUNT[role]; at++) {
      const uid = (UID_FIRST + Object.values(members).flat().length) as Uid;
      members[role].push(uid);
      users.push({
        type: 'createUser',
        level: random.pick(LEVELS),
        positionMode: positionModeOf(role, random),
        ...broughtBy(role, members.agent),
      });
      if (role === 'agent') users.push(agentTerms(uid));
      for (const coin of coinsOf(role, random))
        deposits.push({ type: 'deposit', uid, coin, size: worth(coin, WEALTH[role]) });
    }
  }
  const everyone = Object.values(members).flat();
  return {
    members,
    everyone,
    instruments,
    futures: instruments.filter(({ category }) => isFutures(category)),
    spots: instruments.filter(({ category }) => !isFutures(category)),
    beginning: [
      ...DEFAULT_COINS.map((coin): Command => ({ type: 'listCoin', coin })),
      ...DEFAULT_INSTRUMENTS.map((instrument): Command => ({ type: 'listInstrument', instrument })),
      ...firstPrices(),
      { type: 'switchMarket', on: random.below(2) === 0 },
      ...users,
      ...deposits,
      ...members.leader.map(
        (uid): Command => ({ type: 'makeLeader', uid, profitShare: decimal('0.1') }),
      ),
    ],
  };
}

/** Takers and gamblers are an agent's customers. */
const broughtBy = (role: Role, [agent]: readonly Uid[]): { readonly referralCode?: string } =>
  agent !== undefined && (role === 'taker' || role === 'gambler')
    ? { referralCode: codeOf(agent) }
    : {};

const agentTerms = (uid: Uid): Command => ({
  type: 'makeAgent',
  uid,
  affiliation: 'affiliate',
  spotRatio: decimal('0.3'),
  futuresRatio: decimal('0.4'),
  userShare: decimal('0.1'),
});

const firstPrices = (): Command[] =>
  Object.entries(DEMO_INDEX_PRICES).map(([coin, index]) => ({
    type: 'setPrices',
    prices: [
      {
        category: 'USDT-FUTURES',
        symbol: `${coin}USDT`,
        index: decimal(index),
        releaseMark: false,
        force: true,
      },
    ],
  }));

/** Gamblers have one coin; the others have the margin and settlement coins of the run's symbols. */
function coinsOf(role: Role, random: Random): readonly string[] {
  if (role === 'gambler') return [random.pick(['USDT', 'USDT', 'USDC', 'BTC'])];
  return ['USDT', 'USDC', 'BTC', 'ETH', 'SOL', 'XRP'];
}

/** The run's futures, or all its other instruments. */
export const tradable = (crowd: Crowd, futures: boolean): readonly Instrument[] =>
  futures ? crowd.futures : crowd.spots;
