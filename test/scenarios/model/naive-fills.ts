/** What a fill does in the naive exchange, and whether an order can bear it. */
import {
  canSpend,
  equity,
  feeFor,
  grownBy,
  headroom,
  MAKER_FEE,
  maintenance,
  maintenanceAtMark,
  marginFor,
  type NaiveBooks,
  pay,
  profitOf,
  reducedBy,
  repay,
  SPOT_FEE,
  TAKER_FEE,
  walletOf,
} from './naive-money.ts';
import type { NaiveOrder, NaivePosition } from './naive-state.ts';
import { ceiling, floor, max, min, nearest, UNIT } from './whole-units.ts';

/** How much of a fill closes; the rest opens. */
export function closingPart(books: NaiveBooks, order: NaiveOrder, size: bigint): bigint {
  if (order.user.hedge) return order.closes ? size : 0n;
  return min(size, reducedBy(books, order)?.size ?? 0n);
}

const shareOfHold = ({ hold }: NaiveOrder, size: bigint): bigint => {
  if (hold.size === 0n) return 0n;
  return size >= hold.size ? hold.amount : floor(hold.amount * size, hold.size);
};

const closedCost = (position: NaivePosition, size: bigint): bigint => nearest(position.cost * size, position.size);

export function canFill(books: NaiveBooks, order: NaiveOrder, price: bigint, size: bigint, taker: boolean): boolean {
  if (order.instrument.category === 'SPOT') return true;
  const closing = closingPart(books, order, size);
  const opening = size - closing;
  const mark = books.marks[order.instrument.symbol]!;
  const worse = order.side === 'buy' ? price - mark : mark - price;
  const near = worse * 4n * order.leverage <= price * UNIT;
  if (order.isolated) return canFillIsolated(books, order, price, closing, opening, near);
  const change = closeChange(books, order, price, closing);
  if (opening === 0n) {
    if (worse * UNIT <= mark * order.instrument.tiers[0]!.rate) return true;
    return equity(books, order.user, { more: { USDT: change }, locked: true }) >= 0n;
  }
  const covered = opening <= order.hold.size;
  if (taker && closing === 0n && covered && near) return true;
  return canOpenCrossed(books, order, price, closing, opening, change);
}

/** What a close adds to equity: real profit instead of profit at mark, less the fee. */
function closeChange(books: NaiveBooks, order: NaiveOrder, price: bigint, closing: bigint): bigint {
  const position = reducedBy(books, order);
  if (closing === 0n || position === undefined) return 0n;
  const mark = books.marks[order.instrument.symbol]!;
  const cost = closedCost(position, closing);
  const before = profitOf(position.side, position.size, position.cost, mark);
  const rest = profitOf(position.side, position.size - closing, position.cost - cost, mark);
  return profitOf(position.side, closing, cost, price) + rest - before - feeFor(price, closing, TAKER_FEE);
}

function canOpenCrossed(books: NaiveBooks, order: NaiveOrder, price: bigint, closing: bigint, opening: bigint, change: bigint): boolean {
  const { user, instrument } = order;
  const mark = books.marks[instrument.symbol]!;
  const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
  const more = { USDT: change + profitOf(side, opening, price * opening, mark) - feeFor(price, opening, TAKER_FEE) };
  const uncovered = max(0n, opening - order.hold.size);
  if (uncovered > 0n && headroom(books, user, { more, needed: marginFor(price, uncovered, order.leverage) }) < 0n) return false;
  const grown = grownBy(books, order);
  const closed = closing > 0n ? reducedBy(books, order) : undefined;
  const upkeep =
    maintenanceAtMark(books, instrument, (grown?.size ?? 0n) + opening) -
    (grown === undefined ? 0n : maintenanceAtMark(books, instrument, grown.size)) -
    (closed === undefined ? 0n : maintenanceAtMark(books, instrument, closed.size));
  return equity(books, user, { more, locked: true }) >= maintenance(books, user) + upkeep;
}

function canFillIsolated(books: NaiveBooks, order: NaiveOrder, price: bigint, closing: bigint, opening: bigint, near: boolean): boolean {
  const { user, instrument } = order;
  const mark = books.marks[instrument.symbol]!;
  const position = reducedBy(books, order);
  if (closing > 0n && position !== undefined) {
    const cost = closedCost(position, closing);
    const rest = position.margin + profitOf(position.side, closing, cost, price) - feeFor(price, closing, TAKER_FEE);
    const left = position.size - closing;
    if (left > 0n && rest + profitOf(position.side, left, position.cost - cost, mark) < 0n) return false;
    if (left === 0n && rest < 0n && !canSpend(books, user, 'USDT', -rest)) return false;
  }
  if (opening === 0n) return true;
  const margin = marginFor(price, opening, order.leverage);
  const lacking = margin + feeFor(price, opening, TAKER_FEE) - shareOfHold(order, opening);
  if (lacking > 3n && !canSpend(books, user, 'USDT', lacking)) return false;
  if (near) return true;
  const grown = grownBy(books, order);
  const size = (grown?.size ?? 0n) + opening;
  const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
  const own = (grown?.margin ?? 0n) + margin + profitOf(side, size, (grown?.cost ?? 0n) + price * opening, mark);
  return own >= maintenanceAtMark(books, instrument, size);
}

/** Settles one side of a futures trade. */
export function fillFutures(books: NaiveBooks, order: NaiveOrder, price: bigint, size: bigint, taker: boolean): void {
  const closing = closingPart(books, order, size);
  const rate = taker ? TAKER_FEE : MAKER_FEE;
  if (closing > 0n) close(books, order, price, closing, rate);
  if (size > closing) open(books, order, price, size - closing, rate);
  order.left -= size;
  order.filled += size;
}

function close(books: NaiveBooks, order: NaiveOrder, price: bigint, size: bigint, rate: bigint): void {
  const position = reducedBy(books, order)!;
  const wallet = walletOf(order.user, 'USDT');
  const after = order.left - size;
  if (order.hold.size > after) {
    const part = shareOfHold(order, order.hold.size - after);
    order.hold.amount -= part;
    order.hold.size = after;
    if (order.hold.kind === 'wallet') {
      wallet.locked -= part;
      wallet.available += part;
    }
  }
  const cost = closedCost(position, size);
  const profit = profitOf(position.side, size, cost, price);
  const fee = feeFor(price, size, rate);
  let out = size === position.size ? position.margin : floor(position.margin * size, position.size);
  // A loss eats the margin of the whole position before it touches the wallet.
  if (out + profit - fee < 0n) out = min(position.margin, fee - profit);
  const gained = out + profit - fee;
  position.margin -= out;
  wallet.margin -= out;
  if (gained >= 0n) wallet.available += gained;
  else pay(order.user, 'USDT', -gained);
  if (gained > 0n) repay(order.user, 'USDT');
  position.size -= size;
  position.cost -= cost;
  position.realised += profit;
  position.closeFees += fee;
  if (position.size === 0n) books.positions = books.positions.filter((other) => other !== position);
}

function open(books: NaiveBooks, order: NaiveOrder, price: bigint, size: bigint, rate: bigint): void {
  const { user, instrument, isolated, leverage, hold } = order;
  const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
  let position = grownBy(books, order);
  if (position === undefined) {
    position = { user, instrument, side, isolated, leverage, size: 0n, cost: 0n, margin: 0n, realised: 0n, openFees: 0n, closeFees: 0n };
    books.positions.push(position);
  }
  const fee = feeFor(price, size, rate);
  const wanted = isolated ? marginFor(price, size, leverage) : 0n;
  let part = shareOfHold(order, size);
  if (isolated) part = max(part, min(wanted + fee, hold.amount));
  hold.amount -= part;
  hold.size = max(0n, hold.size - size);
  if (isolated) {
    const wallet = walletOf(user, 'USDT');
    wallet.locked -= part;
    wallet.available += part;
    const margin = min(wanted, wallet.available - fee);
    wallet.available -= margin + fee;
    wallet.margin += margin;
    position.margin += margin;
  } else pay(user, 'USDT', fee);
  position.size += size;
  position.cost += price * size;
  position.openFees += fee;
}

/** Settles a spot trade: what each side gives goes to the other, less the fee in the coin received. */
export function fillSpot(buyer: NaiveOrder, seller: NaiveOrder, price: bigint, size: bigint): void {
  const { base } = buyer.instrument;
  const value = (price * size) / UNIT;
  const held = buyer.quote === undefined ? (buyer.limit * size) / UNIT : value;
  const quoteWallet = walletOf(buyer.user, 'USDT');
  quoteWallet.locked -= held;
  quoteWallet.available += held - value;
  buyer.hold.amount -= held;
  walletOf(seller.user, base).locked -= size;
  seller.hold.amount -= size;
  walletOf(seller.user, 'USDT').available += value - ceiling(value * SPOT_FEE, UNIT);
  walletOf(buyer.user, base).available += size - ceiling(size * SPOT_FEE, UNIT);
  repay(seller.user, 'USDT');
  repay(buyer.user, base);
  for (const order of [buyer, seller]) {
    if (order.quote === undefined) {
      order.left -= size;
      order.hold.size -= size;
    }
    order.filled += size;
    order.spent += value;
  }
}
