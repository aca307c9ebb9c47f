/** What the tests of positions share. */

export const category = 'USDT-FUTURES';

export interface Trade {
  readonly symbol?: string;
  readonly category?: string;
  readonly side: 'buy' | 'sell';
  readonly qty: string;
  readonly price: string;
  readonly posSide?: string;
  readonly reduceOnly?: string;
}
