/**
 * Fills an empty exchange with its first world. Each step is idempotent, so the next start finishes
 * what a crash interrupted.
 */

import { wireError } from '../../contract/errors.ts';
import { namedRejection } from '../../contract/field-names.ts';
import { type WireRejection, wireRejection } from '../../contract/wire-rejections.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import type { Result } from '../../kernel/result.ts';
import { DAY, MINUTE, type Timestamp } from '../../kernel/time.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from '../../listings/default-instruments.ts';
import type { CommandOf, CommandType } from '../../messages/commands.ts';
import type { Outcomes } from '../../messages/outcomes.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { BadWorld } from './bad-world.ts';
import { DEMO_HEDGED, demoFollower, demoLeader } from './demo-copying.ts';
import type { WantedKey } from './world-keys.ts';

type Submit = <Type extends CommandType>(
  command: CommandOf<Type>,
) => Promise<Result<Outcomes[Type], Rejection>>;

export interface WorldBuilder {
  readonly submit: Submit;
  /** The uid of an existing demo user. */
  readonly uidOf: (name: string) => Uid | undefined;
  /** Creates keys for users and stores them with the credentials. */
  readonly issueKeys: (wanted: readonly WantedKey[]) => Promise<void>;
  /** The market setting; undefined lets the world decide. */
  readonly marketOn: boolean | undefined;
  /**
   * Seed and length in milliseconds of the market history; an undefined length lets the world
   * decide.
   */
  readonly past: { readonly seed: number; readonly spanMs: number | undefined };
  readonly now: () => Timestamp;
  readonly isMarketOn: () => boolean;
  /** Switches the simulated market on, with its makers and their money. */
  openMarket(): Promise<void>;
}

/** The four users of the demo world, each with a role of its own. */
const DEMO_USERS = ['alice', 'bob', 'carol', 'dave'] as const;
/** The agent of a user; an agent is created before its customers. */
const DEMO_AGENTS: Readonly<Partial<Record<string, string>>> = { bob: 'carol' };
const DEMO_REBATE_RATIO = '0.3' as DecimalText;
const emailOf = (name: string): string => `${name}@rialto.example`;

const DEMO_BALANCES: Readonly<Record<string, string>> = {
  USDT: '100000',
  USDC: '50000',
  BTC: '2',
  ETH: '30',
};

/** Translates a field of an operator call to its name in a world file. */
export type FileNames = (field: string) => string;

export const worldRefused = (
  about: string,
  { reason, field, detail }: WireRejection,
  inFile: FileNames = (name) => name,
): BadWorld => {
  const named = wireRejection(reason, field === undefined ? undefined : inFile(field), detail);
  return new BadWorld(`the world could not be created: ${about}: ${wireError(named, 'en').msg}`);
};

/** `about`: the part of the world that is created; for a file, its place. */
export async function must<Type extends CommandType>(
  submit: Submit,
  command: CommandOf<Type>,
  about: string = command.type,
  inFile?: FileNames,
): Promise<Outcomes[Type]> {
  const outcome = await submit(command);
  if (!outcome.ok) throw worldRefused(about, namedRejection(outcome.refusal, 'operator'), inFile);
  return outcome.value;
}

async function demoUid(builder: WorldBuilder, name: string): Promise<Uid> {
  const known = builder.uidOf(name);
  if (known !== undefined) return known;
  const agent = DEMO_AGENTS[name];
  const referralCode = agent === undefined ? undefined : await demoReferralCode(builder, agent);
  const positionMode = DEMO_HEDGED.has(name) ? 'hedge' : 'oneWay';
  const user = {
    name,
    email: emailOf(name),
    level: 'VIP0' as const,
    positionMode,
    referralCode,
  } as const;
  return (await must(builder.submit, { type: 'createUser', ...user })).uid;
}

async function demoReferralCode(builder: WorldBuilder, name: string): Promise<string> {
  const uid = await demoUid(builder, name);
  const ratios = { spotRatio: DEMO_REBATE_RATIO, futuresRatio: DEMO_REBATE_RATIO };
  return (
    await must(builder.submit, { type: 'makeAgent', uid, affiliation: 'affiliate', ...ratios })
  ).referralCode;
}

async function addDemoUser(builder: WorldBuilder, name: string): Promise<void> {
  const { submit } = builder;
  const uid = await demoUid(builder, name);
  const deposits = Object.entries(DEMO_BALANCES).map(([coin, size]) =>
    must(submit, {
      type: 'deposit',
      uid,
      coin,
      size: size as DecimalText,
      clientOid: `welcome-${coin}` as ClientOid,
    }),
  );
  await Promise.all(deposits);
  await builder.issueKeys([{ name, uid }]);
}

async function addDemoPrices(submit: Submit): Promise<void> {
  const prices = Object.entries(DEMO_INDEX_PRICES).map(([coin, index]) => ({
    category: 'USDT-FUTURES' as const,
    symbol: `${coin}USDT`,
    index: index as DecimalText,
    releaseMark: false,
    force: false,
  }));
  await must(submit, { type: 'setPrices', prices });
}

/** Needs prices, and a market that is not open: the first trade follows the last of the history. */
export async function addPast(
  { submit, past, isMarketOn }: WorldBuilder,
  spanMs: number,
): Promise<void> {
  // If the market is on, an earlier attempt has set the history.
  if (spanMs > 0 && !isMarketOn())
    await must(submit, { type: 'setPast', seed: past.seed, spanMs }, 'past', () => 'past');
}

const DEMO_PAST_MS = 30 * DAY;

/** 30 days, or less if the exchange clock starts soon after 1970. */
const demoPastMs = ({ now }: WorldBuilder): number =>
  Math.max(0, Math.min(DEMO_PAST_MS, now() - MINUTE));

export async function makeFirstWorld(
  world: 'demo' | 'empty',
  builder: WorldBuilder,
): Promise<void> {
  const { submit } = builder;
  // Commands are queued in the order of submission, so that those without a dependency share a
  // sync.
  await Promise.all(DEFAULT_COINS.map((coin) => must(submit, { type: 'listCoin', coin })));
  await Promise.all(
    DEFAULT_INSTRUMENTS.map((instrument) => must(submit, { type: 'listInstrument', instrument })),
  );
  if (world === 'demo') {
    await addDemoPrices(submit);
    for (const name of DEMO_USERS) await addDemoUser(builder, name);
    const [alice, bob] = [await demoUid(builder, 'alice'), await demoUid(builder, 'bob')];
    await must(submit, demoLeader(alice));
    await must(submit, demoFollower(bob, alice));
  }
  await addPast(builder, builder.past.spanMs ?? (world === 'demo' ? demoPastMs(builder) : 0));
  if (builder.marketOn ?? world === 'demo') await builder.openMarket();
  await must(submit, { type: 'openWorld', world });
}
