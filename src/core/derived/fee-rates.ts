/** The fee rates of an account, by its level and by category. */

import { type FeeRates, feeRatesOf } from '../../formulas/fees.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';

export function feeRatesFor(state: State, uid: Uid, category: Category): FeeRates {
  const account = state.accounts.get(uid);
  invariant(account !== undefined, 'a trading user has an account');
  return feeRatesOf(state.fees, category, account.profile.level);
}
