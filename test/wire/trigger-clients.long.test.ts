/** Trigger orders through common clients; only the address is changed. */
import { RestClientV2 } from 'bitget-api';
import ccxt, { type Exchange as CcxtExchange } from 'ccxt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.startQuoted();
});
afterAll(() => exchange.stop());

const rich = (holdMode?: 'hedge_mode') =>
  exchange.trader({
    deposits: { USDT: '1000000' },
    ...(holdMode === undefined ? {} : { holdMode }),
  });
const mark = (price: string) => exchange.setIndex('BTCUSDT', '60000', price);

const SWAP = 'BTC/USDT:USDT';

function ccxtFor(trader: Trader): CcxtExchange {
  const client = new ccxt.bitget({
    apiKey: trader.apiKey,
    secret: trader.secretKey,
    password: trader.passphrase,
    options: { uta: false },
  });
  const urls = client.urls.api as Record<string, unknown>;
  for (const name of Object.keys(urls))
    if (typeof urls[name] === 'string') urls[name] = exchange.url;
  return client;
}

describe('ccxt', () => {
  test('[API-55][TRG-01] a trigger order is opened, listed, cancelled and found in history', async () => {
    const client = ccxtFor(await rich());
    const limit = await client.createOrder(SWAP, 'limit', 'buy', 0.01, 62_000, {
      triggerPrice: 62_500,
    });
    const market = await client.createOrder(SWAP, 'market', 'buy', 0.02, undefined, {
      triggerPrice: 61_000,
    });
    const open = await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true });
    expect(open).toMatchObject([
      {
        id: limit.id,
        status: 'open',
        type: 'limit',
        side: 'buy',
        amount: 0.01,
        price: 62_000,
        triggerPrice: 62_500,
      },
      {
        id: market.id,
        status: 'open',
        type: 'market',
        side: 'buy',
        amount: 0.02,
        triggerPrice: 61_000,
      },
    ]);
    await client.cancelOrder(limit.id!, SWAP, { trigger: true });
    await mark('61000');
    await mark('60000');
    expect(await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true })).toEqual([]);
    const closed = await client.fetchClosedOrders(SWAP, undefined, undefined, { trigger: true });
    expect(closed).toMatchObject([
      { id: market.id, status: 'closed', filled: 0.02, average: 60_010 },
    ]);
    const canceled = await client.fetchCanceledOrders(SWAP, undefined, undefined, {
      trigger: true,
    });
    expect(canceled).toMatchObject([{ id: limit.id, status: 'canceled' }]);
    expect((await client.fetchPositions([SWAP]))[0]).toMatchObject({
      side: 'long',
      contracts: 0.02,
      entryPrice: 60_010,
    });
    await client.close();
  });

  test('[API-55][TRG-41] a trigger order with TP/SL attaches both to the position', async () => {
    const client = ccxtFor(await rich());
    await client.createOrder(SWAP, 'market', 'buy', 0.01, undefined, {
      triggerPrice: 61_000,
      stopLoss: { triggerPrice: 55_000 },
      takeProfit: { triggerPrice: 70_000 },
    });
    await mark('61000');
    await mark('60000');
    const tpsl = await client.fetchOpenOrders(SWAP, undefined, undefined, {
      trigger: true,
      planType: 'profit_loss',
    });
    expect(new Set(tpsl.map(({ triggerPrice, amount }) => `${triggerPrice} ${amount}`))).toEqual(
      new Set(['55000 0.01', '70000 0.01']),
    );
    await client.close();
  });

  test.each([undefined, 'hedge_mode'] as const)(
    '[API-55][TRG-19] stop-loss and take-profit of a position are placed, hold mode %s',
    async (holdMode) => {
      const client = ccxtFor(await rich(holdMode));
      const hedged = holdMode === undefined ? {} : { hedged: true };
      await client.createOrder(SWAP, 'market', 'buy', 0.1, undefined, hedged);
      const stop = await client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
        stopLossPrice: 58_000,
        ...hedged,
      });
      const gain = await client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, {
        takeProfitPrice: 64_000,
        ...hedged,
      });
      const profitLoss = { trigger: true, planType: 'profit_loss' };
      const open = await client.fetchOpenOrders(SWAP, undefined, undefined, profitLoss);
      expect(new Set(open.map(({ id }) => id))).toEqual(new Set([stop.id, gain.id]));
      await client.cancelOrder(gain.id!, SWAP, { trigger: true });
      await mark('58000');
      await mark('60000');
      expect(await client.fetchPositions([SWAP])).toEqual([]);
      const closed = await client.fetchClosedOrders(SWAP, undefined, undefined, profitLoss);
      expect(closed).toMatchObject([{ id: stop.id, status: 'closed', average: 59_990 }]);
      const canceled = await client.fetchCanceledOrders(SWAP, undefined, undefined, profitLoss);
      expect(canceled).toMatchObject([{ id: gain.id, status: 'canceled' }]);
      await client.close();
    },
  );

  test('[API-55][TRG-35] a trailing order is opened, listed and cancelled, and fires', async () => {
    const client = ccxtFor(await rich());
    const trail = () =>
      client.createOrder(SWAP, 'market', 'sell', 0.01, undefined, {
        trailingPercent: 2,
        trailingTriggerPrice: 61_000,
        triggerType: 'mark_price',
      });
    const [fires, dies] = [await trail(), await trail()];
    const open = await client.fetchOpenOrders(SWAP, undefined, undefined, { trailing: true });
    expect(open.map(({ id }) => id)).toEqual([fires.id, dies.id]);
    await client.cancelOrder(dies.id!, SWAP, { trailing: true });
    for (const price of ['61000', '62000', '60760']) await mark(price);
    await mark('60000');
    const closed = await client.fetchClosedOrders(SWAP, undefined, undefined, { trailing: true });
    expect(closed).toMatchObject([{ id: fires.id, status: 'closed', average: 59_990 }]);
    expect(
      (await client.fetchCanceledOrders(SWAP, undefined, undefined, { trailing: true })).map(
        ({ id }) => id,
      ),
    ).toEqual([dies.id]);
    await client.close();
  });

  test('[API-55][TRG-51] several or all trigger orders of a symbol are cancelled', async () => {
    const client = ccxtFor(await rich());
    const ids: string[] = [];
    for (const triggerPrice of [61_000, 62_000, 63_000])
      ids.push(
        (await client.createOrder(SWAP, 'market', 'buy', 0.01, undefined, { triggerPrice })).id!,
      );
    await client.cancelOrders(ids.slice(0, 1), SWAP, { trigger: true });
    expect(
      await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true }),
    ).toHaveLength(2);
    await client.cancelAllOrders(SWAP, { trigger: true });
    expect(await client.fetchOpenOrders(SWAP, undefined, undefined, { trigger: true })).toEqual([]);
    await client.close();
  });

  test("[API-55][TRG-15] refusals become the client's own errors", async () => {
    const client = ccxtFor(await rich());
    await expect(
      client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, { stopLossPrice: 58_000 }),
    ).rejects.toBeInstanceOf(ccxt.ExchangeError);
    await client.createOrder(SWAP, 'market', 'buy', 0.1);
    await expect(
      client.createOrder(SWAP, 'market', 'sell', 0.1, undefined, { stopLossPrice: 61_000 }),
    ).rejects.toBeInstanceOf(ccxt.InvalidOrder);
    await client.close();
  });
});

describe('bitget-api', () => {
  test('[API-55][TRG-01][TRG-19][TRG-26][TRG-48][TRG-54][TRG-56][TRG-70][TRG-73] it reads the answers of all nine calls', async () => {
    const { apiKey, secretKey, passphrase } = await rich('hedge_mode');
    const client = new RestClientV2({
      apiKey,
      apiSecret: secretKey,
      apiPass: passphrase,
      baseUrl: exchange.url,
    });
    const symbol = { symbol: 'BTCUSDT', productType: 'USDT-FUTURES', marginCoin: 'USDT' } as const;
    await client.futuresSubmitOrder({
      ...symbol,
      marginMode: 'crossed',
      size: '1',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'market',
    });

    const plan = await client.futuresSubmitPlanOrder({
      ...symbol,
      planType: 'normal_plan',
      marginMode: 'crossed',
      size: '0.1',
      triggerPrice: '61000',
      triggerType: 'mark_price',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'market',
      clientOid: 'plan',
    } as never);
    expect(plan.data).toMatchObject({
      orderId: expect.stringMatching(/^1\d{18}$/),
      clientOid: 'plan',
    });
    const exit = await client.futuresSubmitTPSLOrder({
      ...symbol,
      planType: 'profit_plan',
      triggerPrice: '70000',
      triggerType: 'mark_price',
      holdSide: 'long',
      size: '0.5',
    });
    const both = await client.futuresSubmitPositionTPSL({
      ...symbol,
      holdSide: 'long',
      stopSurplusTriggerPrice: '71000',
      stopSurplusTriggerType: 'mark_price',
      stopLossTriggerPrice: '50000',
      stopLossTriggerType: 'mark_price',
    } as never);
    expect(both.data).toHaveLength(2);

    expect(
      (
        await client.futuresModifyPlanOrder({
          planType: 'normal_plan',
          clientOid: 'plan',
          symbol: 'BTCUSDT',
          productType: 'USDT-FUTURES',
          newTriggerPrice: '61500',
        })
      ).data,
    ).toEqual(plan.data);
    expect(
      (
        await client.futuresModifyTPSLPOrder({
          ...symbol,
          orderId: exit.data.orderId,
          triggerPrice: '72000',
          size: '0.4',
        })
      ).data,
    ).toMatchObject({ orderId: exit.data.orderId });
    const open = await client.getFuturesPlanOrders({
      planType: 'profit_loss',
      productType: 'USDT-FUTURES',
    });
    expect(
      open.data.entrustedList
        .map(({ planType, triggerPrice, size }) => `${planType} ${triggerPrice} ${size}`)
        .sort(),
    ).toEqual(['pos_loss 50000 0', 'pos_profit 71000 0', 'profit_plan 72000 0.4']);

    await mark('61500');
    await mark('60000');
    const history = await client.getFuturesHistoricPlanOrders({
      planType: 'normal_plan',
      productType: 'USDT-FUTURES',
    });
    expect(history.data.entrustedList).toMatchObject([
      { orderId: plan.data.orderId, planStatus: 'executed', baseVolume: '0.1', priceAvg: '60010' },
    ]);
    const made = await client.getFuturesTriggerSubOrder({
      planType: 'normal_plan',
      planOrderId: plan.data.orderId,
      productType: 'USDT-FUTURES',
    } as never);
    expect(made.data).toMatchObject([{ type: 'market', status: 'success', price: '60010' }]);
    const cancelled = await client.futuresCancelPlanOrder({
      ...symbol,
      orderIdList: [{ orderId: exit.data.orderId }, { clientOid: 'unknown' }],
    } as never);
    expect(cancelled.data).toMatchObject({
      successList: [{ orderId: exit.data.orderId }],
      failureList: [{ clientOid: 'unknown' }],
    });
    expect(
      (await client.getFuturesPlanOrders({ planType: 'normal_plan', productType: 'USDT-FUTURES' }))
        .data.entrustedList,
    ).toEqual([]);
  });
});
