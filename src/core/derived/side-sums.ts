/** Sums of the open orders of an account in one symbol, by side. */
import type { Order } from '../state/order.ts';

export interface SideSums {
  /** Lots still to trade. */
  left: number;
  /** Σ tick × lots of the opening orders. If it is inexact, readers add up the orders instead. */
  opening: number;
  /** True if `opening` ever left the safe integers. */
  inexact: boolean;
}

export interface OpenOrders {
  /** Oldest first. */
  readonly all: Order[];
  /** The number of reduce-only orders. */
  reduceOnly: number;
  readonly buy: SideSums;
  readonly sell: SideSums;
}
