/** What the tests of orders share. */
import type { Row } from './trading-exchange.ts';

export interface Listed {
  readonly list: readonly Row[];
  readonly cursor: string;
}

export const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };

export const limitBuy = {
  ...futures,
  qty: '0.001',
  price: '50000',
  side: 'buy',
  orderType: 'limit',
};
