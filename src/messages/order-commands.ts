/**
 * The fields of commands about orders. Placing and cancelling come most by far and are spelled out,
 * which reads and writes them sooner.
 */
import {
  appended,
  type Codec,
  flag,
  list,
  oneOf,
  optional,
  type RecordOf,
  readOneOf,
  readTextIfAny,
  record,
  text,
  type ValueOf,
  whole,
  writeOneOf,
  writeTextIfAny,
} from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import { orderDraftCodec } from './orders.ts';
import { attachedDraftCodec } from './triggers.ts';
import { CATEGORIES } from './vocabulary.ts';

const uid = whole<Uid>();
const clientOid = optional(text<ClientOid>());

export const placingFields = { uid, category: oneOf(CATEGORIES), orders: list(orderDraftCodec) };
type Placing = { readonly type: 'placeOrders' } & RecordOf<typeof placingFields>;
export const placing: Codec<Placing> = {
  read: (from) => {
    const uid = from.varint() as Uid;
    const category = readOneOf(from, CATEGORIES);
    const count = from.varint();
    // A list that is made with its first order has no room for sixteen more.
    const orders = count === 0 ? [] : [orderDraftCodec.read(from)];
    for (let at = 1; at < count; at++) orders.push(orderDraftCodec.read(from));
    return { type: 'placeOrders', uid, category, orders };
  },
  write: (to, { uid, category, orders }) => {
    to.varint(uid);
    writeOneOf(to, CATEGORIES, category);
    to.varint(orders.length);
    for (const order of orders) orderDraftCodec.write(to, order);
  },
};

/**
 * Take-profit and stop-loss are kept beside the order, so that orders without them are written and
 * read as they always were.
 */
export const protectedDraftCodec = record({
  order: orderDraftCodec,
  takeProfit: optional(attachedDraftCodec),
  stopLoss: optional(attachedDraftCodec),
});
export type ProtectedDraft = ValueOf<typeof protectedDraftCodec>;

const orderNameCodec = record(
  { orderId: optional(whole<Id>()), clientOid },
  {
    read: (from) => ({
      orderId: from.byte() === 0 ? undefined : (from.varint() as Id),
      clientOid: readTextIfAny<ClientOid>(from),
    }),
    write: (to, { orderId, clientOid }) => {
      to.byte(orderId === undefined ? 0 : 1);
      if (orderId !== undefined) to.varint(orderId);
      writeTextIfAny(to, clientOid);
    },
  },
);
/** Where an order is looked for. */
const orderMarketCodec = record({
  category: oneOf(CATEGORIES),
  symbol: optional(text()),
  /** Of futures. */
  marginCoin: optional(text()),
  /** Only orders of isolated pairs. */
  isolated: optional(flag),
});
export type OrderMarket = ValueOf<typeof orderMarketCodec>;
const cancelMarket = appended(orderMarketCodec);
export const cancellingFields = { uid, orders: list(orderNameCodec), market: cancelMarket };
type Cancelling = { readonly type: 'cancelOrders' } & RecordOf<typeof cancellingFields>;
export const cancelling: Codec<Cancelling> = {
  read: (from) => {
    const uid = from.varint() as Uid;
    const count = from.varint();
    const orders = count === 0 ? [] : [orderNameCodec.read(from)];
    for (let at = 1; at < count; at++) orders.push(orderNameCodec.read(from));
    return { type: 'cancelOrders', uid, orders, market: cancelMarket.read(from) };
  },
  write: (to, { uid, orders, market }) => {
    to.varint(uid);
    to.varint(orders.length);
    for (const order of orders) orderNameCodec.write(to, order);
    // Without one it is written as it always was.
    if (market !== undefined) cancelMarket.write(to, market);
  },
};

/** What is changed of an open order. */
export const orderChangeFields = {
  uid,
  orderId: optional(whole<Id>()),
  clientOid,
  /** Where it is looked for: an order of another market is no order there. */
  category: optional(oneOf(CATEGORIES)),
  symbol: optional(text()),
  marginCoin: optional(text()),
  /**
   * What is left out stays. The size is all of it, what is filled included; of a new order that
   * takes its place, the size of that.
   */
  price: optional(text<DecimalText>()),
  size: optional(text<DecimalText>()),
  /** A new order takes its place, under an id of its own and this name. */
  replace: flag,
  newClientOid: optional(text<ClientOid>()),
  /** An order that cannot be changed is cancelled. */
  autoCancel: flag,
  /** What it leaves its position with from now on; left out, what it came with. */
  tpsl: optional(
    record({ takeProfit: optional(attachedDraftCodec), stopLoss: optional(attachedDraftCodec) }),
  ),
};

/**
 * What one market maker changes of its quotes: the orders that it cancels, and those that it
 * places.
 */
export const makerQuotesCodec = record({
  uid,
  cancels: list(whole<Id>()),
  places: list(record({ category: oneOf(CATEGORIES), orders: list(orderDraftCodec) })),
});
export type MakerQuotes = ValueOf<typeof makerQuotesCodec>;
