/** What the tests of modifying share. */

export const future = {
  category: 'USDT-FUTURES',
  symbol: 'BTCUSDT',
  side: 'buy',
  orderType: 'limit',
  price: '50000',
  qty: '0.1',
};

export const coins = { ...future, category: 'SPOT' };
