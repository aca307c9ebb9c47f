/** What an order needs behind it, and whether its holder has that. */

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
import { foundPrice, lookAhead, metAtOnce, worstPrice } from './look-ahead.ts';
import { marginHold } from './margin-hold.ts';
import { openingLots } from './open-orders.ts';
import { heldBy } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { pairHold } from './pair-orders.ts';
import { reducedBy } from './reduce-only.ts';

/** The hold an order needs, or why its holder cannot have it. `lots` is what may trade. */
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
  const isThere = (more: Amount): boolean => canSpend(step, account.profile.uid, coin, more);
  if (!isHoldCovered(plan, amount, isThere)) return reject('insufficientBalance');
  return ok({ kind: 'wallet', coin, amount, lots });
}

/**
 * What is held already need not be there again; whoever will hold no more than he does is asked for
 * nothing (ORD-194).
 */
function isHoldCovered(
  { instead }: OrderPlan,
  amount: Amount,
  isThere: (more: Amount) => boolean,
): boolean {
  const more = minus(amount, heldBy(instead));
  return (instead !== undefined && more <= 0n) || isThere(more);
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
  const isThere = (more: Amount): boolean =>
    isolated ? canSpend(step, uid, coin, more) : canMargin(step, uid, coin, more);
  if (!isHoldCovered(plan, plus(amount, need.beside), isThere)) return reject('insufficientMargin');
  return ok({ kind: isolated ? 'wallet' : 'margin', coin, amount, lots: opening });
}

/**
 * `amount` is held; `beside` must be there too, since some of what the order meets will take it.
 */
interface OpeningNeed {
  readonly amount: Amount;
  readonly beside: Amount;
}

/**
 * What an order that opens so many of its lots must have behind it at a leverage; undefined when no
 * tier allows that.
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
  if (!mayTakeMore(plan)) return { amount, beside: ZERO_AMOUNT };
  if (isIsolated(plan.marginMode))
    return { amount, beside: immediateShortfall(plan, lots, opening, amount, needAt) };
  const needOf = (at: Price, part: Lots): Amount =>
    orderNeed(spec.kind, at, sizeOf(spec, part), leverage, feeRate);
  return {
    amount,
    beside:
      price < plan.reference
        ? lackingAtMark(plan, price, metAtOnce(plan, lots, opening), needOf)
        : ZERO_AMOUNT,
  };
}

/** A sell trades at its limit or above it, and its short may be margined at more than that. */
const mayTakeMore = ({ draft: { side, orderType, timeInForce } }: OrderPlan): boolean =>
  side === 'sell' && (isMarket(orderType) || !mustNotTake(timeInForce));

/**
 * What a crossed short that is open at once needs beyond what its order holds: it is margined at
 * mark from then on (POS-164). So nobody has more leverage than he has set because he sells at a
 * limit far below what he will get.
 */
const lackingAtMark = (
  { reference }: OrderPlan,
  price: Price,
  met: Lots,
  needOf: (at: Price, part: Lots) => Amount,
): Amount => (met === 0 ? ZERO_AMOUNT : minus(needOf(reference, met), needOf(price, met)));

/**
 * What the bids that an isolated sell meets at once will take beyond what it holds: margin is moved
 * into the position at the price of the trade, and the best bids come first (ORD-171). It closes
 * before it opens.
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
 * Whether it opens more than the order in whose place it comes: whoever asks for less is not held
 * against a tier that he has outgrown.
 */
function isMoreThanBefore(plan: OrderPlan, opening: Lots): boolean {
  const { instead, spec } = plan;
  if (instead === undefined) return true;
  const worthOnce = (limit: Tick): bigint => positionPrice(plan, priceOf(spec, limit));
  return (
    BigInt(opening) * worthOnce(plan.limit) >
    BigInt(openingLots(instead)) * worthOnce(instead.limit)
  );
}

/**
 * In one-way mode the part that reduces needs nothing; other open orders of the same direction come
 * first.
 */
function openingOf(
  symbolAccount: SymbolAccount,
  { draft, positionSide, instead }: OrderPlan,
  lots: Lots,
): Lots {
  if (positionSide !== undefined) return lots;
  const position = reducedBy(symbolAccount, draft.side);
  if (position === undefined) return lots;
  const reducible = position.lots - (symbolAccount.sums(draft.side).left - (instead?.left ?? 0));
  return Math.max(0, lots - Math.max(0, reducible)) as Lots;
}

/** A limit order is expected to trade at its price, a market order at what it will find. */
const tradedPrice = (plan: OrderPlan, lots: Lots): Price =>
  isLimit(plan.draft.orderType) ? priceOf(plan.spec, plan.limit) : foundPrice(plan, lots);

/** What an order holds for: an isolated one that sells at market must fill as far as it goes. */
const marginedPrice = (plan: OrderPlan, lots: Lots): Price => {
  const { side, orderType } = plan.draft;
  return side === 'sell' && isMarket(orderType) && isIsolated(plan.marginMode)
    ? worstPrice(plan, lots)
    : tradedPrice(plan, lots);
};

/**
 * What a position is worth at the most once it is open: a short that is sold below mark is worth
 * the mark.
 */
const positionPrice = ({ draft, reference }: OrderPlan, price: Price): Price =>
  draft.side === 'sell' ? greatest(price, reference) : price;
