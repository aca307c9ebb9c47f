/** The v2 source of an order: the take-profit or stop-loss that placed it, and limit or market. */
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
  // A trailing exit protects a gain, so the nearest source is profit.
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

/** The orders with a source; undefined if there are none. */
export function meantBySource(source: string): Meant | undefined {
  for (const orderType of ORDER_TYPES) {
    const origins = ORDER_ORIGINS.filter((origin) => orderSource({ origin, orderType }) === source);
    if (origins.length > 0) return { orderType, origins };
  }
  return undefined;
}
