/**
 * Settles a trade of coins: what each side gives goes to the other, less the fee, which comes out
 * of the coin received.
 */
import type { Order } from '../../state/order.ts';
import { type Amount, minus, negate, rateOf } from '../../../kernel/money.ts';
import type { Step } from '../../transaction/step.ts';
import { type Trade, countFill } from './trade.ts';
import { coinsIn } from '../../derived/instrument-spec.ts';
import { feeRateFor } from '../../derived/fee-level.ts';
import type { Lots } from '../../book/order-book.ts';
import { takeHeldValue, takeHold } from '../../margin/holds.ts';
import { type Movement, post } from '../../ledger/ledger.ts';
import { pairPayment, pairReceipt, repayFromFill, repayUnspent } from '../../margin/pair-holds.ts';
import { ensureAvailable, repayFromAvailable } from '../../margin/debts.ts';

/** One coin on its way from one order's holder to the other's. */
interface Delivery {
  readonly coin: string;
  readonly from: Order;
  readonly to: Order;
  readonly amount: Amount;
  readonly fee: Amount;
}

export function settleSpot(
  step: Step,
  trade: Trade,
): { readonly maker: Amount; readonly taker: Amount } {
  const { spec, maker, taker, lots, value } = trade;
  const { baseCoin, quoteCoin } = spec.instrument;
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const base = coinsIn(spec, lots);
  const rate = (order: Order) =>
    feeRateFor(step.state, order.uid, order.category, order === maker ? 'maker' : 'taker');
  const [buyFee, sellFee] = [rateOf(base, rate(buyer), 'up'), rateOf(value, rate(seller), 'up')];

  deliver(step, { coin: quoteCoin, from: buyer, to: seller, amount: value, fee: sellFee }, lots);
  deliver(step, { coin: baseCoin, from: seller, to: buyer, amount: base, fee: buyFee }, lots);
  countFill(taker, trade);
  countFill(maker, trade);
  repayFromTrade(step, seller, quoteCoin, minus(value, sellFee));
  repayFromTrade(step, buyer, baseCoin, minus(base, buyFee));
  return taker === buyer ? { taker: buyFee, maker: sellFee } : { taker: sellFee, maker: buyFee };
}

function deliver(step: Step, { coin, from, to, amount, fee }: Delivery, lots: Lots): void {
  const held =
    from.quoteAmount === undefined
      ? takeHold(step, from, lots, amount)
      : takeHeldValue(step, from, amount);
  const movements = payment(step, from, coin, amount, held);
  movements.push(receipt(to, coin, minus(amount, fee)), { coin, account: 'fees', amount: fee });
  post(step, 'trade', movements);
  if (from.hold.kind === 'isolated') repayUnspent(step, from.uid, from.hold, minus(held, amount));
}

/** What an order gets: into the wallet, or into its pair. */
function receipt({ uid, hold }: Order, coin: string, amount: Amount): Movement {
  return hold.kind === 'isolated'
    ? pairReceipt(uid, hold, coin, amount)
    : { uid, coin, account: 'available', amount };
}

function repayFromTrade(step: Step, order: Order, coin: string, received: Amount): void {
  if (order.hold.kind === 'isolated') repayFromFill(step, order, order.hold, coin, received);
  else repayFromAvailable(step, order.uid, coin);
}

/**
 * What an order gives: out of what was locked for it, the rest of that going back; or, on margin,
 * out of the wallet and a loan.
 */
function payment(step: Step, order: Order, coin: string, paid: Amount, held: Amount): Movement[] {
  const { uid } = order;
  if (order.hold.kind === 'isolated') return pairPayment(uid, order.hold, held, paid);
  if (order.hold.kind !== 'wallet') {
    ensureAvailable(step, uid, coin, paid);
    return [{ uid, coin, account: 'available', amount: negate(paid) }];
  }
  return [
    { uid, coin, account: 'locked', amount: negate(held) },
    { uid, coin, account: 'available', amount: minus(held, paid) },
  ];
}
