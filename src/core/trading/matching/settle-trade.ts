/**
 * Settles a trade: coins and money for spot, positions for futures. Both sides are settled before
 * the taker meets the next maker.
 */

import { fillRate } from '../../../formulas/fees.ts';
import { invariant } from '../../../kernel/invariant.ts';
import {
  type Amount,
  minus,
  negate,
  plus,
  rateOf,
  type Size,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import type { FillRow } from '../../../messages/orders.ts';
import type { Intent, PositionSide } from '../../../messages/vocabulary.ts';
import type { Lots } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { symbolAccountOf } from '../../derived/derived.ts';
import { feeRatesFor } from '../../derived/fee-rates.ts';
import { coinsIn, priceOf } from '../../derived/instrument-spec.ts';
import { markOf, otherPositionSide } from '../../derived/position.ts';
import { type Movement, post } from '../../ledger/ledger.ts';
import { ensureAvailable, repayFromAvailable } from '../../margin/debts.ts';
import { takeHeldValue, takeHold } from '../../margin/holds.ts';
import { pairPayment, pairReceipt, repayFromFill, repayUnspent } from '../../margin/pair-holds.ts';
import type { Order } from '../../state/order.ts';
import { type Step, takeId } from '../../transaction/step.ts';
import { countInSums } from '../orders/open-orders.ts';
import { feeCoinOf } from '../orders/order.ts';
import { closingLots } from '../orders/reduce-only.ts';
import {
  applyLevy,
  type ClearingLevy,
  type Gain,
  isNeutralToClearing,
  levyOf,
} from '../positions/clearing-levy.ts';
import {
  closePosition,
  closingOf,
  feeOfOpening,
  openPosition,
  type Part,
  partOf,
} from '../positions/fill-position.ts';
import { closedBy, countFill, type SplitFill, type Trade } from '../risk/proposed-fill.ts';

/** A trade that is checked before it happens. */
type TradePreview = Pick<Trade, 'spec' | 'maker' | 'taker' | 'tick' | 'lots'>;

/** Counts what the trade draws on clearing; returns the levies of maker and taker. */
function applyLevyOfTrade(step: Step, trade: TradePreview): ClearingLevy | undefined {
  const { spec, tick } = trade;
  const price = priceOf(spec, tick);
  if (isNeutralToClearing(step.state, spec, price)) return undefined;
  return applyLevy(step.state, spec, price, [
    gainOf(step, trade, 'maker'),
    gainOf(step, trade, 'taker'),
  ]);
}

/** True if the taker would owe a clearing levy at a price that is worse for it than mark. */
export function chargesClearingPastMark(step: Step, preview: TradePreview): boolean {
  const { spec, tick, taker } = preview;
  if (!spec.inverse) return false;
  const [price, mark] = [priceOf(spec, tick), markOf(step.state, spec)];
  if (taker.side === 'sell' ? price >= mark : price <= mark) return false;
  const levy = levyOf(step.state, spec, price, [
    gainOf(step, preview, 'maker'),
    gainOf(step, preview, 'taker'),
  ]);
  return levy !== undefined && levy.amounts[1] > 0n;
}

function gainOf(step: Step, trade: TradePreview, role: 'maker' | 'taker'): Gain {
  const { spec, tick, lots, [role]: order } = trade;
  const symbolAccount = symbolAccountOf(step, order);
  const feeRate = fillRate(symbolAccount.context.futuresFees, order.executionKind, role);
  const closing = closingLots(symbolAccount, order, lots);
  const opening = (lots - closing) as Lots;
  const fill: SplitFill = { symbolAccount, order, spec, tick, closing, opening, feeRate };
  const openingFee =
    opening === 0 ? ZERO_AMOUNT : feeOfOpening(partOf(spec, tick, opening, feeRate));
  const position = closing === 0 ? undefined : closedBy(fill);
  if (position === undefined) return { gained: 0n, fee: openingFee };
  const part = partOf(spec, tick, closing, feeRate);
  const { left, fee } = closingOf(position, part);
  const risen = part.cost - (position.entry.cost - left.cost);
  return { gained: position.side === 'long' ? risen : -risen, fee: plus(fee, openingFee) };
}

/** One coin that goes from one order's account to the other's. */
interface Delivery {
  readonly coin: string;
  readonly from: Order;
  readonly to: Order;
  readonly amount: Amount;
  readonly fee: Amount;
}

function settleSpot(step: Step, trade: Trade): { readonly maker: Amount; readonly taker: Amount } {
  const { spec, maker, taker, lots, value } = trade;
  const { baseCoin, quoteCoin } = spec.instrument;
  const [buyer, seller] = taker.side === 'buy' ? [taker, maker] : [maker, taker];
  const base = coinsIn(spec, lots);
  const rate = (order: Order) =>
    fillRate(
      feeRatesFor(step.state, order.uid, order.category),
      order.executionKind,
      order === maker ? 'maker' : 'taker',
    );
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

/** What an order receives, into the wallet or into its pair. */
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
 * What an order pays. A hold pays and returns the rest; without one the wallet pays, with a loan if
 * it lacks money.
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

interface Settled {
  readonly fee: Amount;
  readonly profit: Amount;
  readonly leftToClearing: Amount;
  readonly intent: Intent | undefined;
  readonly positionSide: PositionSide | undefined;
  /** The part that opened, if the order closed and went on to the other side. */
  readonly openedSize: Size | undefined;
}

export function settleTrade(step: Step, trade: Trade): void {
  if (trade.spec.futures) {
    const levy = applyLevyOfTrade(step, trade);
    emitFill(step, trade, 'taker', settleFutures(step, trade, 'taker', levy));
    emitFill(step, trade, 'maker', settleFutures(step, trade, 'maker', levy));
    return;
  }
  const fees = settleSpot(step, trade);
  emitFill(step, trade, 'taker', fillResult(charged(fees.taker)));
  emitFill(step, trade, 'maker', fillResult(charged(fees.maker)));
}

type Earned = Pick<Settled, 'fee' | 'profit' | 'leftToClearing'>;

const charged = (fee: Amount): Earned => ({
  fee,
  profit: ZERO_AMOUNT,
  leftToClearing: ZERO_AMOUNT,
});

/** Sets all fields at once, so all fills are objects of one shape. */
const fillResult = (
  { fee, profit, leftToClearing }: Earned,
  intent?: Intent,
  positionSide?: PositionSide,
  openedSize?: Size,
): Settled => ({
  fee,
  profit,
  leftToClearing,
  intent,
  positionSide,
  openedSize,
});

function emitFill(step: Step, trade: Trade, role: FillRow['role'], settled: Settled): void {
  const { spec, maker, taker } = trade;
  const order = role === 'maker' ? maker : taker;
  const { hold } = order;
  const fill: FillRow = {
    fillId: takeId(step),
    tradeId: trade.tradeId,
    orderId: order.id,
    uid: order.uid,
    clientOid: order.clientOid,
    category: order.category,
    symbol: spec.instrument.symbol,
    orderType: order.orderType,
    side: order.side,
    price: trade.price,
    size: trade.size,
    value: trade.value,
    role,
    feeCoin: feeCoinOf(spec, order.side),
    fee: settled.fee,
    positionSide: settled.positionSide,
    intent: settled.intent,
    openedSize: settled.openedSize,
    profit: settled.profit,
    leftToClearing: settled.leftToClearing === 0n ? undefined : settled.leftToClearing,
    executionKind: order.executionKind,
    loanType: order.loanType,
    selfTrade: maker.owner === taker.owner,
    marginHold: hold.kind === 'margin' && hold.amount > 0n ? hold.amount : undefined,
  };
  step.emit({ type: 'fillSettled', fill });
}

function settleFutures(
  step: Step,
  trade: Trade,
  role: FillRow['role'],
  levy: ClearingLevy | undefined,
): Settled {
  const { spec, tick, lots, price, size, value, cost } = trade;
  const order = role === 'maker' ? trade.maker : trade.taker;
  const symbolAccount = symbolAccountOf(step, order);
  const feeRate = fillRate(symbolAccount.context.futuresFees, order.executionKind, role);
  const sums = symbolAccount.sums(order.side);
  countInSums(sums, order, -1);
  const settle = order.positionMode === 'hedge' ? settleHedged : settleOneWay;
  const charge =
    levy === undefined
      ? undefined
      : { amount: levy.amounts[role === 'maker' ? 0 : 1], mark: levy.mark };
  const settled = settle(step, symbolAccount, order, {
    spec,
    tick,
    lots,
    price,
    size,
    value,
    cost,
    feeRate,
    levy: charge,
  });
  countFill(order, trade);
  countInSums(sums, order, 1);
  return settled;
}

/** In one-way mode an order larger than the opposite position closes it and opens the rest. */
function settleOneWay(step: Step, symbolAccount: SymbolAccount, order: Order, part: Part): Settled {
  const { spec, tick, lots, feeRate } = part;
  const grows: PositionSide = order.side === 'buy' ? 'long' : 'short';
  const opposite = symbolAccount.position(otherPositionSide(grows));
  if (opposite === undefined)
    return fillResult(
      charged(openPosition(step, symbolAccount, order, grows, part)),
      'open',
      grows,
    );

  const closing = Math.min(opposite.lots, lots) as Lots;
  const closed = closePosition(
    step,
    symbolAccount,
    order,
    opposite,
    closing === lots ? part : partOf(spec, tick, closing, feeRate, part.levy),
  );
  if (closing === lots) return fillResult(closed, 'close', opposite.side);
  const opening = partOf(spec, tick, (lots - closing) as Lots, feeRate);
  const fee = openPosition(step, symbolAccount, order, grows, opening);
  const { profit, leftToClearing } = closed;
  return fillResult(
    { fee: plus(closed.fee, fee), profit, leftToClearing },
    'close',
    opposite.side,
    opening.size,
  );
}

function settleHedged(step: Step, symbolAccount: SymbolAccount, order: Order, part: Part): Settled {
  const { lots } = part;
  const side = order.positionSide;
  invariant(side !== undefined, 'an order in hedge mode names its position side');
  if (order.intent === 'open')
    return fillResult(charged(openPosition(step, symbolAccount, order, side, part)), 'open', side);
  const position = symbolAccount.position(side);
  invariant(
    position !== undefined && position.locked >= lots,
    'a closing order has locked what it closes',
  );
  position.locked = (position.locked - lots) as Lots;
  return fillResult(closePosition(step, symbolAccount, order, position, part), 'close', side);
}
