/** Orders made by the exchange: their names on v2, and the order of a trigger. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';
import { type Row, TriggerExchange } from './trigger-exchange.ts';

const PAIR = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' } as const;

describe('made by the exchange', () => {
  let exchange: TradingExchange;
  beforeAll(async () => {
    exchange = await TradingExchange.startQuoted();
  });
  afterAll(() => exchange.stop());

  const isolated = async (
    holdMode: 'one_way_mode' | 'hedge_mode',
    side: 'buy' | 'sell',
  ): Promise<Trader> => {
    const trader = await exchange.trader({ holdMode, deposits: { USDT: '400' } });
    await exchange.data(trader, 'setFuturesMarginMode', { ...PAIR, marginMode: 'isolated' });
    await exchange.data(trader, 'setFuturesLeverage', { ...PAIR, leverage: '20' });
    const order = {
      ...PAIR,
      marginMode: 'isolated',
      size: '0.1',
      orderType: 'market',
      tradeSide: 'open',
    };
    await exchange.data(trader, 'placeFuturesOrder', { ...order, side });
    return trader;
  };
  const rowsOf = async (trader: Trader) => {
    const query = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
    const orders = await exchange.data<{ entrustedList: readonly Row[] }>(
      trader,
      'listFuturesOrderHistory',
      query,
    );
    const fills = await exchange.data<{ fillList: readonly Row[] }>(
      trader,
      'listFuturesFills',
      query,
    );
    return { orders: orders.entrustedList, fills: fills.fillList };
  };

  test('[ORD-107][ORD-186] orders that close a liquidated position show the cause in both position modes', async () => {
    const [longInHedge, shortInHedge] = [
      await isolated('hedge_mode', 'buy'),
      await isolated('hedge_mode', 'sell'),
    ];
    const [longInOneWay, shortInOneWay] = [
      await isolated('one_way_mode', 'buy'),
      await isolated('one_way_mode', 'sell'),
    ];
    // A twentieth of 60,000 is 3,000: at 57,000 the longs have no equity left, and at 63,000 the
    // shorts.
    await exchange.setIndex('BTCUSDT', '57000', '57000');
    await exchange.setIndex('BTCUSDT', '63000', '63000');
    for (const [trader, words] of [
      [
        longInHedge,
        { side: 'buy', posSide: 'long', tradeSide: 'burst_close_long', posMode: 'hedge_mode' },
      ],
      [
        shortInHedge,
        { side: 'sell', posSide: 'short', tradeSide: 'burst_close_short', posMode: 'hedge_mode' },
      ],
      [
        longInOneWay,
        { side: 'sell', posSide: 'net', tradeSide: 'burst_sell_single', posMode: 'one_way_mode' },
      ],
      [
        shortInOneWay,
        { side: 'buy', posSide: 'net', tradeSide: 'burst_buy_single', posMode: 'one_way_mode' },
      ],
    ] as const) {
      const { orders, fills } = await rowsOf(trader);
      const { posSide, ...ofFill } = words;
      expect(orders[0]).toMatchObject({
        ...ofFill,
        posSide,
        enterPointSource: 'SYS',
        reduceOnly: 'YES',
        size: '0.1',
        leverage: '20',
      });
      expect(fills[0]).toMatchObject({
        ...ofFill,
        enterPointSource: 'SYS',
        baseVolume: '0.1',
        orderId: orders[0]!.orderId,
      });
      expect(orders[1]).toMatchObject({ enterPointSource: 'API' });
    }
    await exchange.setIndex('BTCUSDT', '60000', '60000');
  });

  test('[ORD-107][ORD-186] orders that net hedged sides show the cause', async () => {
    const trader = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10000' } });
    const order = { ...PAIR, marginMode: 'crossed', orderType: 'market', tradeSide: 'open' };
    await exchange.data(trader, 'placeFuturesOrder', { ...order, side: 'buy', size: '1' });
    await exchange.data(trader, 'placeFuturesOrder', { ...order, side: 'sell', size: '0.5' });
    // 0.5 bitcoin is exposed: 20,000 lower it has lost 10,000, the whole equity.
    await exchange.setIndex('BTCUSDT', '40000', '40000');
    const made = (await rowsOf(trader)).orders.filter(
      ({ enterPointSource }) => enterPointSource === 'SYS',
    );
    const words = made.map(({ tradeSide, size }) => [tradeSide, size].join(' ')).toSorted();
    expect(words.slice(-2)).toEqual(['offset_close_long 0.5', 'offset_close_short 0.5']);
    await exchange.setIndex('BTCUSDT', '60000', '60000');
  });
});

describe('made by a trigger', () => {
  let on: TriggerExchange;
  beforeAll(async () => {
    on = await TriggerExchange.start();
  });
  afterAll(() => on.exchange.stop());

  const subOrders = (trader: Trader, planOrderId: string, productType = 'USDT-FUTURES') =>
    on.exchange.data<readonly Row[]>(trader, 'listTriggerSubOrders', {
      planOrderId,
      planType: 'normal_plan',
      productType,
    });

  test('[TRG-73] a waiting or cancelled trigger has none, and so do other markets and accounts', async () => {
    const [alice, bob] = [await on.trader(), await on.trader()];
    const waits = await on.place(alice, { triggerPrice: '69000' });
    const fires = await on.place(alice, { triggerPrice: '62000' });
    const cancelled = await on.place(alice, { triggerPrice: '69000' });
    const list = {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      orderIdList: [{ orderId: cancelled.orderId }],
    };
    await on.exchange.data(alice, 'cancelTriggerOrders', list);
    expect(await subOrders(alice, fires.orderId)).toEqual([]);
    await on.mark('62000');
    await on.mark('60000');
    expect(await subOrders(alice, fires.orderId)).toMatchObject([
      { price: '61000', type: 'market', status: 'success' },
    ]);
    expect([
      await subOrders(alice, waits.orderId),
      await subOrders(alice, cancelled.orderId),
    ]).toEqual([[], []]);
    expect(await subOrders(alice, fires.orderId, 'USDC-FUTURES')).toEqual([]);
    expect(await subOrders(bob, fires.orderId)).toEqual([]);
    expect(await subOrders(alice, '1')).toEqual([]);
  });

  test('[TRG-73] a rejected order is failed, and a cancelled order is cancelled', async () => {
    const poor = await on.exchange.trader({ deposits: { USDT: '10' } });
    const failed = await on.place(poor, { triggerPrice: '62000' });
    const alice = await on.trader();
    const rests = await on.place(alice, {
      triggerPrice: '62000',
      orderType: 'limit',
      price: '60500',
    });
    await on.mark('62000');
    await on.mark('60000');
    for (let run = 0; run < 2; run++) {
      expect(await subOrders(poor, failed.orderId)).toEqual([
        { orderId: '', price: '', type: 'market', status: 'fail' },
      ]);
      const [made] = await subOrders(alice, rests.orderId);
      expect(made).toMatchObject({
        price: '60500',
        type: 'limit',
        status: run === 0 ? 'in_progress' : 'cancelled',
      });
      if (run === 0)
        await on.exchange.data(alice, 'cancelOrder', {
          orderId: made!.orderId,
          category: 'USDT-FUTURES',
        });
      if (run === 0) await on.exchange.restart();
    }
  });

  test.each([
    [
      'normal_plan',
      {
        stopSurplusTriggerPrice: '75000',
        stopSurplusTriggerType: 'mark_price',
        stopSurplusExecutePrice: '74900',
      },
      {
        stopLossTriggerPrice: '65000',
        stopLossTriggerType: 'fill_price',
        stopLossExecutePrice: '',
      },
    ],
    [
      'track_plan',
      {
        stopSurplusTriggerPrice: '12.5',
        stopSurplusTriggerType: 'fill_price',
        stopSurplusExecutePrice: '',
      },
      { stopLossTriggerPrice: '7', stopLossTriggerType: 'fill_price', stopLossExecutePrice: '' },
    ],
  ])(
    '[TRG-56] an ended %s shows its take-profit and stop-loss, also after a restart',
    async (planType, takeProfit, stopLoss) => {
      const alice = await on.trader();
      const kind = planType === 'track_plan' ? { callbackRatio: '5', price: '' } : {};
      const plan = await on.place(alice, {
        planType,
        triggerPrice: '69000',
        ...kind,
        ...takeProfit,
        ...stopLoss,
      });
      const list = {
        productType: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        planType,
        orderIdList: [{ orderId: plan.orderId }],
      };
      await on.exchange.data(alice, 'cancelTriggerOrders', list);
      for (let run = 0; run < 2; run++) {
        const { entrustedList } = await on.history(alice, planType);
        expect(entrustedList).toMatchObject([
          { orderId: plan.orderId, planStatus: 'cancelled', ...takeProfit, ...stopLoss },
        ]);
        if (run === 0) await on.exchange.restart();
      }
    },
  );
});
