/**
 * Places a first order with npm `bitget-api`: a market order, and its result. Reads the address and
 * a key from the environment.
 */
import { RestClientV3 } from 'bitget-api';

const {
  RIALTO_URL = 'http://127.0.0.1:8080',
  RIALTO_KEY = '',
  RIALTO_SECRET = '',
  RIALTO_PASSPHRASE = '',
} = process.env;
const client = new RestClientV3({
  apiKey: RIALTO_KEY,
  apiSecret: RIALTO_SECRET,
  apiPass: RIALTO_PASSPHRASE,
  baseUrl: RIALTO_URL,
});
const { data } = await client.submitNewOrder({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'market',
  qty: '0.01',
});
const order = await client.getOrderInfo({ orderId: data.orderId });
console.log(`${order.data.orderStatus} at ${order.data.avgPrice}`);
