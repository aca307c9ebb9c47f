/** Orders that only take away: how much they may take, and which older ones a new one replaces. */
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import type { Lots } from '../book/order-book.ts';
import { positionOf } from '../positions/position.ts';
import { reject, type Step } from '../step.ts';
import { openOrdersOf, reduceOnlyOrders } from './open-orders.ts';
import type { Order } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { reducedBy } from './reducible.ts';

/** The order is for so many lots, so many of them may trade, and these older orders make room first. */
export interface Reduction {
  readonly lots: Lots;
  readonly left: Lots;
  readonly replaced: readonly Order[];
}

const NONE: readonly Order[] = [];

/** What an order may take away; an order that opens may take all it asked for. */
export function reductionOf(step: Step, plan: OrderPlan): Result<Reduction, Rejection> {
  const { lots } = plan;
  if (plan.intent !== 'close') return ok({ lots, left: lots, replaced: NONE });
  if (plan.positionSide !== undefined) return hedgeClose(step, plan);
  const { uid } = plan.account.profile;
  const position = reducedBy(step.state, { uid, key: plan.terms.key, side: plan.draft.side });
  if (position === undefined) return reject('nothingToClose');
  const left = Math.min(lots, position.lots) as Lots;
  return ok({ lots, left, replaced: collisions(step, plan, position.lots - left) });
}

/** Closing more than is available is refused for a limit and cut for a market order. */
function hedgeClose(step: Step, { account, terms, draft, lots, positionSide, closesAll }: OrderPlan): Result<Reduction, Rejection> {
  const { uid } = account.profile;
  const position = positionOf(step.state, uid, terms.key, positionSide!);
  if (position === undefined) return reject('nothingToClose');
  if (closesAll) {
    const open = openOrdersOf(step.derived, uid, terms.key)?.all ?? NONE;
    const replaced = [...open].filter((order) => order.intent === 'close' && order.positionSide === positionSide);
    return ok({ lots: position.lots, left: position.lots, replaced });
  }
  const available = (position.lots - position.locked) as Lots;
  if (lots <= available) return ok({ lots, left: lots, replaced: NONE });
  if (draft.orderType === 'limit') return reject('closeTooLarge', 'qty');
  return available === 0 ? reject('nothingToClose') : ok({ lots: available, left: available, replaced: NONE });
}

/** Reduce-only orders together never exceed the position: the oldest give way until the rest fits. */
function collisions({ derived }: Step, { account, terms, draft }: OrderPlan, room: number): readonly Order[] {
  const older = reduceOnlyOrders(derived, account.profile.uid, terms.key, draft.side);
  let sum = older.reduce((total, order) => total + order.left, 0);
  const replaced: Order[] = [];
  for (const order of older) {
    if (sum <= room) break;
    sum -= order.left;
    replaced.push(order);
  }
  return replaced;
}
