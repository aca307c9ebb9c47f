/** Computes the hold of an order, and checks that its account has the money. */

import { needOfValue, orderNeed } from '../../../formulas/margin.ts';
import {
  type Amount,
  greatest,
  minus,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../../kernel/money.ts';
import { ok, type Result } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import { isIsolated, isLimit, isMarket, mustNotTake } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { coinsIn, priceOf, rateFromText, sizeOf, worthOf } from '../../derived/instrument-spec.ts';
import { canMargin } from '../../margin/estimate-margin.ts';
import { canSpend } from '../../margin/free-margin.ts';
import { type Hold, NO_HOLD } from '../../state/order.ts';
import { reject, type Step } from '../../transaction/step.ts';
import { ROUNDING_MAX } from '../positions/fill-position.ts';
import { orderFitsTier } from '../risk/tier-room.ts';
import { averagePrice, lookAhead, openingAtOnce, worstPrice } from './look-ahead.ts';
import { marginHold } from './margin-hold.ts';
import { openingLots } from './open-orders.ts';
import { heldBy } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { pairHold } from './pair-orders.ts';
import { reducedBy } from './reduce-only.ts';

/** The hold of an order, or its refusal. `lots` is what may trade. */
export function holdFor(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  if (plan.symbolAccount !== undefined) return futuresHold(step, plan, plan.symbolAccount, lots);
  if (plan.spec.category === 'SPOT') return spotHold(step, plan, lots);
  return plan.draft.loanType === undefined
    ? marginHold(step, plan, lots, tradedPrice(plan, lots))
    : pairHold(step, plan, lots);
}

function spotHold(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { spec, draft, limit, quoteAmount, account } = plan;
  const { baseCoin, quoteCoin } = spec.instrument;
  const coin = draft.side === 'buy' ? quoteCoin : baseCoin;
  const amount =
    draft.side === 'buy' ? (quoteAmount ?? worthOf(spec, limit, lots)) : coinsIn(spec, lots);
  const isAvailable = (more: Amount): boolean => canSpend(step, account.profile.uid, coin, more);
  if (!isHoldCovered(plan, amount, isAvailable)) return reject('insufficientBalance');
  return ok({ kind: 'wallet', coin, amount, lots });
}

/**
 * Money that the replaced order holds is available. A hold that does not grow needs nothing
 * (ORD-194).
 */
function isHoldCovered(
  { replacing }: OrderPlan,
  amount: Amount,
  isAvailable: (more: Amount) => boolean,
): boolean {
  const more = minus(amount, heldBy(replacing));
  return (replacing !== undefined && more <= 0n) || isAvailable(more);
}

function futuresHold(
  step: Step,
  plan: OrderPlan,
  symbolAccount: SymbolAccount,
  lots: Lots,
): Result<Hold, Rejection> {
  const { spec, intent, marginMode } = plan;
  const opening = intent === 'close' ? NO_LOTS : openingOf(symbolAccount, plan, lots);
  if (opening === 0) return ok(NO_HOLD);
  const { uid } = symbolAccount.context;
  const { marginCoin: coin } = spec.instrument;
  const leverage =
    plan.leverage === symbolAccount.setting.leverage
      ? symbolAccount.crossedLeverage
      : rateFromText(plan.leverage!);
  const need = openingNeed(step, plan, symbolAccount, lots, opening, leverage);
  if (need === undefined) return reject('insufficientMargin');
  const { amount } = need;
  const isolated = isIsolated(marginMode);
  const isAvailable = (more: Amount): boolean =>
    isolated ? canSpend(step, uid, coin, more) : canMargin(step, uid, coin, more);
  if (!isHoldCovered(plan, plus(amount, need.shortfall), isAvailable))
    return reject('insufficientMargin');
  return ok({ kind: isolated ? 'wallet' : 'margin', coin, amount, lots: opening });
}

/** `amount` is held. `shortfall` must be available too, because the first fills will need it. */
interface OpeningNeed {
  readonly amount: Amount;
  readonly shortfall: Amount;
}

/**
 * What an order must have to open `opening` lots at a leverage; undefined if its tier does not
 * allow it.
 */
export function openingNeed(
  step: Step,
  plan: OrderPlan,
  symbolAccount: SymbolAccount,
  lots: Lots,
  opening: Lots,
  leverage: Rate,
): OpeningNeed | undefined {
  const { spec } = plan;
  const size = sizeOf(spec, opening);
  const price = marginedPrice(plan, lots);
  if (
    isMoreThanBefore(plan, opening) &&
    !orderFitsTier(step, plan, symbolAccount, positionPrice(plan, price), size, leverage)
  )
    return undefined;
  const feeRate = symbolAccount.context.futuresFees.taker;
  const needAt = (tick: Tick, part: Lots): Amount =>
    spec.inverse
      ? orderNeed(spec.kind, priceOf(spec, tick), sizeOf(spec, part), leverage, feeRate)
      : needOfValue(worthOf(spec, tick, part), leverage, feeRate);
  const isAtLimit = price === priceOf(spec, plan.limit);
  const amount = isAtLimit
    ? needAt(plan.limit, opening)
    : orderNeed(spec.kind, price, size, leverage, feeRate);
  if (!mayFillAboveLimit(plan)) return { amount, shortfall: ZERO_AMOUNT };
  if (isIsolated(plan.marginMode))
    return { amount, shortfall: immediateShortfall(plan, lots, opening, amount, needAt) };
  const needOf = (at: Price, part: Lots): Amount =>
    orderNeed(spec.kind, at, sizeOf(spec, part), leverage, feeRate);
  return {
    amount,
    shortfall:
      price < plan.reference
        ? shortfallAtMark(plan, price, openingAtOnce(plan, lots, opening), needOf)
        : ZERO_AMOUNT,
  };
}

/** A sell trades at its limit or above, so its short may need more margin than its limit does. */
const mayFillAboveLimit = ({ draft: { side, orderType, timeInForce } }: OrderPlan): boolean =>
  side === 'sell' && (isMarket(orderType) || !mustNotTake(timeInForce));

/**
 * What a crossed short needs beyond the hold of its order, because from its opening it is margined
 * at mark (POS-164). So a sell far below mark gives no more leverage than is set.
 */
const shortfallAtMark = (
  { reference }: OrderPlan,
  price: Price,
  met: Lots,
  needOf: (at: Price, part: Lots) => Amount,
): Amount => (met === 0 ? ZERO_AMOUNT : minus(needOf(reference, met), needOf(price, met)));

/**
 * What the bids that an isolated sell meets at once need beyond its hold: the position gets its
 * margin at the price of each trade, best bids first (ORD-171). The order closes before it opens.
 */
function immediateShortfall(
  plan: OrderPlan,
  lots: Lots,
  opening: Lots,
  amount: Amount,
  needAt: (tick: Tick, part: Lots) => Amount,
): Amount {
  let closing: number = lots - opening;
  let left: number = opening;
  let held = amount;
  let lacking = ZERO_AMOUNT;
  lookAhead(plan, (tick, available) => {
    const closed = Math.min(closing, available);
    closing -= closed;
    const part = Math.min(left, available - closed) as Lots;
    if (part === 0) return left > 0;
    const share = (part === left ? held : (held * BigInt(part)) / BigInt(left)) as Amount;
    const more = minus(needAt(tick, part), share);
    if (more > ROUNDING_MAX) lacking = plus(lacking, more);
    held = minus(held, share);
    left -= part;
    return left > 0 && more > 0n;
  });
  return lacking;
}

/**
 * True if it opens more than the order that it replaces. A smaller order is not checked against a
 * tier that it has outgrown (ORD-195).
 */
function isMoreThanBefore(plan: OrderPlan, opening: Lots): boolean {
  const { replacing, spec } = plan;
  if (replacing === undefined) return true;
  const worthOnce = (limit: Tick): bigint => positionPrice(plan, priceOf(spec, limit));
  return (
    BigInt(opening) * worthOnce(plan.limit) >
    BigInt(openingLots(replacing)) * worthOnce(replacing.limit)
  );
}

/**
 * In one-way mode the part that reduces needs nothing. Older orders of the same side reduce first.
 */
function openingOf(
  symbolAccount: SymbolAccount,
  { draft, positionSide, replacing }: OrderPlan,
  lots: Lots,
): Lots {
  if (positionSide !== undefined) return lots;
  const position = reducedBy(symbolAccount, draft.side);
  if (position === undefined) return lots;
  const reducible = position.lots - (symbolAccount.sums(draft.side).left - (replacing?.left ?? 0));
  return Math.max(0, lots - Math.max(0, reducible)) as Lots;
}

/** A limit order is expected to trade at its price, a market order at the prices in the book. */
const tradedPrice = (plan: OrderPlan, lots: Lots): Price =>
  isLimit(plan.draft.orderType) ? priceOf(plan.spec, plan.limit) : averagePrice(plan, lots);

/**
 * The price that the hold must cover: an isolated market sell must be covered down to its last
 * fill.
 */
const marginedPrice = (plan: OrderPlan, lots: Lots): Price => {
  const { side, orderType } = plan.draft;
  return side === 'sell' && isMarket(orderType) && isIsolated(plan.marginMode)
    ? worstPrice(plan, lots)
    : tradedPrice(plan, lots);
};

/** The highest value of the position after the fill: a short sold below mark is worth the mark. */
const positionPrice = ({ draft, reference }: OrderPlan, price: Price): Price =>
  draft.side === 'sell' ? greatest(price, reference) : price;
