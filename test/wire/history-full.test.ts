/** What is taken while history cannot keep up: a locked file or a full disk, for as long as it lasts. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { HistoryFeed } from '../../src/views/history/history-feed.ts';
import { TradingExchange } from './trading-exchange.ts';

let exchange: TradingExchange;
beforeAll(async () => {
  exchange = await TradingExchange.start();
  await exchange.setIndex('BTCUSDT', '60000', '60000');
});
afterAll(() => exchange.stop());

test('[VIEW-13] while history is full new work is refused, and whoever wants out is let out', async () => {
  const trader = await exchange.trader({ deposits: { USDT: '100000' } });
  const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', side: 'buy', orderType: 'limit', qty: '0.01', price: '50000' };
  const plan = {
    planType: 'normal_plan',
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.01',
    triggerPrice: '65000',
    triggerType: 'mark_price',
    side: 'buy',
    orderType: 'market',
  };
  await exchange.data(trader, 'placeBatch', [order, order]);
  await exchange.data(trader, 'placeTriggerOrder', plan);
  const [newest] = (await exchange.data<{ list: { orderId: string }[] }>(trader, 'listOpenOrders')).list;
  const lag = vi.spyOn(HistoryFeed.prototype, 'lag').mockReturnValue({ rows: 100_000, full: true });
  try {
    expect(await exchange.code(trader, 'placeOrder', order)).toBe('40015');
    expect(await exchange.code(trader, 'placeTriggerOrder', plan)).toBe('40015');
    expect(await exchange.code(trader, 'cancelOrder', { orderId: newest!.orderId })).toBe('00000');
    expect(await exchange.code(trader, 'cancelSymbolOrders', { category: 'USDT-FUTURES' })).toBe('00000');
    expect(await exchange.code(trader, 'cancelTriggerOrders', { productType: 'USDT-FUTURES' })).toBe('00000');
  } finally {
    lag.mockRestore();
  }
  expect((await exchange.data<{ list: unknown[] }>(trader, 'listOpenOrders')).list).toEqual([]);
});
