/** The fee rate of an order, by the level of its account and by category. */

import { feeRatesOf } from '../../formulas/fees.ts';
import type { Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Rate } from '../../kernel/money.ts';
import type { Category } from '../../messages/vocabulary.ts';
import type { State } from '../state/state.ts';

export function feeRateFor(
  state: State,
  uid: Uid,
  category: Category,
  role: 'maker' | 'taker',
): Rate {
  const account = state.accounts.get(uid);
  invariant(account !== undefined, 'a trading user has an account');
  return feeRatesOf(state.fees, category, account.profile.level)[role];
}
