/** Coins that repay the loans of an account below maintenance, and loans that wait for a price. */
import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { HOUR } from '../../src/kernel/time.ts';
import { type Market, test } from './market.test-support.ts';

/** An account that bought an ether with 3,000 borrowed USDT: 0.999 come in. */
function borrower(market: Market, money: Readonly<Record<string, string>>): Uid {
  for (const [coin, price] of [
    ['BTC', '50000'],
    ['ETH', '3000'],
    ['XRP', '1'],
  ] as const)
    market.index(coin, price);
  const [context, seller] = [market.joins(money), market.joins({ ETH: '10' })];
  market.accepted({ type: 'setCoinLeverage', uid: context, coin: 'USDT', leverage: '5' as never });
  market.order(seller, 'sell', '1', 'SPOT:ETHUSDT', '3000');
  expect(market.order(context, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  expect(market.debt(context)).toBe('3000 + 0');
  return context;
}

/**
 * An account that owes 2,001 and 0.02 bitcoin and has 2.999 ether, with the market on and all
 * indexes stale.
 */
function owesTwo(market: Market): Uid {
  market.index('BTC', '50000');
  market.index('ETH', '3000');
  const [context, other] = [market.joins({ ETH: '2' }), market.joins({ ETH: '10', USDT: '10000' })];
  for (const coin of ['USDT', 'BTC'])
    market.accepted({ type: 'setCoinLeverage', uid: context, coin, leverage: '5' as never });
  market.order(other, 'buy', '0.02', 'SPOT:BTCUSDT', '50000');
  market.order(other, 'sell', '1', 'SPOT:ETHUSDT', '3000');
  expect(market.order(context, 'sell', '0.02', 'MARGIN:BTCUSDT', '50000')).toBe('accepted');
  expect(market.order(context, 'buy', '1', 'MARGIN:ETHUSDT', '3000')).toBe('accepted');
  // Of the 3,000 the 999 of the sold bitcoin were not borrowed.
  expect([
    market.debt(context),
    market.debt(context, 'BTC'),
    market.available(context, 'ETH'),
  ]).toEqual(['2001 + 0', '0.02 + 0', '2.999']);
  market.accepted({ type: 'switchMarket', on: true });
  market.passes(10_000);
  return context;
}

const left = (market: Market, uid: Uid): string[] =>
  ['BTC', 'ETH', 'XRP'].map((coin) => market.available(uid, coin));

describe('coins that repay a loan', () => {
  // A loan of 3,000 needs 150. With 1,700 of ripple and 950 of ether, 125 are above it when 0.02
  // bitcoin count for 475.
  test('[POS-73] are taken by collateral rate, best first', ({ market }) => {
    const context = borrower(market, { XRP: '2000', ETH: '0.001', BTC: '0.02' });
    market.index('ETH', '1000');
    market.index('BTC', '26400');
    expect([market.debt(context), left(market, context)]).toEqual([
      '3000 + 0',
      ['0.02', '1', '2000'],
    ]);
    market.index('BTC', '25000');
    // 475 and 950 are repaid with all the bitcoin and ether, 1,575 with 1,575 / 0.85 of the ripple.
    expect([market.debt(context), left(market, context)]).toEqual([
      'none',
      ['0', '0', '147.0588235294'],
    ]);
    expect([market.house('insurance', 'XRP'), market.house('clearing')]).toEqual([
      '1852.9411764706',
      '-3000',
    ]);
  });

  // 2,000 dollars, 950 of ether and 190 of bitcoin are 10 less than the loan needs: all the
  // dollars, all the bitcoin, and 810 / 950 of the ether.
  test('[POS-73] are other quote coins before anything else', ({ market }) => {
    const context = borrower(market, { BTC: '0.02', ETH: '0.001', USDC: '2000' });
    market.index('ETH', '1000');
    market.index('BTC', '10000');
    expect([
      market.debt(context),
      market.available(context, 'USDC'),
      left(market, context),
    ]).toEqual(['none', '0', ['0', '0.147368421', '0']]);
  });

  test('[POS-73] with equal collateral rates are taken by name', ({ market }) => {
    const context = borrower(market, { ETH: '0.001', BTC: '0.06' });
    market.index('ETH', '1000');
    // 2,166 and 950 are 116 above the loan: all the bitcoin, and 834 / 950 of the ether.
    market.index('BTC', '38000');
    expect([market.debt(context), left(market, context)]).toEqual([
      'none',
      ['0', '0.1221052631', '0'],
    ]);
  });

  test('[POS-73] are taken even if they are worth less than one unit of the debt', ({ market }) => {
    const context = borrower(market, { XRP: '0.0000000001', BTC: '0.06' });
    market.index('ETH', '100');
    // 2,850 and 94.905 are repaid, nothing with the ripple, and 55.095 are written off.
    expect([market.debt(context), left(market, context)]).toEqual(['none', ['0', '0', '0']]);
    expect([market.house('insurance', 'XRP'), market.house('clearing')]).toEqual([
      '0.0000000001',
      '-3000',
    ]);
  });

  test('[POS-188] wait while their price is stale, and nothing is written off', ({ market }) => {
    const context = borrower(market, { BTC: '0.06' });
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(10_000);
    market.index('ETH', '100');
    expect([market.debt(context), left(market, context)]).toEqual([
      '2905.095 + 0',
      ['0.06', '0', '0'],
    ]);
    market.passes(HOUR);
    expect(left(market, context)).toEqual(['0.06', '0', '0']);
    market.index('BTC', '50000');
    expect([market.debt(context), left(market, context)]).toEqual(['none', ['0', '0', '0']]);
  });

  test('[POS-188] repay only loans of coins whose price is fresh', ({ market }) => {
    const context = owesTwo(market);
    market.index('ETH', '1000');
    // 2,001 / 950 of the ether; the other 848.05 are for the bitcoin, once its price is fresh.
    expect([
      market.debt(context),
      market.debt(context, 'BTC'),
      market.available(context, 'ETH'),
    ]).toEqual(['none', '0.02 + 0', '0.8926842105']);
    market.index('BTC', '50000');
    expect([market.debt(context, 'BTC'), market.available(context, 'ETH')]).toEqual(['none', '0']);
  });

  // 284.905 repay a part of the 2,001, and the rest is written off. The price of bitcoin is still
  // stale.
  test('[POS-188][POS-191] leave a loan to be written off when its own price is fresh', ({
    market,
  }) => {
    const context = owesTwo(market);
    market.index('ETH', '100');
    expect([market.debt(context), market.debt(context, 'BTC'), left(market, context)]).toEqual([
      'none',
      '0.02 + 0',
      ['0', '0', '0'],
    ]);
    market.index('BTC', '50000');
    expect([
      market.debt(context, 'BTC'),
      market.house('clearing', 'BTC'),
      market.house('borrowPool', 'BTC'),
    ]).toEqual(['none', '-0.02', '0']);
  });
});

// A long of 1 from 50,000 has gained 16,000 when a short of 0.5 from 60,000 closes at 66,000: 3,000
// and fees are more than the 2,500 there were, and become a loan. Back at 50,500 the long no longer
// covers it.
test('[POS-191] a loan is not written off beside a position that cannot be closed now', ({
  market,
}) => {
  market.index('BTC', '50000');
  const [context, other] = [
    market.joins({ USDT: '2530' }, 'hedge'),
    market.joins({ USDT: '1000000' }),
  ];
  market.settings(context, 'BTCUSDT', '20', 'crossed');
  const [long, short] = [{ positionSide: 'long' }, { positionSide: 'short' }] as const;
  market.trade(context, other, '1', 'BTCUSDT', '50000', { buy: long });
  market.index('BTC', '60000');
  market.trade(other, context, '0.5', 'BTCUSDT', '60000', { sell: short });
  market.index('BTC', '66000');
  market.trade(context, other, '0.5', 'BTCUSDT', '66000', { buy: short });
  // 2,500 − 0.5 × 60,000 × 0.0002 − 3,000 − 0.5 × 66,000 × 0.0006.
  expect([market.debt(context), market.available(context)]).toEqual(['525.8 + 0', '0']);
  const becomes = (status: 'halted' | 'normal') =>
    market.accepted({
      type: 'setInstrumentStatus',
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      status,
    });
  becomes('halted');
  market.index('BTC', '50500');
  expect([
    market.emitted('liquidationBegun'),
    market.debt(context),
    market.size(context, 'BTCUSDT', 'long'),
  ]).toEqual([[], '525.8 + 0', '1']);
  becomes('normal');
  expect([market.debt(context), market.size(context, 'BTCUSDT', 'long')]).toEqual(['none', '0']);
});
