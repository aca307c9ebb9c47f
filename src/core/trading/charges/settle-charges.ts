/**
 * Settles a copy that has ended: its leader gets his share of what it earned after fees, once, as
 * far as its holder has it above maintenance or can owe it, by prices of now.
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
import { type Believed, isMarkFresh, notAtNow, takeable } from '../../margin/free-margin.ts';
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

function chargeOne<Kind extends Charge['kind']>(
  step: Step,
  charge: Extract<Charge, { kind: Kind }>,
): void {
  chargeKinds[charge.kind](step, charge);
}

export const isWaiting = ({ state }: Step, uid: Uid): boolean =>
  state.pendingCharges?.has(uid) === true;

/**
 * Charges somebody all that he waits to be charged. A look that may still end in a refusal charges
 * nobody: a refused command changes nothing.
 */
export function settlePendingCharges(step: Step, uid: Uid): void {
  const { pendingCharges } = step.state;
  const own = pendingCharges?.get(uid);
  if (pendingCharges === undefined || own === undefined) return;
  pendingCharges.delete(uid);
  if (pendingCharges.size === 0) delete step.state.pendingCharges;
  for (const charge of own) chargeOne(step, charge);
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

/** Its holder needs so much more for his leader, or less. */
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
 * One whose holder has others that wait for prices waits behind them: what there is goes to the
 * shares that have waited.
 */
export function settleCopy(step: Step, id: Id): void {
  const { stale } = step.derived.tracked;
  const copy = step.state.copy.tracked.get(id);
  invariant(copy?.kind === 'copy' && copy.lots === 0, 'a copy is settled when it has ended');
  if (shareDue(copy) > 0n && stale.of(copy.uid).size > 0) stale.add(copy.uid, id);
  else settleOrWait(step, copy);
}

/** Answers whether it is settled. */
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
  const share = owed === 0n ? ZERO_AMOUNT : payable(step, uid, coin, owed, 'known');

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
 * Whether nobody knows yet what its holder can share: what he owes or has open stands at prices of
 * before, or a coin that nothing is heard of would let him share more. By what was heard before,
 * the share would leave an account that may be lost; without it, a feed that is late would take it
 * from the leader.
 */
function waitsForPrices(step: Moment, copy: TrackedOrder): boolean {
  const owed = shareDue(copy);
  if (owed === 0n || !step.state.marketOn) return false;
  const { uid } = copy;
  if (!isMarkFresh(step, uid)) return true;
  const { marginCoin } = specOf(step.derived, copy.key).instrument;
  const known = payable(step, uid, marginCoin, owed, 'known');
  return known < owed && known < payable(step, uid, marginCoin, owed, 'all');
}

/**
 * All of it where the holder has it, or where what he earned has paid back a loan of his (ORD-22)
 * and his account keeps up so much of one again: otherwise whoever owes a little would keep what is
 * not his. What leaves him above maintenance, where neither is so. Margin of his orders and
 * positions is no way to keep it, in either case: whoever places an order in time would never pay.
 */
function payable(step: Moment, uid: Uid, coin: string, owed: Amount, believed: Believed): Amount {
  const most = takeable(step, uid, coin, believed);
  return most >= owed || canOwe(step, uid, coin, owed, believed) ? owed : most;
}

function canOwe(
  { state, derived, at }: Moment,
  uid: Uid,
  coin: string,
  owed: Amount,
  believed: Believed,
): boolean {
  if (believed === 'known' && isIndexStale(state, coin, at)) return false;
  const loan: Loan = {
    coin,
    amount: greatest(ZERO_AMOUNT, minus(owed, walletOf(state.ledger, uid, coin).available)),
  };
  const sums = freeSums(state, derived, uid);
  if (believed === 'known') sums.excludeStale(at);
  sums.add(coin, negate(owed));
  addLocked(sums, state, uid);
  return (
    sums.equity() > plus(accountMaintenance(state, derived, uid), loanMaintenance(state, loan))
  );
}

/**
 * Settles what has ended of one holder's copies, before he does anything else, in the same command
 * or in one between two slices: an order that he places behind the one that closed a copy, or a
 * transfer, would take what its leader has a share in (CPY-160).
 */
export function settleOwnCopies(step: Step, uid: Uid): void {
  const { copy } = step.state;
  const own = step.derived.tracked.ended.of(uid);
  if (own.size === 0) return;
  const inLine = copy.ended.filter((id) => own.has(id));
  copy.ended = copy.ended.filter((id) => !own.has(id));
  settleWaited(step, uid);
  for (const id of inLine) {
    settleCopy(step, id);
    step.endPart();
  }
}

/**
 * The oldest first, up to one that waits on: those behind it are not looked at, or a holder of many
 * would hold everybody up with each order (CPY-165).
 */
function settleWaited(step: Step, uid: Uid): void {
  for (const id of oldestFirst([...step.derived.tracked.stale.of(uid)])) {
    if (!settleOrWait(step, step.state.copy.tracked.get(id) as Copy)) return;
    step.endPart();
  }
}

/**
 * By what he waits, whatever else is heard: a loan or a position of his that stands at a price of
 * before.
 */
function staleCoins(step: Moment, uid: Uid): readonly string[] {
  const stale = notAtNow(step, uid);
  if (stale === undefined) return [];
  const { coin, key } = stale;
  return key === undefined ? [indexName(coin)] : [indexName(coin), markName(key)];
}

export const updateIndex: Reaction<'indexPriceMoved'> = ({ derived }, { baseCoin }) =>
  derived.tracked.stale.update(indexName(baseCoin));

export const updatePin: Reaction<'markPinned'> = ({ derived }, { category, symbol }) =>
  derived.tracked.stale.update(markName(instrumentKey(category, symbol)));

/** From now on, or no longer, prices are waited for. */
export const updateMarket: Reaction<'marketSwitched'> = ({ derived }) =>
  derived.tracked.stale.updateAll();

/** Somebody may wait no longer: he has paid back what he owed, or has closed what he had. */
export const loosenWithDebt: Reaction<'debtChanged'> = (
  { derived },
  { uid, borrowed, interest },
) => {
  if (borrowed === 0n && interest === 0n) derived.tracked.stale.changed(uid);
};

export const loosenWithPosition: Reaction<'positionClosed'> = ({ derived }, { position }) =>
  derived.tracked.stale.changed(position.uid);

/**
 * What waited for prices that are heard by now comes before what has ended since. Of each holder
 * the oldest says whether his are in line again.
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
