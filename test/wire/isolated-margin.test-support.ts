/** What the tests of isolated margin share. */

export const SYMBOL = 'BTCUSDT';

export interface Asset {
  readonly symbol: string;
  readonly coin: string;
  readonly totalAmount: string;
  readonly available: string;
  readonly frozen: string;
  readonly borrow: string;
  readonly net: string;
}
