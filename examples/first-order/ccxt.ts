/**
 * Places a first order with ccxt: a market order, and its result. Reads the address and a key from
 * the environment.
 */
import ccxt from 'ccxt';

const {
  RIALTO_URL = 'http://127.0.0.1:8080',
  RIALTO_KEY = '',
  RIALTO_SECRET = '',
  RIALTO_PASSPHRASE = '',
} = process.env;
const exchange = new ccxt.bitget({
  apiKey: RIALTO_KEY,
  secret: RIALTO_SECRET,
  password: RIALTO_PASSPHRASE,
  options: { uta: true, defaultType: 'swap' },
});
const addresses = exchange.urls.api as Record<string, unknown>;
// There is no WebSocket here; without this, ccxt would connect to the real exchange.
const nowhere = 'wss://127.0.0.1:9';
const streams = { public: nowhere, private: nowhere, utaPublic: nowhere, utaPrivate: nowhere };
for (const [name, address] of Object.entries(addresses))
  addresses[name] = typeof address === 'string' ? RIALTO_URL : streams;
const { id } = await exchange.createOrder('BTC/USDT:USDT', 'market', 'buy', 0.01);
const order = await exchange.fetchOrder(id ?? '', 'BTC/USDT:USDT');
console.log(`${order.status}, ${order.filled} filled`);
