/**
 * ccxt configured as the documents say: no call goes to the real exchange, and errors have the
 * documented classes.
 */
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import ccxt from 'ccxt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { snippets } from '../../src/ops/snippets.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  trader = await exchange.trader({ deposits: { USDT: '100000' } });
});
afterAll(() => exchange.stop());

type Watching = InstanceType<typeof ccxt.pro.bitget>;

const textOf = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const blockOf = (path: string): string =>
  [...textOf(path).matchAll(/```js\n(.*?)```/gs)]
    .map(([, code]) => code!)
    .find((code) => /urls\.api/.test(code))!;

const documents: readonly (readonly [string, () => string])[] = [
  ['README.md', () => blockOf('README.md')],
  ['docs/clients.md', () => blockOf('docs/clients.md')],
  [
    'the snippet',
    () => snippets.ccxt!.write({ url: exchange.url, user: { name: 'dave', ...trader } }),
  ],
];

/** Runs the lines up to the first call, on the client that is inspected. */
function pointed(code: string): Watching {
  const lines = code.split('\n');
  const until = lines.findIndex((line) => line.includes('await '));
  const ahead = lines
    .slice(0, until < 0 ? lines.length : until)
    .filter((line) => !line.startsWith('import '));
  const given = ahead.some((line) => line.includes('new ccxt.bitget'))
    ? ''
    : 'const exchange = new ccxt.bitget();\n';
  const text = `${given}${ahead.join('\n')}\nexchange;`
    .replaceAll('http://127.0.0.1:8080', exchange.url)
    .replaceAll('ws://127.0.0.1:8080', exchange.url.replace('http', 'ws'));
  const { apiKey, secretKey: secret, passphrase: password } = trader;
  return runInNewContext(text, { ccxt: ccxt.pro, apiKey, secret, password }) as Watching;
}

test.each(documents)('[RUN-70] %s leaves no address of the real exchange', async (_, code) => {
  const client = pointed(code());
  const addresses = JSON.stringify(client.urls.api);
  expect(Object.keys(client.urls.api as object)).toEqual(
    expect.arrayContaining(['mix', 'uta', 'ws', 'demo']),
  );
  expect(addresses).not.toMatch(/bitget|hostname/);
  await client.loadHttpProxyAgent();
  for (const uta of [false, true]) {
    client.options.uta = uta;
    expect(await client.watchTicker('BTC/USDT:USDT')).toMatchObject({ symbol: 'BTC/USDT:USDT' });
  }
  await client.close();
});

test('[RUN-70] the configuration for freqtrade replaces every address', () => {
  const config = JSON.parse(
    snippets.freqtrade!.write({ url: exchange.url, user: { name: 'dave', ...trader } }),
  );
  const { ccxt_config, ccxt_async_config, enable_ws } = config.exchange;
  expect(enable_ws).toBe(false);
  for (const { urls } of [ccxt_config, ccxt_async_config]) {
    const known = new ccxt.pro.bitget();
    const merged = known.deepExtend(known.urls.api, urls.api);
    expect(JSON.stringify(merged)).not.toMatch(/bitget|hostname/);
  }
});

test('[RUN-70] the first order with ccxt replaces the addresses in the same way', () => {
  const loop = textOf('examples/first-order/ccxt.ts');
  expect(loop).toMatch(/const nowhere = 'wss:\/\/127\.0\.0\.1:9';/);
  expect(loop).toMatch(/typeof address === 'string' \? RIALTO_URL : streams/);
});

test('[API-55] ccxt throws errors of the documented classes', () => {
  expect(ccxt.RequestTimeout.prototype).toBeInstanceOf(ccxt.NetworkError);
  expect(ccxt.DDoSProtection.prototype).toBeInstanceOf(ccxt.NetworkError);
  for (const kind of [ccxt.AuthenticationError, ccxt.ExchangeError, ccxt.OrderNotFound])
    expect(kind.prototype).not.toBeInstanceOf(ccxt.NetworkError);
});
