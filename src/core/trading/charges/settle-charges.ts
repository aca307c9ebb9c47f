/**
 * Settles what accounts owe: pending funding and interest (CLK-28), and the profit shares of ended
 * copies.
 */

import { entryPrice } from '../../../formulas/entry.ts';
import type { Id, Uid } from '../../../kernel/ids.ts';
import { invariant } from '../../../kernel/invariant.ts';
import { type Amount, greatest, minus, negate, plus, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { Writable } from '../../../kernel/writable.ts';
import type { TrackedOrderRow } from '../../../messages/copy-trading.ts';
import { indexName, markName, shareDue } from '../../derived/copy-indexes.ts';
import { type Derived, type Moment, specOf } from '../../derived/derived.ts';
import {
  futuresCategoryOf,
  type InstrumentSpec,
  instrumentKey,
} from '../../derived/instrument-spec.ts';
import { isIndexStale } from '../../derived/market-context.ts';
import { post, walletOf } from '../../ledger/ledger.ts';
import { accountMaintenance, addLocked, freeSums } from '../../margin/account-margin.ts';
import { ensureAvailable, repayFromAvailable } from '../../margin/debts.ts';
import {
  hasFreshPrices,
  spendableAboveMaintenance,
  staleExposure,
  type UsedPrices,
} from '../../margin/free-margin.ts';
import { type Loan, loanMaintenance } from '../../margin/margin-fill.ts';
import type { Charge } from '../../state/charges.ts';
import type { Copy, TrackedOrder } from '../../state/copy-state.ts';
import type { Reaction, Step } from '../../transaction/step.ts';
import { chargeFunding } from './charge-funding.ts';
import { chargeLoan } from './interest.ts';
import { chargePairLoan } from './pair-interest.ts';

export function beginCharging({
  charging,
  portions,
}: Pick<Derived, 'charging' | 'portions'>): void {
  charging.count = portions.pendingCharges;
}

const chargeKinds: {
  readonly [Kind in Charge['kind']]: (step: Step, charge: Extract<Charge, { kind: Kind }>) => void;
} = {
  funding: chargeFunding,
  interest: chargeLoan,
  pairInterest: chargePairLoan,
};

function settleCharge<Kind extends Charge['kind']>(
  step: Step,
  charge: Extract<Charge, { kind: Kind }>,
): void {
  chargeKinds[charge.kind](step, charge);
}

export const hasPendingCharges = ({ state }: Step, uid: Uid): boolean =>
  state.pendingCharges?.has(uid) === true;

/**
 * Settles all pending charges of an account. A check that may still refuse must not call this: a
 * refused command changes nothing.
 */
export function settlePendingCharges(step: Step, uid: Uid): void {
  const { pendingCharges } = step.state;
  const own = pendingCharges?.get(uid);
  if (pendingCharges === undefined || own === undefined) return;
  pendingCharges.delete(uid);
  if (pendingCharges.size === 0) delete step.state.pendingCharges;
  for (const charge of own) settleCharge(step, charge);
  step.derived.charging.count -= own.length;
}

export function chargePortion(step: Step): void {
  for (const uid of step.state.pendingCharges!.keys()) {
    if (step.derived.charging.count <= 0) return;
    settlePendingCharges(step, uid);
  }
}

export function trackedRow(order: TrackedOrder, spec: InstrumentSpec): TrackedOrderRow {
  const { opened, closed } = order;
  const row: Writable<TrackedOrderRow> = {
    trackingId: order.id,
    uid: order.uid,
    leader: order.leader,
    category: futuresCategoryOf(spec),
    symbol: spec.instrument.symbol,
    marginCoin: spec.instrument.marginCoin,
    side: order.side,
    marginMode: order.marginMode,
    leverage: order.leverage,
    margin: order.margin,
    openOrderId: order.openOrderId,
    openSize: opened.size,
    openPrice: entryPrice(opened),
    openFee: order.openFee,
    openedAt: order.openedAt,
    closedSize: closed.size,
    closedPrice: entryPrice(closed),
    closeFee: order.closeFee,
    profit: order.profit,
  };
  if (order.kind === 'copy') row.originalId = order.originalId;
  const due = shareDue(order);
  if (due > 0n) row.shareDue = due;
  if (order.closeOrderId !== undefined) row.closeOrderId = order.closeOrderId;
  if (order.closer !== undefined) row.closer = order.closer;
  if (order.takeProfit !== undefined) row.takeProfit = order.takeProfit;
  if (order.stopLoss !== undefined) row.stopLoss = order.stopLoss;
  return row;
}

/** Changes what a follower reserves for its leader by `more`. */
export function reserveShare(
  { derived }: Step,
  { id, uid, key }: TrackedOrder,
  more: Amount,
): void {
  const { marginCoin } = specOf(derived, key).instrument;
  derived.tracked.sharesDue.add(uid, marginCoin, more);
  if (derived.tracked.ended.of(uid).has(id))
    derived.tracked.sharesOfEnded.add(uid, marginCoin, more);
  derived.headroom.orderMarginMoved(uid, marginCoin, more);
}

/**
 * Settles a copy that has ended. If other shares of its follower wait for prices, it waits behind
 * them (CPY-165).
 */
export function settleCopy(step: Step, id: Id): void {
  const { stale } = step.derived.tracked;
  const copy = step.state.copy.tracked.get(id);
  invariant(copy?.kind === 'copy' && copy.lots === 0, 'a copy is settled when it has ended');
  if (shareDue(copy) > 0n && stale.of(copy.uid).size > 0) stale.add(copy.uid, id);
  else settleOrWait(step, copy);
}

/** True if it settled, false if it waits for prices. */
function settleOrWait(step: Step, copy: Copy): boolean {
  const { id, uid, leader } = copy;
  settlePendingCharges(step, uid);
  if (waitsForPrices(step, copy)) {
    step.derived.tracked.stale.add(uid, id);
    step.derived.tracked.stale.waitFor(uid, staleCoins(step, uid));
    return false;
  }
  const spec = specOf(step.derived, copy.key);
  const { marginCoin: coin } = spec.instrument;
  settlePendingCharges(step, leader);
  const owed = shareDue(copy);
  const share = owed === 0n ? ZERO_AMOUNT : payable(step, uid, coin, owed, 'fresh');

  step.state.copy.tracked.delete(id);
  reserveShare(step, copy, negate(owed));
  step.derived.tracked.ended.delete(uid, id);
  step.derived.tracked.stale.delete(uid, id);
  if (share > 0n) {
    ensureAvailable(step, uid, coin, share);
    post(step, 'profitShare', [
      { uid, coin, account: 'available', amount: negate(share) },
      { uid: leader, coin, account: 'available', amount: share },
    ]);
    repayFromAvailable(step, leader, coin);
  }
  step.emit({ type: 'trackedOrderEnded', order: trackedRow(copy, spec), share });
  return true;
}

/**
 * True while stale prices leave the follower's equity unknown, or a stale coin would allow a larger
 * share (CPY-72, CPY-163). By old prices the share could leave an account that is lost; without the
 * coin a late feed would cost the leader its share.
 */
function waitsForPrices(step: Moment, copy: TrackedOrder): boolean {
  const owed = shareDue(copy);
  if (owed === 0n || !step.state.marketOn) return false;
  const { uid } = copy;
  if (!hasFreshPrices(step, uid)) return true;
  const { marginCoin } = specOf(step.derived, copy.key).instrument;
  const known = payable(step, uid, marginCoin, owed, 'fresh');
  return known < owed && known < payable(step, uid, marginCoin, owed, 'all');
}

/**
 * The part of the share that the follower can pay above maintenance (CPY-161). It is all of it if
 * the account can owe it again, because the profit may have repaid a loan (CPY-162). Initial margin
 * does not count: an order placed in time would otherwise avoid the share.
 */
function payable(step: Moment, uid: Uid, coin: string, owed: Amount, prices: UsedPrices): Amount {
  const most = spendableAboveMaintenance(step, uid, coin, prices);
  return most >= owed || canOwe(step, uid, coin, owed, prices) ? owed : most;
}

function canOwe(
  { state, derived, at }: Moment,
  uid: Uid,
  coin: string,
  owed: Amount,
  prices: UsedPrices,
): boolean {
  if (prices === 'fresh' && isIndexStale(state, coin, at)) return false;
  const loan: Loan = {
    coin,
    amount: greatest(ZERO_AMOUNT, minus(owed, walletOf(state.ledger, uid, coin).available)),
  };
  const sums = freeSums(state, derived, uid);
  if (prices === 'fresh') sums.excludeStale(at);
  sums.add(coin, negate(owed));
  addLocked(sums, state, uid);
  return (
    sums.equity() > plus(accountMaintenance(state, derived, uid), loanMaintenance(state, loan))
  );
}

/**
 * Settles the ended copies of an account before anything else it does. Its next order or transfer
 * could otherwise spend what its leader has a share in (CPY-160).
 */
export function settleOwnCopies(step: Step, uid: Uid): void {
  const { copy } = step.state;
  const own = step.derived.tracked.ended.of(uid);
  if (own.size === 0) return;
  const inLine = copy.ended.filter((id) => own.has(id));
  copy.ended = copy.ended.filter((id) => !own.has(id));
  settleWaiting(step, uid);
  for (const id of inLine) {
    settleCopy(step, id);
    step.endPart();
  }
}

/**
 * Oldest first, up to the first that still waits. Those behind it are not checked, so an account
 * with many does not slow down others (CPY-165).
 */
function settleWaiting(step: Step, uid: Uid): void {
  for (const id of oldestFirst([...step.derived.tracked.stale.of(uid)])) {
    if (!settleOrWait(step, step.state.copy.tracked.get(id) as Copy)) return;
    step.endPart();
  }
}

/** The prices that it waits for: that of a loan or position that is stale. */
function staleCoins(step: Moment, uid: Uid): readonly string[] {
  const stale = staleExposure(step, uid);
  if (stale === undefined) return [];
  const { coin, key } = stale;
  return key === undefined ? [indexName(coin)] : [indexName(coin), markName(key)];
}

export const updateIndex: Reaction<'indexPriceMoved'> = ({ derived }, { baseCoin }) =>
  derived.tracked.stale.update(indexName(baseCoin));

export const updatePin: Reaction<'markPinned'> = ({ derived }, { category, symbol }) =>
  derived.tracked.stale.update(markName(instrumentKey(category, symbol)));

/** From now on shares wait for prices, or no longer do. */
export const updateMarket: Reaction<'marketSwitched'> = ({ derived }) =>
  derived.tracked.stale.updateAll();

/** A share may no longer wait once its follower has repaid the loan or closed the position. */
export const recheckSharesWithDebt: Reaction<'debtChanged'> = (
  { derived },
  { uid, borrowed, interest },
) => {
  if (borrowed === 0n && interest === 0n) derived.tracked.stale.changed(uid);
};

export const recheckSharesWithPosition: Reaction<'positionClosed'> = ({ derived }, { position }) =>
  derived.tracked.stale.changed(position.uid);

/**
 * Queues shares whose prices have become fresh, before copies that ended later. The oldest share of
 * an account decides for all of them.
 */
export function resumeStale(step: Step): void {
  const { copy } = step.state;
  const { stale } = step.derived.tracked;
  if (!stale.hasUpdates) return;
  const ready: Id[] = [];
  for (const uid of stale.takeUpdated()) {
    const own = oldestFirst([...stale.of(uid)]);
    if (waitsForPrices(step, copy.tracked.get(own[0]!)!)) {
      stale.waitFor(uid, staleCoins(step, uid));
      continue;
    }
    for (const id of own) stale.delete(uid, id);
    ready.push(...own);
  }
  copy.ended = [...oldestFirst(ready), ...copy.ended];
}

const oldestFirst = (ids: Id[]): Id[] => ids.sort((one, other) => one - other);
