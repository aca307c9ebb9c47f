/** A trade between two orders at one price. */
import type { Id } from '../../../kernel/ids.ts';
import type { InstrumentSpec } from '../../derived/instrument-spec.ts';
import type { Order } from '../../state/order.ts';
import type { Lots, Tick } from '../../book/order-book.ts';
import { type Amount, type Price, type Size, plus } from '../../../kernel/money.ts';
import type { Product } from '../../../formulas/exact.ts';

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
