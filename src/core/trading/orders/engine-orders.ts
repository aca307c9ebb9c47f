/**
 * Orders that the engine sends for an account: they close, need no margin, never rest, and carry
 * their execution kind.
 */

import { type Amount, notional, type Price, ZERO_AMOUNT } from '../../../kernel/money.ts';
import type { ExecutionKind, SelfTradeMode, Side } from '../../../messages/vocabulary.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { accountOf, marketOf } from '../../derived/derived.ts';
import { type InstrumentSpec, sizeOf } from '../../derived/instrument-spec.ts';
import { NO_HOLD, type Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { type Step, takeId } from '../../transaction/step.ts';
import { matchOrder } from '../matching/match-order.ts';
import { addOpenOrder, changeLocked, countOpenOrder } from './open-orders.ts';
import { newEngineOrder, orderRow } from './order.ts';

export const closingSide = (position: Position): Side =>
  position.side === 'long' ? 'sell' : 'buy';

function closingOrder(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  close: EngineClose,
): Order {
  const { uid, positionMode, side, marginMode, leverage } = position;
  const { executionKind, selfTradeMode = 'none' } = close;
  return {
    ...newEngineOrder(step, uid, spec, close),
    side: closingSide(position),
    positionMode,
    ...(positionMode === 'hedge' ? { positionSide: side } : {}),
    intent: 'close',
    reduceOnly: positionMode === 'oneWay',
    marginMode,
    leverage,
    selfTradeMode,
    executionKind,
    hold: NO_HOLD,
  };
}

/** What to close, at which price at worst, and why. */
export interface EngineClose {
  readonly lots: Lots;
  readonly limit: Tick;
  readonly executionKind: ExecutionKind;
  /** Defaults to `none`: the close may trade with any order. */
  readonly selfTradeMode?: SelfTradeMode;
  /**
   * Beyond mark it does not trade if it would owe a clearing levy, which an account without equity
   * would leave to the house (POS-158).
   */
  readonly avoidsLevy?: boolean;
}

/** Closes in the book; returns the lots that filled. */
export const closeInBook = (
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  close: EngineClose,
): Lots => sendClose(step, position, spec, close).filled;

/** Closes in the book; returns the order, which has ended. */
export function sendClose(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  close: EngineClose,
): Order {
  const order = closingOrder(step, position, spec, close);
  step.state.orders.set(order.id, order);
  countOpenOrder(accountOf(step, order.uid).account, order, 1);
  addOpenOrder(step, order);
  changeLocked(step, order, order.left);
  step.emit({ type: 'orderAccepted', order: orderRow(order, spec) });
  matchOrder(step, order, marketOf(step.derived, spec.key), close.avoidsLevy);
  return order;
}

/** A close outside the book: at any price, without a fee. */
export interface OutsideFill {
  readonly tradeId: Order['id'];
  readonly lots: Lots;
  readonly price: Price;
  readonly profit: Amount;
  readonly leftToClearing: Amount;
  readonly executionKind: ExecutionKind;
}

/**
 * Emits a close outside the book as an order that filled at once, so that all lists show it
 * (POS-77).
 */
export function emitOutsideFill(
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  fill: OutsideFill,
): void {
  const { tradeId, lots, price, profit, leftToClearing, executionKind } = fill;
  const { symbol, marginCoin } = spec.instrument;
  const order = closingOrder(step, position, spec, { lots, limit: 1 as Tick, executionKind });
  const { id: orderId, uid, clientOid, category, orderType, side } = order;
  const size = sizeOf(spec, lots);
  step.emit({ type: 'orderAccepted', order: orderRow(order, spec) });
  step.emit({
    type: 'fillSettled',
    fill: {
      fillId: takeId(step),
      tradeId,
      orderId,
      uid,
      clientOid,
      category,
      symbol,
      orderType,
      side,
      price,
      size,
      value: notional(price, size, 'down'),
      role: 'taker',
      feeCoin: marginCoin,
      fee: ZERO_AMOUNT,
      positionSide: position.side,
      intent: 'close',
      profit,
      leftToClearing: leftToClearing === 0n ? undefined : leftToClearing,
      executionKind,
      selfTrade: false,
    },
  });
  step.emit({ type: 'orderEnded', end: { orderId, uid, status: 'filled', category, symbol } });
}
