/** Changes of isolated margin and of leverage in the naive exchange. */

import { marginAtEntry, needFor, profitOf } from './naive-contracts.ts';
import { isFrozen } from './naive-freshness.ts';
import { sidesApart } from './naive-modes.ts';
import {
  canSpend,
  headroom,
  inDollars,
  maintenanceAtMark,
  type NaiveBooks,
  valueAtMark,
  walletOf,
} from './naive-money.ts';
import { canLeave } from './naive-stale.ts';
import type { NaiveInstrument, NaiveOrder, NaiveUser, PositionSide } from './naive-state.ts';
import { ceiling, max, min, UNIT } from './whole-units.ts';

interface Owned {
  readonly user: NaiveUser;
  readonly instrument: NaiveInstrument;
}

export const sameSide = (
  books: NaiveBooks,
  order: Pick<NaiveOrder, 'user' | 'instrument' | 'side'>,
): NaiveOrder[] =>
  books.orders.filter(
    (each) =>
      each.user === order.user && each.instrument === order.instrument && each.side === order.side,
  );

/**
 * Value of a side: its position at mark, and opening orders at their price; a sell at least at
 * mark.
 */
export function openValue(
  books: NaiveBooks,
  order: Pick<NaiveOrder, 'user' | 'instrument' | 'side' | 'positionSide'>,
): bigint {
  const side = order.positionSide ?? (order.side === 'buy' ? 'long' : 'short');
  const own = books.positions.find(
    (each) =>
      each.user === order.user && each.instrument === order.instrument && each.side === side,
  );
  const mark = books.marks[order.instrument.symbol]!;
  const worthOf = (limit: bigint): bigint => (order.side === 'sell' ? max(limit, mark) : limit);
  const orders = sameSide(books, order).reduce(
    (sum, { limit, hold }) => sum + ceiling(worthOf(limit) * hold.size, UNIT),
    0n,
  );
  return orders + (own === undefined ? 0n : valueAtMark(books, own));
}

const isOf = (each: Owned, { user, instrument }: Owned): boolean =>
  each.user === user && each.instrument === instrument;

export function adjustMargin(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  side: PositionSide,
  by: bigint,
): string | undefined {
  const position = books.positions.find(
    (each) => each.user === user && each.instrument === instrument && each.side === side,
  );
  if (position === undefined) return 'noPosition';
  if (!position.isolated) return 'notIsolated';
  const profit = profitOf(
    instrument,
    side,
    position.size,
    position.cost,
    books.marks[instrument.symbol]!,
  );
  const aboveInitial =
    position.margin - marginAtEntry(position, position.leverage) + min(profit, 0n);
  const aboveMaintenance = position.margin + profit - maintenanceAtMark(books, position) - 1n;
  const spare = min(aboveInitial, aboveMaintenance);
  if (by > 0n && !canLeave(books, user, instrument.coin, by)) return 'insufficientBalance';
  if (by < 0n && (spare < -by || isFrozen(books, instrument))) return 'marginNotSpared';
  position.margin += by;
  walletOf(user, instrument.coin).margin += by;
  walletOf(user, instrument.coin).available -= by;
  return undefined;
}

/** For one side only where sides have separate leverages. */
export function setLeverage(
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  leverage: bigint,
  only?: PositionSide,
): string | undefined {
  if (leverage > instrument.tiers[0]!.leverage) return 'leverageOutOfRange';
  const setting = user.settings[instrument.symbol]!;
  const apart = sidesApart(user, instrument) ? only : undefined;
  const own = { user, instrument };
  const orders = books.orders.filter(
    (each) => isOf(each, own) && (apart === undefined || each.positionSide === apart),
  );
  const positions = books.positions.filter(
    (each) => isOf(each, own) && (apart === undefined || each.side === apart),
  );
  for (const side of ['buy', 'sell'] as const) {
    if (apart !== undefined && (side === 'buy') !== (apart === 'long')) continue;
    const value = openValue(books, {
      user,
      instrument,
      side,
      positionSide: side === 'buy' ? 'long' : 'short',
    });
    const tier = instrument.tiers.findLast(({ from }) => from < value);
    if (tier !== undefined && leverage > tier.leverage) return 'leverageOutOfRange';
  }
  // A waiting market order is valued at mark.
  const priceOf = ({ market, limit }: NaiveOrder): bigint =>
    market ? books.marks[instrument.symbol]! : limit;
  const holds = orders.map((each) =>
    each.hold.size === 0n ? 0n : needFor(instrument, priceOf(each), each.hold.size, leverage),
  );
  const more =
    holds.reduce((sum, amount) => sum + amount, 0n) -
    orders.reduce((sum, { hold }) => sum + hold.amount, 0n);
  if (setting.isolated) {
    if (
      positions.some(
        (each) => leverage < each.leverage && marginAtEntry(each, leverage) > each.margin,
      )
    )
      return 'leverageNeedsMargin';
    if (more > 0n && !canSpend(books, user, instrument.coin, more)) return 'leverageNeedsMargin';
  } else if (more > 0n || (positions.length > 0 && leverage < setting.leverage)) {
    const before = setting.leverage;
    setting.leverage = leverage;
    const covered =
      headroom(books, user, { needed: inDollars(books, instrument.coin, more) }) >= 0n;
    setting.leverage = before;
    if (!covered) return 'leverageNeedsMargin';
  }
  if (apart === undefined) Object.assign(setting, { leverage, sides: {} });
  else setting.sides[apart] = leverage;
  for (const position of positions) position.leverage = leverage;
  orders.forEach((order, at) => {
    if (order.hold.kind === 'wallet') {
      walletOf(user, instrument.coin).locked += holds[at]! - order.hold.amount;
      walletOf(user, instrument.coin).available -= holds[at]! - order.hold.amount;
    }
    order.hold.amount = holds[at]!;
    order.leverage = leverage;
  });
  return undefined;
}
