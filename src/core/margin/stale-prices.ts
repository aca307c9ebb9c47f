/**
 * What prices that are not heard mean for an account: what it had before may lean on a stale index,
 * but nothing new does (ORD-109, ORD-172, ORD-111).
 */
import { neededUsd } from '../../formulas/margin.ts';
import { valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, plus, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Moment } from '../derived/core-state.ts';
import { specOf } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { INDEX_MOVE_MAX, isIndexStale } from '../derived/coin-prices.ts';
import { isMarkFrozen } from '../prices/mark-prices.ts';
import { indexOf } from './account-sums.ts';
import { markOf } from '../derived/position-margin.ts';

/**
 * `counted` is the coin that is margined with: what it loses or gains by its index, what is
 * margined in it does too.
 */
export function dependsOnStalePrice({ state, at }: Moment, uid: Uid, counted?: string): boolean {
  if (!state.marketOn) return false;
  for (const coin of state.ledger.wallets.get(uid)?.keys() ?? [])
    if (coin !== counted && isIndexStale(state, coin, at)) return true;
  return false;
}

/**
 * In USD: what a price that is not heard may have cost the account, were it as far away as an index
 * moves at once.
 */
export function mayHaveLost({ state, derived, at }: Moment, uid: Uid): Amount {
  if (!state.marketOn) return ZERO_AMOUNT;
  let exposed = ZERO_AMOUNT;
  for (const [coin, { principal, interest }] of state.debts.get(uid) ?? [])
    if (isIndexStale(state, coin, at))
      exposed = plus(exposed, neededUsd(plus(principal, interest), indexOf(state, coin)));
  for (const { key, marginMode, entry } of state.positions.get(uid)?.values() ?? []) {
    const spec = specOf(derived, key);
    if (marginMode !== 'crossed' || !isMarkFrozen(state, spec.instrument, at)) continue;
    exposed = plus(
      exposed,
      neededUsd(
        valueAt(spec.kind, entry, markOf(state, spec)),
        indexOf(state, spec.instrument.marginCoin),
      ),
    );
  }
  return rateOf(exposed, INDEX_MOVE_MAX, 'up');
}

/**
 * The same beside a crossed position that is filled. Where its own mark is frozen too, nobody knows
 * what the fill costs: who wants out goes on.
 */
export function mayHaveLostBeside(
  moment: Moment,
  uid: Uid,
  { instrument }: InstrumentSpec,
): Amount {
  const lost = mayHaveLost(moment, uid);
  return lost > 0n && isMarkFrozen(moment.state, instrument, moment.at) ? ZERO_AMOUNT : lost;
}
