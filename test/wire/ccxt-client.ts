/** ccxt as its users configure it; only the address is changed. */
import ccxt, { type Exchange as CcxtExchange } from 'ccxt';
import type { ShownCredentials } from '../../src/gateway/auth/credentials.ts';
import type { TradingExchange } from './trading-exchange.ts';

export function ccxtFor(
  { url }: Pick<TradingExchange, 'url'>,
  { apiKey, secretKey, passphrase }: Pick<ShownCredentials, 'apiKey' | 'secretKey' | 'passphrase'>,
  uta: boolean,
): CcxtExchange {
  const client = new ccxt.bitget({
    apiKey,
    secret: secretKey,
    password: passphrase,
    options: { uta },
  });
  const urls = client.urls.api as Record<string, unknown>;
  for (const name of Object.keys(urls)) if (typeof urls[name] === 'string') urls[name] = url;
  return client;
}
