/** What the tests of futures orders share. */
import type { Row } from './trading-exchange.ts';

export interface Listed {
  readonly entrustedList: readonly Row[];
  readonly endId: string;
}

export const productType = 'USDT-FUTURES';
export const pair = { productType, symbol: 'BTCUSDT', marginCoin: 'USDT', marginMode: 'crossed' };

export const limitBuy = {
  ...pair,
  size: '0.01',
  price: '50000',
  side: 'buy',
  orderType: 'limit',
  force: 'GTC',
};
