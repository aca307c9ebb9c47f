/** Risk check of an account that trades with itself in the naive exchange, fill by fill. */

import { feeFor, type Held, marginFor, valueAt } from './naive-contracts.ts';
import { isStale } from './naive-freshness.ts';
import { exchanged } from './naive-loans.ts';
import {
  costMaintenance,
  equity,
  inDollars,
  leastProfitOf,
  loanMaintenance,
  maintenance,
  type NaiveBooks,
} from './naive-money.ts';
import { canSwapInPair } from './naive-pair-orders.ts';
import {
  atMark,
  canPay,
  isBacked,
  maintenanceIn,
  type NaiveMatch,
  openingFee,
  walletNeed,
} from './naive-risk-check.ts';
import { canLose, coversLossOf, failStale, mayNotBorrow } from './naive-stale.ts';
import { floor, max, min, nearest, UNIT } from './whole-units.ts';

const SIDES = ['long', 'short'] as const;
interface Followed extends Held {
  size: bigint;
  cost: bigint;
  margin: bigint;
  grown: boolean;
}

/**
 * `own` are the fills of the taker's account in settlement order, the taker's before the maker's.
 */
export function canAffordBoth(books: NaiveBooks, own: readonly NaiveMatch[]): boolean {
  const [{ order: taker }] = own as [NaiveMatch];
  books.report.failedAtStalePrice = false;
  if (taker.forced || own.every(({ order }) => order === taker)) return true;
  if (taker.loanType !== undefined) return canSwapInPair(books, own);
  if (taker.instrument.category === 'SPOT') return canSwap(books, own);
  const { user, instrument } = taker;
  const positionOf = (side: 'long' | 'short') =>
    books.positions.find(
      (each) => each.user === user && each.instrument === instrument && each.side === side,
    );
  const heldNow = (side: 'long' | 'short'): Followed => {
    const held = positionOf(side);
    return {
      instrument,
      size: held?.size ?? 0n,
      cost: held?.cost ?? 0n,
      margin: held?.margin ?? 0n,
      grown: false,
    };
  };
  const after = { long: heldNow('long'), short: heldNow('short') };
  let [wallet, lost, released] = [0n, 0n, 0n];
  const brings = (amount: bigint): void => {
    wallet += amount;
    lost += max(0n, -amount);
  };
  for (const match of own) {
    const [grows, shrinks] =
      match.order.side === 'buy' ? (['long', 'short'] as const) : (['short', 'long'] as const);
    const { order, price, size } = match;
    const closing = user.hedge ? (order.closes ? size : 0n) : min(size, after[shrinks].size);
    const before = maintenanceIn(books, after[shrinks]);
    if (closing > 0n) brings(closed(books, after[shrinks], shrinks, price, closing));
    released += before - maintenanceIn(books, after[shrinks]);
    if (closing < size) brings(-opened(after[grows], { ...match, size: size - closing }));
  }
  if (taker.isolated) {
    const [made, taken] = [
      own.filter(({ order }) => order !== taker),
      own.filter(({ order }) => order === taker),
    ];
    if (!canPay(books, taker, walletNeed(books, made) + walletNeed(books, taken))) return false;
    for (const side of SIDES) {
      const held = after[side];
      const worth = held.margin + atMark(books, side, held);
      if (held.size === 0n) continue;
      const [before, requiredBefore] = [
        heldNow(side).margin + atMark(books, side, heldNow(side)),
        maintenanceIn(books, heldNow(side)),
      ];
      const isEnough = held.grown
        ? worth > maintenanceIn(books, held)
        : isBacked(before, requiredBefore, worth, maintenanceIn(books, held));
      if (!isEnough) return false;
    }
    return wallet >= 0n || coversLossOf(books, user, instrument.coin, -wallet);
  }
  const sum = (of: (side: 'long' | 'short', held: Held) => bigint): bigint =>
    SIDES.reduce((total, side) => total + of(side, after[side]) - of(side, heldNow(side)), 0n);
  const change = wallet + sum((side, held) => atMark(books, side, held));
  const left = equity(books, user, { more: { [instrument.coin]: change }, locked: true });
  if (!after.long.grown && !after.short.grown) {
    const rests = new Map(SIDES.map((side) => [positionOf(side), after[side]]));
    const requiredBefore = maintenance(books, user);
    const requiredAfter =
      maintenance(books, user, rests) +
      costMaintenance(books, user, instrument.coin, lost, released);
    const loss = {
      more: { [instrument.coin]: change },
      required: requiredAfter,
      freed: requiredBefore - requiredAfter,
      own: instrument,
    };
    const before = equity(books, user, { locked: true });
    return isBacked(before, requiredBefore, left, requiredAfter) && canLose(books, user, loss);
  }
  const addedMaintenance = sum((_side, held) => maintenanceIn(books, held));
  const cost = costMaintenance(books, user, instrument.coin, lost, released);
  const requirement =
    maintenance(books, user) + inDollars(books, instrument.coin, addedMaintenance) + cost;
  if (
    !canLose(books, user, {
      more: { [instrument.coin]: change },
      required: requirement,
      freed: undefined,
      own: instrument,
    })
  )
    return false;
  return left > requirement || (requirement === 0n && left === 0n);
}

/** Proceeds of a close for the wallet: its part of the margin, less losses. */
function closed(
  books: NaiveBooks,
  held: Followed,
  side: 'long' | 'short',
  price: bigint,
  size: bigint,
): bigint {
  const { instrument } = held;
  const cost = nearest(held.cost * size, held.size);
  const net =
    leastProfitOf(books, instrument, side, size, cost, price) -
    feeFor(instrument, price, valueAt(instrument, price, size, cost), instrument.taker);
  const share = size === held.size ? held.margin : floor(held.margin * size, held.size);
  const out = share + net < 0n ? min(held.margin, -net) : share;
  held.margin -= out;
  held.size -= size;
  held.cost -= cost;
  return out + net;
}

function opened(held: Followed, match: NaiveMatch): bigint {
  const { order, price, size } = match;
  const margin = order.isolated ? marginFor(order.instrument, price, size, order.leverage) : 0n;
  held.margin += margin;
  held.size += size;
  held.cost += price * size;
  held.grown = true;
  return margin + openingFee(match);
}

/** Coins return except for fees. What one side borrows, the other repays as far as it repays. */
function canSwap(books: NaiveBooks, own: readonly NaiveMatch[]): boolean {
  const [{ order: taker }] = own as [NaiveMatch];
  const { user } = taker;
  const requirement = maintenance(books, user);
  if (requirement === 0n && own.every(({ order }) => !order.onMargin)) return true;
  const directions = (['buy', 'sell'] as const).map((side) => {
    const some = own.filter(({ order }) => order.side === side);
    const value = some.reduce((sum, { price, size }) => sum + (price * size) / UNIT, 0n);
    const changed = exchanged(
      { ...taker, side },
      value,
      some.reduce((sum, { size }) => sum + size, 0n),
    );
    return { ...changed, onMargin: some.some(({ order }) => order.onMargin) };
  });
  const more: Record<string, bigint> = {};
  for (const each of directions)
    for (const [coin, amount] of Object.entries(each.more))
      more[coin] = (more[coin] ?? 0n) + amount;
  let loans = 0n;
  for (const [at, { paidCoin, loan, onMargin }] of directions.entries()) {
    const owed = onMargin ? max(0n, loan - directions[1 - at]!.got) : 0n;
    loans += loanMaintenance(books, paidCoin, owed);
  }
  const [before, after] = [
    equity(books, user, { locked: true }),
    equity(books, user, { more, locked: true }),
  ];
  const { instrument } = taker;
  const isAtStalePrice =
    mayNotBorrow(books, user) ||
    [instrument.base, instrument.coin].some((coin) => isStale(books, coin));
  if (loans > 0n && isAtStalePrice) return failStale(books, 'no loan at a stale price');
  const required = requirement + loans;
  const passes =
    after > required || (loans === 0n && after >= before) || (required === 0n && after === 0n);
  return (
    passes && (requirement === 0n || canLose(books, user, { more, required, freed: undefined }))
  );
}
