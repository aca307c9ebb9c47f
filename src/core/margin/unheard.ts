/** Whether an account leans on a coin whose index is stale: what it had before may, but nothing new does (ORD-109). */
import type { Uid } from '../../kernel/ids.ts';
import { isIndexStale } from '../prices/coin-prices.ts';
import type { Moment } from '../step.ts';

/** `counted` is the coin that is margined with: what it loses or gains by its index, what is margined in it does too. */
export function leansOnUnheard({ state, at }: Moment, uid: Uid, counted?: string): boolean {
  if (!state.marketOn) return false;
  for (const coin of state.ledger.wallets.get(uid)?.keys() ?? []) if (coin !== counted && isIndexStale(state, coin, at)) return true;
  return false;
}
