/** Fills an empty exchange with its first world. Each step can be repeated, so a crash in the middle is finished at the next start. */
import type { DecimalText } from '../../kernel/decimal-text.ts';
import type { ClientOid, Uid } from '../../kernel/ids.ts';
import type { Result } from '../../kernel/result.ts';
import type { CommandOf, CommandType, Outcomes } from '../../messages/commands.ts';
import type { CopySetting } from '../../messages/copy-trading.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { DEFAULT_COINS } from './coins.ts';
import { DEFAULT_INSTRUMENTS, DEMO_INDEX_PRICES } from './instruments.ts';

type Submit = <Type extends CommandType>(command: CommandOf<Type>) => Promise<Result<Outcomes[Type], Rejection>>;

export interface WorldBuilder {
  readonly submit: Submit;
  /** The uid of a demo user who is there already. */
  uidOf(name: string): Uid | undefined;
  /** Makes a key for a demo user and keeps it among the credentials. */
  issueKey(name: string, uid: Uid): Promise<void>;
  readonly marketOn: boolean;
}

/** The four people of the demo world; each does something different once they trade. */
export const DEMO_USERS = ['alice', 'bob', 'carol', 'dave'] as const;
type DemoUser = (typeof DEMO_USERS)[number];
/** Leaders and followers trade in hedge mode. */
const COPYING: ReadonlySet<DemoUser> = new Set(['alice', 'bob']);
const emailOf = (name: string): string => `${name}@rialto.example`;

const DEMO_BALANCES: Readonly<Record<string, string>> = { USDT: '100000', USDC: '50000', BTC: '2', ETH: '30' };

async function must<Type extends CommandType>(submit: Submit, command: CommandOf<Type>): Promise<Outcomes[Type]> {
  const outcome = await submit(command);
  if (!outcome.ok) throw new Error(`the first world could not be made: ${command.type} was refused with ${outcome.refusal.reason}`);
  return outcome.value;
}

async function addDemoUser(builder: WorldBuilder, name: DemoUser): Promise<Uid> {
  const { submit } = builder;
  const email = emailOf(name);
  const positionMode = COPYING.has(name) ? 'hedge' : 'oneWay';
  const uid = builder.uidOf(name) ?? (await must(submit, { type: 'createUser', name, email, level: 'VIP0', positionMode })).uid;
  const deposits = Object.entries(DEMO_BALANCES).map(([coin, size]) =>
    must(submit, { type: 'deposit', uid, coin, size: size as DecimalText, clientOid: `welcome-${coin}` as ClientOid }),
  );
  await Promise.all(deposits);
  await builder.issueKey(name, uid);
  return uid;
}

/** alice leads, and bob copies whatever she opens at its own size. */
async function addDemoCopying(submit: Submit, leader: Uid, follower: Uid): Promise<void> {
  await must(submit, { type: 'makeLeader', uid: leader, profitShare: '0.1' as DecimalText });
  const settings = DEFAULT_INSTRUMENTS.flatMap(({ category, symbol }) => (category === 'USDT-FUTURES' ? [copyAll(category, symbol)] : []));
  await must(submit, { type: 'setCopySettings', uid: follower, leader, mode: 'basic', autoCopy: true, settings });
}

const copyAll = (category: 'USDT-FUTURES', symbol: string): CopySetting => ({
  category,
  symbol,
  margin: 'leader',
  leverage: 'leader',
  sizing: 'multiple',
  value: '1' as DecimalText,
});

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

export async function makeFirstWorld(world: 'demo' | 'empty', builder: WorldBuilder): Promise<void> {
  const { submit } = builder;
  // Commands are put in line as they are submitted, so those that need not wait for an answer share a sync.
  await Promise.all(DEFAULT_COINS.map((coin) => must(submit, { type: 'listCoin', coin })));
  await Promise.all(DEFAULT_INSTRUMENTS.map((instrument) => must(submit, { type: 'listInstrument', instrument })));
  if (world === 'demo') {
    await addDemoPrices(submit);
    const uids = new Map<DemoUser, Uid>();
    for (const name of DEMO_USERS) uids.set(name, await addDemoUser(builder, name));
    await addDemoCopying(submit, uids.get('alice')!, uids.get('bob')!);
  }
  await must(submit, { type: 'switchMarket', on: builder.marketOn });
  await must(submit, { type: 'openWorld', world });
}
