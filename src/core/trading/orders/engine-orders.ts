/**
 * Orders that the engine sends on a holder's behalf: they close, need no margin, never rest, and
 * say why they were sent.
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

/** How much is closed, no worse than a tick, and why. */
export interface EngineClose {
  readonly lots: Lots;
  readonly limit: Tick;
  readonly executionKind: ExecutionKind;
  /** `none` when it is left out: what must be closed is, whoever takes it. */
  readonly selfTradeMode?: SelfTradeMode;
  /**
   * Beyond mark it goes no further than where it would have to leave something to clearing: whoever
   * has nothing left would leave it for the house to pay (POS-158).
   */
  readonly leavesNothing?: boolean;
}

/** Closes so many lots in the book; answers how many it found somebody for. */
export const closeInBook = (
  step: Step,
  position: Position,
  spec: InstrumentSpec,
  close: EngineClose,
): Lots => sendClose(step, position, spec, close).filled;

/** The same, answering the order, which has ended. */
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
  matchOrder(step, order, marketOf(step.derived, spec.key), close.leavesNothing);
  return order;
}

/** A closing outside the book: at a price that need not be a tick, without a fee. */
export interface OutsideFill {
  readonly tradeId: Order['id'];
  readonly lots: Lots;
  readonly price: Price;
  readonly profit: Amount;
  readonly leftToClearing: Amount;
  readonly executionKind: ExecutionKind;
}

/**
 * Tells a closing outside the book as an order that was filled at once, so that it stands in every
 * list where closings stand.
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
