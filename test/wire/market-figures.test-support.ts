/** What the tests of market figures share. */

export const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
export const v2 = { productType: 'USDT-FUTURES', symbol: 'BTCUSDT' };
export const spot = { category: 'SPOT', symbol: 'BTCUSDT' };

export const order = (side: string, price: string, qty: string) => ({
  side,
  price,
  qty,
  orderType: 'limit',
});
