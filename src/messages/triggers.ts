/**
 * Triggers as data of the core's interface: orders that wait for a price, and take-profit and
 * stop-loss orders.
 */
import { appended, flag, oneOf, optional, record, text, type ValueOf } from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import type { ClientOid, Id, Uid } from '../kernel/ids.ts';
import type { Amount, Price, Rate, Size } from '../kernel/money.ts';
import type { Timestamp } from '../kernel/time.ts';
import {
  EXIT_KINDS,
  type Intent,
  MARGIN_MODES,
  type MarginMode,
  ORDER_TYPES,
  POSITION_SIDES,
  type PositionMode,
  type PositionSide,
  PRICE_SOURCES,
  type PriceSource,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
  type TriggerCategory,
  type TriggerKind,
} from './vocabulary.ts';

const decimal = text<DecimalText>();

/**
 * A take-profit or stop-loss attached to a trigger or order. For a trailing one, `triggerPrice` is
 * a percentage of the order's fill price.
 */
export const attachedDraftCodec = record({
  triggerPrice: decimal,
  source: optional(oneOf(PRICE_SOURCES)),
  /** Limit price; market if missing. */
  price: optional(decimal),
});
export type AttachedDraft = ValueOf<typeof attachedDraftCodec>;

/** `asSet` is the symbol's margin mode when the trigger is placed. Spot has none. */
const REQUESTED_MARGIN_MODES = [...MARGIN_MODES, 'asSet'] as const;

/**
 * A requested conditional or trailing order. `side` is the direction of the order that it places.
 */
export const triggerDraftCodec = record({
  kind: oneOf(['conditional', 'trailing']),
  symbol: text(),
  marginMode: oneOf(REQUESTED_MARGIN_MODES),
  /** Base coin; quote coin for a market buy of spot. */
  size: decimal,
  triggerPrice: decimal,
  source: oneOf(PRICE_SOURCES),
  side: oneOf(SIDES),
  /** The affected position, in hedge mode. */
  positionSide: optional(oneOf(POSITION_SIDES)),
  orderType: oneOf(ORDER_TYPES),
  price: optional(decimal),
  /** In percent. */
  callbackRate: optional(decimal),
  reduceOnly: flag,
  clientOid: optional(text<ClientOid>()),
  selfTradeMode: optional(oneOf(SELF_TRADE_MODES)),
  takeProfit: optional(attachedDraftCodec),
  stopLoss: optional(attachedDraftCodec),
  /** Of the limit order that it places; `gtc` if missing. */
  timeInForce: appended(oneOf(TIMES_IN_FORCE)),
  /** Spot only: the trigger price must be on the side where this takes a profit or stops a loss. */
  exit: appended(oneOf(['takeProfit', 'stopLoss'])),
});
export type TriggerDraft = ValueOf<typeof triggerDraftCodec>;

/** A requested take-profit or stop-loss of a position. */
export const exitDraftCodec = record({
  kind: oneOf(EXIT_KINDS),
  triggerPrice: decimal,
  source: oneOf(PRICE_SOURCES),
  /** Limit price; market if missing. */
  price: optional(decimal),
  /** Only for a partial close. */
  size: optional(decimal),
  /** In percent. */
  callbackRate: optional(decimal),
  clientOid: optional(text<ClientOid>()),
});
export type ExitDraft = ValueOf<typeof exitDraftCodec>;

/**
 * A requested change; missing values are unchanged. A limit of zero means market, and an attached
 * trigger price of zero removes it.
 */
export const triggerChangeCodec = record({
  size: optional(decimal),
  price: optional(decimal),
  triggerPrice: optional(decimal),
  source: optional(oneOf(PRICE_SOURCES)),
  callbackRate: optional(decimal),
  takeProfit: optional(
    record({
      triggerPrice: optional(decimal),
      source: optional(oneOf(PRICE_SOURCES)),
      price: optional(decimal),
    }),
  ),
  stopLoss: optional(
    record({
      triggerPrice: optional(decimal),
      source: optional(oneOf(PRICE_SOURCES)),
      price: optional(decimal),
    }),
  ),
});
export type TriggerChange = ValueOf<typeof triggerChangeCodec>;
export type AttachedChange = NonNullable<TriggerChange['takeProfit']>;

/**
 * A take-profit or stop-loss that waits for its order: at a price, or at a percentage of the fill
 * price.
 */
export type AttachedTpsl =
  | {
      readonly kind: 'price';
      readonly triggerPrice: Price;
      readonly source: PriceSource;
      readonly price?: Price;
    }
  | { readonly kind: 'percent'; readonly percent: Rate; readonly source: PriceSource };

/** A trigger as placed or changed. */
export interface TriggerRow {
  readonly triggerId: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly kind: TriggerKind;
  readonly category: TriggerCategory;
  readonly symbol: string;
  readonly marginCoin: string;
  /** Futures only. */
  readonly marginMode?: MarginMode | undefined;
  readonly positionMode: PositionMode;
  /** The affected position: in hedge mode, and for every take-profit or stop-loss. */
  readonly positionSide?: PositionSide;
  readonly intent: Intent;
  /** The direction of the order that it places. */
  readonly side: Side;
  readonly reduceOnly: boolean;
  /** Zero for the whole position, and for an order in quote coin. */
  readonly size: Size;
  /** For a market buy of spot, which is in quote coin. */
  readonly quoteAmount?: Amount;
  readonly triggerPrice: Price;
  readonly source: PriceSource;
  /** The limit price of the order; absent for a market order. */
  readonly price?: Price;
  /** In percent, for trailing triggers. */
  readonly callbackRate?: Rate;
  readonly takeProfit?: AttachedTpsl;
  readonly stopLoss?: AttachedTpsl;
  readonly selfTradeMode: SelfTradeMode;
  readonly createdAt: Timestamp;
  /** Absent until the first change. */
  readonly updatedAt?: Timestamp;
}
