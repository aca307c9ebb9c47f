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

/**
 * What waits for an order, and what the order has filled so far beyond a position that it closed.
 */
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

/**
 * The best price that a trailing order has seen since it began to follow. All that have seen the
 * same share one.
 */
export interface Trail {
  best: Price;
}

export interface Trigger {
  readonly id: Id;
  readonly uid: Uid;
  readonly clientOid: ClientOid;
  readonly key: string;
  readonly kind: TriggerKind;
  /** Of futures. */
  readonly marginMode?: MarginMode | undefined;
  readonly positionMode: PositionMode;
  readonly positionSide?: PositionSide | undefined;
  readonly intent: Intent;
  /** The direction of the order it will place. */
  readonly side: Side;
  readonly reduceOnly: boolean;
  readonly selfTradeMode: SelfTradeMode;
  /** Of a limit order that does not rest until it is cancelled. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly createdAt: Timestamp;
  updatedAt?: Timestamp | undefined;
  /** None for the whole position, and for an order in quote coin. */
  lots: Lots;
  /** Of a market buy of spot, which is in quote coin. */
  quoteAmount?: Amount | undefined;
  triggerPrice: Price;
  source: PriceSource;
  /** Which way the price comes to it. */
  way: Way;
  /** The limit of its order; a market order without one. */
  price?: Price | undefined;
  /** In percent; of trailing ones. */
  callbackRate?: Rate | undefined;
  /** Of a trailing one that has begun to follow. */
  trail?: Trail | undefined;
  takeProfit?: AttachedTpsl | undefined;
  stopLoss?: AttachedTpsl | undefined;
  /** The other of a take-profit and a stop-loss that were placed together. */
  ocoSibling?: Id | undefined;
}

/** Trailing orders come back: one that sells follows the highest price and fires when it falls. */
export const wayBack = ({ side }: Pick<Trigger, 'side'>): Way =>
  side === 'sell' ? 'falling' : 'rising';
