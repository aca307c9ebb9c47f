/** A short run with every common kind of bill. Its numbers can be checked by hand. */
import type { Trader, TradingExchange } from './trading-exchange.ts';

const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const futures = { category: 'USDT-FUTURES', symbol: 'BTCUSDT' };
const spot = { category: 'SPOT', symbol: 'BTCUSDT' };

export interface BilledRun {
  readonly alice: Trader;
  /** Ids of the transfer to the pair and of the transfer back, in this order. */
  readonly transferIds: readonly string[];
}

/** Alice's bills, oldest first: category, symbol, coin, type of v3, amount, fee, balance. */
export const BILLS: readonly (readonly string[])[] = [
  ['OTHER', '', 'USDT', 'deposit', '10000', '0', '10000'],
  ['OTHER', '', 'BTC', 'deposit', '1', '0', '1'],
  // 60,000 × 0.0006
  ['USDT-FUTURES', 'BTCUSDT', 'USDT', 'BUY_DEAL', '0', '-36', '9964'],
  // 60,000 × 0.0001
  ['USDT-FUTURES', 'BTCUSDT', 'USDT', 'CONTRACT_MAIN_SETTLE_FEE_USER_OUT', '-6', '0', '9958'],
  // 60,100 − 60,000, and 60,100 × 0.0006
  ['USDT-FUTURES', 'BTCUSDT', 'USDT', 'SELL_DEAL', '100', '-36.06', '10021.94'],
  // 0.1 at 60,000; the fee is 0.001 of it
  ['SPOT', 'BTCUSDT', 'USDT', 'ORDER_DEALT_FROZEN_OUT', '-6000', '0', '4021.94'],
  ['SPOT', 'BTCUSDT', 'BTC', 'ORDER_DEALT_IN', '0.1', '-0.0001', '1.0999'],
  ['OTHER', '', 'USDT', 'withdraw', '-99', '-1', '3921.94'],
  ['OTHER', '', 'USDT', 'TRANSFER_OUT', '-50', '0', '3871.94'],
  ['OTHER', 'BTCUSDT', 'USDT', 'TRANSFER_OUT', '-500', '0', '3371.94'],
  ['OTHER', 'BTCUSDT', 'USDT', 'TRANSFER_IN', '100', '0', '3471.94'],
];

export async function startBilledRun(exchange: TradingExchange): Promise<BilledRun> {
  // Starts at the beginning of a day, because levels, and with them fees, change at its end.
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextDay' });
  const bob = await exchange.trader({ deposits: { USDT: '10000000', BTC: '100' } });
  const alice = await exchange.trader({ deposits: { USDT: '10000', BTC: '1' } });
  const trade = async (
    market: object,
    side: string,
    price: string,
    qty: string,
    more: object = {},
  ) => {
    const other = side === 'buy' ? 'sell' : 'buy';
    await exchange.data(bob, 'placeOrder', {
      ...market,
      orderType: 'limit',
      side: other,
      price,
      qty,
    });
    await exchange.data(alice, 'placeOrder', {
      ...market,
      orderType: 'limit',
      side,
      price,
      qty,
      ...more,
    });
  };
  await exchange.setIndex('BTCUSDT', '60000', '60000');
  await trade(futures, 'buy', '60000', '1');
  await exchange.operate('POST', '/operator/v1/clock', { to: 'nextFunding' });
  await trade(futures, 'sell', '60100', '1', { reduceOnly: 'yes' });
  await trade(spot, 'buy', '60000', '0.1');
  const out = {
    coin: 'USDT',
    transferType: 'on_chain',
    chain: 'TRC20',
    address: TRON,
    size: '100',
  };
  await exchange.data(alice, 'requestWithdrawal', out);
  await exchange.operate('POST', '/operator/v1/clock', { advanceMs: '61000' });
  await exchange.data(alice, 'requestWithdrawal', {
    coin: 'USDT',
    transferType: 'internal_transfer',
    address: bob.uid,
    size: '50',
  });
  const move = async (fromType: string, toType: string, amount: string) =>
    (
      await exchange.data<{ transferId: string }>(alice, 'transfer', {
        fromType,
        toType,
        amount,
        coin: 'USDT',
        symbol: 'BTCUSDT',
      })
    ).transferId;
  const transferIds = [
    await move('spot', 'isolated_margin', '500'),
    await move('isolated_margin', 'spot', '100'),
  ];
  await exchange.data(alice, 'borrowIsolated', {
    symbol: 'BTCUSDT',
    coin: 'USDT',
    borrowAmount: '70',
  });
  await exchange.data(alice, 'repayIsolated', {
    symbol: 'BTCUSDT',
    coin: 'USDT',
    repayAmount: '70',
  });
  return { alice, transferIds };
}
