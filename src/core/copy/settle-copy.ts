/** Settles a copy that has ended: its leader gets his share of what it earned after fees, once, as far as its holder has it free. */
import { earnedAfterFees, shareOf } from '../../formulas/copy-trading.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { least, negate, ZERO_AMOUNT } from '../../kernel/money.ts';
import { termsFor } from '../derived.ts';
import { post } from '../ledger/ledger.ts';
import { repayFromAvailable } from '../margin/debts.ts';
import { spendable } from '../orders/order-money.ts';
import type { Step } from '../step.ts';
import { trackedRow } from './tracked-order.ts';

export function settleCopy(step: Step, id: Id): void {
  const { tracked } = step.state.copy;
  const copy = tracked.get(id);
  invariant(copy?.kind === 'copy' && copy.lots === 0, 'a copy is settled when it has ended');
  const terms = termsFor(step.derived, copy.key);
  const { marginCoin: coin } = terms.instrument;
  const { uid, leader } = copy;
  const owed = shareOf(earnedAfterFees(copy.profit, copy.openFee, copy.closeFee), copy.profitShare);
  const share = owed === 0n ? ZERO_AMOUNT : least(owed, spendable(step, uid, coin));

  tracked.delete(id);
  if (share > 0n) {
    post(step, 'profitShare', [
      { uid, coin, account: 'available', amount: negate(share) },
      { uid: leader, coin, account: 'available', amount: share },
    ]);
    repayFromAvailable(step, leader, coin);
  }
  step.emit({ type: 'trackedOrderEnded', order: trackedRow(copy, terms), share });
}

/**
 * Settles what has ended of one holder's copies, before he does anything else in the same command: an order that he places behind the one
 * that closed a copy would take what its leader has a share in (CPY-29).
 */
export function settleOwnCopies(step: Step, uid: Uid): void {
  const { ended, tracked } = step.state.copy;
  if (ended.length === 0) return;
  const own = ended.filter((id) => {
    const order = tracked.get(id);
    return order?.kind === 'copy' && order.uid === uid;
  });
  for (const id of own) {
    ended.splice(ended.indexOf(id), 1);
    settleCopy(step, id);
    step.endPart();
  }
}
