/** A live trigger: an order that waits for a price. It lives in the state until it fires or is cancelled; what it was is then history. */
import type { Way } from '../../formulas/callback.ts';
import type { ClientOid, Id, Uid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Amount, Price, Rate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import type { Writable } from '../../kernel/writable.ts';
import type { AttachedTpsl, TriggerRow } from '../../messages/triggers.ts';
import {
  type ExitKind,
  hasTriggers,
  type Intent,
  isTakeProfit,
  type MarginMode,
  type PositionMode,
  type PositionSide,
  type PriceSource,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
  type TriggerKind,
} from '../../messages/vocabulary.ts';
import type { Lots } from '../book/order-book.ts';
import { sizeOf, type InstrumentSpec } from '../instruments/instrument-spec.ts';
import { indexPriceOf, lastPriceOf } from '../prices/coin-prices.ts';
import { isMarkFrozen } from '../prices/mark-prices.ts';
import type { State } from '../state.ts';
import type { Moment } from '../step.ts';

/** The best price that a trailing order has seen since it began to follow. All that have seen the same share one. */
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
export const wayBack = ({ side }: Pick<Trigger, 'side'>): Way => (side === 'sell' ? 'falling' : 'rising');

/** A take-profit waits where the position gains, a stop-loss where it loses. */
export const exitWay = (kind: ExitKind, side: PositionSide): Way => (isTakeProfit(kind) === (side === 'long') ? 'rising' : 'falling');

/** A spot symbol has no mark price: its index price stands for it (TRG-93). */
export const sourceIn = ({ futures }: Pick<InstrumentSpec, 'futures'>, source: PriceSource): PriceSource =>
  !futures && source === 'mark' ? 'index' : source;

/** The price that a source says of a symbol now. */
export function sourcePrice(state: State, spec: InstrumentSpec, source: PriceSource): Price | undefined {
  if (source === 'mark') return state.symbolPrices.get(spec.key)?.mark;
  return source === 'last' ? lastPriceOf(state, spec.instrument) : indexPriceOf(state, spec.instrument);
}

/** A frozen mark says nothing about now (TRG-45). */
export const isStale = ({ state, at }: Pick<Moment, 'state' | 'at'>, spec: InstrumentSpec, source: PriceSource): boolean =>
  source === 'mark' && isMarkFrozen(state, spec.instrument, at);

export const isReachedBy = (target: Price, way: Way, price: Price): boolean => (way === 'rising' ? price >= target : price <= target);

export function triggerRow(trigger: Trigger, spec: InstrumentSpec): TriggerRow {
  const { category } = spec;
  invariant(hasTriggers(category), 'no trigger is of margin');
  const row: Writable<TriggerRow> = {
    triggerId: trigger.id,
    uid: trigger.uid,
    clientOid: trigger.clientOid,
    kind: trigger.kind,
    category,
    symbol: spec.instrument.symbol,
    marginCoin: spec.instrument.marginCoin,
    positionMode: trigger.positionMode,
    intent: trigger.intent,
    side: trigger.side,
    reduceOnly: trigger.reduceOnly,
    size: sizeOf(spec, trigger.lots),
    triggerPrice: trigger.triggerPrice,
    source: trigger.source,
    selfTradeMode: trigger.selfTradeMode,
    createdAt: trigger.createdAt,
  };
  if (trigger.marginMode !== undefined) row.marginMode = trigger.marginMode;
  if (trigger.quoteAmount !== undefined) row.quoteAmount = trigger.quoteAmount;
  if (trigger.positionSide !== undefined) row.positionSide = trigger.positionSide;
  if (trigger.price !== undefined) row.price = trigger.price;
  if (trigger.callbackRate !== undefined) row.callbackRate = trigger.callbackRate;
  if (trigger.takeProfit !== undefined) row.takeProfit = trigger.takeProfit;
  if (trigger.stopLoss !== undefined) row.stopLoss = trigger.stopLoss;
  if (trigger.updatedAt !== undefined) row.updatedAt = trigger.updatedAt;
  return row;
}
