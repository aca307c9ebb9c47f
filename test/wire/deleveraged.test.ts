/** Auto-deleveraging on v2 and v3: the closed account sees why its position was reduced. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Row, type Trader, TradingExchange } from './trading-exchange.ts';

const category = 'USDT-FUTURES';
const symbol = 'BTCUSDT';

let exchange: TradingExchange;
let oneWay: Trader;
let hedged: Trader;
let lost: Trader;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex(symbol, '60000', '60000');
  [oneWay, hedged, lost] = [
    await exchange.trader({ deposits: { USDT: '100000' } }),
    await exchange.trader({ deposits: { USDT: '100000' }, holdMode: 'hedge_mode' }),
    await exchange.trader({ deposits: { USDT: '1000' } }),
  ];
  await exchange.data(lost, 'setLeverage', { category, symbol, leverage: '50' });
  const order = { category, symbol, orderType: 'limit', price: '60000' };
  await exchange.data(oneWay, 'placeOrder', { ...order, side: 'sell', qty: '0.3' });
  await exchange.data(hedged, 'placeOrder', {
    ...order,
    side: 'sell',
    qty: '0.2',
    posSide: 'short',
  });
  await exchange.data(lost, 'placeOrder', { ...order, side: 'buy', qty: '0.5' });
  // 1,000 − 18 of fee against a loss of 0.5 × 2,000: equity is below maintenance, and the book is
  // empty.
  await exchange.setIndex(symbol, '60000', '58200');
});
afterAll(() => exchange.stop());

async function lastOf(trader: Trader) {
  const orders = await exchange.data<{ entrustedList: Row[] }>(trader, 'listFuturesOrderHistory', {
    productType: category,
  });
  const fills = await exchange.data<{ fillList: Row[] }>(trader, 'listFuturesFills', {
    productType: category,
  });
  const { list } = await exchange.data<{ list: Row[] }>(trader, 'listOrderHistory', { category });
  return {
    v2: orders.entrustedList[0]?.tradeSide,
    fill: fills.fillList[0]?.tradeSide,
    source: orders.entrustedList[0]?.enterPointSource,
    v3: list[0]?.execType,
  };
}

test('[ORD-187] in one-way mode the row names the side of the order', async () => {
  const source = 'dte_sys_adl_buy_in_single_side_mode';
  expect(await lastOf(oneWay)).toEqual({ v2: source, fill: source, source: 'SYS', v3: 'reduce' });
});

test('[ORD-108] in hedge mode the row names the position', async () => {
  expect(await lastOf(hedged)).toEqual({
    v2: 'dte_sys_adl_close_short',
    fill: 'dte_sys_adl_close_short',
    source: 'SYS',
    v3: 'reduce',
  });
});

test('[ORD-108] the bankrupt position is a liquidation, not a deleveraging', async () => {
  expect(await lastOf(lost)).toEqual({
    v2: 'burst_sell_single',
    fill: 'burst_sell_single',
    source: 'SYS',
    v3: 'liquidation',
  });
});
