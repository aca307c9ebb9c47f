/**
 * What an order book is, for both of its implementations. Prices are whole ticks, sizes whole lots,
 * and matching is price-time: the best price first, then whoever came first. The book knows nothing
 * of money, accounts or order kinds: whoever asks it to match decides, maker by maker, through a
 * visitor.
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

/** 31 bits of price: in steps of a ten-thousandth of a dollar that is up to 214,748 dollars. */
export const TICK_MAX = 2 ** 31;
/**
 * Orders in one book: four million, ten thousand accounts at their cap of open orders. The exchange
 * lets in fewer (`orders/caps.ts`).
 */
export const BOOK_ORDERS_MAX = 2 ** 22;
/**
 * Lots of one order: 31 bits, so that no sum over a full book leaves the safe integers. An
 * instrument's largest size must keep to it.
 */
export const ORDER_LOTS_MAX = 2 ** 31 - 1;
/**
 * Owners are kept in 32 bits. Uids are counted from a thousand million, so this leaves room for
 * three thousand million users.
 */
const OWNER_MAX = 2 ** 32 - 1;

/**
 * An order in the book. `owner` is the account whose orders must not meet: a master stands for its
 * sub-accounts.
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

/** The taker is done; the maker stays as it is. */
export const STOP = 0;
/**
 * The maker leaves the book untraded and the next one is visited: self-trade prevention at the
 * maker's cost.
 */
export const REMOVE_MAKER = -1;
export const REMOVE_MAKER_AND_STOP = -2;

/**
 * Who decides while a taker walks the book. `lots` is what the two could trade: what the maker has,
 * or the taker still wants. Trading fewer ends the walk, which is how a taker bounded by value
 * instead of size ends. A visitor must not change the book.
 */
export interface MakerVisitor {
  visit(makerId: Id, owner: Uid, tick: Tick, lots: Lots): Decision;
}

/** Looks at one resting order; false ends the look. */
export type OrderGlance = (id: Id, owner: Uid, tick: Tick, lots: Lots) => boolean;

export interface OrderBook {
  /** How many orders rest. */
  readonly size: number;

  /**
   * Puts an order behind the others at its price. Whatever of it could trade has traded before: the
   * book does not look.
   */
  rest(id: Id, side: Side, tick: Tick, lots: Lots, owner: Uid): void;
  /** Takes an order out; what was left of it, or undefined when no such order rests. */
  cancel(id: Id): Lots | undefined;
  /**
   * Makes an order smaller without losing its place; what is left of it. Reduced by all it has, it
   * leaves.
   */
  reduce(id: Id, by: Lots): Lots | undefined;

  lotsOf(id: Id): Lots | undefined;
  /** The best price of the orders resting on a side: the highest buy, the lowest sell. */
  best(side: Side): Tick | undefined;
  lotsAt(side: Side, tick: Tick): Lots;
  /** Price levels of a side, best first. */
  depth(side: Side, levels: number): PriceLevel[];

  /**
   * Walks a taker on `side` through the other side, no further than `limit`, for at most `lots`.
   * The lots traded.
   */
  match(side: Side, limit: Tick | undefined, lots: Lots, visitor: MakerVisitor): Lots;
  /**
   * What a taker on `side` would find within `limit`, counted up to `upTo` lots: the check before
   * an all-or-nothing order.
   */
  fillableLots(side: Side, limit: Tick | undefined, upTo: Lots): Lots;
  /**
   * Shows the orders a taker on `side` would meet within `limit`, in the order it would meet them,
   * and changes nothing.
   */
  look(side: Side, limit: Tick | undefined, glance: OrderGlance): void;

  /**
   * Every order: buys then sells, best price first, then first come. Resting them in this order
   * gives an equal book.
   */
  orders(): RestingOrder[];
}

export function checkRestingOrder(id: Id, tick: Tick, lots: Lots, owner: Uid): void {
  invariant(Number.isSafeInteger(id) && id > 0, 'an order has a whole id');
  invariant(Number.isInteger(tick) && tick >= 1 && tick <= TICK_MAX, 'a price is a whole tick');
  invariant(Number.isInteger(lots) && lots >= 1 && lots <= ORDER_LOTS_MAX, 'a size is whole lots');
  invariant(Number.isInteger(owner) && owner >= 0 && owner <= OWNER_MAX, 'an owner is a uid');
}
