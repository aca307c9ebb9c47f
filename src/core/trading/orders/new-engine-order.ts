/**
 * What orders of the engine's own have in common, whatever they close: sent at market, no further
 * than a tick, never to rest.
 */
import { type Step, takeId } from '../../transaction/step.ts';
import { type Uid, clientOidOf } from '../../../kernel/ids.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { Order } from '../../state/order.ts';
import { ZERO_AMOUNT } from '../../../kernel/money.ts';

/** Left to whoever sends one. */
type OwnFields =
  | 'side'
  | 'positionMode'
  | 'reduceOnly'
  | 'selfTradeMode'
  | 'executionKind'
  | 'hold';

/** Takes the next id: nobody has named it, so that is its name too. */
export function newEngineOrder(
  step: Step,
  uid: Uid,
  spec: InstrumentSpec,
  { lots, limit }: { lots: Lots; limit: Tick },
): Omit<Order, OwnFields> {
  const id = takeId(step);
  return {
    id,
    uid,
    owner: step.state.accounts.get(uid)!.profile.parentUid ?? uid,
    clientOid: clientOidOf(id),
    key: spec.key,
    category: spec.category,
    orderType: 'market',
    timeInForce: 'gtc',
    limit,
    lots,
    origin: 'placed',
    createdAt: step.at,
    priority: id,
    waiting: false,
    left: lots,
    filled: NO_LOTS,
    filledValue: ZERO_AMOUNT,
  };
}
