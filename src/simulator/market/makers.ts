/**
 * Makers of the simulated market: at each step they cancel orders that no longer fit and place
 * missing ones. They read only their own open orders.
 */
import type { Order } from '../../core/state/order.ts';
import type { State } from '../../core/state/state.ts';
import { getOrMake } from '../../kernel/get-or-make.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import type { MakerQuotes } from '../../messages/order-commands.ts';
import type { OrderDraft } from '../../messages/orders.ts';
import type { Category, Side } from '../../messages/vocabulary.ts';
import { SIDES } from '../../messages/vocabulary.ts';
import { type Ladder, ladderOf } from './levels.ts';
import type { MarketBook } from './market-books.ts';
import type { Mood } from './scenes.ts';

/** An order with less than this share remaining is replaced. */
const WORN = 0.34;

/** The open orders of one maker, by book and side. */
export type OwnOrders = ReadonlyMap<string, readonly Order[]>;

export function ownOrders(state: State, uid: Uid): OwnOrders {
  const orders = new Map<string, Order[]>();
  for (const id of state.accounts.get(uid)?.openOrders ?? []) {
    const order = state.orders.get(id)!;
    const place = `${order.key} ${order.side}`;
    const there = orders.get(place);
    if (there === undefined) orders.set(place, [order]);
    else there.push(order);
  }
  return orders;
}

export interface Quotes {
  readonly cancels: Id[];
  readonly places: OrderDraft[];
}

export interface Opinion {
  readonly fair: number;
  readonly mood: Mood;
  readonly depth: number;
  readonly spread: number;
  readonly quoteDollars: number;
  readonly salt: number;
}

/** The changes that bring a book's orders to their target. */
export function quotesFor(book: MarketBook, opinion: Opinion, own: OwnOrders): Quotes {
  const quotes: Quotes = { cancels: [], places: [] };
  for (const side of SIDES) {
    const { fair, mood, spread, quoteDollars, salt } = opinion;
    const isLeftAlone = side === 'buy' ? mood.noBids : mood.noOffers;
    const depth = isLeftAlone ? 0 : opinion.depth * mood.depth;
    const ladder = ladderOf(book, salt, { fair, side, depth, spread, quoteDollars });
    quoteSide(book, side, ladder, own.get(`${book.key} ${side}`) ?? [], quotes);
  }
  return quotes;
}

function quoteSide(
  book: MarketBook,
  side: Side,
  { wanted, spare }: Ladder,
  own: readonly Order[],
  quotes: Quotes,
): void {
  const covered = new Set<number>();
  for (const order of own) {
    const level = wanted.get(order.limit);
    const worn = level !== undefined && order.left * book.sizeStep < WORN * level.size;
    if (!spare.has(order.limit) || worn || covered.has(order.limit)) quotes.cancels.push(order.id);
    else covered.add(order.limit);
  }
  for (const { tick, size } of wanted.values()) {
    if (covered.has(tick)) continue;
    quotes.places.push({
      symbol: book.symbol,
      side,
      orderType: 'limit',
      price: book.priceText(tick * book.priceStep),
      size: book.sizeText(size),
      timeInForce: 'gtc',
      reduceOnly: false,
    });
  }
}

/** The changed quotes of one book. */
export interface BookChange extends Quotes {
  readonly book: MarketBook;
}

/** The orders that one command places together. */
export function placedByCategory(
  changes: readonly Omit<BookChange, 'cancels'>[],
): ReadonlyMap<Category, readonly OrderDraft[]> {
  const orders = new Map<Category, OrderDraft[]>();
  for (const { book, places } of changes)
    if (places.length > 0) getOrMake(orders, book.category, () => []).push(...places);
  return orders;
}

/** Whole books as long as there is room. The next step quotes the others. */
export function quotesOf(
  uid: Uid,
  changes: readonly BookChange[],
  room: number,
): MakerQuotes | undefined {
  let left = room;
  const taken = changes.filter(({ cancels, places }) => {
    const count = cancels.length + places.length;
    if (count === 0 || count > left) return false;
    left -= count;
    return true;
  });
  if (taken.length === 0) return undefined;
  const places = [...placedByCategory(taken)].map(([category, orders]) => ({ category, orders }));
  return { uid, cancels: taken.flatMap(({ cancels }) => cancels), places };
}
