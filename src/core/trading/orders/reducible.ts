/** How much of a position an order could still take away. */
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { Side } from '../../../messages/vocabulary.ts';
import type { Position } from '../../state/position.ts';
import { type Lots, NO_LOTS } from '../../book/order-book.ts';
import type { Order } from '../../state/order.ts';

/** The position that an order of this direction reduces in one-way mode. */
export const reducedBy = ({ long, short }: SymbolAccount, side: Side): Position | undefined =>
  side === 'buy' ? short : long;

/** What a reduce-only order may trade at this moment. */
export const reducibleLots = (symbolAccount: SymbolAccount, side: Side): Lots =>
  reducedBy(symbolAccount, side)?.lots ?? NO_LOTS;

/** How many of so many lots would close; the rest opens or increases. */
export function closingLots(symbolAccount: SymbolAccount, order: Order, lots: Lots): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  const position = reducedBy(symbolAccount, order.side);
  if (position === undefined) return NO_LOTS;
  return position.lots < lots ? position.lots : lots;
}
