/** The fields of an order: which are required, optional, refused or ignored. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { limitBuy } from './order-fields.test-support.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
let trader: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  maker = await exchange.trader({ deposits: { USDT: '1000000' } });
  trader = await exchange.trader({ deposits: { USDT: '1000000' } });
  await exchange.setIndex('BTCUSDT', '60000');
});

afterEach(() => exchange.clearBooks());
afterAll(() => exchange.stop());

type Row = Readonly<Record<string, string>>;

const placed = async (change: Readonly<Record<string, unknown>>, by = trader): Promise<Row> => {
  const { clientOid } = await exchange.data<Row>(by, 'placeOrder', { ...limitBuy, ...change });
  return exchange.data<Row>(by, 'getOrder', { clientOid: clientOid! });
};

const refused = (change: Readonly<Record<string, unknown>>, by = trader) =>
  exchange.code(by, 'placeOrder', { ...limitBuy, ...change });

describe('required', () => {
  test.each(['category', 'symbol', 'qty', 'side', 'orderType'])(
    '[ORD-06] %s is required and not empty',
    async (name) => {
      for (const absent of [undefined, null, ''])
        expect(await refused({ [name]: absent })).toBe('40019');
    },
  );

  test.each([
    ['category', 'FUTURES'],
    ['side', 'long'],
    ['orderType', 'stop'],
    ['qty', '1,5'],
    ['qty', true],
    ['posSide', 'net'],
  ])('[ORD-06] %s cannot be %s', async (name, value) => {
    expect(await refused({ [name]: value })).toBe('40020');
  });

  test.each(['SPOT', 'MARGIN', 'USDT-FUTURES', 'usdt-futures'])(
    '[ORD-06] %s is a category',
    async (category) => {
      expect(await placed({ category })).toMatchObject({
        category: category.toUpperCase(),
        orderStatus: 'new',
      });
    },
  );

  test('[ORD-07] a limit order needs a price, and a market order ignores it', async () => {
    expect(await refused({ price: '' })).toBe('40019');
    await exchange.data(maker, 'placeOrder', { ...limitBuy, side: 'sell', price: '60000' });
    expect(await placed({ orderType: 'market', price: '1' })).toMatchObject({
      orderStatus: 'filled',
      price: '0',
      avgPrice: '60000',
    });
  });
});

describe('optional', () => {
  test.each(['gtc', 'ioc', 'fok', 'post_only'])(
    '[ORD-08] %s is accepted as time in force',
    async (timeInForce) => {
      expect(await placed({ timeInForce })).toMatchObject({ timeInForce });
      expect(await placed({ timeInForce: timeInForce.toUpperCase() })).toMatchObject({
        timeInForce,
      });
    },
  );

  test('[ORD-08] by default an order rests until it is cancelled', async () => {
    expect(await placed({})).toMatchObject({ timeInForce: 'gtc', orderStatus: 'new' });
    expect(await refused({ timeInForce: 'gtd' })).toBe('40020');
  });

  test.each(['none', 'cancel_taker', 'cancel_maker', 'cancel_both'])(
    '[ORD-10] %s is accepted as self-trade prevention',
    async (stpMode) => {
      expect(await placed({ stpMode })).toMatchObject({ stpMode });
    },
  );

  test('[ORD-10] the default is none, and the cancelled side shows the reason', async () => {
    expect(await placed({ price: '51000' })).toMatchObject({ stpMode: 'none' });
    const stopped = await placed({ side: 'sell', price: '51000', stpMode: 'cancel_taker' });
    expect(stopped).toMatchObject({
      orderStatus: 'cancelled',
      cancelReason: 'stp_cancel',
      cumExecQty: '0',
    });
  });

  test('[ORD-11] a clientOid has 1 to 32 characters of a fixed set', async () => {
    const longest = `${'a'.repeat(26)}.A:/_-`;
    expect(await placed({ clientOid: longest })).toMatchObject({ clientOid: longest });
    for (const clientOid of [`${longest}x`, 'two words', 'naïve', 'a+b'])
      expect(await refused({ clientOid })).toBe('40020');
  });
});

test('[ORD-84] posSide is the position side and tradeSide its direction, in one-way mode too', async () => {
  expect(await placed({})).toMatchObject({
    holdMode: 'one_way_mode',
    posSide: 'long',
    tradeSide: 'open',
  });
  expect(await placed({ side: 'sell', price: '70000' })).toMatchObject({
    posSide: 'short',
    tradeSide: 'open',
  });
  expect(await placed({ category: 'SPOT' })).toMatchObject({ posSide: '', tradeSide: '' });

  const hedged = await exchange.trader({ deposits: { USDT: '10000' } });
  const order = { ...limitBuy, price: '60000' };
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  const opening = await exchange.data<Row>(hedged, 'placeOrder', order);
  const closing = await exchange.data<Row>(hedged, 'placeOrder', {
    ...order,
    side: 'sell',
    price: '61000',
    reduceOnly: 'yes',
  });
  const shown = await exchange.data<Row>(hedged, 'getOrder', { orderId: closing.orderId! });
  expect(shown).toMatchObject({ posSide: 'long', tradeSide: 'close', reduceOnly: 'YES' });
  const { list } = await exchange.data<{ list: Row[] }>(hedged, 'listFills', {
    orderId: opening.orderId!,
  });
  expect(list).toMatchObject([{ side: 'buy', posSide: 'long', tradeSide: 'open' }]);
});

describe('refused, because the order would differ from the request', () => {
  const refusedFields = [
    'takeProfit',
    'stopLoss',
    'triggerPrice',
    'trailingPercent',
    'trailingTriggerPrice',
  ];
  test.each(refusedFields)('[ORD-158][REQ-36] %s is refused in a batch', async (name) => {
    const items = await exchange.data<Row[]>(trader, 'placeBatch', [
      { ...limitBuy, [name]: 49_000 },
      limitBuy,
    ]);
    expect(items.map(({ code, msg }) => `${code} ${msg}`)).toEqual([
      `25002 This operation is not offered: ${name}`,
      '00000 success',
    ]);
  });

  test('[ORD-81][REQ-36] TP/SL of a spot or margin order are refused', async () => {
    const refusal = async (input: object) => {
      const { code, msg } = await exchange.call(trader, 'placeOrder', { ...limitBuy, ...input });
      return `${code} ${msg}`;
    };
    for (const category of ['SPOT', 'MARGIN'])
      for (const name of ['takeProfit', 'stopLoss'])
        expect(await refusal({ category, [name]: '40000' })).toBe(
          `25002 This operation is not offered: ${name}`,
        );
    const spot = {
      symbol: 'BTCUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '50000',
      size: '0.01',
    };
    for (const name of ['triggerPrice', 'presetTakeProfitPrice', 'presetStopLossPrice'])
      expect(await exchange.code(trader, 'placeSpotOrder', { ...spot, [name]: '49000' })).toBe(
        '25002',
      );
  });

  test('[ORD-112] isolated margin mode of a margin order is refused', async () => {
    const isolated = { ...limitBuy, category: 'MARGIN', marginMode: 'isolated' };
    expect(await exchange.code(trader, 'placeOrder', isolated)).toBe('25002');
    const items = await exchange.data<Row[]>(trader, 'placeBatch', [
      isolated,
      { ...isolated, marginMode: 'crossed' },
    ]);
    expect(items.map(({ code, msg }) => `${code} ${msg}`)).toEqual([
      '25002 This operation is not offered: marginMode',
      '00000 success',
    ]);
    expect(await exchange.data(trader, 'placeBatch', [isolated])).toMatchObject([
      { orderId: '', code: '25002' },
    ]);
  });
});

describe('the margin mode of an order in a batch', () => {
  const inBatch = (marginMode: string, by: Trader) =>
    exchange.data<Row[]>(by, 'placeBatch', [{ ...limitBuy, marginMode }]);

  test('[ORD-74] it switches a flat symbol, and is refused while orders of the other mode are open', async () => {
    const isolator = await exchange.trader({ deposits: { USDT: '10000' } });
    expect(await inBatch('isolated', isolator)).toMatchObject([{ code: '00000' }]);
    const { symbolConfigList } = await exchange.data<{ symbolConfigList: Row[] }>(
      isolator,
      'getAccountSettings',
      {},
    );
    expect(
      symbolConfigList.find(
        ({ category, symbol }) => category === limitBuy.category && symbol === limitBuy.symbol,
      ),
    ).toMatchObject({
      marginMode: 'isolated',
    });
    expect(await inBatch('crossed', isolator)).toMatchObject([{ code: '45117', orderId: '' }]);
    expect(await inBatch('cross', isolator)).toMatchObject([{ code: '40020' }]);
    expect(await inBatch('', isolator)).toMatchObject([{ code: '00000' }]);
  });
});

test('[ORD-64] an order that closes a hedged position is shown as reduce-only on v2 and v3', async () => {
  const hedger = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10000' } });
  await exchange.data(maker, 'placeOrder', { ...limitBuy, side: 'sell', price: '60000' });
  const opening = await placed({ posSide: 'long', price: '60000' }, hedger);
  const closing = await placed({ posSide: 'long', side: 'sell', price: '61000' }, hedger);
  expect([opening.reduceOnly, closing.reduceOnly]).toEqual(['NO', 'YES']);
  for (const { orderId, reduceOnly } of [opening, closing]) {
    const detail = await exchange.data<Row>(hedger, 'getFuturesOrder', {
      symbol: 'BTCUSDT',
      productType: 'USDT-FUTURES',
      orderId: orderId!,
    });
    expect(detail.reduceOnly).toBe(reduceOnly);
  }
});

describe('ignored', () => {
  test('[ORD-18] posSide in one-way mode, and reduceOnly in hedge mode and spot, are ignored', async () => {
    expect(await placed({ posSide: 'short' })).toMatchObject({
      posSide: 'long',
      side: 'buy',
      orderStatus: 'new',
    });
    expect(await placed({ category: 'SPOT', reduceOnly: 'yes' })).toMatchObject({
      reduceOnly: 'NO',
      orderStatus: 'new',
    });
    const hedger = await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10000' } });
    expect(await placed({ posSide: 'long', reduceOnly: 'yes' }, hedger)).toMatchObject({
      reduceOnly: 'NO',
      tradeSide: 'open',
    });
  });

  test.each([
    ['one-way', limitBuy, { posSide: 'short' }],
    ['hedge', { ...limitBuy, posSide: 'long' }, { reduceOnly: 'yes' }],
    [
      'spot',
      { ...limitBuy, category: 'SPOT' },
      { reduceOnly: 'yes', posSide: 'long', marginMode: 'isolated' },
    ],
    ['margin', { ...limitBuy, category: 'MARGIN' }, { marginMode: 'crossed' }],
    [
      'market',
      { ...limitBuy, orderType: 'market', price: '' },
      { price: '50000', timeInForce: 'ioc' },
    ],
    [
      'protected',
      { ...limitBuy, orderType: 'market', takeProfit: '70000' },
      { price: '1', posSide: 'long' },
    ],
  ])(
    '[ORD-151][ORD-18] %s does not change the content of an order',
    async (name, order, ignored) => {
      await exchange.data(maker, 'placeOrder', { ...limitBuy, price: '60100', side: 'sell' });
      const by =
        name === 'hedge'
          ? await exchange.trader({ holdMode: 'hedge_mode', deposits: { USDT: '10000' } })
          : trader;
      const first = await exchange.data(by, 'placeOrder', { ...order, clientOid: name });
      expect(
        await exchange.data(by, 'placeOrder', { ...order, ...ignored, clientOid: name }),
      ).toEqual(first);
      expect(await refused({ ...order, qty: '0.02', clientOid: name }, by)).toBe('40786');
    },
  );

  test('[ORD-23][ORD-158] copy-trading fields, unknown fields and a take-profit of 0 are ignored', async () => {
    const more = {
      takeProfit: '0',
      stopLoss: 0,
      triggerPrice: '',
      traderId: '1',
      marginCoin: 'USDT',
      x: {},
    };
    const [item] = await exchange.data<Row[]>(trader, 'placeBatch', [{ ...limitBuy, ...more }]);
    expect(item).toMatchObject({ code: '00000' });
  });

  test('[ORD-06] numbers are read exactly, digit by digit', async () => {
    expect(await placed({ qty: 0.01, price: 50_000.1 })).toMatchObject({
      qty: '0.01',
      price: '50000.1',
    });
  });
});
