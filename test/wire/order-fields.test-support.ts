/** What the tests of order fields share. */

export const limitBuy = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  qty: '0.01',
  price: '50000',
  side: 'buy',
  orderType: 'limit',
};
