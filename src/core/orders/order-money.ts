/** What an order needs behind it, and whether its holder has that. */
import { ceilingAmount, costOf, UNIT } from '../../formulas/exact.ts';
import { tiersAllow } from '../../formulas/maintenance.ts';
import { neededUsd, needOfValue, orderNeed } from '../../formulas/margin.ts';
import { tierValueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate, greatest, minus, type Price, plus, type Rate, type Size, ZERO_AMOUNT } from '../../kernel/money.ts';
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { seatOf } from '../accounts/holder.ts';
import type { Seat } from '../accounts/seat.ts';
import { type Lots, NO_LOTS, type Tick } from '../book/order-book.ts';
import { priceOf, sizeOf, type Terms, worthOf } from '../instruments/terms.ts';
import type { Venue } from '../instruments/venue.ts';
import { pairHold } from '../isolated/pair-orders.ts';
import { measureMargin } from '../margin/account-margin.ts';
import { indexOf } from '../margin/account-sums.ts';
import { canSpend } from '../margin/can-leave.ts';
import { hasRoom } from '../margin/estimate-margin.ts';
import { estimatedValue, isBounded, leverageAllowed, UNIT_ESTIMATE } from '../margin/fill-bounds.ts';
import { markOf } from '../margin/position-margin.ts';
import { rateFromText } from '../margin/rates.ts';
import { coversLoan } from '../matching/can-exchange.ts';
import type { Match } from '../matching/fill.ts';
import { ROUNDING_MAX } from '../positions/fill-position.ts';
import { positionOf } from '../positions/position.ts';
import { reject, type Step } from '../step.ts';
import { MAKERS_PER_ORDER_MAX } from './caps.ts';
import { heldFor } from './holds.ts';
import { marginHold } from './margin-hold.ts';
import { type OpenOrders, openingLots, openingTicks, openOrdersOf } from './open-orders.ts';
import { type Hold, heldBy, NO_HOLD, type Order } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { reducedBy } from './reducible.ts';

/** The hold an order needs, or why its holder cannot have it. `lots` is what may trade. */
export function holdFor(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  if (plan.seat !== undefined) return futuresHold(step, plan, plan.seat, lots);
  if (plan.terms.category === 'SPOT') return spotHold(step, plan, lots);
  return plan.draft.loanType === undefined ? marginHold(step, plan, lots, tradedPrice(plan, lots)) : pairHold(step, plan, lots);
}

function spotHold(step: Step, plan: OrderPlan, lots: Lots): Result<Hold, Rejection> {
  const { terms, draft, limit, quoteAmount, account } = plan;
  const { baseCoin, quoteCoin } = terms.instrument;
  const coin = draft.side === 'buy' ? quoteCoin : baseCoin;
  const amount = draft.side === 'buy' ? (quoteAmount ?? worthOf(terms, limit, lots)) : (sizeOf(terms, lots) as bigint as Amount);
  const isThere = (more: Amount): boolean => canSpend(step, account.profile.uid, coin, more);
  if (!isCovered(plan, amount, isThere)) return reject('insufficientBalance');
  return ok({ kind: 'wallet', coin, amount, lots });
}

/** What is held already need not be there again; whoever will hold no more than he does is asked for nothing (ORD-92). */
function isCovered({ instead }: OrderPlan, amount: Amount, isThere: (more: Amount) => boolean): boolean {
  const more = minus(amount, heldBy(instead));
  return (instead !== undefined && more <= 0n) || isThere(more);
}

const valueAt = (price: Price, size: Size): Amount => ceilingAmount(costOf(price, size));

function futuresHold(step: Step, plan: OrderPlan, seat: Seat, lots: Lots): Result<Hold, Rejection> {
  const { terms, intent, marginMode } = plan;
  const opening = intent === 'close' ? NO_LOTS : openingOf(seat, plan, lots);
  if (opening === 0) return ok(NO_HOLD);
  const { uid } = seat.holder;
  const { marginCoin: coin } = terms.instrument;
  const leverage = plan.leverage === seat.setting.leverage ? seat.crossedLeverage : rateFromText(plan.leverage!);
  const need = openingNeed(step, plan, seat, lots, opening, leverage);
  if (need === undefined) return reject('insufficientMargin');
  const { amount } = need;
  const isolated = marginMode === 'isolated';
  const isThere = (more: Amount): boolean => (isolated ? canSpend(step, uid, coin, more) : canMargin(step, uid, coin, more));
  if (!isCovered(plan, plus(amount, need.beside), isThere)) return reject('insufficientMargin');
  return ok({ kind: isolated ? 'wallet' : 'margin', coin, amount, lots: opening });
}

/** `amount` is held; `beside` must be there too, since some of what the order meets will take it. */
interface OpeningNeed {
  readonly amount: Amount;
  readonly beside: Amount;
}

/** What an order that opens so many of its lots must have behind it at a leverage; undefined when no tier allows that. */
export function openingNeed(step: Step, plan: OrderPlan, seat: Seat, lots: Lots, opening: Lots, leverage: Rate): OpeningNeed | undefined {
  const { terms } = plan;
  const size = sizeOf(terms, opening);
  const price = marginedPrice(plan, lots);
  if (isMoreThanBefore(plan, opening) && !fitsTier(step, plan, seat, positionPrice(plan, price), size, leverage)) return undefined;
  const feeRate = seat.holder.futuresFees.taker;
  const needAt = (tick: Tick, part: Lots): Amount =>
    terms.inverse
      ? orderNeed(terms.kind, priceOf(terms, tick), sizeOf(terms, part), leverage, feeRate)
      : needOfValue(worthOf(terms, tick, part), leverage, feeRate);
  const isAtLimit = price === priceOf(terms, plan.limit);
  const amount = isAtLimit ? needAt(plan.limit, opening) : orderNeed(terms.kind, price, size, leverage, feeRate);
  if (!mayTakeMore(plan)) return { amount, beside: ZERO_AMOUNT };
  if (plan.marginMode === 'isolated') return { amount, beside: lackingAtOnce(plan, lots, opening, amount, needAt) };
  const needOf = (at: Price, part: Lots): Amount => orderNeed(terms.kind, at, sizeOf(terms, part), leverage, feeRate);
  return { amount, beside: price < plan.reference ? lackingAtMark(plan, price, metAtOnce(plan, lots, opening), needOf) : ZERO_AMOUNT };
}

/** A sell trades at its limit or above it, and its short may be margined at more than that. */
const mayTakeMore = ({ draft: { side, orderType, timeInForce } }: OrderPlan): boolean =>
  side === 'sell' && (orderType === 'market' || timeInForce !== 'postOnly');

/**
 * What a crossed short that is open at once needs beyond what its order holds: it is margined at mark from then on (POS-93). So nobody has
 * more leverage than he has set because he sells at a limit far below what he will get.
 */
const lackingAtMark = ({ reference }: OrderPlan, price: Price, met: Lots, needOf: (at: Price, part: Lots) => Amount): Amount =>
  met === 0 ? ZERO_AMOUNT : minus(needOf(reference, met), needOf(price, met));

/** Of the lots that open, those that bids are waiting for. It closes before it opens. */
function metAtOnce(plan: Meeting, lots: Lots, opening: Lots): Lots {
  let met = 0;
  lookAhead(plan, (_tick, available) => {
    met += available;
    return met < lots;
  });
  return Math.max(0, Math.min(met, lots) - (lots - opening)) as Lots;
}

/**
 * The same of an order that comes into the book after a wait: whom it meets then could not be told when it was placed. A sell below mark needs the
 * mark behind what it opens; a buy at market needs the prices that it finds, which may be far above those of before. Both must still be in their tier.
 * An isolated order is asked for its margin by each of its fills.
 */
export function isMarginedAtOnce(step: Step, order: Order, venue: Venue): boolean {
  const { terms } = venue;
  const { uid, limit, left, side } = order;
  const opening = openingLots(order) as Lots;
  if (!terms.futures) return isLoanCoveredAtOnce(step, order, venue);
  if (opening === 0 || isBoundByLimit(order)) return true;
  const mark = markOf(step.state, terms);
  const isolated = order.marginMode === 'isolated';
  if (side === 'sell' && priceOf(terms, limit) >= mark) return true;
  const finding: Finding = { venue, limit, draft: order, terms, reference: mark, quoteAmount: undefined };
  const met = metAtOnce(finding, left, opening);
  if (met === 0) return true;
  const price = side === 'buy' ? foundPrice(finding, left) : mark;
  const size = sizeOf(terms, met);
  const leverage = rateFromText(order.leverage!);
  if (!tiersAllow(terms.tiers, plus(valueAt(price, size), othersValue(step, order, terms)), leverage)) return false;
  const lacking = minus(orderNeed(terms.kind, price, size, leverage, seatOf(step, order).holder.futuresFees.taker), heldFor(order, met));
  return isolated || lacking <= 0n || canMargin(step, uid, terms.instrument.marginCoin, lacking);
}

/** Whether what it opens is worth no more than its limit says: of a sell only where it waits for others. */
const isBoundByLimit = ({ side, orderType, timeInForce }: Order): boolean =>
  orderType === 'limit' && (side === 'buy' || timeInForce === 'postOnly');

/** A sell on margin holds for its value at its limit, and borrows what that is worth at index: many that wait would borrow too much together. */
function isLoanCoveredAtOnce(step: Step, order: Order, venue: Venue): boolean {
  const { limit, hold, side } = order;
  if (hold.kind !== 'margin' || side === 'buy') return true;
  const matches: Match[] = [];
  let left: number = order.left;
  lookAhead({ venue, limit, draft: order }, (tick, available) => {
    const lots = Math.min(left, available) as Lots;
    matches.push({ order, tick, lots });
    left -= lots;
    return left > 0;
  });
  return matches.length === 0 || coversLoan(step, venue.terms, matches);
}

/** What a side of an instrument is worth already, an order of it aside. */
const othersValue = (step: Step, order: Order, terms: Terms): Amount =>
  minus(openValue(step, order.uid, terms, order.side, order.positionSide), openingValue(terms, markOf(step.state, terms), order));

/**
 * What the bids that an isolated sell meets at once will take beyond what it holds: margin is moved into the position at the price of the
 * trade, and the best bids come first (ORD-89). It closes before it opens.
 */
function lackingAtOnce(plan: OrderPlan, lots: Lots, opening: Lots, amount: Amount, needAt: (tick: Tick, part: Lots) => Amount): Amount {
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

/** Whether it opens more than the order in whose place it comes: whoever asks for less is not held against a tier that he has outgrown. */
function isMoreThanBefore(plan: OrderPlan, opening: Lots): boolean {
  const { instead, terms } = plan;
  if (instead === undefined) return true;
  const worthOnce = (limit: Tick): bigint => positionPrice(plan, priceOf(terms, limit));
  return BigInt(opening) * worthOnce(plan.limit) > BigInt(openingLots(instead)) * worthOnce(instead.limit);
}

/** Whether free equity still covers the initial margin with so much more of it. */
function canMargin({ state, derived }: Step, uid: Uid, coin: string, amount: Amount): boolean {
  if (hasRoom(state, derived, uid, (approximate(amount) * approximate(indexOf(state, coin))) / UNIT_ESTIMATE)) return true;
  const { freeEquity, initial } = measureMargin(state, derived, uid);
  return freeEquity >= plus(initial, neededUsd(amount, indexOf(state, coin)));
}

/** In one-way mode the part that reduces needs nothing; other open orders of the same direction come first. */
function openingOf(seat: Seat, { draft, positionSide, instead }: OrderPlan, lots: Lots): Lots {
  if (positionSide !== undefined) return lots;
  const position = reducedBy(seat, draft.side);
  if (position === undefined) return lots;
  const reducible = position.lots - (seat.sums(draft.side).left - (instead?.left ?? 0));
  return Math.max(0, lots - Math.max(0, reducible)) as Lots;
}

/** A limit order is expected to trade at its price, a market order at what it will find. */
const tradedPrice = (plan: OrderPlan, lots: Lots): Price =>
  plan.draft.orderType === 'limit' ? priceOf(plan.terms, plan.limit) : foundPrice(plan, lots);

/** What an order holds for: an isolated one that sells at market must fill as far as it goes. */
const marginedPrice = (plan: OrderPlan, lots: Lots): Price => {
  const { side, orderType } = plan.draft;
  return side === 'sell' && orderType === 'market' && plan.marginMode === 'isolated' ? worstPrice(plan, lots) : tradedPrice(plan, lots);
};

/** What a position is worth at the most once it is open: a short that is sold below mark is worth the mark. */
const positionPrice = ({ draft, reference }: OrderPlan, price: Price): Price =>
  draft.side === 'sell' ? greatest(price, reference) : price;

/** What decides whom an order would meet. */
interface Meeting extends Pick<OrderPlan, 'venue' | 'limit'> {
  readonly draft: Pick<OrderPlan['draft'], 'side'>;
}

/** The same, and what it is reckoned in. */
type Finding = Meeting & Pick<OrderPlan, 'terms' | 'reference' | 'quoteAmount'>;

/** The makers that an order would meet, and no more of them than it may: whoever is refused for want of money has paid nothing for the look (ORD-73). */
function lookAhead({ venue, draft, limit }: Meeting, visit: (tick: Tick, available: Lots) => boolean): void {
  let looked = 0;
  venue.book.look(draft.side, limit, (_id, _owner, tick, available) => ++looked <= MAKERS_PER_ORDER_MAX && visit(tick, available));
}

/** The last price that a market order finds in the book; the reference when it finds nobody. */
function worstPrice(plan: OrderPlan, lots: Lots): Price {
  let found = 0;
  let worst: Tick | undefined;
  lookAhead(plan, (tick, available) => {
    found += available;
    worst = tick;
    return found < lots;
  });
  return worst === undefined ? plan.reference : priceOf(plan.terms, worst);
}

/** The average price that a market order finds in the book, rounded up; the reference when it finds nobody. */
function foundPrice(plan: Finding, lots: Lots): Price {
  const { terms, reference, quoteAmount } = plan;
  let found = 0;
  let value = ZERO_AMOUNT;
  lookAhead(plan, (tick, available) => {
    const taken = (quoteAmount === undefined ? Math.min(available, lots - found) : available) as Lots;
    found += taken;
    value = plus(value, worthOf(terms, tick, taken));
    return quoteAmount === undefined ? found < lots : value < quoteAmount;
  });
  if (found === 0) return reference;
  const size = BigInt(found) * terms.lotSize;
  return ((value * UNIT + size - 1n) / size) as Price;
}

/** What is open already and what the order would open, together. */
function fitsTier(step: Step, plan: OrderPlan, seat: Seat, price: Price, size: Size, leverage: Rate): boolean {
  const { terms, draft, positionSide, instead } = plan;
  if (surelyFitsTier(step, plan, seat, approximate(price) * approximate(size), leverage)) return true;
  const others = minus(openValue(step, seat.holder.uid, terms, draft.side, positionSide), openingValue(terms, plan.reference, instead));
  return tiersAllow(terms.tiers, plus(valueAt(price, size), others), leverage);
}

/** The same in floating point, leaning to the other side: most orders are far from the end of their tier. */
function surelyFitsTier({ state }: Step, plan: OrderPlan, seat: Seat, product: number, leverage: Rate): boolean {
  const { terms, draft, positionSide } = plan;
  if (!isBounded(terms)) return false;
  const position = seat.position(positionSide ?? (draft.side === 'buy' ? 'long' : 'short'));
  const held = position === undefined ? 0 : estimatedValue(terms, seat.venue.markTicks(state), position.lots);
  const { opening, left } = seat.sums(draft.side);
  const atMark = draft.side === 'sell' ? left * seat.venue.markTicks(state) : 0;
  const orders = (opening + atMark) * terms.estimates.tickLot;
  return approximate(leverage) <= leverageAllowed(terms, (product / UNIT_ESTIMATE + held + orders) * TIER_CAUTION);
}

const TIER_CAUTION = 1 + 1e-9;

/** What an open order would open, once it is a position: a sell below mark too may find bids up there, and then its short is worth the mark. */
function openingValue(terms: Terms, mark: Price | undefined, order: Order | undefined): Amount {
  if (order === undefined) return ZERO_AMOUNT;
  const lots = openingLots(order) as Lots;
  if (order.side === 'sell' && mark !== undefined && priceOf(terms, order.limit) < mark) return valueAt(mark, sizeOf(terms, lots));
  return (terms.tickLotValue * BigInt(lots) * BigInt(order.limit)) as Amount;
}

/** What a side of an instrument is worth already: the position at mark, and the open orders that would add to it. */
export function openValue(
  { state, derived }: Step,
  uid: Uid,
  terms: OrderPlan['terms'],
  side: OrderPlan['draft']['side'],
  positionSide: OrderPlan['positionSide'],
): Amount {
  const position = positionOf(state, uid, terms.key, positionSide ?? (side === 'buy' ? 'long' : 'short'));
  const mark = state.symbolPrices.get(terms.key)?.mark;
  const open = openOrdersOf(derived, uid, terms.key);
  const orders = open === undefined ? ZERO_AMOUNT : openingValues(terms, mark, open, side);
  return position === undefined || mark === undefined ? orders : plus(orders, tierValueAt(terms.kind, position.entry, mark));
}

function openingValues(terms: Terms, mark: Price | undefined, open: OpenOrders, side: OrderPlan['draft']['side']): Amount {
  if (side === 'buy') return (terms.tickLotValue * openingTicks(open, side)) as Amount;
  return open.all.reduce((sum, order) => (order.side === side ? plus(sum, openingValue(terms, mark, order)) : sum), ZERO_AMOUNT);
}
