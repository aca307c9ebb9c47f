/** Sums of the open orders of an account in one symbol, by side. */
import type { Order } from '../state/order.ts';

export interface SideSums {
  /** Lots still to trade. */
  left: number;
  /**
   * Σ tick × lots of what would open a position: their value in the instrument's own unit. Beyond
   * the safe integers it is added up anew.
   */
  opening: number;
  /** Whether it ever left the safe integers, and has only been near the sum since. */
  inexact: boolean;
}

export interface OpenOrders {
  /** Oldest first. */
  readonly all: Order[];
  /** How many of them only reduce. */
  reduceOnly: number;
  readonly buy: SideSums;
  readonly sell: SideSums;
}
