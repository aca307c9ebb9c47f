/**
 * An order as it will be once it is accepted. Nothing knows of it yet: it has the id that is next,
 * and its money is still where it was.
 */
import type { Moment } from '../../derived/core-state.ts';
import type { OrderPlan } from './order-plan.ts';
import type { Reduction } from './reduce-only.ts';
import type { Hold, Order } from '../../state/order.ts';
import type { OrderOrigin } from '../../../messages/vocabulary.ts';
import { ownClientOid } from './client-oids.ts';
import { NO_LOTS } from '../../book/order-book.ts';
import { ZERO_AMOUNT } from '../../../kernel/money.ts';

export function newOrder(
  moment: Moment,
  plan: OrderPlan,
  { lots, left }: Pick<Reduction, 'lots' | 'left'>,
  hold: Hold,
  origin: OrderOrigin = 'placed',
): Order {
  const { spec, account, draft } = plan;
  const { uid, parentUid } = account.profile;
  const id = moment.state.nextId;
  return {
    id,
    uid,
    owner: parentUid ?? uid,
    clientOid: draft.clientOid ?? ownClientOid(moment, uid, id),
    key: spec.key,
    category: spec.category,
    side: draft.side,
    orderType: draft.orderType,
    timeInForce: draft.orderType === 'market' ? 'gtc' : draft.timeInForce,
    limit: plan.limit,
    lots,
    quoteAmount: plan.quoteAmount,
    positionMode: account.positionMode,
    positionSide: plan.positionSide,
    intent: plan.intent,
    reduceOnly: plan.reduceOnly,
    marginMode: plan.marginMode,
    leverage: plan.leverage,
    selfTradeMode: draft.selfTradeMode ?? account.selfTradeMode,
    executionKind: 'normal',
    origin,
    loanType: draft.loanType,
    createdAt: moment.at,
    priority: id,
    waiting: plan.waiting,
    left,
    filled: NO_LOTS,
    filledValue: ZERO_AMOUNT,
    hold,
  };
}
