import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN, type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('placing', () => {
  test('[TRG-21][TRG-25][TRG-64] take-profit and stop-loss have their sides in requests and rows', async () => {
    const oneWay = await on.longTrader();
    const hedged = await on.longTrader('hedge_mode');
    const exit = { ...TPSL, planType: 'profit_plan', triggerPrice: '70000', size: '1' };
    for (const holdSide of ['buy', 'long'])
      await on.exchange.data(oneWay, 'placeTpslOrder', { ...exit, holdSide });
    expect(await on.exchange.code(hedged, 'placeTpslOrder', { ...exit, holdSide: 'buy' })).toBe(
      '40020',
    );
    await on.exchange.data(hedged, 'placeTpslOrder', exit);
    expect((await on.pending(oneWay, 'profit_loss')).entrustedList).toMatchObject(
      [1, 2].map(() => ({
        side: 'sell',
        posSide: 'net',
        tradeSide: '',
        triggerType: 'fill_price',
        orderSource: 'profit_market',
      })),
    );
    expect((await on.pending(hedged, 'profit_loss')).entrustedList).toMatchObject([
      { side: 'buy', posSide: 'long', tradeSide: 'close' },
    ]);
  });

  test.each(['stopSurplus', 'stopLoss'])(
    '[TRG-79] a limit of %s without its trigger price is refused, not ignored',
    async (exit) => {
      const alice = await on.longTrader();
      const limit = { [`${exit}ExecutePrice`]: exit === 'stopLoss' ? '49000' : '71000' };
      const price =
        exit === 'stopLoss'
          ? { stopSurplusTriggerPrice: '70000' }
          : { stopLossTriggerPrice: '50000' };
      const refused = { code: '40019', msg: expect.stringContaining(`${exit}TriggerPrice`) };
      expect(
        await on.exchange.call(alice, 'placePositionTpsl', { ...TPSL, ...price, ...limit }),
      ).toMatchObject(refused);
      expect((await on.pending(alice, 'profit_loss')).entrustedList).toEqual([]);
      expect(
        await on.exchange.call(alice, 'placeTriggerOrder', { ...PLAN, ...limit }),
      ).toMatchObject(refused);
      expect(
        await on.exchange.code(alice, 'placeTriggerOrder', {
          ...PLAN,
          [`${exit}ExecutePrice`]: '0',
        }),
      ).toBe('00000');
      expect(
        await on.exchange.call(alice, 'placePositionTpsl', {
          ...TPSL,
          ...price,
          [`${exit}Size`]: '0.5',
        }),
      ).toMatchObject(refused);
      expect((await on.pending(alice, 'profit_loss')).entrustedList).toEqual([]);
    },
  );

  test.each([
    ['stopSurplusTriggerPrice', '40020'],
    ['stopLossTriggerPrice', '40020'],
    ['stopLossExecutePrice', '40020'],
  ])('[API-33] of two TP/SL the refusal names the invalid one: %s', async (field, code) => {
    const alice = await on.longTrader();
    const both = {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
      [field]: '9'.repeat(15),
    };
    expect(await on.exchange.call(alice, 'placePositionTpsl', both)).toMatchObject({
      code,
      msg: expect.stringContaining(` ${field} `),
    });
  });

  test('[TRG-26][TRG-27][TRG-28] take-profit and stop-loss of a position are placed together', async () => {
    const alice = await on.longTrader();
    expect(await on.exchange.code(alice, 'placePositionTpsl', TPSL)).toBe('40019');
    const both = {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
      stopLossSize: '0.5',
      stopSurplusClientOid: 'tp',
      stopLossClientOid: 'sl',
    };
    const placed = await on.exchange.data<readonly Row[]>(alice, 'placePositionTpsl', both);
    expect(placed).toEqual(
      [1, 2].map(() => ({
        orderId: expect.any(String),
        stopSurplusClientOid: 'tp',
        stopLossClientOid: 'sl',
      })),
    );
    expect((await on.pending(alice, 'profit_loss')).entrustedList).toMatchObject([
      {
        planType: 'loss_plan',
        size: '0.5',
        orderSource: 'loss_market',
        stopLossTriggerPrice: '50000',
        clientOid: 'sl',
      },
      {
        planType: 'pos_profit',
        size: '0',
        orderSource: 'pos_profit_market',
        stopSurplusTriggerPrice: '70000',
        clientOid: 'tp',
      },
    ]);
    const one = await on.exchange.data<readonly Row[]>(alice, 'placePositionTpsl', {
      ...TPSL,
      stopLossTriggerPrice: '51000',
      stopLossExecutePrice: '50900',
    });
    expect(one).toEqual([
      {
        orderId: expect.any(String),
        stopSurplusClientOid: '',
        stopLossClientOid: expect.stringMatching(/.+/),
      },
    ]);
    expect(
      await on.exchange.code(alice, 'placePositionTpsl', {
        ...TPSL,
        stopLossTriggerPrice: '51000',
      }),
    ).toBe('43031');
    expect(
      await on.exchange.code(alice, 'placePositionTpsl', {
        ...TPSL,
        stopSurplusTriggerPrice: '71000',
      }),
    ).toBe('43030');
    expect((await on.pending(alice, 'profit_loss', { limit: '1' })).entrustedList).toMatchObject([
      {
        planType: 'pos_loss',
        orderSource: 'pos_loss_limit',
        price: '50900',
        executePrice: '50900',
        orderType: 'limit',
      },
    ]);
  });

  test('[TRG-75] all-position shows the TP/SL of a position, first those of the whole position', async () => {
    const alice = await on.longTrader();
    const position = async () =>
      (
        await on.exchange.data<readonly Row[]>(alice, 'getAllPositions', {
          productType: 'USDT-FUTURES',
        })
      )[0];
    expect(await position()).toMatchObject({
      takeProfit: '',
      stopLoss: '',
      takeProfitId: '',
      stopLossId: '',
    });
    const part = await on.exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'profit_plan',
      triggerPrice: '70000',
      size: '0.1',
    });
    expect(await position()).toMatchObject({
      takeProfit: '70000',
      takeProfitId: part.orderId,
      stopLoss: '',
    });
    const placed = await on.exchange.data<readonly Row[]>(alice, 'placePositionTpsl', {
      ...TPSL,
      stopSurplusTriggerPrice: '71000',
      stopLossTriggerPrice: '50000',
    });
    expect(await position()).toMatchObject({
      takeProfit: '71000',
      takeProfitId: placed[0]!.orderId,
      stopLoss: '50000',
      stopLossId: placed[1]!.orderId,
    });
  });
});
