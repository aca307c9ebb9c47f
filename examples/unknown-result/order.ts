/** The order that both bots want once. */
import type { RestClientV3 } from 'bitget-api';

export type NewOrder = Omit<Parameters<RestClientV3['submitNewOrder']>[0], 'clientOid'>;

export const wantedOrder: NewOrder = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: '50000',
  qty: '0.01',
  timeInForce: 'gtc',
};
