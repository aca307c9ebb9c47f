/** Orders that only take away: how much they may take, and which older ones a new one replaces. */
import type { Lots } from '../../book/order-book.ts';
import type { Order } from '../../state/order.ts';
import type { OrderPlan } from './order-plan.ts';
import { type Result, ok } from '../../../kernel/result.ts';
import type { Rejection } from '../../../messages/rejections.ts';
import { reducedBy } from './reducible.ts';
import { reject } from '../../transaction/step.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { PositionSide, Side } from '../../../messages/vocabulary.ts';
import { reduceOnlyOrders } from './open-orders.ts';

/**
 * The order is for so many lots, so many of them may trade, and these older orders make room first.
 */
export interface Reduction {
  readonly lots: Lots;
  readonly left: Lots;
  readonly replaced: readonly Order[];
}

const NONE: readonly Order[] = [];

/** What an order may take away; an order that opens may take all it asked for. */
export function reductionOf(plan: OrderPlan): Result<Reduction, Rejection> {
  const { lots, symbolAccount } = plan;
  if (symbolAccount === undefined || plan.intent !== 'close')
    return ok({ lots, left: lots, replaced: NONE });
  if (plan.positionSide !== undefined) return hedgeClose(symbolAccount, plan.positionSide, plan);
  const position = reducedBy(symbolAccount, plan.draft.side);
  if (position === undefined) return reject('nothingToClose');
  if (plan.instead !== undefined)
    return ok({
      lots,
      left: leftByOthers(symbolAccount, plan.instead, position.lots, lots),
      replaced: NONE,
    });
  const left = Math.min(lots, position.lots) as Lots;
  return ok({
    lots,
    left,
    replaced: collisions(symbolAccount, plan.draft.side, position.lots - left),
  });
}

/** Closing more than is available is refused for a limit and cut for a market order. */
function hedgeClose(
  symbolAccount: SymbolAccount,
  positionSide: PositionSide,
  { draft, lots, closesAll, instead }: OrderPlan,
): Result<Reduction, Rejection> {
  const position = symbolAccount.position(positionSide);
  if (position === undefined) return reject('nothingToClose');
  if (closesAll) {
    const replaced = symbolAccount.all.filter(
      (order) => order.intent === 'close' && order.positionSide === positionSide,
    );
    return ok({ lots, left: lots, replaced });
  }
  const available = (position.lots - position.locked + (instead?.left ?? 0)) as Lots;
  if (lots <= available) return ok({ lots, left: lots, replaced: NONE });
  if (draft.orderType === 'limit') return reject('closeTooLarge', 'qty');
  return available === 0
    ? reject('nothingToClose')
    : ok({ lots: available, left: available, replaced: NONE });
}

/**
 * One that takes another's place drives no third one away: it is cut to what they leave of the
 * position (ORD-93).
 */
function leftByOthers(
  symbolAccount: SymbolAccount,
  instead: Order,
  held: number,
  lots: Lots,
): Lots {
  const all = reduceOnlyOrders(symbolAccount, instead.side).reduce(
    (total, order) => total + order.left,
    0,
  );
  return Math.min(lots, held - (all - instead.left)) as Lots;
}

/**
 * Reduce-only orders together never exceed the position: the oldest give way until the rest fits.
 */
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
