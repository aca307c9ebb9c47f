import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN, TPSL, TriggerExchange } from './trigger-exchange.ts';

let on: TriggerExchange;

beforeAll(async () => {
  on = await TriggerExchange.start();
});

afterAll(() => on.exchange.stop());

describe('placing', () => {
  test('[TRG-01][TRG-59][TRG-62][TRG-63][TRG-156] a trigger order answers its ids and lists every field', async () => {
    const alice = await on.trader();
    const placed = await on.place(alice, {
      clientOid: 'plan-1',
      stopSurplusTriggerPrice: '66000',
      stopSurplusTriggerType: 'fill_price',
      stopLossTriggerPrice: 0,
    });
    expect(placed).toEqual({ orderId: expect.stringMatching(/^1\d{18}$/), clientOid: 'plan-1' });
    const { entrustedList, endId } = await on.pending(alice, 'normal_plan');
    expect(endId).toBe(placed.orderId);
    expect(entrustedList).toEqual([
      {
        planType: 'normal_plan',
        symbol: 'BTCUSDT',
        size: '0.01',
        orderId: placed.orderId,
        clientOid: 'plan-1',
        planStatus: 'live',
        price: '',
        executePrice: '',
        triggerPrice: '65000',
        triggerType: 'mark_price',
        side: 'buy',
        posSide: 'net',
        marginCoin: 'USDT',
        marginMode: 'crossed',
        enterPointSource: 'API',
        tradeSide: '',
        posMode: 'one_way_mode',
        orderType: 'market',
        orderSource: 'normal',
        cTime: expect.stringMatching(/^\d{13}$/),
        uTime: '',
        stopSurplusExecutePrice: '',
        stopSurplusTriggerPrice: '66000',
        stopSurplusTriggerType: 'fill_price',
        stopLossExecutePrice: '',
        stopLossTriggerPrice: '',
        stopLossTriggerType: '',
      },
    ]);
  });

  test('[TRG-16] a missing clientOid is generated', async () => {
    expect(await on.place(await on.trader())).toEqual({
      orderId: expect.any(String),
      clientOid: expect.stringMatching(/.+/),
    });
  });

  test('[TRG-16] equal numbers are the same content in any notation', async () => {
    const alice = await on.trader();
    const first = await on.place(alice, {
      clientOid: 'written',
      size: '0.01',
      triggerPrice: '65000',
    });
    expect(
      await on.place(alice, { clientOid: 'written', size: '00.010', triggerPrice: '065000.0' }),
    ).toEqual(first);
    expect(
      await on.exchange.code(alice, 'placeTriggerOrder', {
        ...PLAN,
        clientOid: 'written',
        triggerPrice: '6500',
      }),
    ).toBe('40786');
  });

  test('[TRG-16][TRG-20] ignored fields do not change the content', async () => {
    const alice = await on.longTrader();
    const exit = (more: object) =>
      on.exchange.data(alice, 'placeTpslOrder', { ...TPSL, triggerPrice: '70000', ...more });
    const whole = await exit({ planType: 'pos_profit', size: '1', clientOid: 'whole' });
    expect(await exit({ planType: 'pos_profit', size: '2', clientOid: 'whole' })).toEqual(whole);
    const sized = await exit({ planType: 'profit_plan', size: '1', clientOid: 'sized' });
    expect(
      await exit({ planType: 'profit_plan', size: '1', rangeRate: '1', clientOid: 'sized' }),
    ).toEqual(sized);
  });

  test.each([
    [{ orderType: 'limit' }, 'price breaks a rule: a limit order needs it'],
    [{ price: '65000' }, 'price breaks a rule: a market order has none'],
    [{ callbackRatio: '2' }, 'callbackRatio breaks a rule: only a trailing order has it'],
    [{ planType: 'track_plan' }, 'callbackRatio breaks a rule: a trailing order needs it'],
    [{ planType: 'track_plan', callbackRatio: '11' }, 'callbackRatio breaks a rule: 1 to 10'],
    [
      { planType: 'track_plan', callbackRatio: '2', orderType: 'limit' },
      'orderType breaks a rule: a trailing order is at market',
    ],
    [
      {
        planType: 'track_plan',
        callbackRatio: '2',
        stopLossTriggerPrice: '1000',
        stopLossTriggerType: 'fill_price',
      },
      'stopLossTriggerPrice breaks a rule: 0.01 to 999.99',
    ],
  ])('[TRG-15][API-33] %j: the refusal states the rule', async (more, input) => {
    const alice = await on.trader();
    const { code, msg } = await on.exchange.call(alice, 'placeTriggerOrder', { ...PLAN, ...more });
    expect([code, msg]).toEqual(['43011', `The trigger order parameter ${input}`]);
  });

  test('[TRG-15][API-33] in hedge mode the refusal asks for the trade side', async () => {
    const hedged = await on.trader('hedge_mode');
    const { msg } = await on.exchange.call(hedged, 'placeTriggerOrder', PLAN);
    expect(msg).toBe('The trigger order parameter tradeSide breaks a rule: hedge mode needs it');
  });

  test('[TRG-01][TRG-02][TRG-15][TRG-19][TRG-20][TRG-76] each error of a trigger has its own code', async () => {
    const alice = await on.longTrader();
    const code = (more: object) =>
      on.exchange.code(alice, 'placeTriggerOrder', { ...PLAN, ...more });
    const exit = (more: object) =>
      on.exchange.code(alice, 'placeTpslOrder', {
        ...TPSL,
        planType: 'profit_plan',
        triggerPrice: '70000',
        size: '1',
        ...more,
      });
    for (const field of [
      'planType',
      'symbol',
      'productType',
      'marginMode',
      'marginCoin',
      'size',
      'triggerPrice',
      'triggerType',
      'side',
      'orderType',
    ])
      expect([field, await code({ [field]: '' })]).toEqual([field, '40019']);
    for (const field of [
      'planType',
      'symbol',
      'productType',
      'marginCoin',
      'triggerPrice',
      'holdSide',
      'size',
    ])
      expect([field, await exit({ [field]: '' })]).toEqual([field, '40019']);
    const codes: readonly (readonly [object, string])[] = [
      [{ planType: 'pos_profit' }, '40020'],
      [{ triggerType: 'bid_price' }, '40020'],
      [{ symbol: 'NONEUSDT' }, '40034'],
      [{ marginCoin: 'USDC' }, '40020'],
      [{ price: '1' }, '43011'],
      [{ orderType: 'limit' }, '43011'],
      [{ planType: 'track_plan' }, '43011'],
      [{ triggerPrice: '65000.01' }, '45115'],
      [{ size: '0.00001' }, '22038'],
      [{ size: '0' }, '45111'],
      [{ size: '1200.1' }, '45112'],
      [{ marginMode: 'isolated' }, '45117'],
      [{ stopSurplusTriggerPrice: '66000' }, '40019'],
    ];
    for (const [more, expected] of codes)
      expect([more, await code(more)]).toEqual([more, expected]);
    const tpsl: readonly (readonly [object, string])[] = [
      [{ planType: 'normal_plan' }, '40020'],
      [{ holdSide: 'short', triggerPrice: '50000' }, '43043'],
      [{ holdSide: 'short', triggerPrice: '50000', size: '' }, '40019'],
      [{ triggerPrice: '50000' }, '40830'],
      [{ triggerPrice: '50000', triggerType: 'mark_price' }, '40915'],
      [{ planType: 'loss_plan' }, '40834'],
      [{ planType: 'loss_plan', triggerType: 'mark_price' }, '40917'],
      [{ planType: 'moving_plan' }, '43011'],
      [{ marginCoin: 'BTC' }, '40020'],
    ];
    for (const [more, expected] of tpsl) expect([more, await exit(more)]).toEqual([more, expected]);
  });

  test('[TRG-10][TRG-12] a trailing order takes no limit and no price for its TP/SL', async () => {
    const alice = await on.trader();
    const code = (more: object) =>
      on.exchange.code(alice, 'placeTriggerOrder', {
        ...PLAN,
        planType: 'track_plan',
        callbackRatio: '1',
        ...more,
      });
    for (const field of [
      'stopSurplusExecutePrice',
      'stopLossExecutePrice',
      'presetStopSurplusPrice',
      'presetStopLossPrice',
    ]) {
      expect([field, await code({ [field]: '500' })]).toEqual([field, '43011']);
      expect([field, await code({ [field]: '0' })]).toEqual([field, '00000']);
    }
    const percent = { stopSurplusTriggerPrice: '10', stopSurplusTriggerType: 'fill_price' };
    expect(await code({ ...percent, presetStopSurplusPrice: '500' })).toBe('00000');
    const { entrustedList } = await on.pending(alice, 'track_plan', { limit: '1' });
    expect(entrustedList).toMatchObject([
      { stopSurplusTriggerPrice: '10', stopLossTriggerPrice: '' },
    ]);
  });

  test('[TRG-30] the same applies to a short', async () => {
    const alice = await on.trader();
    const open = {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      size: '1',
      side: 'sell',
      orderType: 'market',
    };
    await on.exchange.data(alice, 'placeFuturesOrder', open);
    const exit = (more: object) =>
      on.exchange.code(alice, 'placeTpslOrder', { ...TPSL, holdSide: 'sell', size: '1', ...more });
    expect(await exit({ planType: 'profit_plan', triggerPrice: '70000' })).toBe('40832');
    expect(
      await exit({ planType: 'profit_plan', triggerPrice: '70000', triggerType: 'mark_price' }),
    ).toBe('45135');
    expect(await exit({ planType: 'loss_plan', triggerPrice: '50000' })).toBe('40836');
    expect(
      await exit({ planType: 'loss_plan', triggerPrice: '50000', triggerType: 'mark_price' }),
    ).toBe('45122');
  });

  test('[TRG-06][TRG-60] in hedge mode side is the position side, also when closing', async () => {
    const alice = await on.trader('hedge_mode');
    expect(await on.exchange.code(alice, 'placeTriggerOrder', PLAN)).toBe('43011');
    const rows = [
      ['buy', 'open', 'long'],
      ['sell', 'open', 'short'],
      ['buy', 'close', 'long'],
      ['sell', 'close', 'short'],
    ] as const;
    for (const [side, tradeSide, posSide] of rows) {
      const { orderId } = await on.place(alice, { side, tradeSide });
      expect((await on.pending(alice, 'normal_plan', { orderId })).entrustedList).toMatchObject([
        { side, tradeSide, posSide, posMode: 'hedge_mode' },
      ]);
    }
  });

  test('[TRG-07][TRG-08] in one-way mode tradeSide is ignored and reduceOnly is used', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice, { tradeSide: 'close', reduceOnly: 'YES' });
    expect((await on.pending(alice, 'normal_plan', { orderId })).entrustedList).toMatchObject([
      { tradeSide: '', posSide: 'net', side: 'buy' },
    ]);
    expect(
      await on.exchange.code(alice, 'placeTriggerOrder', { ...PLAN, reduceOnly: 'maybe' }),
    ).toBe('40020');
  });

  test('[TRG-12] the older fields, if the newer are empty, mean a last price at market', async () => {
    const alice = await on.trader();
    await on.place(alice, {
      presetStopSurplusPrice: '66000',
      presetStopLossPrice: '',
      stopLossTriggerPrice: '59000',
      stopLossTriggerType: 'mark_price',
    });
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toMatchObject([
      {
        stopSurplusTriggerPrice: '66000',
        stopSurplusTriggerType: 'fill_price',
        stopLossTriggerPrice: '59000',
        stopLossTriggerType: 'mark_price',
      },
    ]);
  });

  test.each(['StopSurplus', 'StopLoss'])(
    '[TRG-12][API-33] an invalid preset %s is named by its own field',
    async (exit) => {
      const alice = await on.trader();
      const refusal = async (more: object) =>
        (await on.exchange.call(alice, 'placeTriggerOrder', { ...PLAN, ...more })).msg;
      const preset = `preset${exit}Price`;
      expect(await refusal({ [preset]: '9'.repeat(20) })).toContain(`Parameter ${preset} error`);
      expect(await refusal({ [preset]: '60000', reduceOnly: 'yes' })).toContain(
        `${preset} breaks a rule`,
      );
    },
  );
});
