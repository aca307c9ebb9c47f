/** Audits the cached account contexts against the state. */

import type { AccountContext, SymbolAccount } from '../derived/account-context.ts';
import { settingOf } from '../derived/account-context.ts';
import type { Derived } from '../derived/derived.ts';
import { positionOf } from '../derived/position.ts';
import type { State } from '../state/state.ts';

const isAccountContextCurrent = (
  state: State,
  { uid, account, wallets, orderMargins, positions }: AccountContext,
): boolean =>
  account === state.accounts.get(uid) &&
  wallets === state.ledger.wallets.get(uid) &&
  orderMargins === state.orderMargins.get(uid) &&
  positions === state.positions.get(uid);

const isSymbolAccountCurrent = (
  state: State,
  { uid, account }: AccountContext,
  { market, long, short, setting }: SymbolAccount,
): boolean =>
  long === positionOf(state, uid, market.key, 'long') &&
  short === positionOf(state, uid, market.key, 'short') &&
  setting === settingOf(state, account, market.key) &&
  market.listed === state.instruments.get(market.key);

export function auditAccountContexts(
  state: State,
  { accountContexts }: Derived,
): readonly string[] {
  const faults: string[] = [];
  for (const context of accountContexts.values()) {
    if (!isAccountContextCurrent(state, context))
      faults.push(`the account context of user ${context.uid} differs from the state`);
    for (const symbolAccount of context.symbolAccounts())
      if (!isSymbolAccountCurrent(state, context, symbolAccount))
        faults.push(
          `the symbol account of user ${context.uid} in ${symbolAccount.market.key} differs from the state`,
        );
  }
  return faults;
}
