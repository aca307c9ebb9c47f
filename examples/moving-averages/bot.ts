/**
 * A bot with ccxt: long while the average of 20 minutes is above that of 200, short while it is
 * below. Reads the address and a key from the environment, and takes a number of minutes as an
 * argument.
 */
import { setTimeout as pause } from 'node:timers/promises';
import ccxt from 'ccxt';

const {
  RIALTO_URL = 'http://127.0.0.1:8080',
  RIALTO_KEY = '',
  RIALTO_SECRET = '',
  RIALTO_PASSPHRASE = '',
} = process.env;
const SYMBOL = 'BTC/USDT:USDT';
const SIZE = 0.01;
const [FAST, SLOW] = [20, 200];
const MINUTE = 60_000;

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

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Closing prices, oldest first, without the unfinished candle. */
async function closes(): Promise<readonly number[]> {
  const candles = await exchange.fetchOHLCV(SYMBOL, '1m', undefined, SLOW + 1);
  const ended = candles.filter(([start]) => Number(start) + MINUTE <= Date.now());
  return ended.slice(-SLOW).map((candle) => Number(candle[4]));
}

/** Negative for a short position. */
async function heldSize(): Promise<number> {
  const [position] = await exchange.fetchPositions([SYMBOL]);
  const size = position?.contracts ?? 0;
  return position?.side === 'short' ? -size : size;
}

async function trade(): Promise<void> {
  const prices = await closes();
  if (prices.length < SLOW)
    return console.log(`${prices.length} of ${SLOW} candles: too few to trade`);
  const [fast, slow] = [average(prices.slice(-FAST)), average(prices)];
  const wanted = fast > slow ? SIZE : -SIZE;
  const missing = wanted - (await heldSize());
  console.log(`fast ${fast.toFixed(1)}, slow ${slow.toFixed(1)}: ${wanted > 0 ? 'long' : 'short'}`);
  if (Math.abs(missing) < SIZE / 2) return;
  const { id } = await exchange.createOrder(
    SYMBOL,
    'market',
    missing > 0 ? 'buy' : 'sell',
    Math.abs(missing),
  );
  const order = await exchange.fetchOrder(id ?? '', SYMBOL);
  // ccxt does not read the average price of v3.
  console.log(`order ${id}: ${order.side} ${order.filled} at ${order.info.avgPrice}`);
}

const minutes = Number(process.argv[2] ?? Number.POSITIVE_INFINITY);
for (let minute = 0; minute < minutes; minute++) {
  if (minute > 0) await pause(MINUTE);
  await trade();
}
