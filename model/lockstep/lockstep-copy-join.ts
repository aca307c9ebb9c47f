/** Creates the accounts of a copy trading run, in the engine and in the naive exchange. */
import type { Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Random } from '../../src/kernel/random.ts';
import type { Command } from '../../src/messages/commands.ts';
import { modeOf } from '../exchange/naive-modes.ts';
import type { NaiveUser } from '../exchange/naive-state.ts';
import { UNIT, units } from '../exchange/whole-units.ts';
import { type COPY_CAST, COPY_FUTURES } from './lockstep-copy-world.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Creates one user in the engine and returns its counterpart of the naive exchange. */
export function joinedCopyUser(
  role: (typeof COPY_CAST)[number],
  at: number,
  {
    random,
    uids,
    run,
  }: {
    readonly random: Random;
    readonly uids: Uid[];
    readonly run: (command: Command) => Executed;
  },
): NaiveUser {
  const { outcome } = run({
    type: 'createUser',
    level: 'PRO3',
    positionMode: role.hedge ? 'hedge' : 'oneWay',
    ...('under' in role ? { parentUid: uids[role.under]! } : {}),
  });
  const { uid } = (outcome as { value: { uid: Uid } }).value;
  uids.push(uid);
  const leverage = BigInt(role.leverage) * UNIT;
  const user: NaiveUser = {
    name: at,
    owner: 'under' in role ? role.under : at,
    hedge: role.hedge,
    selfTrade: 'none',
    loans: { USDT: 3n * UNIT, USDC: 3n * UNIT, BTC: 3n * UNIT, ETH: 3n * UNIT },
    wallets: {},
    settings: Object.fromEntries(
      COPY_FUTURES.map(({ symbol }) => [
        symbol,
        { isolated: at > 0 && random.below(3) === 0, leverage, sides: {} },
      ]),
    ),
  };
  for (const { symbol, category } of COPY_FUTURES) {
    run({
      type: 'setMarginMode',
      uid,
      category,
      symbol,
      marginMode: modeOf(user.settings[symbol]!.isolated),
    });
    run({
      type: 'setLeverage',
      uid,
      category,
      symbol,
      leverage: decimal(`${role.leverage}`),
    });
  }
  for (const [coin, size] of [
    ['USDT', role.usdt],
    ['USDC', role.usdt],
    ['BTC', role.btc],
    ['ETH', role.eth],
  ] as const) {
    run({ type: 'setCoinLeverage', uid, coin, leverage: decimal('3') });
    run({ type: 'deposit', uid, coin, size: decimal(size) });
    user.wallets[coin] = {
      available: units(size),
      locked: 0n,
      margin: 0n,
      debt: 0n,
      interest: 0n,
      exemptPrincipal: 0n,
      takeoverLoan: 0n,
    };
  }
  if (role.part === 'leader') run({ type: 'makeLeader', uid, profitShare: decimal(role.share) });
  return user;
}
