/** Creates the accounts of a run in the engine, and the same accounts for the naive exchange. */
import type { Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import type { Command } from '../../src/messages/commands.ts';
import type { NaiveUser } from '../exchange/naive-state.ts';
import { UNIT, units } from '../exchange/whole-units.ts';
import { type CAST, FUTURES, INSTRUMENTS, PAIRS } from './lockstep-world.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/** Creates one user in the engine and returns its counterpart of the naive exchange. */
export function joinedUser(
  role: (typeof CAST)[number],
  at: number,
  uids: Uid[],
  run: (command: Command) => Executed,
): NaiveUser {
  const parentUid = 'under' in role ? uids[role.under] : undefined;
  const { outcome } = run({
    type: 'createUser',
    level: 'PRO3',
    positionMode: role.hedge ? 'hedge' : 'oneWay',
    parentUid,
  });
  const { uid } = (outcome as { value: { uid: Uid } }).value;
  uids.push(uid);
  const leverage = BigInt(role.leverage) * UNIT;
  const user: NaiveUser = {
    name: at,
    owner: 'under' in role ? role.under : at,
    hedge: role.hedge,
    selfTrade: 'none',
    loans: Object.fromEntries(
      ['USDT', 'BTC', 'ETH', 'USDC'].map((coin) => [coin, BigInt(role.loans) * UNIT]),
    ),
    wallets: {},
    settings: Object.fromEntries(
      [...INSTRUMENTS, ...PAIRS].map(({ symbol }) => [
        symbol,
        { isolated: role.isolated, leverage, sides: {} },
      ]),
    ),
  };
  for (const { symbol, category } of FUTURES) {
    run({
      type: 'setMarginMode',
      uid,
      category,
      symbol,
      marginMode: role.isolated ? 'isolated' : 'crossed',
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
    ['BTC', role.btc],
    ['ETH', role.eth],
    ['USDC', role.usdc],
  ] as const) {
    run({ type: 'setCoinLeverage', uid, coin, leverage: decimal(`${role.loans}`) });
    if (size === '0') continue;
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
  return user;
}
