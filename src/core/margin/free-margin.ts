/** How much of a wallet may be spent, may leave the account, or can be taken from it. */

import { justAbove } from '../../formulas/maintenance.ts';
import { neededUsd } from '../../formulas/margin.ts';
import { valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, least, negate, plus, rateOf, ZERO_AMOUNT } from '../../kernel/money.ts';
import { isCrossed } from '../../messages/vocabulary.ts';
import { type CoreState, type Moment, specOf } from '../derived/derived.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { INDEX_MOVE_MAX, isIndexStale } from '../derived/market-context.ts';
import { markOf } from '../derived/position.ts';
import { isMarkFrozen } from '../prices/market-prices.ts';
import {
  type AccountSums,
  accountMaintenance,
  addLocked,
  freeSums,
  indexOf,
  usesAccountEquity,
} from './account-margin.ts';

/**
 * True if the equity of the account backs any obligation. Then the weighted collateral counts;
 * otherwise the whole available balance is free.
 */
function hasObligations({ state, derived }: CoreState, uid: Uid): boolean {
  return (
    state.orderMargins.has(uid) ||
    derived.tracked.sharesDue.of(uid).size > 0 ||
    usesAccountEquity(state, uid)
  );
}

/** An amount that would leave a wallet. `aside` is what a new order would hold of the same coin. */
interface Outlay {
  readonly uid: Uid;
  readonly coin: string;
  readonly amount: Amount;
  readonly aside: Amount;
}

/**
 * True if equity still covers the initial margin and is above maintenance. Maintenance can be the
 * larger one after changes of tiers or in a large position. The function changes `sums`.
 */
function staysCovered(
  { state, derived }: CoreState,
  sums: AccountSums,
  { uid, coin, amount, aside }: Outlay,
): boolean {
  sums.add(coin, negate(plus(amount, aside)));
  if (sums.headroom() < 0n) return false;
  const requirement = accountMaintenance(state, derived, uid);
  if (requirement === 0n) return true;
  addLocked(sums, state, uid);
  sums.add(coin, aside);
  return sums.equity() > requirement;
}

/** True if the account can spend so much of its wallet. */
export function canSpend(
  core: CoreState,
  uid: Uid,
  coin: string,
  amount: Amount,
  aside = ZERO_AMOUNT,
): boolean {
  const { state, derived } = core;
  const available = state.ledger.wallets.get(uid)?.get(coin)?.available ?? ZERO_AMOUNT;
  if (available < plus(amount, aside)) return false;
  if (!hasObligations(core, uid)) return true;
  return staysCovered(core, freeSums(state, derived, uid), { uid, coin, amount, aside });
}

/** A coin with a stale index, and the key of a position whose mark it freezes. */
interface Stale {
  readonly coin: string;
  readonly key?: string;
}

/** A debt or crossed position of the account that has no fresh price. */
export function staleExposure({ state, derived, at }: Moment, uid: Uid): Stale | undefined {
  for (const owed of state.debts.get(uid)?.keys() ?? [])
    if (isIndexStale(state, owed, at)) return { coin: owed };
  for (const { key, marginMode } of state.positions.get(uid)?.values() ?? []) {
    const { instrument } = specOf(derived, key);
    if (!isCrossed(marginMode) || !isMarkFrozen(state, instrument, at)) continue;
    return {
      coin: isIndexStale(state, instrument.baseCoin, at)
        ? instrument.baseCoin
        : instrument.quoteCoin,
      key,
    };
  }
  return undefined;
}

/** True if all debts and crossed positions have fresh prices (WDR-51). */
export const hasFreshPrices = (moment: Moment, uid: Uid): boolean =>
  staleExposure(moment, uid) === undefined;

/**
 * Like `canSpend`, but nothing leaves an account with a debt or a crossed position at a stale price
 * (WDR-51).
 */
export function canLeave(
  moment: Moment,
  uid: Uid,
  coin: string,
  amount: Amount,
  aside = ZERO_AMOUNT,
): boolean {
  const { state, derived, at } = moment;
  if (!canSpend(moment, uid, coin, amount, aside)) return false;
  if (!usesAccountEquity(state, uid)) return true;
  if (!hasFreshPrices(moment, uid)) return false;
  const sums = freeSums(state, derived, uid);
  sums.excludeStale(at);
  return staysCovered(moment, sums, { uid, coin, amount, aside });
}

/** Whether collateral with a stale price counts. */
export type UsedPrices = 'fresh' | 'all';

/**
 * The most of a wallet that can be taken while the account stays above maintenance. Initial margin
 * does not count.
 */
export function spendableAboveMaintenance(
  { state, derived, at }: Moment,
  uid: Uid,
  coin: string,
  prices: UsedPrices,
): Amount {
  const available = state.ledger.wallets.get(uid)?.get(coin)?.available ?? ZERO_AMOUNT;
  const requirement = accountMaintenance(state, derived, uid);
  if (requirement === 0n) return available;
  const sums = freeSums(state, derived, uid);
  if (prices === 'fresh') sums.excludeStale(at);
  addLocked(sums, state, uid);
  return least(available, sums.removable(coin, justAbove(requirement)) ?? available);
}

/**
 * True if collateral of the account has a stale price. `counted` is the margin coin: a change of
 * its index affects collateral and requirement alike.
 */
export function dependsOnStalePrice({ state, at }: Moment, uid: Uid, counted?: string): boolean {
  if (!state.marketOn) return false;
  for (const [coin, { available, locked }] of state.ledger.wallets.get(uid) ?? [])
    if (coin !== counted && available + locked > 0n && isIndexStale(state, coin, at)) return true;
  return false;
}

/** True if every price is fresh by which the account may borrow (ORD-88). */
export const isValuedAtFreshPrices = (moment: Moment, uid: Uid): boolean =>
  possibleStaleLoss(moment, uid) === 0n && !dependsOnStalePrice(moment, uid);

/**
 * The loss in USD if each stale price has moved against the account by the largest single change of
 * an index.
 */
export function possibleStaleLoss({ state, derived, at }: Moment, uid: Uid): Amount {
  if (!state.marketOn) return ZERO_AMOUNT;
  let exposed = ZERO_AMOUNT;
  for (const [coin, { principal, interest }] of state.debts.get(uid) ?? [])
    if (isIndexStale(state, coin, at))
      exposed = plus(exposed, neededUsd(plus(principal, interest), indexOf(state, coin)));
  for (const { key, marginMode, entry } of state.positions.get(uid)?.values() ?? []) {
    const spec = specOf(derived, key);
    if (!isCrossed(marginMode) || !isMarkFrozen(state, spec.instrument, at)) continue;
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
 * The same for a fill of a crossed position. If the mark of that position is frozen too, the cost
 * of the fill is unknown, and the account may continue to close.
 */
function possibleOtherStaleLoss(moment: Moment, uid: Uid, { instrument }: InstrumentSpec): Amount {
  const lost = possibleStaleLoss(moment, uid);
  return lost > 0n && isMarkFrozen(moment.state, instrument, moment.at) ? ZERO_AMOUNT : lost;
}

/**
 * Equity in USD that a fill cannot use: possible losses by stale prices (ORD-177), and unpaid
 * profit shares of closed copies (CPY-160).
 */
export function unusableEquity(moment: Moment, uid: Uid, spec: InstrumentSpec): Amount {
  const { state, derived } = moment;
  let sum = possibleOtherStaleLoss(moment, uid, spec);
  const shares = derived.tracked.sharesOfEnded.of(uid);
  if (shares.size > 0)
    for (const [coin, amount] of shares) sum = plus(sum, neededUsd(amount, indexOf(state, coin)));
  return sum;
}

/** True if a stale price may hide a loss of the account beside a fill of a crossed position. */
export const hasStalePriceBeside = (moment: Moment, uid: Uid, spec: InstrumentSpec): boolean =>
  dependsOnStalePrice(moment, uid, spec.instrument.marginCoin) ||
  possibleOtherStaleLoss(moment, uid, spec) > 0n;

/** True if a fill can use all equity of the account. */
export const canUseAllEquity = (moment: Moment, uid: Uid, spec: InstrumentSpec): boolean =>
  !dependsOnStalePrice(moment, uid, spec.instrument.marginCoin) &&
  unusableEquity(moment, uid, spec) === ZERO_AMOUNT;
