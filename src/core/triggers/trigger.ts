/**
 * A live trigger, an order that waits for a price. It is in the state until it fires or is
 * cancelled.
 */

import type { Way } from '../../formulas/callback.ts';
import { invariant, unreachable } from '../../kernel/invariant.ts';
import type { Price } from '../../kernel/money.ts';
import type { Writable } from '../../kernel/writable.ts';
import type { TriggerRow } from '../../messages/triggers.ts';
import {
  type ExitKind,
  hasTriggers,
  isTakeProfit,
  type PositionSide,
  type PriceSource,
} from '../../messages/vocabulary.ts';
import type { Moment } from '../derived/derived.ts';
import { type InstrumentSpec, sizeOf } from '../derived/instrument-spec.ts';
import { indexPriceOf, lastPriceOf } from '../derived/market-context.ts';
import { isMarkFrozen } from '../prices/market-prices.ts';
import type { State } from '../state/state.ts';
import type { Trigger } from '../state/trigger.ts';

/** The current price of a source. */
export function sourcePrice(
  state: State,
  spec: InstrumentSpec,
  source: PriceSource,
): Price | undefined {
  switch (source) {
    case 'last':
      return lastPriceOf(state, spec.instrument);
    case 'mark':
      return state.symbolPrices.get(spec.key)?.mark;
    case 'index':
      return indexPriceOf(state, spec.instrument);
    default:
      return unreachable(source);
  }
}

/** A frozen mark price fires no trigger (TRG-45). */
export function isStale(
  { state, at }: Pick<Moment, 'state' | 'at'>,
  spec: InstrumentSpec,
  source: PriceSource,
): boolean {
  switch (source) {
    case 'mark':
      return isMarkFrozen(state, spec.instrument, at);
    case 'last':
    case 'index':
      return false;
    default:
      return unreachable(source);
  }
}

/** A take-profit waits where the position gains, a stop-loss where it loses. */
export const exitWay = (kind: ExitKind, side: PositionSide): Way =>
  isTakeProfit(kind) === (side === 'long') ? 'rising' : 'falling';

/** A spot symbol has no mark price; the index price replaces it (TRG-93). */
const SPOT_SOURCES: Readonly<Record<PriceSource, PriceSource>> = {
  last: 'last',
  mark: 'index',
  index: 'index',
};
export const sourceIn = (
  { futures }: Pick<InstrumentSpec, 'futures'>,
  source: PriceSource,
): PriceSource => (futures ? source : SPOT_SOURCES[source]);

export const isReachedBy = (target: Price, way: Way, price: Price): boolean =>
  way === 'rising' ? price >= target : price <= target;

export function triggerRow(trigger: Trigger, spec: InstrumentSpec): TriggerRow {
  const { category } = spec;
  invariant(hasTriggers(category), 'a margin symbol has no triggers');
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
