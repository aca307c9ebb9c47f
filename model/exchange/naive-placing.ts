/** Placing an order in the naive exchange: checks rule by rule, then the hold. */

import { askedRefusal, type NaiveAttached } from './naive-attached-tpsl.ts';
import { needFor } from './naive-contracts.ts';
import { countOrder, hasRoom, isRestricted, OPEN_ORDERS_MAX, openOrders } from './naive-limits.ts';
import { limitsOf } from './naive-listing.ts';
import { holdOnMargin } from './naive-loans.ts';
import {
  cannotBegin,
  endOrder,
  expectedPrice,
  match,
  met,
  others,
  release,
  willTradeOrRest,
  worstPrice,
} from './naive-matching.ts';
import { canHaveMode, leverageOf } from './naive-modes.ts';
import {
  canSpend,
  headroom,
  inDollars,
  type NaiveBooks,
  pairIndex,
  reducedBy,
  walletOf,
} from './naive-money.ts';
import { holdInPair, unholdInPair } from './naive-pair-orders.ts';
import { openValue, sameSide } from './naive-settings.ts';
import type {
  NaiveInstrument,
  NaiveOrder,
  NaivePosition,
  NaiveUser,
  PositionSide,
  Side,
} from './naive-state.ts';
import { isOfMargin, isTrading, takesOrders } from './naive-statuses.ts';
import { ceiling, floor, max, min, UNIT, units } from './whole-units.ts';

export interface NaiveDraft {
  readonly side: Side;
  readonly market: boolean;
  readonly size: string;
  readonly price: string | undefined;
  readonly timeInForce: string;
  readonly positionSide: PositionSide | undefined;
  /** Undefined: the mode of the account. */
  readonly stp: string | undefined;
  readonly reduceOnly: boolean;
  /** A spot order that may borrow. */
  readonly onMargin: boolean;
  /** Only for orders on isolated spot margin. */
  readonly loanType?: string | undefined;
  readonly name?: string | undefined;
  /** Only if given. */
  readonly marginMode?: 'isolated' | 'crossed' | undefined;
  readonly attached?: NaiveAttached | undefined;
  /** The request came with attached TP/SL, not through a trigger. */
  readonly asksTpsl?: boolean;
  /** An order of an earlier trigger closes regardless of the daily limit and of size limits. */
  readonly closesAnyway?: boolean;
}

const isFuture = ({ category }: NaiveInstrument): boolean => category !== 'SPOT';

export const referenceOf = (books: NaiveBooks, instrument: NaiveInstrument): bigint =>
  isFuture(instrument) ? books.marks[instrument.symbol]! : pairIndex(books, instrument);

/** Allowed prices of a limit order. */
export function bandOf(
  books: NaiveBooks,
  instrument: NaiveInstrument,
  onMargin = false,
): { readonly highest: bigint; readonly lowest: bigint } {
  const reference = referenceOf(books, instrument);
  const { band } = limitsOf(instrument, onMargin);
  return {
    highest: floor(reference * (UNIT + band), UNIT * instrument.tick) * instrument.tick,
    lowest: ceiling(reference * (UNIT - band), UNIT * instrument.tick) * instrument.tick,
  };
}

/** Undefined if it was accepted. */
export function place(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  draft: NaiveDraft,
  all: boolean,
): string | undefined {
  const mayRest =
    !draft.market && (draft.timeInForce === 'gtc' || draft.timeInForce === 'postOnly');
  const checked = check(books, user, instrument, draft, all);
  if (typeof checked === 'string') return checked;
  if ((mayRest || checked.waits) && openOrders(books, user, instrument) >= OPEN_ORDERS_MAX)
    return 'tooManyOpenOrders';
  if (!all && !draft.closesAnyway && isRestricted(books, user)) return 'dailyOrdersReached';
  const unfit = draft.asksTpsl ? askedRefusal(books, checked) : undefined;
  if (unfit !== undefined) return unfit;
  if (draft.asksTpsl && !hasRoom(books, user, instrument, 2)) return 'tooManyTpsl';
  const fitted = fitPosition(books, checked, all);
  if (typeof fitted === 'string') return fitted;
  const refused = setAside(books, fitted.order) ?? riskRefusal(books, fitted.order);
  if (refused !== undefined) return refused;
  if (user.hedge || fitted.order.waits || willTradeOrRest(books, fitted.order))
    for (const each of fitted.replaced) endOrder(books, each, 'reduceOnlyReplaced');
  countOrder(books, user);
  enter(books, fitted.order);
  return undefined;
}

/** Refusal before the first trade; the hold is released then. */
export function riskRefusal(
  books: NaiveBooks,
  order: NaiveOrder,
  instead?: NaiveOrder,
): string | undefined {
  if (order.waits || !cannotBegin(books, order, instead)) return undefined;
  if (order.loanType === undefined) release(books, order);
  else unholdInPair(order);
  if (books.report.failedAtStalePrice) return 'priceStale';
  return order.instrument.category === 'SPOT' && !order.onMargin && order.loanType === undefined
    ? 'insufficientBalance'
    : 'insufficientMargin';
}

/** Puts the order at the end of the queue. */
export function enter(books: NaiveBooks, order: NaiveOrder): void {
  const accepted = { ...order, number: books.accepted++, place: books.places++ };
  books.orders.push(accepted);
  if (!order.market) books.copying?.wake(order.instrument);
  if (accepted.waits) books.report.happened.push('waits');
  else match(books, accepted);
}

/** The order of a draft, or the first broken rule. */
export function check(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  draft: NaiveDraft,
  all: boolean,
): NaiveOrder | string {
  const futures = isFuture(instrument);
  const hedged = futures && user.hedge;
  if (!takesOrders(books, instrument, !futures && isOfMargin(draft))) return 'symbolClosed';
  if (hedged && draft.positionSide === undefined) return 'positionSideMismatch';
  if (!draft.market && draft.price === undefined) return 'fieldMissing';
  if (futures && !canHaveMode(books, user, instrument, draft.marginMode)) return 'marginModeInUse';
  const price = draft.market ? undefined : units(draft.price!);
  if (price !== undefined && price % instrument.tick !== 0n) return 'priceOffStep';
  const reference = referenceOf(books, instrument);
  const quote = !futures && draft.market && draft.side === 'buy' ? units(draft.size) : undefined;
  const size = units(draft.size);
  const { sizeMin, sizeMax, marketSizeMax } = limitsOf(instrument, isOfMargin(draft));
  if (quote !== undefined) {
    if (quote % 100n !== 0n) return 'sizeOffStep';
    if (quote === 0n || quote < (reference * sizeMin) / UNIT) return 'sizeTooSmall';
    if (quote > (reference * marketSizeMax) / UNIT) return 'sizeTooLarge';
  } else {
    if (size % instrument.lot !== 0n) return 'sizeOffStep';
    const isAsked = !all && !draft.closesAnyway;
    if (isAsked && size < sizeMin) return 'sizeTooSmall';
    if (isAsked && size > (draft.market ? marketSizeMax : sizeMax)) return 'sizeTooLarge';
  }
  const { highest, lowest } = bandOf(books, instrument, isOfMargin(draft));
  if (price !== undefined && price < lowest) return 'priceTooLow';
  if (price !== undefined && price > highest) return 'priceTooHigh';
  const waits = !isTrading(books, instrument);
  if (draft.market && !waits && others(books, instrument, draft.side).length === 0)
    return 'noLiquidity';

  const positionSide = hedged ? draft.positionSide : undefined;
  const closes =
    futures && (hedged ? (draft.side === 'buy') !== (positionSide === 'long') : draft.reduceOnly);
  const setting = user.settings[instrument.symbol]!;
  return {
    number: -1,
    place: -1,
    user,
    instrument,
    side: draft.side,
    market: draft.market,
    timeInForce: draft.timeInForce,
    limit: price ?? (draft.side === 'buy' ? highest : lowest),
    size: quote === undefined ? size : 0n,
    quote,
    positionSide,
    closes,
    reduceOnly: closes && !hedged,
    stp: draft.stp ?? user.selfTrade,
    name: draft.name,
    isolated: futures && setting.isolated,
    leverage: leverageOf(user, instrument, positionSide),
    forced: false,
    takesOver: false,
    leavesNothing: false,
    onMargin: !futures && draft.onMargin,
    loanType: draft.loanType,
    waits,
    left: quote === undefined ? size : 0n,
    filled: 0n,
    spent: 0n,
    attached: draft.attached,
    hold: { kind: 'none', coin: '', amount: 0n, size: 0n },
  };
}

/** A closing order fits the position; older closing orders may have to end for it. */
function fitPosition(
  books: NaiveBooks,
  order: NaiveOrder,
  all: boolean,
): { order: NaiveOrder; replaced: NaiveOrder[] } | string {
  if (!order.closes) return { order, replaced: [] };
  const position = reducedBy(books, order);
  if (position === undefined) return 'nothingToClose';
  if (order.user.hedge && all) return { order, replaced: closesOf(books, position) };
  if (order.user.hedge) {
    const available = position.size - heldBack(books, position);
    if (order.size > available && !order.market) return 'closeTooLarge';
    if (available === 0n) return 'nothingToClose';
    const size = min(order.size, available);
    return { order: { ...order, size, left: size }, replaced: [] };
  }
  const left = min(order.size, position.size);
  const older = books.orders.filter(
    (each) =>
      each.reduceOnly &&
      each.user === order.user &&
      each.instrument === order.instrument &&
      each.side === order.side,
  );
  const replaced: NaiveOrder[] = [];
  let sum = older.reduce((total, each) => total + each.left, 0n);
  for (const each of older) {
    if (sum <= position.size - left) break;
    sum -= each.left;
    replaced.push(each);
  }
  return { order: { ...order, left }, replaced };
}

export const heldBack = (books: NaiveBooks, position: NaivePosition): bigint =>
  closesOf(books, position).reduce((sum, { left }) => sum + left, 0n);

const closesOf = (books: NaiveBooks, { user, instrument, side }: NaivePosition): NaiveOrder[] =>
  books.orders.filter(
    (order) =>
      order.closes &&
      order.user === user &&
      order.instrument === instrument &&
      order.positionSide === side,
  );

/** Sets the hold, or returns the refusal. `before` is the order it replaces, already removed. */
export function setAside(
  books: NaiveBooks,
  order: NaiveOrder,
  before?: NaiveOrder,
): string | undefined {
  const { user, instrument } = order;
  const reference = referenceOf(books, instrument);
  if (order.loanType !== undefined) return holdInPair(books, order);
  if (order.onMargin) return holdOnMargin(books, order, reference, before);
  if (instrument.category === 'SPOT') {
    const coin = order.side === 'buy' ? instrument.coin : instrument.base;
    const amount =
      order.side === 'buy' ? (order.quote ?? (order.limit * order.left) / UNIT) : order.left;
    if (!lock(books, order, coin, amount, before)) return 'insufficientBalance';
    order.hold = { kind: 'wallet', coin, amount, size: order.left };
    return undefined;
  }
  const opening = order.closes ? 0n : openingOf(books, order);
  if (opening === 0n) {
    if (before?.hold.kind === 'wallet') lock(books, order, instrument.coin, 0n, before);
    return undefined;
  }
  const isSell = order.side === 'sell';
  let price = order.market ? expectedPrice(books, order, reference) : order.limit;
  if (isSell && order.market && order.isolated) price = worstPrice(books, order, reference);
  const worthAt = (at: bigint): bigint => (isSell ? max(at, reference) : at);
  const value = ceiling(worthAt(price) * opening, UNIT) + openValue(books, order);
  const tier = instrument.tiers.findLast(({ from }) => from < value) ?? instrument.tiers[0]!;
  const isMore =
    before === undefined ||
    opening * worthAt(order.limit) > before.hold.size * worthAt(before.limit);
  if (isMore && (value > instrument.tiers.at(-1)!.to || order.leverage > tier.leverage))
    return 'insufficientMargin';
  const amount = needFor(instrument, price, opening, order.leverage);
  if (order.isolated) {
    if (!lock(books, order, instrument.coin, amount, before, beside(books, order, opening, amount)))
      return 'insufficientMargin';
  } else {
    const more =
      isSell && price < reference ? aboveHold(books, order, opening, [price, reference]) : 0n;
    const isAsked = before === undefined || amount + more > before.hold.amount;
    if (
      isAsked &&
      headroom(books, user, { needed: inDollars(books, instrument.coin, amount + more) }) < 0n
    )
      return 'insufficientMargin';
  }
  order.hold = {
    kind: order.isolated ? 'wallet' : 'margin',
    coin: instrument.coin,
    amount,
    size: opening,
  };
  return undefined;
}

/** Margin at mark of a crossed short that opens at once, beyond its hold. */
function aboveHold(
  books: NaiveBooks,
  order: NaiveOrder,
  opening: bigint,
  [price, mark]: readonly [bigint, bigint],
): bigint {
  if (order.timeInForce === 'postOnly' && !order.market) return 0n;
  const found = met(books, order).reduce((sum, { left }) => sum + left, 0n);
  const opened = max(0n, min(found, order.left) - (order.left - opening));
  const needAt = (at: bigint): bigint =>
    opened === 0n ? 0n : needFor(order.instrument, at, opened, order.leverage);
  return needAt(mark) - needAt(price);
}

/**
 * Money that an isolated sell needs beside its hold: bids above the held price move more margin.
 */
function beside(books: NaiveBooks, order: NaiveOrder, opening: bigint, amount: bigint): bigint {
  if (order.side === 'buy' || (order.timeInForce === 'postOnly' && !order.market)) return 0n;
  let [closing, left, held, sum] = [order.left - opening, opening, amount, 0n];
  for (const maker of met(books, order)) {
    const closed = min(closing, maker.left);
    closing -= closed;
    const size = min(left, maker.left - closed);
    if (size === 0n) continue;
    const share = size === left ? held : floor(held * size, left);
    const lacking = needFor(order.instrument, maker.limit, size, order.leverage) - share;
    if (lacking > 3n) sum += lacking;
    held -= share;
    left -= size;
  }
  return sum;
}

/** Only the part beyond the money on hold must be available. */
function lock(
  books: NaiveBooks,
  { user }: NaiveOrder,
  coin: string,
  amount: bigint,
  before: NaiveOrder | undefined,
  also = 0n,
): boolean {
  const more = amount - (before?.hold.amount ?? 0n);
  if ((before === undefined || more + also > 0n) && !canSpend(books, user, coin, more + also))
    return false;
  const wallet = walletOf(user, coin);
  wallet.available -= more;
  wallet.locked += more;
  return true;
}

function openingOf(books: NaiveBooks, order: NaiveOrder): bigint {
  const position = reducedBy(books, order);
  if (order.user.hedge || position === undefined) return order.left;
  const before = sameSide(books, order).reduce((sum, { left }) => sum + left, 0n);
  return max(0n, order.left - max(0n, position.size - before));
}
