/**
 * Exchange settings of the operator: daily order limits, bounds of funding and interest, and the
 * source of an order.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let maker: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  maker = await exchange.trader({ deposits: { USDT: '100000' } });
});
afterAll(() => exchange.stop());

const order = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  orderType: 'limit',
  price: '60000',
  qty: '0.1',
};

test('[ORD-39][ORD-164][ORD-165] daily thresholds are set, enforced and shown', async () => {
  expect((await exchange.operate('GET', '/operator/v1/daily-orders')).data).toEqual({
    reached: [],
  });
  await exchange.operate('POST', '/operator/v1/daily-orders', { warn: 1, restrict: '2' });
  const trader = await exchange.trader({ deposits: { USDT: '10000' } });
  const codes: string[] = [];
  for (const price of ['50000', '50001', '50002'])
    codes.push(await exchange.code(trader, 'placeOrder', { ...order, price, side: 'buy' }));
  expect(codes).toEqual(['00000', '00000', '25004']);
  expect((await exchange.operate('GET', '/operator/v1/daily-orders')).data).toEqual({
    warn: 1,
    restrict: 2,
    reached: [
      { uid: trader.uid, threshold: 'restrict', count: 2, time: expect.stringMatching(/^\d+$/) },
      { uid: trader.uid, threshold: 'warn', count: 1, time: expect.stringMatching(/^\d+$/) },
    ],
  });
  expect(
    await exchange.refusal('POST', '/operator/v1/daily-orders', { warn: 3, restrict: 2 }),
  ).toMatch(/^40020 .*warn/);
  await exchange.operate('POST', '/operator/v1/daily-orders', {});
  expect(await exchange.code(trader, 'placeOrder', { ...order, price: '50002', side: 'buy' })).toBe(
    '00000',
  );
});

test.each([
  ['daily-orders', { restict: '2' }, 'restict'],
  [
    'fees',
    { market: 'spot', rates: [{ level: 'VIP0', maker: '0.001', taker: '0.001', takr: '0' }] },
    'rates[0].takr',
  ],
  [
    'fee-credits',
    { uid: '1000000001', coin: 'USDT', kind: 'spot_coupon', size: '1', coim: 'SOL' },
    'coim',
  ],
  [
    'faults',
    { match: { uidd: '1000000001' }, effect: { kind: 'cut', when: 'beforeCommit' } },
    'match.uidd',
  ],
  ['faults', { effect: { kind: 'cut', when: 'beforeCommit', wehn: 'x' } }, 'effect.wehn'],
  ['users/1000000001/settings', { stpMode: 'none', stpmode: 'none' }, 'stpmode'],
  ['reserves', { coin: 'USDT', amount: '1', opertor: 'olga' }, 'opertor'],
  ['withdrawals/switch', { coin: 'SOL', state: 'on', constructor: 'x' }, 'constructor'],
  ['chains/faults', { fault: 'refuse', cuont: '5' }, 'cuont'],
])('[API-58] an unknown field refuses %s with %j', async (path, body, name) => {
  expect(await exchange.refusal('POST', `/operator/v1/${path}`, body)).toBe(
    `40020 Parameter ${name} error: no field has this name`,
  );
});

const COIN = { ...DEFAULT_COINS[0]!, coin: 'NEW' };
const CHAIN = COIN.chains[0]!;
const FUTURE = { ...DEFAULT_INSTRUMENTS[0]!, symbol: 'NEWUSDT' };
const [FIRST_TIER] = FUTURE.tiers;
const RATES = ['VIP0', 'VIP1', 'VIP2'].map((level) => ({
  level,
  maker: '0.0002',
  taker: '0.0006',
}));
const PRICE = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', index: '60000' };

test.each([
  [
    'fees',
    { market: 'futures', rates: [...RATES.slice(0, 2), { ...RATES[2], taker: '0.11' }] },
    '40020 Parameter rates[2].taker error: at most 0.1',
  ],
  [
    'fees',
    { market: 'futures', rates: [...RATES.slice(0, 2), { ...RATES[2], taker: '0.00000000001' }] },
    '40808 Parameter rates[2].taker has',
  ],
  [
    'fees',
    { market: 'futures', rates: [RATES[0], RATES[1], RATES[0]] },
    '40020 Parameter rates[2].level error: VIP0 is named twice',
  ],
  [
    'fees',
    { market: 'futures', rates: [{ ...RATES[0], level: 'VIP3' }] },
    '40020 Parameter rates[0].maker error: at most 0.00016, as VIP2 pays',
  ],
  [
    'coins',
    { ...COIN, chains: [CHAIN, { ...CHAIN, chain: 'B', withdrawStep: '0' }] },
    '40053 Parameter chains[1].withdrawStep is out of range: above 0',
  ],
  [
    'coins',
    { ...COIN, chains: [CHAIN, { ...CHAIN, chain: 'B', withdrawDecimals: 11 }] },
    '40053 Parameter chains[1].withdrawDecimals is out of range: 0 to 10',
  ],
  [
    'coins',
    { ...COIN, chains: [{ ...CHAIN, needsTag: 'perhaps' }] },
    '40020 Parameter chains[0].needsTag error: true | false',
  ],
  [
    'coins',
    { ...COIN, collateralRate: '1.5' },
    '40053 Parameter collateralRate is out of range: 0 to 1',
  ],
  [
    'coins',
    {
      ...COIN,
      dailyLimitsUsd: [
        { level: 'VIP0', limit: '1' },
        { level: 'VIP0', limit: '2' },
      ],
    },
    '40020 Parameter dailyLimitsUsd[1].level error: VIP0 is named twice',
  ],
  [
    'instruments',
    { ...FUTURE, tiers: [FIRST_TIER, { ...FIRST_TIER, fromValue: '7' }] },
    `40020 Parameter tiers[1].fromValue error: it is ${FIRST_TIER!.toValue}`,
  ],
  ['instruments', { ...FUTURE, marginCoin: 'BTC' }, '40020 Parameter marginCoin error: USDT'],
  [
    'instruments',
    { ...FUTURE, fundingHours: 25 },
    '40053 Parameter fundingHours is out of range: 1 to 24',
  ],
  [
    'instruments',
    { ...FUTURE, fundingHours: 5 },
    '40020 Parameter fundingHours error: 1, 2, 3, 4, 6, 8, 12 or 24',
  ],
  ['prices', [{ ...PRICE, index: '0' }], '40053 Parameter body[0].index is out of range: above 0'],
  [
    'prices',
    [PRICE, { ...PRICE, index: undefined }],
    '40913 One of these parameters must be passed: body[1].index, body[1].mark',
  ],
  [
    'prices',
    [{ ...PRICE, index: undefined }],
    '40913 One of these parameters must be passed: body[0].index, body[0].mark',
  ],
  ['daily-orders', { warn: 3, restrict: 2 }, '40020 Parameter warn error: at most 2'],
  [
    'faults',
    { match: { nth: 0 }, effect: { kind: 'hide', ms: 1 } },
    '40020 Parameter match.nth error: 1 to 1000000',
  ],
  [
    'faults',
    { match: { probability: 1.1 }, effect: { kind: 'hide', ms: 1 } },
    '40020 Parameter match.probability error: 0 to 1',
  ],
])(
  '[API-150][API-33] %s with %j: the error names the place and the accepted values',
  async (path, body, emitted) => {
    expect(await exchange.refusal('POST', `/operator/v1/${path}`, body)).toContain(emitted);
  },
);

test.each([
  ['clock', { frozen: false, rat: '5' }, 'rat', 'rate'],
  ['clock', { frozen: false, advancems: '5' }, 'advancems', 'advanceMs'],
  ['clock', { frozen: false, ratte: '5' }, 'ratte', 'rate'],
  ['clock', { frozen: false, rtae: '5' }, 'rtae', 'rate'],
  ['keys', { uid: '1000000001', permission: ['uta_trade.read'] }, 'permission', 'permissions'],
  ['keys', { uid: '1000000001', ip: ['127.0.0.1'] }, 'ip', 'ips'],
  ['users', { referalCode: 'X' }, 'referalCode', 'referralCode'],
  [
    'deposits',
    { uid: '1000000001', coin: 'USDT', size: '1', clientId: 'x' },
    'clientId',
    'clientOid',
  ],
  [
    'prices',
    [{ category: 'SPOT', symbol: 'BTCUSDT', index: '60000', forec: true }],
    'body[0].forec',
    'force',
  ],
  ['traders', { uid: '1000000001', profitShare: '0.1', symbol: 'BTCUSDT' }, 'symbol', 'symbols'],
  ['market', { state: 'off', scane: 'calm' }, 'scane', 'scene'],
  ['withdrawals/1000000000000000042/approve', { operater: 'olga' }, 'operater', 'operator'],
])(
  '[API-153] %s with %j: an unknown field is one letter away from a known one',
  async (path, body, name, meant) => {
    expect(await exchange.refusal('POST', `/operator/v1/${path}`, body)).toBe(
      `40020 Parameter ${name} error: no field has this name; is it ${meant}`,
    );
  },
);

test.each([
  ['agents?user=1000000001', 'user'],
  ['uncopied-orders?follower=1000000001', 'follower'],
  ['verdicts?Uid=1000000001', 'Uid'],
  ['triggers?planStatus=executed', 'planStatus'],
  ['acts?uid=1000000001', 'uid'],
])('[API-152] an unknown field refuses the list %s', async (request, name) => {
  expect(await exchange.refusal('GET', `/operator/v1/${request}`)).toBe(
    `40020 Parameter ${name} error: no field has this name`,
  );
});

test.each([
  ['ledger?uids=1000000001', 'uids', 'uid'],
  ['ledger?uid=1000000001&idLessThen=5', 'idLessThen', 'idLessThan'],
  ['withdrawals?state=pending&stauts=pending', 'stauts', 'status'],
  ['instruments?symbols=BTCUSDT', 'symbols', 'symbol'],
  ['coins?coins=BTC', 'coins', 'coin'],
])(
  '[API-153] the list %s: an unknown field is one letter away from a known one',
  async (request, name, meant) => {
    expect(await exchange.refusal('GET', `/operator/v1/${request}`)).toBe(
      `40020 Parameter ${name} error: no field has this name; is it ${meant}`,
    );
  },
);

test('[API-152][API-154] these lists refuse names close to a field; others ignore distant names', async () => {
  const uid = '1000000001';
  for (const request of [
    `ledger?uid=${uid}&coin=USDT&limit=1&idLessThan=5&verbose=1`,
    'withdrawals?status=pending&pretty=1',
    'instruments?category=SPOT&symbol=BTCUSDT&t=1',
    'coins?t=1',
    `agents?uid=${uid}`,
    `uncopied-orders?uid=${uid}&leader=${uid}&limit=1&idLessThan=5`,
    `verdicts?uid=${uid}`,
    `triggers?uid=${uid}&status=executed&limit=1&idLessThan=5`,
    'acts?operator=olga&orderId=5&coin=BTC&limit=1&idLessThan=5',
  ])
    await exchange.operate('GET', `/operator/v1/${request}`);
});

test('[API-153][API-154] these calls ignore names far from every field or close to a sent one', async () => {
  const { data } = await exchange.operate('POST', '/operator/v1/users', {
    name: 'ulla',
    names: 'ulla',
    label: 'x',
    kyc: { tier: 1 },
  });
  await exchange.operate('POST', '/operator/v1/keys', {
    ...(data as object),
    label: 'mine',
    ipv6: true,
  });
  await exchange.operate('POST', '/operator/v1/clock', { frozen: false, on: 'x' });
  // Two swapped letters of `rate` are a typing error; with a third changed letter it is another
  // word.
  await exchange.operate('POST', '/operator/v1/clock', {
    frozen: false,
    rtax: '1',
    rtxx: '1',
    rxax: '1',
  });
});

test('[API-58] a very long unknown name is shown by its beginning', async () => {
  expect(
    await exchange.refusal('POST', '/operator/v1/daily-orders', { ['x'.repeat(20_000)]: '2' }),
  ).toMatch(/^40020 Parameter x{64} error/);
});

test('[API-154] an instrument and a coin can be written back as shown', async () => {
  for (const path of ['instruments?category=USDT-FUTURES&symbol=ETHUSDT', 'coins?coin=SOL']) {
    const { data } = await exchange.operate('GET', `/operator/v1/${path}`);
    const [row] = data as readonly Readonly<Record<string, unknown>>[];
    await exchange.operate('POST', `/operator/v1/${path.split('?')[0]}`, { ...row, staleOf: '1' });
    expect((await exchange.operate('GET', `/operator/v1/${path}`)).data).toEqual([row]);
  }
});

test('[OPR-10] bounds of funding and loan interest are set and shown', async () => {
  type Row = Readonly<Record<string, unknown>>;
  const read = async (path: string): Promise<Row> =>
    ((await exchange.operate('GET', path)).data as readonly Row[])[0]!;
  const path = '/operator/v1/instruments?category=USDT-FUTURES&symbol=ETHUSDT';
  const { status: _status, indexPrice: _index, markPrice: _mark, ...listed } = await read(path);
  expect(listed).not.toHaveProperty('fundingRateMax');
  await exchange.operate('POST', '/operator/v1/instruments', {
    ...listed,
    fundingRateMax: '0.0075',
  });
  expect(await read(path)).toMatchObject({ fundingRateMax: '0.0075' });
  const funding = await exchange.ask<readonly Row[]>('getFundingRate', {
    productType: 'USDT-FUTURES',
    symbol: 'ETHUSDT',
  });
  expect(funding).toMatchObject([{ maxFundingRate: '0.0075', minFundingRate: '-0.0075' }]);
  const coin = await read('/operator/v1/coins?coin=SOL');
  await exchange.operate('POST', '/operator/v1/coins', { ...coin, hourlyInterestRate: '0.00002' });
  expect(await read('/operator/v1/coins?coin=SOL')).toMatchObject({
    hourlyInterestRate: '0.00002',
  });
});

test('[ORD-58] execType shows the source of an order', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '330' } });
  const pair = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT', marginCoin: 'USDT' };
  await exchange.data(trader, 'setFuturesMarginMode', { ...pair, marginMode: 'isolated' });
  await exchange.data(trader, 'setFuturesLeverage', { ...pair, leverage: '20' });
  await exchange.data(maker, 'placeOrder', { ...order, side: 'sell' });
  await exchange.data(trader, 'placeOrder', { ...order, side: 'buy' });
  await exchange.data(maker, 'placeOrder', { ...order, side: 'buy', price: '57050' });
  await exchange.setIndex('BTCUSDT', '57000');
  const { list } = await exchange.data<{ list: readonly { execType: string; side: string }[] }>(
    trader,
    'listOrderHistory',
    {
      category: 'USDT-FUTURES',
    },
  );
  expect(list.map(({ execType, side }) => `${execType} ${side}`)).toEqual([
    'liquidation sell',
    'normal buy',
  ]);
});

test('[POS-87][POS-160] level fees are set, shown with all rates, and kept across a restart', async () => {
  interface Fees {
    readonly spot: readonly {
      readonly level: string;
      readonly maker: string;
      readonly taker: string;
    }[];
    readonly futures: Fees['spot'];
  }
  const fees = async (): Promise<Fees> =>
    (await exchange.operate('GET', '/operator/v1/fees')).data as Fees;
  const first = await fees();
  expect([first.spot.length, first.futures.length]).toEqual([14, 14]);
  expect(first.futures[0]).toEqual({ level: 'VIP0', maker: '0.0002', taker: '0.0006' });

  const vip0 = { level: 'VIP0', maker: '0.0003', taker: '0.0007' };
  await exchange.operate('POST', '/operator/v1/fees', { market: 'futures', rates: [vip0] });
  await exchange.restart();
  expect(await fees()).toEqual({ spot: first.spot, futures: [vip0, ...first.futures.slice(1)] });
  const shown = { makerFeeRate: '0.0003', takerFeeRate: '0.0007' };
  const trader = await exchange.trader({ deposits: { USDT: '10000' } });
  expect(
    await exchange.data(trader, 'getFeeRate', { category: 'USDT-FUTURES', symbol: 'BTCUSDT' }),
  ).toEqual(shown);
  expect(
    await exchange.data(trader, 'listContracts', {
      productType: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
    }),
  ).toMatchObject([shown]);
  expect(
    await exchange.data(trader, 'listInstruments', { category: 'SPOT', symbol: 'BTCUSDT' }),
  ).toMatchObject([{ makerFeeRate: '0.001', takerFeeRate: '0.001' }]);

  const refused = (body: unknown): Promise<string> =>
    exchange.refusal('POST', '/operator/v1/fees', body);
  expect(await refused({ market: 'futures', rates: [{ ...vip0, maker: '0.0008' }] })).toMatch(
    /^40020 .*rates\[0\]\.maker/,
  );
  expect(await refused({ market: 'futures', rates: [{ ...vip0, level: 'VIP8' }] })).toMatch(
    /^40020 .*level/,
  );
  expect(await refused({ market: 'futures', rates: [] })).toMatch(/^400\d\d .*rates/);
  expect(await refused({ market: 'options', rates: [vip0] })).toMatch(/^40020 .*market/);
  expect(await refused({ market: 'futures' })).toMatch(/^40019 .*rates/);
  await exchange.operate('POST', '/operator/v1/fees', {
    market: 'futures',
    rates: [first.futures[0]],
  });
  expect(await fees()).toEqual(first);
});
