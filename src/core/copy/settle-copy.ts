/** Settles a copy that has ended: its leader gets his share of what it earned after fees, once, as far as its holder has it free. */
import { earnedAfterFees, shareOf } from '../../formulas/copy-trading.ts';
import type { Id } from '../../kernel/ids.ts';
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
