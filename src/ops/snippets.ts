/**
 * Code that a bot author can paste: one client of each kind, set up for the running exchange with a
 * real key.
 */
import type { UserCredentials } from '../app/keyring.ts';
import { shellText } from '../app/welcome.ts';

export interface SnippetContext {
  readonly url: string;
  readonly user: UserCredentials;
}

const ORDER = JSON.stringify({
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  posSide: 'long',
  orderType: 'market',
  qty: '0.01',
});
const ORDER_OBJECT = `{
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  posSide: 'long',
  orderType: 'market',
  qty: '0.01',
}`;

/** A seed file may set any secret: a quote or line break in it must not end the text. */
const scriptText = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** A line break in a name would end the comment, and the shell would run the rest of the name. */
const commentText = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

const curl = ({ url, user }: SnippetContext): string => `#!/usr/bin/env bash
# The first order of ${commentText(user.name)}, with nothing but curl and openssl.
set -e
KEY=${shellText(user.apiKey)}
SECRET=${shellText(user.secretKey)}
PASSPHRASE=${shellText(user.passphrase)}
call() { # METHOD PATH [BODY]
  local at sign
  at=$(date +%s000)
  sign=$(printf '%s' "$at$1$2\${3:-}" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64)
  curl -sS -X "$1" "${url}$2" -H "ACCESS-KEY: $KEY" -H "ACCESS-SIGN: $sign" \\
    -H "ACCESS-TIMESTAMP: $at" -H "ACCESS-PASSPHRASE: $PASSPHRASE" \\
    -H 'Content-Type: application/json' \${3:+-d "$3"}
  echo
}
call POST /api/v3/trade/place-order '${ORDER}'
# The position that the order has opened.
call GET '/api/v3/position/current-position?category=USDT-FUTURES'
`;

/** A Python string literal: JSON literals mean the same there. */
const pythonText = (text: string): string => JSON.stringify(text);

const python = ({ url, user }: SnippetContext): string => `#!/usr/bin/env python3
# The first order, with nothing but the standard library of Python 3.8 or newer.
import base64
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request

URL = ${pythonText(url)}
KEY = ${pythonText(user.apiKey)}
SECRET = ${pythonText(user.secretKey)}
PASSPHRASE = ${pythonText(user.passphrase)}

# A proxy of the environment would not reach this machine.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(method, path, body=None):
    """Sends a signed call once, and returns what \`data\` of the answer holds."""
    text = "" if body is None else json.dumps(body)
    at = str(int(time.time() * 1000))
    signed = (at + method + path + text).encode()
    digest = hmac.new(SECRET.encode(), signed, hashlib.sha256).digest()
    headers = {
        "ACCESS-KEY": KEY,
        "ACCESS-SIGN": base64.b64encode(digest).decode(),
        "ACCESS-TIMESTAMP": at,
        "ACCESS-PASSPHRASE": PASSPHRASE,
        "Content-Type": "application/json",
    }
    content = None if body is None else text.encode()
    request = urllib.request.Request(URL + path, content, headers, method=method)
    try:
        with opener.open(request, timeout=10) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as refused:
        answer = json.load(refused)
    if answer["code"] != "00000":
        raise RuntimeError(answer["code"] + ": " + answer["msg"])
    return answer["data"]


placed = call("POST", "/api/v3/trade/place-order", {
    "category": "USDT-FUTURES",
    "symbol": "BTCUSDT",
    "side": "buy",
    "posSide": "long",
    "orderType": "market",
    "qty": "0.01",
})
print(call("GET", "/api/v3/trade/order-info?orderId=" + placed["orderId"]))
print(call("GET", "/api/v3/account/assets"))
`;

const bitgetApi = ({ url, user }: SnippetContext): string => `// npm install bitget-api
// Works with bitget-api 3.1.6 to 3.2.3; 2.3.6 has RestClientV2 alone.
import { RestClientV3 } from 'bitget-api';

const client = new RestClientV3({
  apiKey: ${scriptText(user.apiKey)},
  apiSecret: ${scriptText(user.secretKey)},
  apiPass: ${scriptText(user.passphrase)},
  baseUrl: '${url}',
});
const placed = await client.submitNewOrder(${ORDER_OBJECT});
console.log((await client.getOrderInfo({ orderId: placed.data.orderId })).data);
console.log((await client.getBalances()).data);
`;

/** The addresses of streams, under the names that ccxt gives them. */
function streamsOf(url: string): Readonly<Record<string, string>> {
  const ws = url.replace(/^http/, 'ws');
  return {
    public: `${ws}/v2/ws/public`,
    private: `${ws}/v2/ws/private`,
    utaPublic: `${ws}/v3/ws/public`,
    utaPrivate: `${ws}/v3/ws/private`,
  };
}

const ccxt = ({ url, user }: SnippetContext): string => `// npm install ccxt
// Works with ccxt 4.5.70 to ccxt 4.5.84.
// Up to at least 4.5.63, ccxt also needs this setting beside apiKey:
//   agent: new http.Agent(),   with: import http from 'node:http';
import ccxt from 'ccxt';

const exchange = new ccxt.bitget({
  apiKey: ${scriptText(user.apiKey)},
  secret: ${scriptText(user.secretKey)},
  password: ${scriptText(user.passphrase)},
  options: { uta: true, defaultType: 'swap' },
});
// Before watch… calls, ccxt.pro also needs exchange.loadHttpProxyAgent().
const streams = {
${Object.entries(streamsOf(url))
  .map(([name, address]) => `  ${name}: ${scriptText(address)},`)
  .join('\n')}
};
for (const [name, address] of Object.entries(exchange.urls.api)) {
  exchange.urls.api[name] = typeof address === 'string' ? '${url}' : streams;
}
const placed = await exchange.createOrder('BTC/USDT:USDT', 'market', 'buy', 0.01, undefined, {
  posSide: 'long',
});
console.log(await exchange.fetchOrder(placed.id, 'BTC/USDT:USDT'));
console.log(await exchange.fetchBalance());
`;

const ccxtPython = ({ url, user }: SnippetContext): string => `# pip install ccxt
# Written for ccxt 4.5.84. Up to at least 4.5.50, ccxt itself fails when it cancels a stop that
# has ended.
import ccxt

exchange = ccxt.bitget({
    "apiKey": ${pythonText(user.apiKey)},
    "secret": ${pythonText(user.secretKey)},
    "password": ${pythonText(user.passphrase)},
    "options": {"uta": True, "defaultType": "swap"},
})
streams = ${JSON.stringify(streamsOf(url), null, 4)}
exchange.urls["api"] = {
    name: ${pythonText(url)} if isinstance(address, str) else streams
    for name, address in exchange.urls["api"].items()
}
placed = exchange.create_order(
    "BTC/USDT:USDT", "market", "buy", 0.01, None, {"posSide": "long"}
)
print(exchange.fetch_order(placed["id"], "BTC/USDT:USDT"))
print(exchange.fetch_balance())
`;

/**
 * A configuration for freqtrade, which uses ccxt and can set its addresses. It looks for stops as
 * v2 shows them (RUN-69).
 */
const freqtrade = ({ url, user }: SnippetContext): string => {
  const addresses = Object.fromEntries(
    [
      'spot',
      'mix',
      'user',
      'p2p',
      'broker',
      'margin',
      'common',
      'tax',
      'convert',
      'copy',
      'earn',
      'uta',
    ].map((name) => [name, url]),
  );
  const ccxtConfig = {
    urls: { api: { ...addresses, ws: streamsOf(url), demo: streamsOf(url) } },
    options: { uta: false, defaultType: 'swap' },
  };
  const config = {
    dry_run: false,
    trading_mode: 'futures',
    margin_mode: 'isolated',
    stake_currency: 'USDT',
    stake_amount: 100,
    max_open_trades: 3,
    exchange: {
      name: 'bitget',
      enable_ws: false,
      key: user.apiKey,
      secret: user.secretKey,
      password: user.passphrase,
      pair_whitelist: ['BTC/USDT:USDT', 'ETH/USDT:USDT'],
      ccxt_config: ccxtConfig,
      ccxt_async_config: ccxtConfig,
    },
    pairlists: [{ method: 'StaticPairList' }],
    entry_pricing: { price_side: 'other', use_order_book: true, order_book_top: 1 },
    exit_pricing: { price_side: 'other', use_order_book: true, order_book_top: 1 },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
};

export interface Snippet {
  /** One line for the list of clients. */
  readonly about: string;
  readonly write: (context: SnippetContext) => string;
}

export const snippets: Readonly<Record<string, Snippet>> = {
  curl: { about: 'a shell script: curl and openssl', write: curl },
  python: { about: 'Python: the standard library alone', write: python },
  'bitget-api': { about: 'JavaScript: npm bitget-api', write: bitgetApi },
  ccxt: { about: 'JavaScript: npm ccxt', write: ccxt },
  'ccxt-python': { about: 'Python: ccxt of pip', write: ccxtPython },
  freqtrade: { about: 'a configuration of freqtrade', write: freqtrade },
};
