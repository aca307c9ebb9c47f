/**
 * The public rows by which bots size orders and withdrawals: a listing with distinct values, and
 * calls at their bounds.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
let trader: Trader;

const CHAIN = {
  chain: 'FIRST',
  addressKind: 'evm',
  needsTag: false,
  depositOpen: true,
  withdrawOpen: true,
  withdrawFee: '0.5',
  withdrawMin: '2',
  depositMin: '0.75',
  withdrawStep: '0.25',
  withdrawDecimals: 3,
  depositConfirmations: 7,
  withdrawConfirmations: 9,
};
/** Deposits and withdrawals are closed. */
const CLOSED = {
  ...CHAIN,
  chain: 'SECOND',
  needsTag: true,
  depositOpen: false,
  withdrawOpen: false,
};
const COIN = {
  coin: 'NEW',
  collateralRate: '0.8',
  leverage: '2',
  leverageMax: '4',
  automaticLimitUsd: '10000',
  singleLimitUsd: '20000',
  chains: [CHAIN, CLOSED],
};
const SPEC = {
  symbol: 'NEWUSDT',
  baseCoin: 'NEW',
  quoteCoin: 'USDT',
  marginCoin: 'USDT',
  priceStep: '0.25',
  sizeStep: '0.5',
  sizeMin: '1.5',
  sizeMax: '200',
  marketSizeMax: '100',
  priceBandRate: '0.2',
  fundingHours: '4',
};
const FUTURES = {
  ...SPEC,
  category: 'USDT-FUTURES',
  leverageMax: '20',
  tiers: [{ fromValue: '0', toValue: '1000000', leverageMax: '20', maintenanceRate: '0.02' }],
};

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.operate('POST', '/operator/v1/coins', COIN);
  await exchange.operate('POST', '/operator/v1/instruments', FUTURES);
  for (const [category, leverageMax] of [
    ['SPOT', '1'],
    ['MARGIN', '5'],
  ] as const)
    await exchange.operate('POST', '/operator/v1/instruments', {
      ...SPEC,
      category,
      leverageMax,
      tiers: [],
    });
  await exchange.setIndex('NEWUSDT', '100', '100');
  trader = await exchange.trader({ deposits: { USDT: '100000', NEW: '100' } });
});
afterAll(() => exchange.stop());

const COINS = { baseCoin: 'NEW', quoteCoin: 'USDT' };
const BAND = { buyLimitPriceRatio: '0.2', sellLimitPriceRatio: '0.2' };
const FUTURES_FEES = { makerFeeRate: '0.0002', takerFeeRate: '0.0006' };
const SPOT_FEES = { makerFeeRate: '0.001', takerFeeRate: '0.001' };
const CAPS = { maxSymbolOrderNum: '400', maxProductOrderNum: '400', maxPositionNum: '400' };
const TIMES = { offTime: '-1', limitOpenTime: '-1', deliveryTime: '', launchTime: '' };

test('[LST-17] a contract of v2 shows its listed specification', async () => {
  expect(
    await exchange.ask('listContracts', { productType: 'USDT-FUTURES', symbol: 'NEWUSDT' }),
  ).toEqual([
    {
      symbol: 'NEWUSDT',
      ...COINS,
      ...BAND,
      ...FUTURES_FEES,
      ...CAPS,
      ...TIMES,
      supportMarginCoins: ['USDT'],
      minTradeNum: '1.5',
      maxOrderQty: '200',
      maxMarketOrderQty: '100',
      // 0.25 is 25 of the second decimal place.
      priceEndStep: '25',
      pricePlace: '2',
      volumePlace: '1',
      sizeMultiplier: '0.5',
      symbolType: 'perpetual',
      minTradeUSDT: '0',
      symbolStatus: 'normal',
      fundInterval: '4',
      minLever: '1',
      maxLever: '20',
    },
  ]);
});

const UNIFIED = {
  symbol: 'NEWUSDT',
  ...COINS,
  ...BAND,
  ...CAPS,
  ...TIMES,
  minOrderQty: '1.5',
  minOrderAmount: '1.5',
  maxOrderQty: '200',
  maxMarketOrderQty: '100',
  pricePrecision: '2',
  quantityPrecision: '1',
  quotePrecision: '8',
  priceMultiplier: '0.25',
  quantityMultiplier: '0.5',
  sizeMultiplier: '0.5',
  symbolType: 'crypto',
  isRwa: 'NO',
  status: 'online',
  minLeverage: '1',
};

test.each([
  ['USDT-FUTURES', { ...FUTURES_FEES, type: 'perpetual', fundInterval: '4', maxLeverage: '20' }],
  ['SPOT', { ...SPOT_FEES, fundInterval: '', maxLeverage: '1' }],
  // A loan of USDT may be ten times its collateral, a loan of NEW four times.
  ['MARGIN', { ...SPOT_FEES, fundInterval: '', maxLeverage: '10' }],
])('[LST-17] an instrument of %s shows its listed specification', async (category, own) => {
  expect(await exchange.ask('listInstruments', { category, symbol: 'NEWUSDT' })).toEqual([
    { ...UNIFIED, category, ...own },
  ]);
});

test('[LST-17] spot and margin pairs show their listed specification', async () => {
  const pair = {
    symbol: 'NEWUSDT',
    ...COINS,
    ...SPOT_FEES,
    minTradeAmount: '1.5',
    maxTradeAmount: '200',
    minTradeUSDT: '0',
  };
  expect(await exchange.ask('listSpotSymbols', { symbol: 'NEWUSDT' })).toEqual([
    {
      ...pair,
      ...BAND,
      pricePrecision: '2',
      quantityPrecision: '1',
      quotePrecision: '8',
      status: 'online',
      orderQuantity: '400',
    },
  ]);
  const lent = await exchange.ask<{ symbol: string }[]>('listMarginCurrencies');
  expect(lent.find(({ symbol }) => symbol === 'NEWUSDT')).toMatchObject({
    ...pair,
    pricePrecision: '2',
    quantityPrecision: '1',
    maxCrossedLeverage: '10',
    maxIsolatedLeverage: '5',
    userMinBorrow: '0.0000000001',
    status: '1',
  });
});

test('[LST-17] a coin shows its chains with their limits, and which are closed', async () => {
  const open = {
    chain: 'FIRST',
    needTag: 'false',
    withdrawable: 'true',
    rechargeable: 'true',
    withdrawFee: '0.5',
    extraWithdrawFee: '0',
    depositConfirm: '7',
    withdrawConfirm: '9',
    minDepositAmount: '0.75',
    minWithdrawAmount: '2',
    browserUrl: '',
    contractAddress: '',
    withdrawStep: '0.25',
    withdrawMinScale: '3',
    congestion: 'normal',
  };
  const closed = {
    ...open,
    chain: 'SECOND',
    needTag: 'true',
    withdrawable: 'false',
    rechargeable: 'false',
  };
  const coin = { coinId: expect.stringMatching(/^\d+$/), coin: 'NEW', transfer: 'true' };
  expect(await exchange.ask('listCoins', { coin: 'NEW' })).toEqual([
    { ...coin, chains: [open, closed] },
  ]);
  await exchange.operate('POST', '/operator/v1/withdrawals/switch', {
    coin: 'NEW',
    state: 'off',
    operator: 'olga',
  });
  expect(await exchange.ask('listCoins', { coin: 'NEW' })).toEqual([
    { ...coin, chains: [{ ...open, withdrawable: 'false' }, closed] },
  ]);
  await exchange.operate('POST', '/operator/v1/withdrawals/switch', {
    coin: 'NEW',
    state: 'on',
    operator: 'olga',
  });
  expect(
    await exchange.data(trader, 'getDepositAddress', { coin: 'NEW', chain: 'first' }),
  ).toMatchObject({ chain: 'FIRST', coin: 'NEW' });
  expect(
    await exchange.call(trader, 'getDepositAddress', { coin: 'NEW', chain: 'second' }),
  ).toMatchObject({ code: '47001' });
});

test.each([
  ['priceMultiplier', { price: '90.25' }, { price: '90.3' }, '25244'],
  ['quantityMultiplier', { qty: '2' }, { qty: '2.1' }, '25610'],
  ['minOrderQty', { qty: '1.5' }, { qty: '1' }, '25207'],
  ['maxOrderQty', { qty: '200' }, { qty: '200.5' }, '25208'],
  ['buyLimitPriceRatio', { price: '120' }, { price: '120.25' }, '25206'],
  ['sellLimitPriceRatio', { price: '80' }, { price: '79.75' }, '25205'],
])('[LST-17] %s bounds orders: %o is accepted, %o is refused', async (_, fits, beyond, code) => {
  for (const category of ['USDT-FUTURES', 'SPOT']) {
    const order = {
      category,
      symbol: 'NEWUSDT',
      side: 'buy',
      orderType: 'limit',
      price: '90',
      qty: '2',
    };
    const { orderId } = await exchange.data<{ orderId: string }>(trader, 'placeOrder', {
      ...order,
      ...fits,
    });
    await exchange.data(trader, 'cancelOrder', { orderId });
    expect([category, await exchange.code(trader, 'placeOrder', { ...order, ...beyond })]).toEqual([
      category,
      code,
    ]);
  }
});

test('[LST-17] maxMarketOrderQty bounds market orders, and maxLeverage bounds leverage', async () => {
  const order = { category: 'USDT-FUTURES', symbol: 'NEWUSDT', side: 'buy', orderType: 'market' };
  // The book is empty, which is checked last.
  expect(await exchange.code(trader, 'placeOrder', { ...order, qty: '100' })).toBe('25209');
  expect(await exchange.code(trader, 'placeOrder', { ...order, qty: '100.5' })).toBe('25208');
  const market = { category: 'USDT-FUTURES', symbol: 'NEWUSDT' };
  expect(await exchange.code(trader, 'setLeverage', { ...market, leverage: '21' })).toBe('25223');
  expect(await exchange.code(trader, 'setLeverage', { ...market, leverage: '20' })).toBe('00000');
});

test('[LST-17] a chain row states the bounds of withdrawals', async () => {
  const way = {
    coin: 'NEW',
    chain: 'FIRST',
    transferType: 'on_chain',
    address: `0x${'ab'.repeat(20)}`,
  };
  const ask = (size: string) => exchange.code(trader, 'requestWithdrawal', { ...way, size });
  expect([await ask('1.75'), await ask('2.3'), await ask('2.2501'), await ask('2')]).toEqual([
    '43114',
    '43124',
    '43125',
    '00000',
  ]);
  const [record] = await exchange.data<{ size: string; fee: string }[]>(
    trader,
    'listWithdrawalRecords',
    {
      startTime: String(Date.now() - 60_000),
      endTime: String(Date.now() + 60_000),
    },
  );
  expect(record).toMatchObject({ size: '2', fee: '0.5' });
});
