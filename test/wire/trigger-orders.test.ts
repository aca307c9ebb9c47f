import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN, type Row, TPSL, TriggerExchange } from './trigger-exchange.ts';

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

  test('[TRG-16] without a clientOid one is filled in', async () => {
    expect(await on.place(await on.trader())).toEqual({
      orderId: expect.any(String),
      clientOid: expect.stringMatching(/.+/),
    });
  });

  test('[TRG-16] numbers are the same content however they are written', async () => {
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

  test('[TRG-16][TRG-20] what is ignored is no other content', async () => {
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
  ])('[TRG-15][API-33] %j: the refusal says the rule', async (more, input) => {
    const alice = await on.trader();
    const { code, msg } = await on.exchange.call(alice, 'placeTriggerOrder', { ...PLAN, ...more });
    expect([code, msg]).toEqual(['43011', `The trigger order parameter ${input}`]);
  });

  test('[TRG-15][API-33] in hedge mode the refusal asks for the trade side', async () => {
    const hedged = await on.trader('hedge_mode');
    const { msg } = await on.exchange.call(hedged, 'placeTriggerOrder', PLAN);
    expect(msg).toBe('The trigger order parameter tradeSide breaks a rule: hedge mode needs it');
  });

  test('[TRG-01][TRG-02][TRG-15][TRG-19][TRG-20][TRG-76] what is wrong with a trigger is told by its own code', async () => {
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

  test('[TRG-10][TRG-12] a trailing order takes no limit of a way out and no price of one', async () => {
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

  test('[TRG-30] the same for a short', async () => {
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

  test('[TRG-06][TRG-60] in hedge mode side names the position, also when closing it', async () => {
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

  test('[TRG-07][TRG-08] in one-way mode tradeSide is ignored and reduceOnly is taken', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice, { tradeSide: 'close', reduceOnly: 'YES' });
    expect((await on.pending(alice, 'normal_plan', { orderId })).entrustedList).toMatchObject([
      { tradeSide: '', posSide: 'net', side: 'buy' },
    ]);
    expect(
      await on.exchange.code(alice, 'placeTriggerOrder', { ...PLAN, reduceOnly: 'maybe' }),
    ).toBe('40020');
  });

  test('[TRG-12] the older fields mean a price by last trade at market, where the newer ones are empty', async () => {
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
    '[TRG-12][API-33] what is wrong with a preset %s is told by its own name',
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

  test('[TRG-21][TRG-25][TRG-64] sides of take-profit and stop-loss, said and shown', async () => {
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
    '[TRG-79] a limit of %s without its trigger price is refused, not forgotten',
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
  ])(
    '[API-33] of two ways out the refusal names the one that is wrong: %s',
    async (field, code) => {
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
    },
  );

  test('[TRG-26][TRG-27][TRG-28] take-profit and stop-loss of a position together', async () => {
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

  test('[TRG-75] all-position shows the take-profit and stop-loss of the position, those of the whole first', async () => {
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

describe('cancelling', () => {
  test('[TRG-48][TRG-49][TRG-50][TRG-53] by a list of ids', async () => {
    const alice = await on.longTrader();
    const plan = await on.place(alice, { clientOid: 'c-1' });
    const exit = await on.exchange.data<Row>(alice, 'placeTpslOrder', {
      ...TPSL,
      planType: 'pos_profit',
      triggerPrice: '70000',
    });
    const list = {
      productType: 'USDT-FUTURES',
      orderIdList: [
        { clientOid: 'c-1' },
        { orderId: exit.orderId },
        { orderId: '999', clientOid: 'c-1' },
      ],
    };
    const unnamed = { code: '40019', msg: 'Parameter symbol cannot be empty' };
    expect(await on.exchange.call(alice, 'cancelTriggerOrders', list)).toMatchObject(unnamed);
    expect(
      await on.exchange.data(alice, 'cancelTriggerOrders', {
        ...list,
        symbol: 'BTCUSDT',
        planType: 'track_plan',
      }),
    ).toMatchObject({
      successList: [],
    });
    expect(
      await on.exchange.data(alice, 'cancelTriggerOrders', { ...list, symbol: 'BTCUSDT' }),
    ).toEqual({
      successList: [
        { orderId: plan.orderId, clientOid: 'c-1' },
        { orderId: exit.orderId, clientOid: exit.clientOid },
      ],
      failureList: [
        { orderId: '999', clientOid: 'c-1', errorMsg: 'The trigger order does not exist' },
      ],
    });
  });

  test('[API-57] an empty list cancels nothing and is refused by its name; one that is left out means all', async () => {
    const alice = await on.trader();
    await on.place(alice);
    const call = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    for (const orderIdList of [[], ''])
      expect(
        await on.exchange.call(alice, 'cancelTriggerOrders', { ...call, orderIdList }),
      ).toMatchObject({
        code: '40019',
        msg: expect.stringContaining('orderIdList'),
      });
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toHaveLength(1);
    expect(await on.exchange.data(alice, 'cancelTriggerOrders', call)).toMatchObject({
      successList: [{}],
      failureList: [],
    });
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toEqual([]);
  });

  test('[TRG-15] of a symbol that nobody lists is refused, with a list and without, and cancels nothing', async () => {
    const alice = await on.trader();
    const { orderId } = await on.place(alice);
    const call = { productType: 'USDT-FUTURES', symbol: 'NONEUSDT' };
    for (const more of [{}, { orderIdList: [{ orderId }] }])
      expect(await on.exchange.code(alice, 'cancelTriggerOrders', { ...call, ...more })).toBe(
        '40034',
      );
    expect((await on.pending(alice, 'normal_plan')).entrustedList).toHaveLength(1);
  });

  test('[TRG-77] only those of a margin coin', async () => {
    const alice = await on.trader();
    await on.exchange.setIndex('ETHUSDT', '3000');
    const coins = { productType: 'COIN-FUTURES', triggerType: 'index_price' };
    const bitcoin = await on.place(alice, {
      ...coins,
      symbol: 'BTCUSD',
      marginCoin: 'BTC',
      size: '0.1',
    });
    const ether = await on.place(alice, {
      ...coins,
      symbol: 'ETHUSD',
      marginCoin: 'ETH',
      size: '1',
      triggerPrice: '4000',
    });
    const cancel = (more: object) =>
      on.exchange.data<{ successList: Row[]; failureList: Row[] }>(alice, 'cancelTriggerOrders', {
        productType: 'COIN-FUTURES',
        ...more,
      });
    const named = { symbol: 'BTCUSD', orderIdList: [{ orderId: bitcoin.orderId }] };
    expect(await cancel({ ...named, marginCoin: 'ETH' })).toMatchObject({
      successList: [],
      failureList: [{ orderId: bitcoin.orderId }],
    });
    expect(await cancel({ marginCoin: 'eth' })).toMatchObject({
      successList: [{ orderId: ether.orderId }],
      failureList: [],
    });
    expect(await cancel({ ...named, marginCoin: 'BTC' })).toMatchObject({
      successList: [{ orderId: bitcoin.orderId }],
      failureList: [],
    });
  });

  test('[TRG-51][TRG-52] all of a kind, the plans when none is said', async () => {
    const alice = await on.longTrader();
    await on.place(alice);
    await on.place(alice, { planType: 'track_plan', callbackRatio: '2' });
    await on.exchange.data(alice, 'placePositionTpsl', {
      ...TPSL,
      stopSurplusTriggerPrice: '70000',
      stopLossTriggerPrice: '50000',
    });
    const cancelled = async (more: object) =>
      (
        (
          await on.exchange.data<{ successList: unknown[] }>(alice, 'cancelTriggerOrders', {
            productType: 'USDT-FUTURES',
            ...more,
          })
        ).successList ?? []
      ).length;
    expect(await cancelled({ symbol: 'ETHUSDT' })).toBe(0);
    expect(await cancelled({})).toBe(2);
    expect(await cancelled({ planType: 'pos_loss' })).toBe(1);
    expect(await cancelled({ planType: 'profit_loss', symbol: 'BTCUSDT' })).toBe(1);
  });
});
