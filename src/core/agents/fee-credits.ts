/** Credits that the operator gives users to pay fees with. A settled day uses the oldest first. */
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, least, minus, moneyFromText, plus, ZERO_AMOUNT } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { FeeDeductions } from '../../messages/agents.ts';
import { FEE_CREDIT_KINDS, type FeeCreditKind, isFutures } from '../../messages/vocabulary.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';
import type { Accrual, AgentBooks, FeeCredit } from '../state/agent-books.ts';
import { accept, type Handler, reject, takeId } from '../transaction/step.ts';

/** Each is checked for every row of a customer's day. */
const FEE_CREDITS_PER_USER_MAX = 100;

export const grantFeeCredit: Handler<'grantFeeCredit'> = (step, { uid, coin, kind, size }) => {
  const { state, at } = step;
  const { credits } = state.agentBooks;
  if (!state.accounts.has(uid)) return reject('unknownUser', 'uid', `${uid}`);
  if (!state.coins.has(coin)) return reject('unknownCoin', 'coin', coin);
  const amount = moneyFromText<Amount>(size);
  if (amount === undefined) return reject('tooFine', 'size');
  if (amount === 0n) return reject('sizeNotPositive', 'size');
  if (amount > BALANCE_MAX) return reject('balanceLimitExceeded', 'size');
  const own = credits.get(uid) ?? [];
  if (own.length >= FEE_CREDITS_PER_USER_MAX)
    return reject('tooManyItems', 'uid', `${FEE_CREDITS_PER_USER_MAX}`);

  const creditId = takeId(step);
  own.push({ creditId, coin, kind, grantedAt: at, left: amount });
  credits.set(uid, own);
  step.emit({ type: 'feeCreditGranted', creditId, uid, coin, kind, amount });
  return accept({ creditId });
};

/** Coupons and discounts pay fees of one market, other credits of any. */
function pays(kind: FeeCreditKind, { category }: Accrual): boolean {
  if (kind === 'futuresCoupon') return isFutures(category);
  if (kind === 'spotCoupon' || kind === 'spotDiscount') return !isFutures(category);
  return true;
}

const noDeductions = (): Record<FeeCreditKind, Amount> =>
  Object.fromEntries(FEE_CREDIT_KINDS.map((kind) => [kind, ZERO_AMOUNT])) as Record<
    FeeCreditKind,
    Amount
  >;

export interface Deducted {
  readonly deductions: FeeDeductions;
  readonly feePaid: Amount;
  /** What returns to the user; a negative maker fee was paid with the fill. */
  readonly refund: Amount;
}

/**
 * Deducts what makers were paid, and then what credits pay. Credits given at `until` or later wait
 * for the next day.
 */
export function deduct(
  accrual: Accrual,
  credits: readonly FeeCredit[],
  until: Timestamp,
): Deducted {
  const deductions = noDeductions();
  deductions.negativeMakerFee = least(accrual.negativeMakerFee, accrual.fee);
  let feePaid = minus(accrual.fee, deductions.negativeMakerFee);
  let refund = ZERO_AMOUNT;
  for (const credit of credits) {
    if (feePaid === 0n) break;
    if (credit.coin !== accrual.coin || credit.grantedAt >= until || !pays(credit.kind, accrual))
      continue;
    const used = least(credit.left, feePaid);
    credit.left = minus(credit.left, used);
    deductions[credit.kind] = plus(deductions[credit.kind], used);
    feePaid = minus(feePaid, used);
    refund = plus(refund, used);
  }
  return { deductions, feePaid, refund };
}

/** Deletes credits that are used up. */
export function forgetUsed({ credits }: AgentBooks, uid: Uid): void {
  const left = credits.get(uid)!.filter((credit) => credit.left > 0n);
  if (left.length > 0) credits.set(uid, left);
  else credits.delete(uid);
}
