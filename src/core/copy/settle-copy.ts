/** Settles a copy that has ended: its leader gets his share of what it earned after fees, once, as far as its holder has it above maintenance or can owe it. */

import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { type Amount, greatest, minus, negate, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import { chargeWaiting } from '../charges/charge-waiting.ts';
import { termsFor } from '../derived.ts';
import { post, walletOf } from '../ledger/ledger.ts';
import { accountMaintenance, addLocked, freeSums } from '../margin/account-margin.ts';
import { takeable } from '../margin/can-leave.ts';
import { ensureAvailable, repayFromAvailable } from '../margin/debts.ts';
import { type Loan, loanMaintenance } from '../margin/margin-fill.ts';
import { isIndexStale } from '../prices/coin-prices.ts';
import type { Step } from '../step.ts';
import { shareDue } from './shares-due.ts';
import { keepShare, trackedRow } from './tracked-order.ts';

export function settleCopy(step: Step, id: Id): void {
  const { tracked } = step.state.copy;
  const copy = tracked.get(id);
  invariant(copy?.kind === 'copy' && copy.lots === 0, 'a copy is settled when it has ended');
  const terms = termsFor(step.derived, copy.key);
  const { marginCoin: coin } = terms.instrument;
  const { uid, leader } = copy;
  chargeWaiting(step, uid);
  chargeWaiting(step, leader);
  const owed = shareDue(copy);
  const share = owed === 0n ? ZERO_AMOUNT : payable(step, uid, coin, owed);

  tracked.delete(id);
  keepShare(step, copy, negate(owed));
  step.derived.tracked.ended.delete(uid, id);
  if (share > 0n) {
    ensureAvailable(step, uid, coin, share);
    post(step, 'profitShare', [
      { uid, coin, account: 'available', amount: negate(share) },
      { uid: leader, coin, account: 'available', amount: share },
    ]);
    repayFromAvailable(step, leader, coin);
  }
  step.emit({ type: 'trackedOrderEnded', order: trackedRow(copy, terms), share });
}

/**
 * All of it where the holder has it, or where what he earned has paid back a loan of his (ORD-22) and his account keeps up so much of one
 * again: otherwise whoever owes a little would keep what is not his. What leaves him above maintenance, where neither is so. Margin of his
 * orders and positions is no way to keep it, in either case: whoever places an order in time would never pay.
 */
function payable(step: Step, uid: Uid, coin: string, owed: Amount): Amount {
  const most = takeable(step, uid, coin);
  return most >= owed || canOwe(step, uid, coin, owed) ? owed : most;
}

function canOwe({ state, derived, at }: Step, uid: Uid, coin: string, owed: Amount): boolean {
  if (isIndexStale(state, coin, at)) return false;
  const loan: Loan = { coin, amount: greatest(ZERO_AMOUNT, minus(owed, walletOf(state.ledger, uid, coin).available)) };
  const sums = freeSums(state, derived, uid);
  sums.leaveOutUnheard(at);
  sums.add(coin, negate(owed));
  addLocked(sums, state, uid);
  return sums.equity() > plus(accountMaintenance(state, derived, uid), loanMaintenance(state, loan));
}

/**
 * Settles what has ended of one holder's copies, before he does anything else, in the same command or in one between two slices: an order that he
 * places behind the one that closed a copy, or a transfer, would take what its leader has a share in (CPY-29).
 */
export function settleOwnCopies(step: Step, uid: Uid): void {
  const { copy } = step.state;
  const ended = step.derived.tracked.ended.of(uid);
  if (ended.size === 0) return;
  const own = new Set(ended);
  copy.ended = copy.ended.filter((id) => !own.has(id));
  for (const id of own) {
    settleCopy(step, id);
    step.endPart();
  }
}
