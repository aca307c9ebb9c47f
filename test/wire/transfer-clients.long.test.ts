/** Transfers as existing clients send them; only the address is changed. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ccxtFor } from './ccxt-client.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
});
afterAll(() => exchange.stop());

const WITHIN = { fromType: 'spot', toType: 'usdt_futures', amount: '100', coin: 'USDT' };

test.each([
  ['classic', false],
  ['unified', true],
])('[ACC-32] ccxt %s: transfer between account types', async (_, uta) => {
  const trader = await exchange.trader({ deposits: { USDT: '100' } });
  const client = ccxtFor(exchange, trader, uta);
  const moved = await client.transfer('USDT', 40.5, 'spot', 'swap');
  expect(moved).toMatchObject({ currency: 'USDT', id: expect.stringMatching(/^1\d{18}$/) });
  await expect(client.transfer('USDT', 100.5, 'swap', 'cross')).rejects.toThrow(/43012/);
  await client.close();
});

test('[ACC-32][ACC-33] bitget-api: transfers of v2 and v3', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100' } });
  const { apiKey, secretKey: apiSecret, passphrase: apiPass } = trader;
  const keys = { apiKey, apiSecret, apiPass, baseUrl: exchange.url };
  const v2 = await new RestClientV2(keys).spotTransfer({ ...WITHIN, symbol: 'BTCUSDT' } as never);
  expect(v2).toMatchObject({ code: '00000', data: { transferId: expect.any(String) } });
  const v3 = await new RestClientV3(keys).submitTransfer({ ...WITHIN, allowBorrow: 'no' } as never);
  expect(v3).toMatchObject({ code: '00000', data: { transferId: expect.any(String) } });
});
