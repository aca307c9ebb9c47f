/** Limits of the naive exchange: open orders, orders of a day, and triggers of a symbol. */
import type { NaiveBooks } from './naive-money.ts';
import type { NaiveInstrument, NaiveUser } from './naive-state.ts';
import type { NaiveTrigger } from './naive-triggers.ts';

export const OPEN_ORDERS_MAX = 400;
export const TRIGGERS_MAX = 500;
const DAY = 86_400_000;

export interface NaiveDay {
  /** Daily order limit; undefined if there is none. */
  restrict: number | undefined;
  /** By master and day. */
  readonly counts: Record<string, number>;
}

const isFuture = ({ category }: NaiveInstrument): boolean => category !== 'SPOT';

export const openOrders = (
  { orders }: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
): number =>
  orders.filter(
    (order) => order.user === user && isFuture(order.instrument) === isFuture(instrument),
  ).length;

/** A master and its sub-accounts share one key. */
const keyOf = ({ now }: NaiveBooks, { owner }: NaiveUser): string =>
  `${owner} on day ${Math.floor(now / DAY)}`;

export const ordersToday = (books: NaiveBooks, user: NaiveUser): number =>
  books.day.counts[keyOf(books, user)] ?? 0;

export function countOrder(books: NaiveBooks, user: NaiveUser): void {
  books.day.counts[keyOf(books, user)] = ordersToday(books, user) + 1;
}

export const isRestricted = (books: NaiveBooks, user: NaiveUser): boolean =>
  books.day.restrict !== undefined && ordersToday(books, user) >= books.day.restrict;

/** A trigger with attached take-profit or stop-loss counts as two. */
export const placesOf = ({
  takeProfit,
  stopLoss,
}: Pick<NaiveTrigger, 'takeProfit' | 'stopLoss'>): number =>
  takeProfit === undefined && stopLoss === undefined ? 1 : 2;

export function triggerPlaces(
  { triggers, orders }: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
): number {
  const isOwn = (each: {
    readonly user: NaiveUser;
    readonly instrument: NaiveInstrument;
  }): boolean => each.user === user && each.instrument === instrument;
  const bringing = orders.filter((order) => isOwn(order) && order.attached !== undefined);
  return triggers
    .filter(isOwn)
    .reduce((sum, trigger) => sum + placesOf(trigger), 2 * bringing.length);
}

export const hasRoom = (
  books: NaiveBooks,
  user: NaiveUser,
  instrument: NaiveInstrument,
  more: number,
): boolean => triggerPlaces(books, user, instrument) + more <= TRIGGERS_MAX;
