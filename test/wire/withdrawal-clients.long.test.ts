/** Withdrawals as existing clients request them; only the address is changed. */
import { RestClientV2, RestClientV3 } from 'bitget-api';
import ccxt from 'ccxt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const HASH = /^[0-9a-f]{64}$/;

let exchange: TradingExchange;
let alice: Trader;
let bob: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
});
afterAll(() => exchange.stop());
beforeEach(async () => {
  alice = await exchange.trader({ deposits: { USDT: '50000' } });
  bob = await exchange.trader({});
});

const advance = (ms: string) => exchange.operate('POST', '/operator/v1/clock', { advanceMs: ms });
/** Clients ask up to their own time; the exchange clock is ahead after the earlier tests. */
const now = async (): Promise<number> =>
  Number(((await exchange.operate('GET', '/operator/v1/clock')).data as { now: string }).now);

describe('ccxt', () => {
  function client(uta: boolean) {
    const made = new ccxt.bitget({
      apiKey: alice.apiKey,
      secret: alice.secretKey,
      password: alice.passphrase,
      options: { uta },
    });
    const urls = made.urls.api as Record<string, unknown>;
    for (const name of Object.keys(urls))
      if (typeof urls[name] === 'string') urls[name] = exchange.url;
    return made;
  }

  test.each([
    ['unified', true],
    ['classic', false],
  ])(
    '[WDR-01][WDR-05][WDR-14][WDR-52] %s: withdraw, fetchWithdrawals, fetchDepositAddress, fetchDeposits',
    async (_, uta) => {
      const bitget = client(uta);
      const request = await bitget.withdraw('USDT', 100, TRON, undefined, {
        network: 'TRC20',
        clientOid: 'by-ccxt',
      });
      expect(request).toMatchObject({
        type: 'withdrawal',
        currency: 'USDT',
        amount: 100,
        address: TRON,
        network: 'TRC20',
      });
      await advance('61000');
      const until = (await now()) + 1_000;
      const [found] = await bitget.fetchWithdrawals('USDT', until - 3_600_000, undefined, {
        until,
      });
      // The fee takes 1 of 100.
      expect(found).toMatchObject({
        id: request.id,
        type: 'withdrawal',
        status: 'ok',
        amount: 99,
        fee: { currency: 'USDT', cost: 1 },
        network: 'TRC20',
        addressTo: TRON,
        txid: expect.stringMatching(HASH),
      });
      expect(await bitget.fetchDepositAddress('USDT', { network: 'TRC20' })).toMatchObject({
        currency: 'USDT',
        address: expect.stringMatching(/^T/),
      });
      const deposits = await bitget.fetchDeposits('USDT', until - 3_600_000, undefined, { until });
      expect(deposits).toMatchObject([
        {
          status: 'ok',
          type: 'deposit',
          amount: 50_000,
          network: 'ERC20',
          addressFrom: expect.stringMatching(/^0x/),
        },
      ]);
      await bitget.close();
    },
  );

  test('[WDR-43] classic: without a time, the last 90 days are listed', async () => {
    const bitget = client(false);
    expect(await bitget.fetchWithdrawals()).toEqual([]);
    await bitget.fetchDeposits('USDT');
    await bitget.close();
  });

  test('[WDR-42] classic: one withdrawal by its id', async () => {
    const bitget = client(false);
    const request = await bitget.withdraw('USDT', 100, TRON, undefined, { network: 'TRC20' });
    const until = (await now()) + 1_000;
    const found = await bitget.fetchWithdrawals('USDT', until - 3_600_000, undefined, {
      until,
      orderId: request.id,
    });
    expect(found).toMatchObject([{ id: request.id, status: 'pending', amount: 99 }]);
    await bitget.close();
  });

  test.each([
    ['unified', true],
    ['classic', false],
  ])('[WDR-07][WDR-41] %s: a refusal is an error of its own class', async (_, uta) => {
    const bitget = client(uta);
    await expect(
      bitget.withdraw('USDT', 60_000, TRON, undefined, { network: 'TRC20' }),
    ).rejects.toThrow(/43012/);
    await expect(
      bitget.withdraw('USDT', 100, 'nowhere', undefined, { network: 'TRC20' }),
    ).rejects.toThrow(/47002/);
    await bitget.close();
  });
});

describe('bitget-api', () => {
  const clientOf = (trader: Trader) =>
    new RestClientV3({
      apiKey: trader.apiKey,
      apiSecret: trader.secretKey,
      apiPass: trader.passphrase,
      baseUrl: exchange.url,
    });

  test('[WDR-01][WDR-17][WDR-18][WDR-29][WDR-31][WDR-32] withdraws, transfers, cancels and reads', async () => {
    const client = clientOf(alice);
    const base = { coin: 'USDT', transferType: 'on_chain', chain: 'TRC20', address: TRON } as const;
    const sent = await client.submitWithdraw({ ...base, size: '100', clientOid: 'by-bitget-api' });
    expect(sent).toMatchObject({ code: '00000', data: { clientOid: 'by-bitget-api' } });
    const waiting = await client.submitWithdraw({ ...base, size: '20000' });
    expect(await client.cancelWithdrawal({ orderId: waiting.data.orderId })).toMatchObject({
      code: '00000',
      data: 'success',
    });
    const moved = await client.submitWithdraw({
      coin: 'USDT',
      transferType: 'internal_transfer',
      address: bob.uid,
      size: '25',
    });
    await advance('61000');
    const end = (await now()) + 1_000;
    const range = { startTime: String(end - 3_600_000), endTime: String(end) };
    const { data } = await client.getWithdrawRecords({ coin: 'USDT', ...range });
    expect(data).toMatchObject([
      {
        orderId: moved.data.orderId,
        dest: 'internal_transfer',
        status: 'success',
        recordId: moved.data.orderId,
      },
      { orderId: waiting.data.orderId, status: 'fail' },
      {
        orderId: sent.data.orderId,
        status: 'success',
        size: '100',
        fee: '1',
        recordId: expect.stringMatching(HASH),
      },
    ]);
    const received = await clientOf(bob).getDepositRecords({ coin: 'USDT', ...range });
    expect(received.data).toMatchObject([
      { orderId: moved.data.orderId, fromAddress: alice.uid, size: '25' },
    ]);
    expect((await client.getMaxWithdrawal({ coin: 'USDT' })).data).toMatchObject({
      coin: 'USDT',
      totalMaxWithdrawal: '49875',
    });
    expect((await client.getDepositAddress({ coin: 'USDT', chain: 'TRC20' })).data).toMatchObject({
      chain: 'TRC20',
      coin: 'USDT',
    });
  });

  test('[WDR-41][WDR-42] V2 withdraws, transfers, cancels and reads', async () => {
    const v2Of = (trader: Trader) =>
      new RestClientV2({
        apiKey: trader.apiKey,
        apiSecret: trader.secretKey,
        apiPass: trader.passphrase,
        baseUrl: exchange.url,
      });
    const client = v2Of(alice);
    const base = { coin: 'USDT', transferType: 'on_chain', chain: 'TRC20', address: TRON } as const;
    const sent = await client.spotWithdraw({ ...base, size: '100', clientOid: 'by-bitget-api' });
    expect(sent).toMatchObject({ code: '00000', data: { clientOid: 'by-bitget-api' } });
    const waiting = await client.spotWithdraw({ ...base, size: '20000' });
    expect(await client.spotCancelWithdrawal({ orderId: waiting.data.orderId })).toMatchObject({
      code: '00000',
      data: 'success',
    });
    const moved = await client.spotWithdraw({
      coin: 'USDT',
      transferType: 'internal_transfer',
      address: bob.uid,
      size: '25',
    });
    await advance('61000');
    const end = (await now()) + 1_000;
    const range = { startTime: String(end - 3_600_000), endTime: String(end) };
    expect((await client.getSpotWithdrawalHistory({ coin: 'USDT', ...range })).data).toMatchObject([
      {
        orderId: moved.data.orderId,
        dest: 'internal_transfer',
        status: 'success',
        tradeId: moved.data.orderId,
      },
      { orderId: waiting.data.orderId, status: 'fail' },
      {
        orderId: sent.data.orderId,
        status: 'success',
        size: '100',
        fee: '-1',
        tradeId: expect.stringMatching(HASH),
      },
    ]);
    const received = await v2Of(bob).getSpotDepositHistory({ coin: 'USDT', ...range });
    expect(received.data).toMatchObject([
      { orderId: moved.data.orderId, fromAddress: alice.uid, size: '25' },
    ]);
    const address = await client.getSpotDepositAddress({ coin: 'USDT', chain: 'TRC20', size: '1' });
    expect(address.data).toMatchObject({
      chain: 'TRC20',
      coin: 'USDT',
      address: expect.stringMatching(/^T/),
      tag: '',
    });
  });
});
