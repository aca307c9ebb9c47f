/**
 * Matching in the naive exchange: the list is sorted for every taker, and every maker is checked
 * again.
 */

import { armTpsl } from './naive-attached-tpsl.ts';
import { fillFutures, fillSpot, levyOf, levyOfMeeting } from './naive-fills.ts';
import { bringDown } from './naive-listing.ts';
import { type NaiveBooks, reducedBy, walletOf } from './naive-money.ts';
import { endInPair, unholdInPair } from './naive-pair-orders.ts';
import { accountOf, pairOf, supposing } from './naive-pairs.ts';
import { canAfford, canFill, type NaiveMatch } from './naive-risk-check.ts';
import { canAffordBoth } from './naive-self-trades.ts';
import type { NaiveInstrument, NaiveOrder, NaiveUser, Side } from './naive-state.ts';
import { update } from './naive-triggers.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

/** Opposite orders in the order in which a taker meets them: best price first, then oldest. */
export function others(books: NaiveBooks, instrument: NaiveInstrument, side: Side): NaiveOrder[] {
  const makers = books.orders.filter(
    (order) =>
      order.instrument === instrument && order.side !== side && order.number >= 0 && !order.waits,
  );
  const better = side === 'buy' ? 1 : -1;
  return makers.sort((left, right) =>
    left.limit === right.limit
      ? left.place - right.place
      : left.limit < right.limit
        ? -better
        : better,
  );
}

const crosses = (taker: NaiveOrder, maker: NaiveOrder): boolean =>
  taker.side === 'buy' ? maker.limit <= taker.limit : maker.limit >= taker.limit;

export function match(books: NaiveBooks, taker: NaiveOrder): void {
  const end = fate(books, taker);
  if (end !== undefined) endOrder(books, taker, end);
}

/** How the order ends; undefined if it rests. */
function fate(books: NaiveBooks, taker: NaiveOrder): string | undefined {
  const makers = met(books, taker);
  if (taker.timeInForce === 'postOnly' && !taker.market && makers.length > 0)
    return 'postOnlyWouldTake';
  const agreed =
    taker.timeInForce === 'fok' && !taker.market ? wholeFrom(books, taker, makers) : undefined;
  if (taker.timeInForce === 'fok' && !taker.market && agreed === undefined) return 'fokNotFull';
  let seen: bigint | undefined;
  for (const maker of makers) {
    const isDone =
      taker.quote === undefined ? taker.left === 0n : seen !== undefined && isSpent(taker, seen);
    if (isDone) break;
    if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
      if (taker.stp !== 'cancelTaker') endOrder(books, maker, 'selfTrade');
      if (taker.stp === 'cancelMaker') continue;
      return 'selfTrade';
    }
    seen = maker.limit;
    if (isSpent(taker, seen)) break;
    const stop = meet(books, taker, maker, agreed);
    if (stop !== undefined) return stop;
  }
  return rest(books, taker, seen !== undefined && isSpent(taker, seen));
}

/** Whether the order would be cancelled for lack of money before its first trade. */
export function cannotBegin(books: NaiveBooks, taker: NaiveOrder, instead?: NaiveOrder): boolean {
  if (!taker.market && (taker.timeInForce === 'postOnly' || taker.timeInForce === 'fok'))
    return false;
  for (const maker of met(books, taker)) {
    if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
      if (taker.stp !== 'cancelMaker') return false;
      continue;
    }
    if (isSpent(taker, maker.limit)) return false;
    const size = tradable(books, taker, maker);
    if (
      size > 0n &&
      beforeHold(books, taker, instead, () => canFill(books, maker, maker.limit, size))
    )
      return !canFill(books, taker, maker.limit, size) || !canTradeWith(books, taker, maker, size);
  }
  return false;
}

/**
 * Makers are checked before the hold of the taker, since a maker of the same account may use the
 * same money.
 */
function beforeHold(
  books: NaiveBooks,
  order: NaiveOrder,
  instead: NaiveOrder | undefined,
  ask: () => boolean,
): boolean {
  const { user, instrument, hold } = order;
  if (hold.kind === 'pair')
    return supposing(books, pairOf(user, instrument), () => unholdInPair(order), ask);
  if (hold.kind !== 'wallet') return ask();
  const wallet = walletOf(user, hold.coin);
  const more = hold.amount - (instead?.hold.amount ?? 0n);
  wallet.available += more;
  wallet.locked -= more;
  const answer = ask();
  wallet.available -= more;
  wallet.locked += more;
  return answer;
}

/** Whether an order will trade or rest; only then do other orders make room. */
export function willTradeOrRest(books: NaiveBooks, taker: NaiveOrder): boolean {
  const makers = met(books, taker);
  if (!taker.market && taker.timeInForce === 'postOnly') return makers.length === 0;
  if (!taker.market && taker.timeInForce === 'fok')
    return wholeFrom(books, taker, makers) !== undefined;
  for (const maker of makers) {
    if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
      if (taker.stp !== 'cancelMaker') return false;
      continue;
    }
    const size = tradable(books, taker, maker);
    if (size > 0n && canFill(books, maker, maker.limit, size)) return true;
  }
  return !taker.market && taker.timeInForce === 'gtc';
}

/** End of an order that has met every maker within its limit. */
function rest(books: NaiveBooks, taker: NaiveOrder, spent: boolean): string | undefined {
  if (spent) return taker.filled > 0n ? 'filled' : 'iocNotFull';
  if (taker.quote === undefined && taker.left === 0n)
    return taker.filled < taker.size ? 'nothingToReduce' : 'filled';
  if (taker.market)
    return others(books, taker.instrument, taker.side).length === 0 ? 'iocNotFull' : 'slippage';
  return taker.timeInForce === 'ioc' ? 'iocNotFull' : undefined;
}

/** Whether the rest of a quote amount is below one lot. */
const isSpent = ({ quote, spent, instrument }: NaiveOrder, price: bigint): boolean =>
  quote !== undefined && quote - spent < (price * instrument.lot) / UNIT;

const canTradeWith = (
  books: NaiveBooks,
  taker: NaiveOrder,
  maker: NaiveOrder,
  size: bigint,
): boolean =>
  accountOf(maker) !== accountOf(taker) ||
  canAffordBoth(
    books,
    [taker, maker].map((order) => ({ order, price: maker.limit, size })),
  );

/** The smaller of the maker's rest and what the taker wants or can pay for. */
function wantedFrom(taker: NaiveOrder, maker: NaiveOrder): bigint {
  const { lot } = taker.instrument;
  const affordable =
    taker.quote === undefined
      ? taker.left
      : ((taker.quote - taker.spent) / ((maker.limit * lot) / UNIT)) * lot;
  return min(maker.left, affordable);
}

const tradable = (books: NaiveBooks, taker: NaiveOrder, maker: NaiveOrder): bigint =>
  maker.reduceOnly
    ? min(wantedFrom(taker, maker), reducedBy(books, maker)?.size ?? 0n)
    : wantedFrom(taker, maker);

const isBeyondMark = (
  books: NaiveBooks,
  { instrument, side }: NaiveOrder,
  price: bigint,
): boolean =>
  side === 'sell'
    ? price < books.marks[instrument.symbol]!
    : price > books.marks[instrument.symbol]!;

/** Trades with a maker or cancels it; returns why the taker must stop. */
function meet(
  books: NaiveBooks,
  taker: NaiveOrder,
  maker: NaiveOrder,
  agreed: Set<NaiveOrder> | undefined,
): string | undefined {
  const wanted = wantedFrom(taker, maker);
  const size = tradable(books, taker, maker);
  if (size === 0n) {
    endOrder(books, maker, 'nothingToReduce');
    return undefined;
  }
  if (agreed === undefined ? !canFill(books, maker, maker.limit, size) : !agreed.has(maker)) {
    endOrder(books, maker, 'moneyGone');
    return undefined;
  }
  if (agreed === undefined && !canFill(books, taker, maker.limit, size)) return 'moneyGone';
  if (agreed === undefined && !canTradeWith(books, taker, maker, size)) {
    books.report.happened.push('self-trade of both sides not affordable');
    return 'moneyGone';
  }
  if (
    taker.leavesNothing &&
    isBeyondMark(books, taker, maker.limit) &&
    levyOfMeeting(books, maker, taker, size).levy[1] > 0n
  ) {
    books.report.happened.push('no clearing levy possible in the book');
    return 'slippage';
  }
  books.report.trades.push({ maker: maker.number, taker: taker.number, price: maker.limit, size });
  if (taker.instrument.category === 'SPOT') fillSpot(books, taker, maker, size);
  else {
    const levy = levyOf(books, maker, taker, size);
    fillFutures(books, taker, maker.limit, size, true, levy[1]);
    fillFutures(books, maker, maker.limit, size, false, levy[0]);
    books.lasts[taker.instrument.symbol] = maker.limit;
    update(books, taker.instrument, 'last');
    books.copying?.traded(taker, maker.limit);
  }
  if (maker.left === 0n)
    endOrder(books, maker, maker.filled < maker.size ? 'nothingToReduce' : 'filled');
  else if (size < wanted) endOrder(books, maker, 'nothingToReduce');
  return undefined;
}

/**
 * Makers that fill the order whole, as of the state before the first trade; undefined if there are
 * too few.
 */
function wholeFrom(
  books: NaiveBooks,
  taker: NaiveOrder,
  makers: NaiveOrder[],
): Set<NaiveOrder> | undefined {
  const agreed = new Set<NaiveOrder>();
  const moved = new Map<NaiveUser, bigint>();
  const move = (user: NaiveUser, by: bigint): void =>
    void moved.set(user, (moved.get(user) ?? 0n) + by);
  const net = (user: NaiveUser): bigint => {
    const own = books.positions.filter(
      (each) => each.user === user && each.instrument === taker.instrument,
    );
    const [first] = [...own].sort((left) => (left.side === 'long' ? -1 : 1));
    return (
      (first === undefined ? 0n : first.side === 'long' ? first.size : -first.size) +
      (moved.get(user) ?? 0n)
    );
  };
  let found = 0n;
  let worst = taker.limit;
  const made = new Map<unknown, NaiveMatch[]>();
  const taken: NaiveMatch[] = [];
  for (const maker of makers) {
    if (found === taker.left) break;
    if (maker.user.owner === taker.user.owner && taker.stp !== 'none') {
      if (taker.stp === 'cancelMaker') continue;
      break;
    }
    let size = min(maker.left, taker.left - found);
    if (maker.reduceOnly)
      size = min(size, max(0n, maker.side === 'buy' ? -net(maker.user) : net(maker.user)));
    if (size === 0n || !canFill(books, maker, maker.limit, size)) continue;
    agreed.add(maker);
    made.set(accountOf(maker), [
      ...(made.get(accountOf(maker)) ?? []),
      { order: maker, price: maker.limit, size },
    ]);
    taken.push({ order: taker, price: maker.limit, size });
    found += size;
    worst = maker.limit;
    for (const order of [maker, taker]) move(order.user, order.side === 'buy' ? size : -size);
  }
  if (found < taker.left || !canFill(books, taker, worst, taker.left)) return undefined;
  if (taker.isolated && !canAfford(books, taken)) return undefined;
  for (const own of made.values()) {
    if (own.length === 1) continue;
    const passesRiskCheck = canAfford(books, own);
    books.report.happened.push(
      passesRiskCheck
        ? 'several makers of one account filled'
        : 'several makers of one account not affordable',
    );
    if (!passesRiskCheck) return undefined;
  }
  const own = taken.flatMap((match, at) => {
    const maker = [...agreed][at]!;
    return accountOf(maker) === accountOf(taker) ? [match, { ...match, order: maker }] : [match];
  });
  return canAffordBoth(books, own) ? agreed : undefined;
}

export function release(books: NaiveBooks, order: NaiveOrder): void {
  const { user, hold } = order;
  if (hold.kind === 'pair') endInPair(books, order);
  if (hold.kind !== 'wallet') return;
  walletOf(user, hold.coin).locked -= hold.amount;
  walletOf(user, hold.coin).available += hold.amount;
}

export function endOrder(books: NaiveBooks, order: NaiveOrder, reason: string): void {
  books.orders = books.orders.filter((each) => each !== order);
  release(books, order);
  books.report.ends.push([order.number, reason]);
  armTpsl(books, order);
  books.copying?.orderEnded(order, reason);
  bringDown(books);
}

/** Cancels the oldest reduce-only orders that exceed their position. */
export function trim(books: NaiveBooks): void {
  for (const user of books.users)
    for (const side of ['buy', 'sell'] as const)
      for (const instrument of new Set(
        books.orders
          .filter((order) => order.user === user && order.reduceOnly)
          .map((order) => order.instrument),
      )) {
        const own = books.orders.filter(
          (order) =>
            order.user === user &&
            order.reduceOnly &&
            order.side === side &&
            order.instrument === instrument,
        );
        const room = own.length === 0 ? 0n : (reducedBy(books, own[0]!)?.size ?? 0n);
        let sum = own.reduce((total, { left }) => total + left, 0n);
        for (const order of own) {
          if (sum <= room) break;
          sum -= order.left;
          endOrder(books, order, 'nothingToReduce');
        }
      }
}

/** Makers within the limit of the order. */
export const met = (books: NaiveBooks, order: NaiveOrder): NaiveOrder[] =>
  others(books, order.instrument, order.side).filter((maker) => crosses(order, maker));

/** The last price that a market order reaches. */
export function worstPrice(books: NaiveBooks, order: NaiveOrder, reference: bigint): bigint {
  let found = 0n;
  for (const maker of met(books, order)) {
    found += maker.left;
    if (found >= order.left) return maker.limit;
  }
  return met(books, order).at(-1)?.limit ?? reference;
}

/** The average price of a market order, rounded up. */
export function expectedPrice(books: NaiveBooks, order: NaiveOrder, reference: bigint): bigint {
  let found = 0n;
  let value = 0n;
  for (const maker of others(books, order.instrument, order.side)) {
    const isDone = order.quote === undefined ? found === order.left : value >= order.quote;
    if (!crosses(order, maker) || isDone) break;
    const taken = order.quote === undefined ? min(maker.left, order.left - found) : maker.left;
    found += taken;
    value += (maker.limit * taken) / UNIT;
  }
  return found === 0n ? reference : ceiling(value * UNIT, found);
}
