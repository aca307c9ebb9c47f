/** ccxt.pro as its users configure it; only the addresses are changed. */
import ccxt from 'ccxt';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import type { TradingExchange } from './trading-exchange.ts';

export type WatchingClient = InstanceType<typeof ccxt.pro.bitget>;

export async function ccxtProFor(
  { url }: Pick<TradingExchange, 'url'>,
  { apiKey, secretKey, passphrase }: Pick<ShownCredentials, 'apiKey' | 'secretKey' | 'passphrase'>,
  uta: boolean,
): Promise<WatchingClient> {
  const client = new ccxt.pro.bitget({
    apiKey,
    secret: secretKey,
    password: passphrase,
    options: { uta },
  });
  const urls = client.urls.api as Record<string, unknown>;
  for (const name of Object.keys(urls)) if (typeof urls[name] === 'string') urls[name] = url;
  const streams = url.replace('http', 'ws');
  urls.ws = {
    public: `${streams}/v2/ws/public`,
    private: `${streams}/v2/ws/private`,
    utaPublic: `${streams}/v3/ws/public`,
    utaPrivate: `${streams}/v3/ws/private`,
  };
  // ccxt refuses addresses without TLS until this is called.
  await client.loadHttpProxyAgent();
  return client;
}

/** Closing rejects what is still watched, and a test awaits none of it. */
export async function closeQuietly(client: WatchingClient): Promise<void> {
  const connections = Object.values(client.clients) as {
    futures: Record<string, Promise<unknown>>;
  }[];
  for (const { futures } of connections)
    for (const future of Object.values(futures)) future.catch(() => undefined);
  await client.close();
}
