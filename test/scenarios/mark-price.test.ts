import { describe, expect } from 'vitest';
import type { Uid } from '../../src/kernel/ids.ts';
import { moneyText } from '../../src/kernel/money.ts';
import { HOUR, MINUTE, SECOND } from '../../src/kernel/time.ts';
import { MARKET_START, type Market, test } from './market.test-support.ts';

/** A book around 50,100 while the index is 50,000: a premium of 100. */
function withPremium(market: Market): Uid {
  market.index('BTC', '50000');
  const maker = market.joins({ USDT: '1000000' });
  market.order(maker, 'buy', '1', 'BTCUSDT', '50099');
  market.order(maker, 'sell', '1', 'BTCUSDT', '50101');
  return maker;
}

const nextTimer = (market: Market): number => market.state.timers[0]!.due - MARKET_START;
const sampleTimers = (market: Market): number =>
  market.state.timers.filter(({ kind }) => kind === 'markSample').length;

describe('the book moves the mark', () => {
  test('[PRC-09][PRC-15][PRC-151] slowly: a premium of 100 counts a fifth after a minute, all after five', ({
    market,
  }) => {
    withPremium(market);
    expect([market.mark('BTCUSDT'), nextTimer(market)]).toEqual(['50000', 5 * SECOND]);
    market.passes(5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50000');
    market.passes(MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50020');
    market.passes(4 * MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50100');
    expect([market.mark('BTCUSD'), market.mark('BTCPERP')]).toEqual(['50000', '50000']);
  });

  test('[PRC-09] by half a percent of the index at most', ({ market }) => {
    market.index('BTC', '50000');
    const maker = market.joins({ USDT: '1000000' });
    market.order(maker, 'buy', '1', 'BTCUSDT', '52999');
    market.order(maker, 'sell', '1', 'BTCUSDT', '53001');
    market.passes(10 * MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50250');
    market.index('BTC', '51000');
    expect(market.mark('BTCUSDT')).toBe('51255');
  });

  // 0.9 long for USDT and 0.8 short for USDC, with 1,473 after fees of 27 and 24. At 38,290 there
  // are 302 left, and 299.4278 are needed. A sample of books half a percent below takes 3.190833
  // off either mark, and 2.87175 from the long; the short gains that but for 0.319083.
  test('[PRC-153] in all symbols sampled at one moment before any of them liquidates an account', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [maker, hedger] = [
      market.joins({ USDT: '1000000', USDC: '1000000' }),
      market.joins({ USDT: '1500', USDC: '24' }),
    ];
    for (const symbol of ['BTCUSDT', 'BTCPERP']) market.settings(hedger, symbol, '125', 'crossed');
    market.order(maker, 'sell', '0.9', 'BTCUSDT', '50000');
    market.order(maker, 'buy', '0.8', 'BTCPERP', '50000');
    market.order(hedger, 'buy', '0.9', 'BTCUSDT', '50000');
    market.order(hedger, 'sell', '0.8', 'BTCPERP', '50000');
    expect([market.available(hedger), market.available(hedger, 'USDC')]).toEqual(['1473', '0']);
    market.index('BTC', '38290');
    for (const symbol of ['BTCUSDT', 'BTCPERP'])
      for (const [side, price] of [
        ['buy', '38000'],
        ['sell', '38010'],
      ] as const)
        expect(market.order(maker, side, '1', symbol, price)).toBe('accepted');
    market.passes(5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('38290');
    market.passes(5 * SECOND);
    expect([market.mark('BTCUSDT'), market.mark('BTCPERP')]).toEqual([
      '38286.8091666667',
      '38286.8091666667',
    ]);
    expect(market.emitted('liquidationBegun')).toEqual([]);
  });

  test('[PRC-17][PRC-154] slowly, in any book: accounts that own the book cost the insurance fund nothing', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [friend, other] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    market.settings(friend, 'BTCUSDT', '125', 'isolated');
    const bookAt = (bid: string, ask: string): void => {
      market.submit({ type: 'cancelAllOrders', uid: other, category: 'USDT-FUTURES' });
      market.order(other, 'buy', '0.0001', 'BTCUSDT', bid);
      market.order(other, 'sell', '0.0001', 'BTCUSDT', ask);
    };
    bookAt('50249', '50251');
    market.passes(5 * MINUTE + 5 * SECOND);
    market.submit({ type: 'cancelAllOrders', uid: other, category: 'USDT-FUTURES' });
    // Of the backing of 383.116, 152 are lost at once, and 219.5925 are needed: with a mark 12.1
    // higher it is liquidated.
    market.trade(friend, other, '0.95', 'BTCUSDT', '50410');
    bookAt('26000', '26002');
    market.passes(5 * SECOND);
    market.submit({ type: 'cancelAllOrders', uid: other, category: 'USDT-FUTURES' });
    market.passes(5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50241.6666666667');
    expect(market.size(friend, 'BTCUSDT', 'long')).toBe('0.95');
  });

  test('[PRC-152] and an index moves it at once, by the premium of the last sample', ({
    market,
  }) => {
    withPremium(market);
    market.passes(2 * MINUTE + 5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50040');
    market.index('BTC', '50010');
    expect(market.mark('BTCUSDT')).toBe('50050');
  });

  test('[PRC-15] but a book with one side has no premium', ({ market }) => {
    const maker = withPremium(market);
    market.passes(5 * MINUTE + 5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50100');
    market.accepted({ type: 'cancelAllOrders', uid: maker, category: 'USDT-FUTURES' });
    market.passes(5 * MINUTE + 5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50000');
  });
});

describe('an idle exchange', () => {
  test('[PRC-16] is not sampled without a book, nor after its book has not changed for five minutes', ({
    market,
  }) => {
    market.index('BTC', '50000');
    expect(sampleTimers(market)).toBe(0);
    withPremium(market);
    expect(sampleTimers(market)).toBe(1);
    market.passes(5 * MINUTE + 5 * SECOND);
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([0, '50100']);
    expect(nextTimer(market)).toBe(16 * HOUR);
  });

  test('[PRC-11][PRC-16] is sampled again when the market is switched off, after a stale index', ({
    market,
  }) => {
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '50000');
    const maker = market.joins({ USDT: '1000000' });
    market.passes(MINUTE);
    market.order(maker, 'buy', '1', 'BTCUSDT', '50099');
    market.order(maker, 'sell', '1', 'BTCUSDT', '50101');
    expect(sampleTimers(market)).toBe(0);
    market.accepted({ type: 'switchMarket', on: false });
    market.passes(5 * MINUTE + 5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50100');
  });

  test('[PRC-16] is sampled again when its book or its index moves', ({ market }) => {
    const maker = withPremium(market);
    market.passes(HOUR);
    market.order(maker, 'buy', '1', 'BTCUSDT', '50098');
    expect(sampleTimers(market)).toBe(0);
    market.order(maker, 'buy', '1', 'BTCUSDT', '50100');
    expect(sampleTimers(market)).toBe(1);
    market.passes(HOUR);
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([0, '50100.5']);
    market.index('BTC', '50001');
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([1, '50101.5']);
    market.passes(HOUR);
    expect(market.mark('BTCUSDT')).toBe('50100.5');
  });

  test('[PRC-16] goes on averaging after a freeze, also with the same index and book', ({
    market,
  }) => {
    withPremium(market);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(30 * SECOND);
    const frozen = market.mark('BTCUSDT');
    expect([sampleTimers(market), frozen]).toEqual([0, '50000']);
    market.index('BTC', '50000');
    market.accepted({ type: 'switchMarket', on: false });
    expect(sampleTimers(market)).toBe(1);
    market.passes(10 * MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50100');
  });
});

describe('a book during a long freeze', () => {
  test('[PRC-16][PRC-155] is sampled for as long as it takes: time in a freeze does not count', ({
    market,
  }) => {
    withPremium(market);
    market.passes(65 * SECOND);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(HOUR);
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([0, '50020']);
    market.index('BTC', '50000');
    market.accepted({ type: 'switchMarket', on: false });
    expect(sampleTimers(market)).toBe(1);
    // Twelve samples before and twelve since: 24 of 60.
    market.passes(MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50040');
    market.passes(10 * MINUTE);
    expect(market.mark('BTCUSDT')).toBe('50100');
  });
});

describe('funding', () => {
  test('[PRC-16] is sampled again when book and index move by the same amount, because the ratio changes', ({
    market,
  }) => {
    const maker = withPremium(market);
    market.passes(HOUR);
    market.accepted({ type: 'switchMarket', on: true });
    market.passes(MINUTE);
    market.accepted({ type: 'cancelAllOrders', uid: maker, category: 'USDT-FUTURES' });
    market.order(maker, 'buy', '1', 'BTCUSDT', '40099');
    market.order(maker, 'sell', '1', 'BTCUSDT', '40101');
    expect(sampleTimers(market)).toBe(0);
    market.index('BTC', '40000');
    market.passes(5 * SECOND);
    expect(moneyText(market.state.premiums.get('USDT-FUTURES:BTCUSDT')!.rate)).toBe('0.0025');
  });

  test('[PRC-153] is charged at the mark of its time: books are sampled before other timers', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const [long, short] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '100000' })];
    market.trade(long, short, '1', 'BTCUSDT', '50000');
    market.passes(8 * HOUR - 65 * SECOND);
    withPremium(market);
    market.passes(65 * SECOND);
    // A premium of 100 for one of five minutes: 50,020 × 0.0001.
    expect([
      market.mark('BTCUSDT'),
      moneyText(market.position(long, 'BTCUSDT', 'long')!.funding!),
    ]).toEqual(['50020', '-5.002']);
  });
});

describe('a frozen or pinned mark', () => {
  test('[PRC-11][PRC-15] a stale index stops the samples, and the mark stays', ({ market }) => {
    withPremium(market);
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '50000');
    market.passes(9 * SECOND);
    expect(sampleTimers(market)).toBe(1);
    market.passes(10 * MINUTE);
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([0, '50000']);
  });

  test('[PRC-155] time without samples does not count: a premium sampled once moves the mark no further', ({
    market,
  }) => {
    market.index('BTC', '50000');
    const maker = market.joins({ USDT: '1000000' });
    const bookAt = (bid: string, ask: string): void => {
      market.submit({ type: 'cancelAllOrders', uid: maker, category: 'USDT-FUTURES' });
      market.order(maker, 'buy', '1', 'BTCUSDT', bid);
      market.order(maker, 'sell', '1', 'BTCUSDT', ask);
    };
    bookAt('50249', '50251');
    market.passes(HOUR);
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '50000');
    bookAt('49749', '49751');
    market.passes(HOUR);
    expect([sampleTimers(market), market.mark('BTCUSDT')]).toEqual([0, '50250']);
    market.index('BTC', '50000');
    expect(market.mark('BTCUSDT')).toBe('50250');
    market.passes(5 * SECOND);
    expect(market.mark('BTCUSDT')).toBe('50241.6666666667');
  });

  test('[PRC-16] a pinned mark causes no samples of a book with a stale index', ({ market }) => {
    market.accepted({ type: 'switchMarket', on: true });
    market.index('BTC', '50000');
    market.pin('BTCUSDT', '50000');
    market.passes(MINUTE);
    const maker = market.joins({ USDT: '1000000' });
    market.order(maker, 'buy', '1', 'BTCUSDT', '50099');
    market.order(maker, 'sell', '1', 'BTCUSDT', '50101');
    expect(sampleTimers(market)).toBe(0);
    market.index('BTC', '50000');
    expect(sampleTimers(market)).toBe(1);
  });

  test('[PRC-10] a pinned mark stays, and after release it is what the book has drawn meanwhile', ({
    market,
  }) => {
    withPremium(market);
    market.pin('BTCUSDT', '49000');
    market.passes(HOUR);
    expect(market.mark('BTCUSDT')).toBe('49000');
    market.pin('BTCUSDT', undefined);
    expect(market.mark('BTCUSDT')).toBe('50100');
  });
});
