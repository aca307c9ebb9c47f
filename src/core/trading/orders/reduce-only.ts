/** Reduce-only orders: how much they may reduce, and which older ones a new one replaces. */

import { ok, type Result } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import { isLimit, type PositionSide, type Side } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import { accountOf } from '../../derived/derived.ts';
import type { Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { type Reaction, reject } from '../../transaction/step.ts';
import { endOrder, reduceOnlyOrders } from './open-orders.ts';
import type { Reduction } from './order.ts';
import type { OrderPlan } from './order-plan.ts';

/** The position that an order of this side reduces in one-way mode. */
export const reducedBy = ({ long, short }: SymbolAccount, side: Side): Position | undefined =>
  side === 'buy' ? short : long;

/** What a reduce-only order may trade now. */
export const reducibleLots = (symbolAccount: SymbolAccount, side: Side): Lots =>
  reducedBy(symbolAccount, side)?.lots ?? NO_LOTS;

/** How many of the lots close; the rest opens or increases. */
export function closingLots(symbolAccount: SymbolAccount, order: Order, lots: Lots): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  const position = reducedBy(symbolAccount, order.side);
  if (position === undefined) return NO_LOTS;
  return position.lots < lots ? position.lots : lots;
}

const NONE: readonly Order[] = [];

/** What an order may reduce; an order that opens keeps its lots. */
export function reductionOf(plan: OrderPlan): Result<Reduction, Rejection> {
  const { lots, symbolAccount } = plan;
  if (symbolAccount === undefined || plan.intent !== 'close')
    return ok({ lots, left: lots, replaced: NONE });
  if (plan.positionSide !== undefined) return hedgeClose(symbolAccount, plan.positionSide, plan);
  const position = reducedBy(symbolAccount, plan.draft.side);
  if (position === undefined) return reject('nothingToClose');
  if (plan.replacing !== undefined)
    return ok({
      lots,
      left: leftByOthers(symbolAccount, plan.replacing, position.lots, lots),
      replaced: NONE,
    });
  const left = Math.min(lots, position.lots) as Lots;
  return ok({
    lots,
    left,
    replaced: collisions(symbolAccount, plan.draft.side, position.lots - left),
  });
}

/** Closing more than is available is refused for a limit order and cut for a market order. */
function hedgeClose(
  symbolAccount: SymbolAccount,
  positionSide: PositionSide,
  { draft, lots, closesAll, replacing }: OrderPlan,
): Result<Reduction, Rejection> {
  const position = symbolAccount.position(positionSide);
  if (position === undefined) return reject('nothingToClose');
  if (closesAll) {
    const replaced = symbolAccount.all.filter(
      (order) => order.intent === 'close' && order.positionSide === positionSide,
    );
    return ok({ lots, left: lots, replaced });
  }
  const available = (position.lots - position.locked + (replacing?.left ?? 0)) as Lots;
  if (lots <= available) return ok({ lots, left: lots, replaced: NONE });
  if (isLimit(draft.orderType)) return reject('closeTooLarge', 'size');
  return available === 0
    ? reject('nothingToClose')
    : ok({ lots: available, left: available, replaced: NONE });
}

/**
 * A modified order ends no other order: it is cut to what the others leave of the position
 * (ORD-93).
 */
function leftByOthers(
  symbolAccount: SymbolAccount,
  replacing: Order,
  held: number,
  lots: Lots,
): Lots {
  const all = reduceOnlyOrders(symbolAccount, replacing.side).reduce(
    (total, order) => total + order.left,
    0,
  );
  return Math.min(lots, held - (all - replacing.left)) as Lots;
}

/** Reduce-only orders together never exceed the position; the oldest end until the others fit. */
function collisions(symbolAccount: SymbolAccount, side: Side, room: number): readonly Order[] {
  const older = reduceOnlyOrders(symbolAccount, side);
  let sum = older.reduce((total, order) => total + order.left, 0);
  const replaced: Order[] = [];
  for (const order of older) {
    if (sum <= room) break;
    sum -= order.left;
    replaced.push(order);
  }
  return replaced;
}

export const trimReduceOnly: Reaction<'positionChanged'> = (
  step,
  { position: { uid, category, symbol, side } },
) => {
  const symbolAccount = accountOf(step, uid).symbolAccountIn(
    step.derived.marketContexts.named(category, symbol)!,
  );
  if (symbolAccount === undefined || symbolAccount.reduceOnly === 0) return;
  const orders = reduceOnlyOrders(symbolAccount, side === 'long' ? 'sell' : 'buy');
  const room = symbolAccount.position(side)?.lots ?? 0;
  let sum = orders.reduce((total, order) => total + order.left, 0);
  for (const order of orders) {
    if (sum <= room) return;
    sum -= order.left;
    endOrder(step, order, 'nothingToReduce');
  }
};
