/** The record of a trigger order and of a trailing price. */

import type { Way } from '../../formulas/callback.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import type { Amount, Price, Rate, Size } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { AttachedTpsl } from '../../messages/triggers.ts';
import type {
  Intent,
  MarginMode,
  PositionMode,
  PositionSide,
  PriceSource,
  SelfTradeMode,
  Side,
  TimeInForce,
  TriggerKind,
} from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';

/** Take-profit and stop-loss of an order, and the fills of the order that opened a position. */
export interface PendingTpsl {
  readonly uid: Uid;
  readonly key: string;
  readonly side: PositionSide;
  readonly selfTradeMode: SelfTradeMode;
  readonly takeProfit?: AttachedTpsl | undefined;
  readonly stopLoss?: AttachedTpsl | undefined;
  filledSize: Size;
  filledValue: Amount;
}

/** The best price since a trailing order became active. Orders with the same best share a trail. */
export interface Trail {
  best: Price;
}

export interface Trigger {
  readonly id: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly key: string;
  readonly kind: TriggerKind;
  /** For futures only. */
  readonly marginMode?: MarginMode | undefined;
  readonly positionMode: PositionMode;
  readonly positionSide?: PositionSide | undefined;
  readonly intent: Intent;
  /** The direction of the order it will place. */
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly selfTradeMode: SelfTradeMode;
  /** For a limit order that is not good till cancelled. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly createdAt: Timestamp;
  updatedAt?: Timestamp | undefined;
  /** Zero for the whole position, and for an order in quote coin. */
  lots: Lots;
  /** For a spot market buy, which is in quote coin. */
  quoteAmount?: Amount | undefined;
  triggerPrice: Price;
  source: PriceSource;
  /** The direction in which the price reaches the trigger price. */
  way: Way;
  /** The limit of its order; absent for a market order. */
  price?: Price | undefined;
  /** In percent, for trailing triggers. */
  callbackRate?: Rate | undefined;
  /** For a trailing trigger that is active. */
  trail?: Trail | undefined;
  takeProfit?: AttachedTpsl | undefined;
  stopLoss?: AttachedTpsl | undefined;
  /** The other trigger, if a take-profit and a stop-loss were placed together. */
  ocoSibling?: Id | undefined;
}

/** A trailing sell follows the highest price and fires when the price falls. */
export const wayBack = ({ side }: Pick<Trigger, 'side'>): Way =>
  side === 'sell' ? 'falling' : 'rising';
