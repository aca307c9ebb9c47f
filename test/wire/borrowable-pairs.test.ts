/**
 * Public figures on borrowing match what accounts can borrow: pairs by their listing, accounts by
 * their coins.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Trader, TradingExchange } from './trading-exchange.ts';

type Row = Readonly<Record<string, unknown>>;

let exchange: TradingExchange;
let alice: Trader;

beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000');
  alice = await exchange.trader({ deposits: { USDT: '100000' } });
  await exchange.data(alice, 'transfer', {
    fromType: 'spot',
    toType: 'isolated_margin',
    amount: '1000',
    coin: 'USDT',
    symbol: 'BTCUSDT',
  });
});
afterAll(() => exchange.stop());

const pairBorrows = (coin: string, borrowAmount: string) =>
  exchange.code(alice, 'borrowIsolated', { symbol: 'BTCUSDT', coin, borrowAmount });
/** A sale of bitcoin that the account does not own. */
const accountBorrows = () =>
  exchange.code(alice, 'placeOrder', {
    category: 'MARGIN',
    symbol: 'BTCUSDT',
    side: 'sell',
    orderType: 'limit',
    qty: '0.1',
    price: '60000',
  });

async function emitted(): Promise<Row | undefined> {
  const rows = await exchange.data<readonly Row[]>(alice, 'listMarginCurrencies');
  return rows.find(({ symbol }) => symbol === 'BTCUSDT');
}

/** The same figures on v3 if only accounts can borrow. */
async function shownOnV3(): Promise<unknown> {
  const rows = await exchange.data<readonly Row[]>(alice, 'listInstruments', {
    category: 'MARGIN',
    symbol: 'BTCUSDT',
  });
  return rows[0]?.maxLeverage;
}

async function relist(
  kind: 'coins' | 'instruments',
  isMeant: (row: Row) => boolean,
  change: Row,
): Promise<void> {
  const listed = (await exchange.operate('GET', `/operator/v1/${kind}`)).data as readonly Row[];
  const { status: _, ...spec } = listed.find(isMeant)!;
  await exchange.operate('POST', `/operator/v1/${kind}`, { ...spec, ...change });
}
const relistCoin = (coin: string, leverageMax: string) =>
  relist('coins', (row) => row.coin === coin, { leverageMax, leverage: leverageMax });
const relistPair = (leverageMax: string) =>
  relist('instruments', (row) => row.category === 'MARGIN' && row.symbol === 'BTCUSDT', {
    leverageMax,
  });

const everything = {
  isBorrowable: true,
  isCrossBorrowable: true,
  isIsolatedBaseBorrowable: true,
  isIsolatedQuotedBorrowable: true,
};

test('[ISO-153] a pair borrows by its listing, independent of the leverage of its coins', async () => {
  await relistCoin('BTC', '1');
  expect(await emitted()).toMatchObject({
    ...everything,
    maxIsolatedLeverage: '10',
    maxCrossedLeverage: '10',
  });
  expect([await pairBorrows('BTC', '0.01'), await accountBorrows()]).toEqual(['00000', '00000']);
  await relistCoin('USDT', '4');
  expect(await emitted()).toMatchObject({
    ...everything,
    maxIsolatedLeverage: '10',
    maxCrossedLeverage: '4',
  });
  expect(await shownOnV3()).toBe('4');
  await relistCoin('BTC', '10');
  await relistCoin('USDT', '10');
});

test('[ISO-38][ISO-153] a pair without leverage borrows nothing, but accounts do', async () => {
  await relistPair('1');
  expect(await emitted()).toMatchObject({
    isBorrowable: true,
    isCrossBorrowable: true,
    isIsolatedBaseBorrowable: false,
    isIsolatedQuotedBorrowable: false,
    maxIsolatedLeverage: '1',
    maxCrossedLeverage: '10',
  });
  expect(await shownOnV3()).toBe('10');
  expect([
    await pairBorrows('BTC', '0.0000000001'),
    await pairBorrows('USDT', '0.0000000001'),
  ]).toEqual(['50020', '50020']);
  expect(await accountBorrows()).toBe('00000');
  await relistPair('10');
});

test('[ISO-38] a symbol that takes no orders lends nothing; a halted one does', async () => {
  const nothing = Object.fromEntries(Object.keys(everything).map((name) => [name, false]));
  const pair = { category: 'MARGIN', symbol: 'BTCUSDT' };
  for (const [status, lends, code] of [
    ['cancel_only', nothing, '40308'],
    ['halted', everything, '00000'],
    ['off', nothing, '40308'],
    ['normal', everything, '00000'],
  ] as const) {
    await exchange.operate('POST', '/operator/v1/instruments/status', { ...pair, status });
    expect([status, await emitted()]).toMatchObject([status, lends]);
    expect([status, await pairBorrows('USDT', '1')]).toEqual([status, code]);
  }
});
