/** Risk check of fills in the naive exchange: one fill, or several that are settled together. */

import { feeFor, type Held, marginFor, profitOf, valueAt } from './naive-contracts.ts';
import { shareOfHold } from './naive-fills.ts';
import { isStale } from './naive-freshness.ts';
import { exchanged, filledOnMargin } from './naive-loans.ts';
import {
  costMaintenance,
  equity,
  grownBy,
  headroom,
  inDollars,
  leastProfitOf,
  loanMaintenance,
  maintenance,
  maintenanceAtMark,
  type NaiveBooks,
  reducedBy,
  releasedBy,
} from './naive-money.ts';
import { canAffordInPair } from './naive-pair-orders.ts';
import { openValue } from './naive-settings.ts';
import {
  canLeave,
  canLose,
  coversLossOf,
  failStale,
  mayNotBorrow,
  staleCoins,
} from './naive-stale.ts';
import type { NaiveOrder } from './naive-state.ts';
import { ceiling, max, min, nearest, UNIT } from './whole-units.ts';

export interface NaiveMatch {
  readonly order: NaiveOrder;
  readonly price: bigint;
  readonly size: bigint;
}

export const canFill = (
  books: NaiveBooks,
  order: NaiveOrder,
  price: bigint,
  size: bigint,
): boolean => order.forced || canAfford(books, [{ order, price, size }]);

/** Checks the state after all fills of one account in one direction, with taker fees for each. */
export function canAfford(books: NaiveBooks, matches: readonly NaiveMatch[]): boolean {
  const { order } = matches[0]!;
  books.report.failedAtStalePrice = false;
  if (order.loanType !== undefined) return canAffordInPair(books, matches);
  if (order.instrument.category === 'SPOT') return canExchange(books, matches);
  return order.isolated ? canAffordIsolated(books, matches) : canAffordCrossed(books, matches);
}

/** Spot exchange, with a loan for what is missing on margin. A spot order locks what it gives. */
function canExchange(books: NaiveBooks, matches: readonly NaiveMatch[]): boolean {
  const [{ order }] = matches as [NaiveMatch];
  const onMargin = matches.filter((match) => match.order.onMargin);
  const more: Record<string, bigint> = {};
  const add = (some: readonly NaiveMatch[]): bigint => {
    const value = some.reduce((sum, { price, size }) => sum + (price * size) / UNIT, 0n);
    const changed = exchanged(
      order,
      value,
      some.reduce((sum, { size }) => sum + size, 0n),
    );
    for (const [coin, amount] of Object.entries(changed.more))
      more[coin] = (more[coin] ?? 0n) + amount;
    return changed.loan;
  };
  const borrowed = onMargin.length === 0 ? 0n : add(onMargin);
  if (onMargin.length < matches.length) add(matches.filter((match) => !match.order.onMargin));
  const { base, coin: quote } = order.instrument;
  const paidCoin = order.side === 'buy' ? quote : base;
  const requirement = loanMaintenance(books, paidCoin, borrowed);
  const required = maintenance(books, order.user) + requirement;
  const [before, after] = [
    equity(books, order.user, { locked: true }),
    equity(books, order.user, { more, locked: true }),
  ];
  const isAtStalePrice = borrowed > 0n && [base, quote].some((coin) => isStale(books, coin));
  if (isAtStalePrice || (borrowed > 0n && mayNotBorrow(books, order.user)))
    return failStale(books, 'no loan at a stale price');
  if (borrowed > 0n && !isLoanMargined(books, onMargin)) return false;
  const isOwing = maintenance(books, order.user) > 0n;
  const isAfter = (): boolean =>
    !isOwing || canLose(books, order.user, { more, required, freed: undefined });
  if (borrowed > 0n) return after > required && isAfter();
  const passes =
    after > required ||
    (requirement === 0n && after >= before) ||
    (required === 0n && (after === 0n || onMargin.length === 0));
  return passes && isAfter();
}

/**
 * A repaying order holds nothing. If it borrows after all, the account needs margin for the loan.
 */
function isLoanMargined(books: NaiveBooks, onMargin: readonly NaiveMatch[]): boolean {
  if (onMargin.every(({ order }) => order.hold.kind === 'margin')) return true;
  const isMargined = hasMarginOf(books, onMargin);
  if (!isMargined) books.report.happened.push('repaying order would borrow too much');
  return isMargined;
}

/** Whether the account has the margin for the loans of these fills. */
export function hasMarginOf(books: NaiveBooks, onMargin: readonly NaiveMatch[]): boolean {
  const [{ order }] = onMargin as [NaiveMatch];
  const value = onMargin.reduce((sum, { price, size }) => sum + (price * size) / UNIT, 0n);
  const size = onMargin.reduce((sum, match) => sum + match.size, 0n);
  const held = onMargin.reduce((sum, match) => sum + shareOfHold(match.order, match.size), 0n);
  const { more, needed, loan } = filledOnMargin(books, order, value, size);
  if (loan > 0n && mayNotBorrow(books, order.user)) return false;
  const lacking = needed - inDollars(books, order.instrument.coin, held);
  return headroom(books, order.user, { more, needed: lacking }) >= 0n;
}

/** The two positions after the fills: first they close the opposite side, then they open. */
function outcomeOf(books: NaiveBooks, matches: readonly NaiveMatch[]) {
  const [{ order: first }] = matches as [NaiveMatch];
  const { instrument, user } = first;
  const [closed, grown] = [
    reducedBy(books, { ...first, positionSide: undefined }),
    grownBy(books, { ...first, positionSide: undefined }),
  ];
  let rest: Held = closed ?? { instrument, size: 0n, cost: 0n };
  let held: Held = grown ?? { instrument, size: 0n, cost: 0n };
  let [realised, fees, lost] = [0n, 0n, 0n];
  const openings: NaiveMatch[] = [];
  for (const { order, price, size } of matches) {
    const closing = user.hedge ? (order.closes ? size : 0n) : min(size, rest.size);
    if (closing > 0n) {
      const cost = nearest(rest.cost * closing, rest.size);
      const profit = leastProfitOf(books, instrument, closed!.side, closing, cost, price);
      const fee = feeFor(
        instrument,
        price,
        valueAt(instrument, price, closing, cost),
        instrument.taker,
      );
      realised += profit;
      fees += fee;
      lost += max(0n, fee - profit);
      rest = { instrument, size: rest.size - closing, cost: rest.cost - cost };
    }
    if (size === closing) continue;
    openings.push({ order, price, size: size - closing });
    held = {
      instrument,
      size: held.size + size - closing,
      cost: held.cost + price * (size - closing),
    };
  }
  const isClosing = rest.size !== (closed?.size ?? 0n);
  const released = isClosing ? releasedBy(books, closed!, rest) : 0n;
  return { closed, rest, grown, held, realised, fees, lost, released, openings, isClosing };
}

export const atMark = (
  books: NaiveBooks,
  side: 'long' | 'short',
  { instrument, size, cost }: Held,
): bigint =>
  size === 0n ? 0n : profitOf(instrument, side, size, cost, books.marks[instrument.symbol]!);

export const maintenanceIn = (books: NaiveBooks, held: Held | undefined): bigint =>
  held === undefined || held.size === 0n ? 0n : maintenanceAtMark(books, held);

const opened = ({ side }: NaiveOrder): 'long' | 'short' => (side === 'buy' ? 'long' : 'short');
export const openingFee = ({ order, price, size }: NaiveMatch): bigint =>
  feeFor(order.instrument, price, price * size, order.instrument.taker);

/**
 * True if the rest of the position is above maintenance, or no worse backed per unit than before.
 */
export const isBacked = (
  before: bigint,
  requiredBefore: bigint,
  after: bigint,
  requiredAfter: bigint,
): boolean =>
  after > requiredAfter || (after >= 0n && after * requiredBefore >= before * requiredAfter);

/** Openings that were not checked when the orders were placed must fit the tier of the leverage. */
function fitsTier(books: NaiveBooks, openings: readonly NaiveMatch[]): boolean {
  const [{ order }] = openings as [NaiveMatch];
  const { instrument } = order;
  let unasked = 0n;
  for (const { order: each, price, size } of openings) {
    const worthAt = each.side === 'sell' ? max(price, books.marks[instrument.symbol]!) : price;
    unasked += ceiling(worthAt * max(0n, size - each.hold.size), UNIT);
  }
  if (unasked === 0n) return true;
  const value = unasked + openValue(books, order);
  const tier = instrument.tiers.findLast(({ from }) => from < value) ?? instrument.tiers[0]!;
  const fits = value <= instrument.tiers.at(-1)!.to && order.leverage <= tier.leverage;
  if (!fits) books.report.happened.push('opening beyond its tier');
  return fits;
}

function canAffordCrossed(books: NaiveBooks, matches: readonly NaiveMatch[]): boolean {
  const [{ order }] = matches as [NaiveMatch];
  const { user, instrument } = order;
  const { closed, rest, grown, held, realised, fees, lost, released, openings, isClosing } =
    outcomeOf(books, matches);
  let change = realised - fees;
  if (closed !== undefined && isClosing)
    change += atMark(books, closed.side, rest) - atMark(books, closed.side, closed);
  if (openings.length === 0) {
    const after = equity(books, user, { more: { [instrument.coin]: change }, locked: true });
    const before = equity(books, user, { locked: true });
    const requiredBefore = maintenance(books, user);
    const requiredAfter =
      maintenance(books, user, new Map([[closed, rest]])) +
      costMaintenance(books, user, instrument.coin, lost, released);
    const loss = {
      more: { [instrument.coin]: change },
      required: requiredAfter,
      freed: requiredBefore - requiredAfter,
      own: instrument,
    };
    return isBacked(before, requiredBefore, after, requiredAfter) && canLose(books, user, loss);
  }
  if (!fitsTier(books, openings)) return false;
  for (const opening of openings)
    change +=
      atMark(books, opened(order), {
        instrument,
        size: opening.size,
        cost: opening.price * opening.size,
      }) - openingFee(opening);
  const more = { [instrument.coin]: change };
  let uncovered = 0n;
  for (const opening of openings) {
    const size = max(0n, opening.size - opening.order.hold.size);
    uncovered += marginFor(instrument, opening.price, size, opening.order.leverage);
  }
  const without = staleCoins(books).filter((coin) => coin !== instrument.coin);
  if (
    uncovered > 0n &&
    headroom(books, user, { more, without, needed: inDollars(books, instrument.coin, uncovered) }) <
      0n
  )
    return false;
  const requirement =
    maintenanceIn(books, held) -
    maintenanceIn(books, grown) +
    (isClosing ? maintenanceIn(books, rest) - maintenanceIn(books, closed) : 0n);
  const cost = openings.reduce((sum, opening) => sum + openingFee(opening), lost);
  const addedMaintenance =
    inDollars(books, instrument.coin, requirement) +
    costMaintenance(books, user, instrument.coin, cost, released);
  const requiredAfter = maintenance(books, user) + addedMaintenance;
  if (!canLose(books, user, { more, required: requiredAfter, freed: undefined, own: instrument }))
    return false;
  return equity(books, user, { more, locked: true }) > requiredAfter;
}

/**
 * Money from the wallet: openings beyond the holds, and closing losses beyond the position margin.
 */
export function walletNeed(books: NaiveBooks, matches: readonly NaiveMatch[]): bigint {
  const { closed, realised, fees, openings, isClosing } = outcomeOf(books, matches);
  let needed = isClosing ? max(0n, fees - realised - closed!.margin) : 0n;
  for (const opening of openings) {
    const { order, price, size } = opening;
    const lacking =
      marginFor(order.instrument, price, size, order.leverage) +
      openingFee(opening) -
      shareOfHold(order, size);
    if (lacking > 3n) needed += lacking;
  }
  return needed;
}

export const canPay = (
  books: NaiveBooks,
  { user, instrument }: NaiveOrder,
  needed: bigint,
): boolean => needed === 0n || canLeave(books, user, instrument.coin, needed);

function canAffordIsolated(books: NaiveBooks, matches: readonly NaiveMatch[]): boolean {
  const [{ order }] = matches as [NaiveMatch];
  const { user, instrument } = order;
  const { closed, rest, grown, held, realised, fees, openings, isClosing } = outcomeOf(
    books,
    matches,
  );
  if (isClosing && rest.size > 0n) {
    const before = closed!.margin + atMark(books, closed!.side, closed!);
    const after = closed!.margin + realised - fees + atMark(books, closed!.side, rest);
    if (!isBacked(before, maintenanceIn(books, closed), after, maintenanceIn(books, rest)))
      return false;
  }
  if (!canPay(books, order, walletNeed(books, matches))) return false;
  if (openings.length === 0) return true;
  if (!fitsTier(books, openings)) return false;
  const margin = openings.reduce(
    (sum, each) => sum + marginFor(instrument, each.price, each.size, each.order.leverage),
    0n,
  );
  if (
    (grown?.margin ?? 0n) + margin + atMark(books, opened(order), held) <=
    maintenanceIn(books, held)
  )
    return false;
  const leaving = openings.reduce((sum, each) => sum + openingFee(each), margin);
  return coversLossOf(books, user, instrument.coin, leaving);
}
