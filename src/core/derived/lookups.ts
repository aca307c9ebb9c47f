/** Finds the context of an account, or of an account in one symbol. */

import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { AccountContext, type SymbolAccount } from './account-context.ts';
import type { CoreState } from './core-state.ts';

/** Undefined for a uid that nobody has. */
export function findAccountContext(
  { state, derived }: CoreState,
  uid: Uid,
): AccountContext | undefined {
  const known = derived.accountContexts.get(uid);
  if (known !== undefined) return known;
  const account = state.accounts.get(uid);
  if (account === undefined) return undefined;
  const context = new AccountContext(state, uid, account);
  derived.accountContexts.set(uid, context);
  return context;
}

export function accountOf(core: CoreState, uid: Uid): AccountContext {
  const context = findAccountContext(core, uid);
  invariant(context !== undefined, 'whoever trades has an account');
  return context;
}

/** The place of an order of futures, or of a position: its holder's, in its instrument. */
export function symbolAccountOf(
  core: CoreState,
  { uid, key }: { readonly uid: Uid; readonly key: string },
): SymbolAccount {
  const market = core.derived.marketContexts.at(key);
  invariant(market !== undefined, 'what is traded is listed');
  return accountOf(core, uid).openSymbolAccount(core.state, market);
}
