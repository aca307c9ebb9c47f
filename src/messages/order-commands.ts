/**
 * The fields of order commands. Placing and cancelling are by far the most frequent, so their
 * codecs are written out, which is faster.
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
    // A list created with its first order does not reserve space for sixteen more.
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
 * Take-profit and stop-loss are stored beside the order, so the bytes of orders without them never
 * change.
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
/** The market in which an order is searched. */
const orderMarketCodec = record({
  category: oneOf(CATEGORIES),
  symbol: optional(text()),
  /** Futures only. */
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
    // Without a market, the bytes are those of the original format.
    if (market !== undefined) cancelMarket.write(to, market);
  },
};

/** Changes of an open order. */
export const orderChangeFields = {
  uid,
  orderId: optional(whole<Id>()),
  clientOid,
  /** The expected market: an order of another market is not found. */
  category: optional(oneOf(CATEGORIES)),
  symbol: optional(text()),
  marginCoin: optional(text()),
  /**
   * A missing value is unchanged. The size is the total, including the filled part; with `replace`,
   * it is the size of the new order.
   */
  price: optional(text<DecimalText>()),
  size: optional(text<DecimalText>()),
  /** Replaces the order with a new one, under its own id and this name. */
  replace: flag,
  newClientOid: optional(text<ClientOid>()),
  /** Cancels the order if it cannot be changed. */
  autoCancel: flag,
  /** The new take-profit and stop-loss of its position; if missing, they are unchanged. */
  tpsl: optional(
    record({ takeProfit: optional(attachedDraftCodec), stopLoss: optional(attachedDraftCodec) }),
  ),
};

/** One market maker's quote changes: the orders to cancel, and those to place. */
export const makerQuotesCodec = record({
  uid,
  cancels: list(whole<Id>()),
  places: list(record({ category: oneOf(CATEGORIES), orders: list(orderDraftCodec) })),
});
export type MakerQuotes = ValueOf<typeof makerQuotesCodec>;
