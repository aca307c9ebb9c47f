import { RestClientV2, RestClientV3 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operate, type Person, startTestExchange, type TestExchange } from './exchange.ts';

let exchange: TestExchange;
let alice: Person;
beforeAll(async () => {
  exchange = await startTestExchange({ limits: false });
  alice = await exchange.person({ usdt: '1000' });
  await operate(exchange, 'POST', '/operator/v1/prices', [
    { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000' },
  ]);
});
afterAll(() => exchange.close());

function ccxtClient(uta?: boolean) {
  const client = new ccxt.bitget({
    apiKey: alice.apiKey,
    secret: alice.secretKey,
    password: alice.passphrase,
    ...(uta === undefined ? {} : { options: { uta } }),
  });
  const urls = client.urls.api as Record<string, unknown>;
  for (const name of Object.keys(urls))
    if (typeof urls[name] === 'string') urls[name] = exchange.url;
  return client;
}

describe('ccxt', () => {
  test('[AUTH-08] loads the classic markets', async () => {
    const client = ccxtClient(false);
    const markets = await client.loadMarkets();
    const linear = markets['BTC/USDT:USDT'];
    expect(linear).toMatchObject({
      id: 'BTCUSDT',
      swap: true,
      linear: true,
      active: true,
      taker: 0.0006,
      maker: 0.0002,
    });
    expect(markets['BTC/USD:BTC']).toMatchObject({ inverse: true });
    expect(markets['BTC/USDC:USDC']).toMatchObject({ id: 'BTCPERP' });
    expect(markets['ETH/BTC']).toMatchObject({ spot: true });
    await client.close();
  });

  test('[AUTH-08] loads the unified markets and reads the balance', async () => {
    const client = ccxtClient(true);
    const markets = await client.loadMarkets();
    const [instrument] = exchange.views.listings.instruments('USDT-FUTURES');
    expect(markets['BTC/USDT:USDT']?.precision.price).toBe(
      Number.parseFloat(instrument?.instrument.priceStep ?? ''),
    );
    expect(markets['BTC/USDT:USDT']?.precision.amount).toBe(
      Number.parseFloat(instrument?.instrument.sizeStep ?? ''),
    );
    const balance = await client.fetchBalance();
    expect(balance.USDT).toMatchObject({ free: 1000, total: 1000 });
    await client.close();
  });

  test('[AUTH-08] detects by itself that the account is unified', async () => {
    const client = ccxtClient();
    await client.loadMarkets();
    expect(await client.fetchTime()).toBeGreaterThan(1_700_000_000_000);
    expect((await client.fetchBalance()).USDT).toMatchObject({ total: 1000 });
    await client.close();
  });

  test('[AUTH-08] sets the leverage, classic and unified', async () => {
    for (const uta of [false, true]) {
      const client = ccxtClient(uta);
      await client.setLeverage(uta ? 15 : 14, 'BTC/USDT:USDT');
      expect(
        exchange.views.accounts.symbolSetting(alice.uid, 'USDT-FUTURES', 'BTCUSDT').leverage,
      ).toBe(uta ? '15' : '14');
      await client.close();
    }
  });

  test('[AUTH-08] a wrong secret is an authentication error', async () => {
    const client = ccxtClient(true);
    client.secret = 'wrong';
    await expect(client.fetchBalance()).rejects.toBeInstanceOf(ccxt.AuthenticationError);
    await client.close();
  });
});

describe('bitget-api', () => {
  const credentials = () => ({
    apiKey: alice.apiKey,
    apiSecret: alice.secretKey,
    apiPass: alice.passphrase,
    baseUrl: exchange.url,
  });

  test('[AUTH-08] reads balances and settings and sets the leverage (v3)', async () => {
    const client = new RestClientV3(credentials());
    expect((await client.getBalances()).data).toMatchObject({ accountEquity: '1000' });
    expect((await client.getAccountSettings()).data).toMatchObject({
      uid: String(alice.uid),
      holdMode: 'one_way_mode',
    });
    expect(
      await client.setLeverage({ category: 'USDT-FUTURES', symbol: 'ETHUSDT', leverage: '12' }),
    ).toMatchObject({
      code: '00000',
      data: 'success',
    });
    expect(
      exchange.views.accounts.symbolSetting(alice.uid, 'USDT-FUTURES', 'ETHUSDT').leverage,
    ).toBe('12');
    expect(
      (
        await client.getDepositRecords({ coin: 'USDT', limit: '20' } as Parameters<
          typeof client.getDepositRecords
        >[0])
      ).data,
    ).toMatchObject([{ size: '1000' }]);
  });

  test('[AUTH-08] signs public calls, and sets futures settings (v2)', async () => {
    const client = new RestClientV2(credentials());
    expect((await client.getSpotCoinInfo()).data.length).toBeGreaterThan(0);
    const set = await client.setFuturesLeverage({
      symbol: 'SOLUSDT',
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
      leverage: '9',
    });
    expect(set.data).toMatchObject({
      symbol: 'SOLUSDT',
      marginCoin: 'USDT',
      longLeverage: '9',
      shortLeverage: '9',
      crossMarginLeverage: '9',
      marginMode: 'crossed',
    });
    const mode = await client.setFuturesMarginMode({
      symbol: 'SOLUSDT',
      productType: 'USDT-FUTURES',
      marginCoin: 'USDT',
      marginMode: 'isolated',
    });
    expect(mode.data).toMatchObject({ marginMode: 'isolated' });
    expect(
      (await client.setFuturesPositionMode({ productType: 'USDT-FUTURES', posMode: 'hedge_mode' }))
        .data,
    ).toEqual({
      posMode: 'hedge_mode',
    });
  });

  test('[AUTH-08] a refusal reaches the caller with its envelope', async () => {
    const client = new RestClientV3({ ...credentials(), apiPass: 'wrong' });
    await expect(client.getBalances()).rejects.toMatchObject({
      code: 400,
      body: { code: '40012', data: null },
    });
  });
});
