/**
 * The calls of freqtrade with a stop on the exchange, through ccxt, configured as the snippet says.
 */
import ccxt, { type Exchange as CcxtExchange, type Order } from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snippets } from '../../src/ops/snippets.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const PAIR = 'BTC/USDT:USDT';
const STOPS = { planType: 'profit_loss' };

interface Configuration {
  readonly margin_mode: string;
  readonly exchange: {
    readonly key: string;
    readonly secret: string;
    readonly password: string;
    readonly ccxt_config: {
      readonly urls: { readonly api: Readonly<Record<string, unknown>> };
      readonly options: object;
    };
  };
}

function configured(trader: Trader): { client: CcxtExchange; config: Configuration } {
  const { apiKey, secretKey, passphrase, uid } = trader;
  const text = snippets.freqtrade!.write({
    url: exchange.url,
    user: { name: 'dave', uid, apiKey, secretKey, passphrase },
  });
  const config = JSON.parse(text) as Configuration;
  const { key, secret, password, ccxt_config } = config.exchange;
  const client = new ccxt.bitget({
    apiKey: key,
    secret,
    password,
    options: { ...ccxt_config.options },
  });
  Object.assign(client.urls.api as Record<string, unknown>, ccxt_config.urls.api);
  return { client, config };
}

/** A position of 0.01 with a stop-loss on the exchange, as freqtrade opens it. */
async function entered(
  client: CcxtExchange,
  marginMode: string,
  direction: 'long' | 'short',
): Promise<{ entry: Order; stop: Order }> {
  const isLong = direction === 'long';
  await client.setPositionMode(false);
  await client.setMarginMode(marginMode, PAIR);
  await client.setLeverage(3, PAIR);
  const [enter, exit] = isLong ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const entry = await client.createOrder(PAIR, 'limit', enter, 0.01, isLong ? 60_020 : 59_980, {
    timeInForce: 'GTC',
    marginMode,
  });
  const params = {
    stopLossPrice: isLong ? 58_000 : 62_000,
    triggerType: 'mark_price',
    reduceOnly: true,
    marginMode,
  };
  const stop = await client.createOrder(PAIR, 'market', exit, 0.01, undefined, params);
  return { entry: await client.fetchOrder(entry.id!, PAIR), stop };
}

const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

describe.each([
  ['long', '58000', 59_990],
  ['short', '62000', 60_010],
] as const)('freqtrade, %s', (direction, stopPrice, average) => {
  test('[RUN-69][API-55] a fired stop is closed, with its average price and a positive fee', async () => {
    const { client, config } = configured(await exchange.trader({ deposits: { USDT: '100000' } }));
    const { entry, stop } = await entered(client, config.margin_mode, direction);
    expect(entry).toMatchObject({ status: 'closed', filled: 0.01 });
    expect(entry.fee!.cost).toBeGreaterThan(0);
    expect((await client.fetchPositions([PAIR]))[0]).toMatchObject({
      side: direction,
      marginMode: 'isolated',
      leverage: 3,
    });

    const open = await client.fetchOpenOrders(PAIR, undefined, undefined, STOPS);
    expect(open).toMatchObject([{ id: stop.id, status: 'open', stopLossPrice: Number(stopPrice) }]);

    await exchange.setIndex('BTCUSDT', '60000', stopPrice);
    await exchange.setIndex('BTCUSDT', '60000', '60000');
    expect(ids(await client.fetchOpenOrders(PAIR, undefined, undefined, STOPS))).toEqual([]);
    const fired = await client.fetchCanceledAndClosedOrders(PAIR, undefined, undefined, STOPS);
    expect(fired).toMatchObject([{ id: stop.id, status: 'closed', average, filled: 0.01 }]);

    const orders = await client.fetchCanceledAndClosedOrders(PAIR);
    const placed = orders.find(({ clientOrderId }) => clientOrderId === stop.id)!;
    expect(placed).toMatchObject({
      status: 'closed',
      average,
      filled: 0.01,
      remaining: 0,
      fee: { currency: 'USDT' },
    });
    expect(placed.fee!.cost).toBeGreaterThan(0);
    expect(await client.fetchPositions([PAIR])).toEqual([]);
    await client.close();
  });

  test('[RUN-69][API-55] a stop is cancelled and replaced', async () => {
    const { client, config } = configured(await exchange.trader({ deposits: { USDT: '100000' } }));
    const { stop } = await entered(client, config.margin_mode, direction);
    await client.cancelOrder(stop.id!, PAIR, { stop: true, planType: 'pos_loss' });
    expect(await client.fetchOpenOrders(PAIR, undefined, undefined, STOPS)).toEqual([]);
    const gone = await client.fetchCanceledAndClosedOrders(PAIR, undefined, undefined, STOPS);
    expect(gone).toMatchObject([{ id: stop.id, status: 'canceled' }]);

    const params = {
      stopLossPrice: direction === 'long' ? 58_500 : 61_500,
      reduceOnly: true,
      marginMode: config.margin_mode,
    };
    const next = await client.createOrder(
      PAIR,
      'market',
      direction === 'long' ? 'sell' : 'buy',
      0.01,
      undefined,
      params,
    );
    expect(ids(await client.fetchOpenOrders(PAIR, undefined, undefined, STOPS))).toEqual([next.id]);
    await client.close();
  });
});
