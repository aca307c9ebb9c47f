/** One side of a trade that may be about to happen, as the positions of its account see it. */

import type { Product } from '../../../formulas/exact.ts';
import type { Id } from '../../../kernel/ids.ts';
import { type Amount, type Price, plus, type Rate, type Size } from '../../../kernel/money.ts';
import type { PositionSide } from '../../../messages/vocabulary.ts';
import { type Lots, NO_LOTS, type Tick } from '../../book/order-book.ts';
import type { SymbolAccount } from '../../derived/account-context.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { Order } from '../../state/order.ts';
import type { Position } from '../../state/position.ts';
import { reducedBy } from '../orders/reduce-only.ts';

/** Split into what it closes and what it opens. */
export interface Fill {
  readonly symbolAccount: SymbolAccount;
  readonly order: Order;
  readonly spec: InstrumentSpec;
  readonly tick: Tick;
  readonly closing: Lots;
  readonly opening: Lots;
  /** Fees are reckoned as if it took. */
  readonly feeRate: Rate;
}

/** One order's part in a trade that may be about to happen. */
export interface Match {
  readonly order: Order;
  readonly tick: Tick;
  readonly lots: Lots;
}

/** How many of an order's lots close, where so many are there to be closed. */
export function closedPart(order: Order, lots: Lots, closable: number): Lots {
  if (order.positionMode === 'hedge') return order.intent === 'close' ? lots : NO_LOTS;
  return Math.max(0, Math.min(lots, closable)) as Lots;
}

export const grownSide = ({ positionSide, side }: Order): PositionSide =>
  positionSide ?? (side === 'buy' ? 'long' : 'short');

/** The position that an order adds to, and the one it takes from. */
export const grownBy = ({ symbolAccount, order }: Fill): Position | undefined =>
  symbolAccount.position(grownSide(order));

export const closedBy = ({ symbolAccount, order }: Fill): Position | undefined =>
  order.positionSide === undefined
    ? reducedBy(symbolAccount, order.side)
    : symbolAccount.position(order.positionSide);

export interface Trade {
  readonly tradeId: Id;
  readonly spec: InstrumentSpec;
  readonly maker: Order;
  readonly taker: Order;
  readonly tick: Tick;
  readonly lots: Lots;
  readonly price: Price;
  readonly size: Size;
  /** Price × size, rounded to money. */
  readonly value: Amount;
  /** Price × size, not rounded. */
  readonly cost: Product;
}

/**
 * Counts a trade in one of its orders. An order given in quote coin counts its money, not its lots.
 */
export function countFill(order: Order, { lots, value }: Trade): void {
  if (order.quoteAmount === undefined) order.left = (order.left - lots) as Lots;
  order.filled = (order.filled + lots) as Lots;
  order.filledValue = plus(order.filledValue, value);
}
