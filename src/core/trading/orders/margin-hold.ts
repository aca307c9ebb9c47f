/**
 * Computes the hold of a margin order. The account must cover it while it is open, and once it has
 * filled, with its loan.
 */
import { ceilingAmount, costOf, UNIT } from '../../../formulas/exact.ts';
import { orderNeed } from '../../../formulas/margin.ts';
import type { Uid } from '../../../kernel/ids.ts';
import {
  type Amount,
  negate,
  type Price,
  type Rate,
  type Size,
  sizeFor,
} from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import type { Category } from '../../../messages/vocabulary.ts';
import type { Lots } from '../../book/order-book.ts';
import { feeRatesFor } from '../../derived/fee-rates.ts';
import { coinsIn, rateFromText, sizeOf, worthOf } from '../../derived/instrument-spec.ts';
import { type AccountSums, coinLeverageOf, freeSums } from '../../margin/account-margin.ts';
import { debtOf } from '../../margin/debts.ts';
import { addMarginedFill, exchangedBy } from '../../margin/margin-fill.ts';
import { type Hold, NO_HOLD } from '../../state/order.ts';
import type { State } from '../../state/state.ts';
import { reject, type Step } from '../../transaction/step.ts';
import { mayBorrow } from '../risk/exchange.ts';
import { heldBy } from './order.ts';
import type { OrderPlan } from './order-plan.ts';

const ONE_PRICE = UNIT as Price;

/** `price` is the expected price of its fills. */
export function marginHold(
  step: Step,
  plan: OrderPlan,
  lots: Lots,
  price: Price,
): Result<Hold, Rejection> {
  const { state, derived } = step;
  const { spec, draft, quoteAmount, account, replacing } = plan;
  const { uid } = account.profile;
  const value = quoteAmount ?? ceilingAmount(costOf(price, sizeOf(spec, lots)));
  const base =
    quoteAmount === undefined
      ? coinsIn(spec, lots)
      : (sizeFor(quoteAmount, price, 'down') as bigint as Amount);
  const exchanged = exchangedBy(spec, draft.side, value, base);
  const filled = freeSums(state, derived, uid);
  const isBorrowing = addMarginedFill(filled, state, uid, exchanged).amount > 0n;
  if (isBorrowing && !mayBorrow(step, uid, spec))
    return reject('priceStale', undefined, draft.symbol);
  const open = freeSums(state, derived, uid);
  // The hold of the order that it replaces will be free.
  for (const sums of [open, filled])
    sums.need(spec.instrument.quoteCoin, negate(heldBy(replacing)));
  // An order that only repays needs no margin, like one that only closes.
  const isOwing = debtOf(state, uid, exchanged.gotCoin).principal > 0n;
  if (!isBorrowing && isOwing && filled.headroom() >= open.headroom()) return ok(NO_HOLD);

  const amount = marginNeed(
    state,
    uid,
    spec.category,
    value,
    rateFromText(coinLeverageOf(state, uid, exchanged.paidCoin)),
  );
  open.need(spec.instrument.quoteCoin, amount);
  const isCovered = open.headroom() >= 0n && filled.headroom() >= 0n;
  if (!isCovered && !isNoWorse(step, plan, amount, filled)) return reject('insufficientMargin');
  return ok({ kind: 'margin', coin: spec.instrument.quoteCoin, amount, lots });
}

/**
 * True if it holds at most as much as the order that it replaces, and once filled leaves the
 * account no worse (ORD-194). More coins for the same money could otherwise be borrowed without
 * margin.
 */
function isNoWorse(step: Step, plan: OrderPlan, amount: Amount, filled: AccountSums): boolean {
  const { state, derived } = step;
  const { spec, account, replacing } = plan;
  if (replacing === undefined || amount > heldBy(replacing)) return false;
  const { uid } = account.profile;
  const before = freeSums(state, derived, uid);
  const [value, base] = [
    worthOf(spec, replacing.limit, replacing.left),
    coinsIn(spec, replacing.left),
  ];
  addMarginedFill(before, state, uid, exchangedBy(spec, replacing.side, value, base));
  before.need(spec.instrument.quoteCoin, negate(heldBy(replacing)));
  return filled.headroom() >= before.headroom();
}

/**
 * The margin of an order, in quote coin, for its value at the leverage of the coin that it pays
 * with.
 */
export const marginNeed = (
  state: State,
  uid: Uid,
  category: Category,
  value: Amount,
  leverage: Rate,
): Amount =>
  orderNeed(
    'linear',
    ONE_PRICE,
    value as bigint as Size,
    leverage,
    feeRatesFor(state, uid, category).taker,
  );
