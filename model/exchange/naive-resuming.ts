/** Status changes in the naive exchange, and the release of waiting orders when trading resumes. */

import { needFor } from './naive-contracts.ts';
import { shareOfHold } from './naive-fills.ts';
import { endOrder, expectedPrice, match, met, trim } from './naive-matching.ts';
import { headroom, inDollars, type NaiveBooks, reducedBy, walletOf } from './naive-money.ts';
import { allPairs, isLost } from './naive-pairs.ts';
import { bandOf } from './naive-placing.ts';
import { hasMarginOf, type NaiveMatch } from './naive-risk-check.ts';
import { openValue } from './naive-settings.ts';
import type { NaiveInstrument, NaiveOrder, NaiveStatus } from './naive-state.ts';
import { isOfMargin, isTrading, keyOf, statusOf } from './naive-statuses.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

export function setStatus(
  books: NaiveBooks,
  instrument: NaiveInstrument,
  onMargin: boolean,
  status: NaiveStatus,
): void {
  const before = statusOf(books, instrument, onMargin);
  books.statuses[keyOf(instrument, onMargin)] = status;
  books.report.happened.push(before === status ? `${status} again` : `${before} to ${status}`);
  const own = books.orders.filter((order) => order.instrument === instrument);
  if (status === 'off')
    for (const order of own) if (isOfMargin(order) === onMargin) endOrder(books, order, 'delisted');
  if (!isTrading(books, instrument)) return;
  if (allPairs(books).some((pair) => pair.instrument === instrument && isLost(books, pair)))
    books.report.happened.push('resumed with a pair at liquidation');
  for (const order of own)
    if (order.waits && statusOf(books, instrument, isOfMargin(order)) === 'normal')
      comeIn(books, order);
}

/** In order of acceptance, each with its consequences. */
function comeIn(books: NaiveBooks, order: NaiveOrder): void {
  if (!books.orders.includes(order)) return;
  books.copying?.settleOwn(order.user);
  order.waits = false;
  order.place = books.places++;
  if (order.market)
    order.limit = bandOf(books, order.instrument, isOfMargin(order))[
      order.side === 'buy' ? 'highest' : 'lowest'
    ];
  books.report.happened.push(
    order.loanType === undefined ? 'waiting order released' : 'waiting order of a pair released',
  );
  if (isCovered(books, order)) match(books, order);
  else {
    books.report.happened.push(
      `${order.onMargin ? 'margin order' : order.isolated ? 'isolated order' : 'crossed order'} no longer covered`,
    );
    endOrder(books, order, 'moneyGone');
  }
  trim(books);
}

/** Whether the account has what the order needs now for its immediate fills. */
function isCovered(books: NaiveBooks, order: NaiveOrder): boolean {
  const { instrument, side, market, timeInForce } = order;
  if (instrument.category === 'SPOT') return isLoanCovered(books, order);
  if (
    !market &&
    (side === 'buy' || timeInForce === 'postOnly' || order.limit >= books.marks[instrument.symbol]!)
  )
    return true;
  // An earlier order may have opened a position, which this order closes although it holds for
  // opening.
  const closing = order.user.hedge ? 0n : min(order.left, reducedBy(books, order)?.size ?? 0n);
  const opening = min(order.hold.size, order.left - closing);
  const found = met(books, order).reduce((sum, { left }) => sum + left, 0n);
  const opened = max(0n, min(found, order.left) - (order.left - opening));
  if (opened === 0n) return true;
  const price = side === 'buy' ? expectedPrice(books, order, 0n) : books.marks[instrument.symbol]!;
  return (
    fitsTier(books, order, price, opened) &&
    (order.isolated || isMargined(books, order, price, opened, opening))
  );
}

/** With its position and all other orders. */
function fitsTier(books: NaiveBooks, order: NaiveOrder, price: bigint, opened: bigint): boolean {
  const { tiers } = order.instrument;
  const others = { ...books, orders: books.orders.filter((each) => each !== order) };
  const value = ceiling(price * opened, UNIT) + openValue(others, order);
  const tier = tiers.findLast(({ from }) => from < value) ?? tiers[0]!;
  return value <= tiers.at(-1)!.to && order.leverage <= tier.leverage;
}

/** Immediate openings need margin beyond the hold for them and for what now closes. */
function isMargined(
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  opened: bigint,
  opening: bigint,
): boolean {
  const { instrument, hold, user, leverage } = order;
  const more =
    needFor(instrument, price, opened, leverage) - shareOfHold(order, opened + hold.size - opening);
  return (
    more <= 0n || headroom(books, user, { needed: inDollars(books, instrument.coin, more) }) >= 0n
  );
}

/** Margin of the immediate loan of a sell. */
function isLoanCovered(books: NaiveBooks, order: NaiveOrder): boolean {
  if (order.hold.kind !== 'margin' || order.side === 'buy') return true;
  const matches: NaiveMatch[] = [];
  let left = order.left;
  for (const maker of met(books, order)) {
    const size = min(left, maker.left);
    if (size > 0n) matches.push({ order, price: maker.limit, size });
    left -= size;
  }
  return (
    order.left - left <= walletOf(order.user, order.instrument.base).available ||
    hasMarginOf(books, matches)
  );
}
