/** What a fill of a crossed position must leave untouched, beside what the account must keep up. */
import type { Moment } from '../../derived/core-state.ts';
import type { Uid } from '../../../kernel/ids.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { type Amount, ZERO_AMOUNT, plus } from '../../../kernel/money.ts';
import { dependsOnStalePrice, mayHaveLostBeside } from '../../margin/stale-prices.ts';
import { neededUsd } from '../../../formulas/margin.ts';
import { indexOf } from '../../margin/account-sums.ts';

/**
 * In USD: what the account may have lost by prices that are not heard (ORD-177), and what its
 * leaders are about to get of copies that have ended (CPY-160).
 */
export function outOfReach(moment: Moment, uid: Uid, spec: InstrumentSpec): Amount {
  const { state, derived } = moment;
  let sum = mayHaveLostBeside(moment, uid, spec);
  const shares = derived.tracked.sharesOfEnded.of(uid);
  if (shares.size > 0)
    for (const [coin, amount] of shares) sum = plus(sum, neededUsd(amount, indexOf(state, coin)));
  return sum;
}

/** Whether all that the account has, by the prices that stand, may bear a fill. */
export const isAllInReach = (moment: Moment, uid: Uid, spec: InstrumentSpec): boolean =>
  !dependsOnStalePrice(moment, uid, spec.instrument.marginCoin) &&
  outOfReach(moment, uid, spec) === ZERO_AMOUNT;
