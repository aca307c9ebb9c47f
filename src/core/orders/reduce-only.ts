/** Orders that only take away: how much they may take, and which older ones a new one replaces. */
import { ok, type Result } from '../../kernel/result.ts';
import type { Rejection } from '../../messages/rejections.ts';
import { type Lots, NO_LOTS } from '../book/order-book.ts';
import { positionOf } from '../positions/position.ts';
import { reject, type Step } from '../step.ts';
import type { Order } from './order.ts';
import type { OrderPlan } from './order-plan.ts';
import { openOrdersIn, reducedBy } from './reducible.ts';

/** So many of the lots asked for may trade, and these older orders make room first. */
export interface Reduction {
  readonly lots: Lots;
  readonly replaced: readonly Order[];
}

const WHOLE: readonly Order[] = [];

/** What an order may take away; an order that opens may take all it asked for. */
export function reductionOf(step: Step, plan: OrderPlan): Result<Reduction, Rejection> {
  const { lots, draft, account } = plan;
  if (!plan.terms.futures || plan.intent === 'open') return ok({ lots, replaced: WHOLE });
  if (account.positionMode === 'hedge') return hedgeClose(step, plan);
  const position = reducedBy(step.state, { uid: account.profile.uid, key: plan.terms.key, side: draft.side });
  if (position === undefined) return reject('nothingToClose');
  const wanted = Math.min(lots, position.lots) as Lots;
  return ok({ lots: wanted, replaced: collisions(step, plan, position.lots - wanted) });
}

/** Closing more than is available is refused for a limit and cut for a market order. */
function hedgeClose(step: Step, { account, terms, draft, lots }: OrderPlan): Result<Reduction, Rejection> {
  const position = positionOf(step.state, account.profile.uid, terms.key, draft.positionSide!);
  const available = position === undefined ? NO_LOTS : ((position.lots - position.locked) as Lots);
  if (available === 0) return reject('nothingToClose');
  if (lots <= available) return ok({ lots, replaced: WHOLE });
  return draft.orderType === 'limit' ? reject('closeTooLarge', 'qty') : ok({ lots: available, replaced: WHOLE });
}

/** Reduce-only orders together never exceed the position: the oldest give way until the rest fits. */
function collisions({ state }: Step, { account, terms, draft }: OrderPlan, room: number): readonly Order[] {
  const older = [...openOrdersIn(state, account.profile.uid, terms.key)].filter((order) => order.reduceOnly && order.side === draft.side);
  let sum = older.reduce((total, order) => total + order.left, 0);
  const replaced: Order[] = [];
  for (const order of older) {
    if (sum <= room) break;
    sum -= order.left;
    replaced.push(order);
  }
  return replaced;
}
