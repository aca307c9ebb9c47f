/**
 * What v2 calls the source of an order: the way out of a position that placed it, if one did, and
 * whether it trades at a limit or at market.
 */
import {
  type ExitKind,
  ORDER_ORIGINS,
  ORDER_TYPES,
  type OrderOrigin,
  type OrderType,
} from '../../messages/vocabulary.ts';

const EXITS = {
  takeProfit: 'profit',
  stopLoss: 'loss',
  // A trailing exit keeps a gain: among the sources that there are, that is a profit.
  trailingExit: 'profit',
  positionTakeProfit: 'pos_profit',
  positionStopLoss: 'pos_loss',
} as const;

export const exitSource = (kind: ExitKind, orderType: OrderType) =>
  `${EXITS[kind]}_${orderType}` as const;

export function orderSource({
  origin,
  orderType,
}: {
  readonly origin: OrderOrigin;
  readonly orderType: OrderType;
}) {
  if (origin !== 'placed') return exitSource(origin, orderType);
  return orderType === 'limit' ? 'normal' : 'market';
}

interface Meant {
  readonly orderType: OrderType;
  readonly origins: readonly OrderOrigin[];
}

/** The orders that show a source; undefined when none does. */
export function meantBySource(source: string): Meant | undefined {
  for (const orderType of ORDER_TYPES) {
    const origins = ORDER_ORIGINS.filter((origin) => orderSource({ origin, orderType }) === source);
    if (origins.length > 0) return { orderType, origins };
  }
  return undefined;
}
