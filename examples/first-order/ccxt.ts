/** The first order with ccxt: a market order, and what became of it. Takes the address and a key from the environment. */
import ccxt from 'ccxt';

const { RIALTO_URL = 'http://127.0.0.1:8080', RIALTO_KEY = '', RIALTO_SECRET = '', RIALTO_PASSPHRASE = '' } = process.env;
const exchange = new ccxt.bitget({
  apiKey: RIALTO_KEY,
  secret: RIALTO_SECRET,
  password: RIALTO_PASSPHRASE,
  options: { uta: true, defaultType: 'swap' },
});
const addresses = exchange.urls.api as Record<string, unknown>;
for (const [name, address] of Object.entries(addresses)) if (typeof address === 'string') addresses[name] = RIALTO_URL;
const { id } = await exchange.createOrder('BTC/USDT:USDT', 'market', 'buy', 0.01);
const order = await exchange.fetchOrder(id ?? '', 'BTC/USDT:USDT');
console.log(`${order.status}, ${order.filled} filled`);
