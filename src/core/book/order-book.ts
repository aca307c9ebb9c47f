/**
 * The interface of an order book. Prices are whole ticks, sizes are whole lots, and orders match by
 * price-time priority. The book knows no money, accounts or order types: a visitor decides about
 * each maker.
 */
import type { Brand } from '../../kernel/brand.ts';
import type { Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Side } from '../../messages/vocabulary.ts';

/** A price as a whole number of price steps. */
export type Tick = Brand<number, 'Tick'>;
/** A size as a whole number of size steps. */
export type Lots = Brand<number, 'Lots'>;

export const NO_LOTS = 0 as Lots;

/** 31 bits of price: with a price step of 0.0001 dollars, up to 214,748 dollars. */
export const TICK_MAX = 2 ** 31;
/** Orders in one book: four million, or ten thousand accounts at their cap of open orders. */
export const BOOK_ORDERS_MAX = 2 ** 22;
/**
 * Lots of one order: 31 bits, so that the sum over a full book is a safe integer. It bounds the
 * maximum order size of an instrument.
 */
export const ORDER_LOTS_MAX = 2 ** 31 - 1;
/** Owners have 32 bits. Uids start at one billion, which leaves room for three billion users. */
const OWNER_MAX = 2 ** 32 - 1;

/**
 * An order in the book. Orders of one `owner` would self-trade; the owner of a sub-account's order
 * is its master.
 */
export interface RestingOrder {
  readonly id: Id;
  readonly side: Side;
  readonly tick: Tick;
  readonly lots: Lots;
  readonly owner: Uid;
}

export interface PriceLevel {
  readonly tick: Tick;
  readonly lots: Lots;
}

/** Lots to trade with the maker just visited, or one of the three decisions below. */
export type Decision = Lots | typeof STOP | typeof REMOVE_MAKER | typeof REMOVE_MAKER_AND_STOP;

/** The taker stops; the maker stays unchanged. */
export const STOP = 0;
/** The maker leaves the book without a trade, and the taker meets the next one. */
export const REMOVE_MAKER = -1;
export const REMOVE_MAKER_AND_STOP = -2;

/**
 * Decides about each maker that a taker meets. `lots` is the smaller of the maker's and the taker's
 * remaining lots. Fewer lots in the answer end the match, so a taker can be bounded by value. A
 * visitor must not change the book.
 */
export interface MakerVisitor {
  visit(makerId: Id, owner: Uid, tick: Tick, lots: Lots): Decision;
}

/** Is shown one resting order; `false` ends the look. */
export type OrderGlance = (id: Id, owner: Uid, tick: Tick, lots: Lots) => boolean;

export interface OrderBook {
  /** The number of resting orders. */
  readonly size: number;

  /** Adds an order behind the others at its price. The book does not check for crossed prices. */
  rest(id: Id, side: Side, tick: Tick, lots: Lots, owner: Uid): void;
  /** Removes an order and returns its remaining lots; undefined if it does not rest. */
  cancel(id: Id): Lots | undefined;
  /**
   * Reduces an order, which keeps its priority, and returns its remaining lots. An order without
   * lots leaves the book.
   */
  reduce(id: Id, by: Lots): Lots | undefined;

  lotsOf(id: Id): Lots | undefined;
  /** The highest buy or the lowest sell. */
  best(side: Side): Tick | undefined;
  lotsAt(side: Side, tick: Tick): Lots;
  /** Price levels of a side, best first. */
  depth(side: Side, levels: number): PriceLevel[];

  /** Matches a taker with the other side, up to `limit` and `lots`. Returns the lots traded. */
  match(side: Side, limit: Tick | undefined, lots: Lots, visitor: MakerVisitor): Lots;
  /** Lots that a taker on `side` would meet within `limit`, counted up to `upTo`. */
  fillableLots(side: Side, limit: Tick | undefined, upTo: Lots): Lots;
  /** Shows the orders that a taker on `side` would meet within `limit`, in matching order. */
  look(side: Side, limit: Tick | undefined, glance: OrderGlance): void;

  /**
   * Every order: buys, then sells, each side by price and time. Resting them in this order gives
   * an equal book.
   */
  orders(): RestingOrder[];
}

export function checkRestingOrder(id: Id, tick: Tick, lots: Lots, owner: Uid): void {
  invariant(Number.isSafeInteger(id) && id > 0, 'an order has a whole id');
  invariant(Number.isInteger(tick) && tick >= 1 && tick <= TICK_MAX, 'a price is a whole tick');
  invariant(Number.isInteger(lots) && lots >= 1 && lots <= ORDER_LOTS_MAX, 'a size is whole lots');
  invariant(Number.isInteger(owner) && owner >= 0 && owner <= OWNER_MAX, 'an owner is a uid');
}
