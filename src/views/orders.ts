/** Open orders, and the book depth computed from them. Ended orders are passed to history. */
import { IdTable } from '../kernel/id-table.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import {
  minus,
  negate,
  type Price,
  plus,
  type Size,
  ZERO_AMOUNT,
  ZERO_SIZE,
} from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import { UidTable } from '../kernel/uid-table.ts';
import type { Event, EventOf } from '../messages/events.ts';
import type { FillRow, OrderEnd, OrderRow } from '../messages/orders.ts';
import { type Category, type PositionMode, SIDES, type Side } from '../messages/vocabulary.ts';
import type { RecordedEvent } from './history/recorded-events.ts';
import { type Merging, type PriceLevel, PriceLevels } from './price-levels.ts';
import type { OrderRecord } from './records.ts';
import { bookKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

export interface OrderQueries {
  find(uid: Uid, orderId: Id): OrderRecord | undefined;
  /** The newest open order with that name. */
  findNamed(uid: Uid, clientOid: ClientOid): OrderRecord | undefined;
  /** A user's open orders, oldest first. */
  open(uid: Uid): readonly OrderRecord[];
  /** Best first, grouped by a coarser price step if given; SPOT and MARGIN share a book. */
  depth(
    category: Category,
    symbol: string,
    side: Side,
    count: number,
    merging?: Merging,
  ): readonly PriceLevel[];
  /** Collects what changes in a book from here on. */
  watchDepth(category: Category, symbol: string): DepthWatch;
  /** Tells each change of a user's orders from here on; returns what ends it. */
  watch(uid: Uid, listener: OrderListener): () => void;
}

/** The order as it is after the event. */
export type OrderListener = (event: Event, record: OrderRecord) => void;

/** Changes of a book since they were taken last. */
export interface DepthWatch {
  readonly hasChanges: boolean;
  /** Each changed price with its present size, which is zero if the level is gone. */
  take(side: Side): readonly PriceLevel[];
  end(): void;
}

type Book = Readonly<Record<Side, PriceLevels>>;

/** Market orders never rest, and a queued order (`live`) does not rest yet. */
const rests = ({ order, status }: OrderRecord): boolean =>
  order.price !== undefined && status !== 'live';

const newRecord = (order: OrderRow, at: Timestamp): OrderRecord => ({
  order,
  status: order.status,
  filledSize: ZERO_SIZE,
  filledValue: ZERO_AMOUNT,
  fee: ZERO_AMOUNT,
  profit: ZERO_AMOUNT,
  left: order.openSize ?? order.size,
  marginHold: order.marginHold?.amount ?? ZERO_AMOUNT,
  createdAt: at,
  updatedAt: at,
});

/**
 * Fields are listed one by one, here and where an order ends: creating a record by spreading costs
 * many times as much.
 */
const filledBy = (record: OrderRecord, fill: FillRow, at: Timestamp): OrderRecord => ({
  order: record.order,
  status: 'partiallyFilled',
  filledSize: plus(record.filledSize, fill.size),
  filledValue: plus(record.filledValue, fill.value),
  fee: plus(record.fee, fill.fee),
  profit: plus(record.profit, fill.profit),
  left: fill.size >= record.left ? ZERO_SIZE : minus(record.left, fill.size),
  marginHold: fill.marginHold ?? ZERO_AMOUNT,
  createdAt: record.createdAt,
  updatedAt: at,
});

/**
 * Applies a new price, size, take-profit or stop-loss. The filled part and the status are
 * unchanged.
 */
const modifiedBy = (record: OrderRecord, order: OrderRow, at: Timestamp): OrderRecord => ({
  ...record,
  order,
  left: order.openSize ?? order.size,
  marginHold: order.marginHold?.amount ?? ZERO_AMOUNT,
  updatedAt: at,
});

/**
 * Applies a new margin after a change of leverage of its symbol, or of the coin it would borrow.
 */
const releveragedBy = (
  record: OrderRecord,
  { leverage, marginHold }: EventOf<'orderReleveraged'>,
  at: Timestamp,
): OrderRecord => ({
  ...record,
  order: leverage === undefined ? record.order : { ...record.order, leverage },
  marginHold: marginHold ?? ZERO_AMOUNT,
  updatedAt: at,
});

const endedBy = (
  record: OrderRecord,
  { status, cancelReason }: OrderEnd,
  at: Timestamp,
): OrderRecord => {
  const { order, filledSize, filledValue, fee, profit, createdAt } = record;
  const ended = {
    order,
    status,
    filledSize,
    filledValue,
    fee,
    profit,
    left: ZERO_SIZE,
    marginHold: ZERO_AMOUNT,
    createdAt,
    updatedAt: at,
  };
  return cancelReason === undefined ? ended : { ...ended, cancelReason };
};

/**
 * An open order in its user's linked list, oldest first. The object is stable while the order is
 * open; only its record is replaced.
 */
class OpenOrder {
  record: OrderRecord;
  /** Serial number over the orders of all users. */
  readonly number: number;
  older: OpenOrder | undefined;
  newer: OpenOrder | undefined;

  constructor(record: OrderRecord, number: number, older: OpenOrder | undefined) {
    this.record = record;
    this.number = number;
    this.older = older;
    if (older !== undefined) older.newer = this;
  }
}

export class OrdersView implements View<'orders'>, OrderQueries {
  readonly name = 'orders';
  #orders = new IdTable<OpenOrder>();
  /** The newest open order of each user. */
  #newest = new UidTable<OpenOrder>();
  #count = 0;
  #books = new Map<string, Book>();
  readonly #watchers = new Map<Uid, Set<OrderListener>>();
  readonly #positionModeOf: (uid: Uid) => PositionMode;
  readonly #record: (ended: RecordedEvent) => void;

  /** `record` receives every fill and every ended order. */
  constructor(positionModeOf: (uid: Uid) => PositionMode, record: (ended: RecordedEvent) => void) {
    this.#positionModeOf = positionModeOf;
    this.#record = record;
  }

  readonly on: Listeners<'orders'> = {
    orderAccepted: (event, at) => {
      const record = newRecord(event.order, at);
      this.#add(record);
      this.#tell(event, record);
    },
    orderActivated: (event, at) =>
      this.#change(event, event.orderId, (record) => ({
        ...record,
        status: 'new',
        updatedAt: at,
      })),
    fillSettled: (event, at) => {
      const { fill } = event;
      this.#record({ type: 'fillRecorded', fill, positionMode: this.#positionModeOf(fill.uid) });
      this.#change(event, fill.orderId, (record) => filledBy(record, fill, at));
    },
    orderModified: (event, at) => this.#modify(event, at),
    orderReleveraged: (event, at) =>
      this.#change(event, event.orderId, (record) => releveragedBy(record, event, at)),
    orderEnded: (event, at) => this.#end(event, at),
  };

  save(): unknown {
    const orders = [...this.#orders.values()].sort((one, other) => one.number - other.number);
    return new Map(orders.map(({ record }) => [record.order.orderId, record]));
  }

  restore(saved: unknown): void {
    this.#orders = new IdTable();
    this.#newest = new UidTable();
    this.#books = new Map();
    for (const record of (saved as Map<Id, OrderRecord>).values()) this.#add(record);
  }

  find(uid: Uid, orderId: Id): OrderRecord | undefined {
    const record = this.#orders.get(orderId)?.record;
    return record?.order.uid === uid ? record : undefined;
  }

  findNamed(uid: Uid, clientOid: ClientOid): OrderRecord | undefined {
    let open = this.#newest.get(uid);
    while (open !== undefined && open.record.order.clientOid !== clientOid) open = open.older;
    return open?.record;
  }

  open(uid: Uid): readonly OrderRecord[] {
    const records: OrderRecord[] = [];
    for (let open = this.#newest.get(uid); open !== undefined; open = open.older)
      records.push(open.record);
    return records.reverse();
  }

  depth(
    category: Category,
    symbol: string,
    side: Side,
    count: number,
    merging?: Merging,
  ): readonly PriceLevel[] {
    const levels = this.#books.get(bookKey(category, symbol))?.[side];
    return (merging === undefined ? levels?.top(count) : levels?.topMerged(merging, count)) ?? [];
  }

  watchDepth(category: Category, symbol: string): DepthWatch {
    const book = this.#bookOf(bookKey(category, symbol));
    const changed = { buy: new Set<Price>(), sell: new Set<Price>() };
    for (const side of SIDES) book[side].watch(changed[side]);
    return {
      get hasChanges() {
        return changed.buy.size + changed.sell.size > 0;
      },
      take: (side) => {
        const levels = Array.from(changed[side], (price) => ({
          price,
          size: book[side].sizeAt(price),
        }));
        changed[side].clear();
        return levels;
      },
      end: () => {
        for (const side of SIDES) book[side].unwatch(changed[side]);
      },
    };
  }

  watch(uid: Uid, listener: OrderListener): () => void {
    const listeners = this.#watchers.get(uid) ?? new Set();
    this.#watchers.set(uid, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#watchers.delete(uid);
    };
  }

  #tell(event: Event, record: OrderRecord): void {
    if (this.#watchers.size === 0) return;
    const listeners = this.#watchers.get(record.order.uid);
    if (listeners !== undefined) for (const listener of listeners) listener(event, record);
  }

  #bookOf(key: string): Book {
    let book = this.#books.get(key);
    if (book === undefined) {
      book = { buy: new PriceLevels('buy'), sell: new PriceLevels('sell') };
      this.#books.set(key, book);
    }
    return book;
  }

  #add(record: OrderRecord): void {
    const { orderId, uid } = record.order;
    const open = new OpenOrder(record, this.#count++, this.#newest.get(uid));
    this.#orders.set(orderId, open);
    this.#newest.set(uid, open);
    this.#showInBook(record, record.left);
  }

  /** Fills by the engine itself (a takeover or reduction) have no order and change none. */
  #change(event: Event, orderId: Id, change: (before: OrderRecord) => OrderRecord): void {
    const open = this.#orders.get(orderId);
    if (open === undefined) return;
    const before = open.record;
    const after = change(before);
    open.record = after;
    this.#showInBook(after, rests(before) ? minus(after.left, before.left) : after.left);
    this.#tell(event, after);
  }

  /** Removes the order from its old price and adds it at the new one. */
  #modify(event: EventOf<'orderModified'>, at: Timestamp): void {
    const { order } = event;
    const open = this.#orders.get(order.orderId);
    invariant(open !== undefined, 'a modified order is open');
    const before = open.record;
    open.record = modifiedBy(before, order, at);
    this.#showInBook(before, negate(before.left));
    this.#showInBook(open.record, open.record.left);
    this.#tell(event, open.record);
  }

  #end(event: EventOf<'orderEnded'>, at: Timestamp): void {
    const { end } = event;
    const open = this.#orders.get(end.orderId);
    invariant(open !== undefined, 'an ended order was open');
    this.#orders.delete(end.orderId);
    this.#leaveLine(open, end.uid);
    const { record } = open;
    if (rests(record)) this.#showInBook(record, negate(record.left));
    const ended = endedBy(record, end, at);
    this.#record({ type: 'orderRecorded', record: ended });
    this.#tell(event, ended);
  }

  /**
   * Clears the links: otherwise an old object would keep all later ones from garbage collection.
   */
  #leaveLine(open: OpenOrder, uid: Uid): void {
    const { older, newer } = open;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    else if (older !== undefined) this.#newest.set(uid, older);
    else this.#newest.delete(uid);
    open.older = undefined;
    open.newer = undefined;
  }

  #showInBook(record: OrderRecord, by: Size): void {
    const { category, symbol, side, price } = record.order;
    if (!rests(record) || price === undefined || by === 0n) return;
    this.#bookOf(bookKey(category, symbol))[side].change(price, by);
  }
}
