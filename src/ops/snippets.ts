/** Code that a bot author can paste: a client of each kind, pointed at the running exchange with a real key. */
import type { UserCredentials } from '../app/keyring.ts';

export interface SnippetContext {
  readonly url: string;
  readonly user: UserCredentials;
}

const curl = ({ url, user }: SnippetContext): string => `#!/usr/bin/env bash
# A signed call with nothing but curl and openssl: what does the account of ${user.name} hold?
KEY='${user.apiKey}' SECRET='${user.secretKey}' PASSPHRASE='${user.passphrase}'
call() { # METHOD PATH [BODY]
  local at sign
  at=$(date +%s000)
  sign=$(printf '%s' "$at$1$2\${3:-}" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64)
  curl -s -X "$1" "${url}$2" -H "ACCESS-KEY: $KEY" -H "ACCESS-SIGN: $sign" -H "ACCESS-TIMESTAMP: $at" \\
    -H "ACCESS-PASSPHRASE: $PASSPHRASE" -H 'Content-Type: application/json' \${3:+-d "$3"}
  echo
}
call GET /api/v3/account/assets
`;

const bitgetApi = ({ url, user }: SnippetContext): string => `// npm install bitget-api
import { RestClientV3 } from 'bitget-api';

const client = new RestClientV3({
  apiKey: '${user.apiKey}',
  apiSecret: '${user.secretKey}',
  apiPass: '${user.passphrase}',
  baseUrl: '${url}',
});
console.log((await client.getBalances()).data);
`;

const ccxt = ({ url, user }: SnippetContext): string => `// npm install ccxt
import ccxt from 'ccxt';

const exchange = new ccxt.bitget({
  apiKey: '${user.apiKey}',
  secret: '${user.secretKey}',
  password: '${user.passphrase}',
  options: { uta: true, defaultType: 'swap' },
});
for (const [name, address] of Object.entries(exchange.urls.api)) {
  if (typeof address === 'string') exchange.urls.api[name] = '${url}';
}
console.log(await exchange.fetchBalance());
`;

export const snippets: Readonly<Record<string, (context: SnippetContext) => string>> = { curl, 'bitget-api': bitgetApi, ccxt };
