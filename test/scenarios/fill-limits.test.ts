/**
 * Fills at the very edge of what an account, a position or a loan can bear: just borne, and just
 * not.
 */
import { describe, expect } from 'vitest';
import type { Executed } from '../../src/core/engine.ts';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { isolatedLong, type Market, test } from './market.test-support.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * What the last command filled for somebody, how his orders ended, and whether anybody was
 * liquidated by it.
 */
const fared = (market: Market, uid: Uid) => ({
  fills: market.fills(uid),
  ends: market
    .emitted('orderEnded')
    .flatMap(({ end }) => (end.uid === uid ? [end.cancelReason ?? end.status] : [])),
  liquidated: market.emitted('liquidationBegun').length,
});
const TAKEN_AWAY = { fills: [], ends: ['moneyGone'], liquidated: 0 };
const REFUSED = { fills: [], ends: [], liquidated: 0 };

/**
 * Somebody who was long 1 and is flat, with sells at 51,000 still open that would have closed it.
 */
function outlivedClose(
  market: Market,
  marginMode: 'crossed' | 'isolated',
  leverage: string,
  sells: readonly string[],
) {
  market.index('BTC', '50000');
  const [alice, maker] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '1000000' })];
  market.settings(alice, 'BTCUSDT', leverage, marginMode);
  market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
  market.order(alice, 'buy', '1', 'BTCUSDT', '50000');
  for (const size of sells) market.order(alice, 'sell', size, 'BTCUSDT', '51000');
  market.order(maker, 'buy', '1', 'BTCUSDT', '50000');
  expect(market.order(alice, 'sell', '1', 'BTCUSDT', '50000')).toBe('accepted');
  expect(market.position(alice, 'BTCUSDT', 'long')).toBeUndefined();
  return { alice, maker };
}

const becomes = (
  market: Market,
  status: 'halted' | 'normal',
  category: 'SPOT' | 'USDT-FUTURES' = 'USDT-FUTURES',
): Executed =>
  market.accepted({ type: 'setInstrumentStatus', category, symbol: 'BTCUSDT', status });

/**
 * Somebody whose buy at market waited for an ask at 50,000 and has just come into a book in which
 * 60,000 is asked, and is the mark.
 */
function buysInHalt(
  market: Market,
  money: string,
  leverage: string,
  marginMode: 'crossed' | 'isolated',
  size: string,
): Uid {
  market.index('BTC', '50000');
  const [alice, friend, maker] = [
    market.joins({ USDT: money }),
    market.joins({ USDT: '1000000' }),
    market.joins({ USDT: '1000000' }),
  ];
  market.settings(alice, 'BTCUSDT', leverage, marginMode);
  market.order(friend, 'sell', '1', 'BTCUSDT', '50000');
  market.order(maker, 'sell', '1', 'BTCUSDT', '60000');
  becomes(market, 'halted');
  expect(market.order(alice, 'buy', size, 'BTCUSDT')).toBe('accepted');
  market.accepted({ type: 'cancelAllOrders', uid: friend, category: 'USDT-FUTURES' });
  market.index('BTC', '60000');
  becomes(market, 'normal');
  return alice;
}

describe('opening', () => {
  // At 55,300 and ten times it holds 5,530 and a fee of 33.18, and loses 5,300 against mark: 230
  // are left, and 50,000 × 0.0046 must stay.
  test.for([
    ['5563.18', 'insufficientMargin', REFUSED],
    [
      '5563.1800000001',
      'accepted',
      { fills: ['normal buy 1 at 55300'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71][ORD-89] with %s takes no crossed account down to its maintenance',
    ([money, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.order(maker, 'sell', '1', 'BTCUSDT', '55300');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '55300')).toBe(answer);
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  test.for([
    ['55300', 'insufficientMargin', REFUSED],
    [
      '55299.9',
      'accepted',
      { fills: ['normal buy 1 at 55299.9'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71][ORD-89] at %s takes no isolated position down to its maintenance',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '10000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      market.order(maker, 'sell', '1', 'BTCUSDT', price);
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', price)).toBe(answer);
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  test.for(['crossed', 'isolated'] as const)(
    '[ORD-71] in a tier whose maintenance and fee are more than its margin opens nothing, %s, however near the mark',
    (marginMode, { market }) => {
      const listed = DEFAULT_INSTRUMENTS.find(
        ({ category, symbol }) => category === 'USDT-FUTURES' && symbol === 'BTCUSDT',
      )!;
      const [tier] = listed.tiers;
      market.accepted({
        type: 'listInstrument',
        instrument: { ...listed, tiers: [{ ...tier!, maintenanceRate: decimal('0.0079') }] },
      });
      market.index('BTC', '50000');
      // 400 of margin and a fee of 30; 50,000 × 0.0085 = 425 must stay.
      const [alice, maker] = [market.joins({ USDT: '430' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('insufficientMargin');
      expect(fared(market, alice)).toEqual(REFUSED);
    },
  );

  // Long 1 at 50,000, which 125 times allow; its sell at 51,000 closes it, until something else
  // has: then it would open 51,000, which 100 times allow.
  test.for([
    ['crossed', '125', TAKEN_AWAY],
    ['crossed', '100', { fills: ['normal sell 1 at 51000'], ends: ['filled'], liquidated: 0 }],
    ['isolated', '125', TAKEN_AWAY],
    ['isolated', '100', { fills: ['normal sell 1 at 51000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[POS-97] what an order was to close is held against the tiers when it opens after all, %s at %s times',
    (run, { market }) => {
      const [marginMode, leverage, expected] = run;
      const { alice, maker } = outlivedClose(market, marginMode, leverage, ['1']);
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000');
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  test.for(['crossed', 'isolated'] as const)(
    '[POS-97][ORD-83] together too: each half fits the tier, and both do not, %s',
    (marginMode, { market }) => {
      const { alice, maker } = outlivedClose(market, marginMode, '125', ['0.5', '0.5']);
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000', { timeInForce: 'fok' });
      expect(fared(market, maker)).toEqual({ fills: [], ends: ['fokNotFull'], liquidated: 0 });
      market.order(maker, 'buy', '1', 'BTCUSDT', '51000');
      expect(fared(market, alice)).toEqual({
        fills: ['normal sell 0.5 at 51000'],
        ends: ['filled', 'moneyGone'],
        liquidated: 0,
      });
    },
  );

  // Each is asked for at mark, 30,000 for 0.6 and 20,000 for 0.4: just the end of the first tier.
  // At their limits they would be 18,000 and 12,000.
  test.for([
    ['crossed', 'limit'],
    ['crossed', 'market'],
    ['isolated', 'limit'],
    ['isolated', 'market'],
  ] as const)(
    '[POS-167] sells below mark that wait in a halt count together against the tier, %s at %s',
    ([marginMode, orderType], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      market.order(maker, 'buy', '2', 'BTCUSDT', '50000');
      becomes(market, 'halted');
      const sells = (size: string): string =>
        market.order(alice, 'sell', size, 'BTCUSDT', orderType === 'limit' ? '30000' : undefined);
      expect(['0.6', '0.4001', '0.4', '0.0001'].map(sells)).toEqual([
        'accepted',
        'insufficientMargin',
        'accepted',
        'insufficientMargin',
      ]);
      becomes(market, 'normal');
      expect(fared(market, alice)).toEqual({
        fills: ['normal sell 0.6 at 50000', 'normal sell 0.4 at 50000'],
        ends: ['filled', 'filled'],
        liquidated: 0,
      });
    },
  );

  // It holds 5,000 and a fee of 30 for an ask at 50,000 that goes before trading resumes. The next
  // one is at 60,000, which needs 6,000 and 36.
  test.for([
    ['6035.9999999999', TAKEN_AWAY],
    ['6036', { fills: ['normal buy 1 at 60000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-181] with %s a market buy that has waited needs the price that it finds',
    ([money, expected], { market }) => {
      const alice = buysInHalt(market, money, '10', 'crossed', '1');
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  // At 125 times the first tier ends at 50,000: 0.8333 at 60,000 are 49,998, and 0.8334 are 50,004.
  test.for([
    [
      'crossed',
      '0.8333',
      { fills: ['normal buy 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['crossed', '0.8334', TAKEN_AWAY],
    [
      'isolated',
      '0.8333',
      { fills: ['normal buy 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['isolated', '0.8334', TAKEN_AWAY],
  ] as const)(
    '[ORD-183][POS-40] nor does it outgrow its tier, %s with %s',
    ([marginMode, size, expected], { market }) => {
      const alice = buysInHalt(market, '100000', '125', marginMode, size);
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  test.for([
    [
      'crossed',
      '0.8333',
      { fills: ['normal sell 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['crossed', '0.8334', TAKEN_AWAY],
    [
      'isolated',
      '0.8333',
      { fills: ['normal sell 0.8333 at 60000'], ends: ['filled'], liquidated: 0 },
    ],
    ['isolated', '0.8334', TAKEN_AWAY],
  ] as const)(
    '[ORD-183][POS-167] nor does a sell below the new mark, %s with %s',
    ([marginMode, size, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '100000' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '125', marginMode);
      becomes(market, 'halted');
      market.order(maker, 'buy', '1', 'BTCUSDT', '60000');
      expect(market.order(alice, 'sell', size, 'BTCUSDT', '50000')).toBe('accepted');
      market.index('BTC', '60000');
      becomes(market, 'normal');
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  // At three times each holds 10,000 and a fee of 30 for 30,000. A bitcoin that is borrowed and
  // sold at 60,000 needs a third of that and costs a fee of 60: of 4 and 1 more 1.3333333334 and
  // 0.3333333334, which are 100,000.000008 at index.
  test.for([
    ['100300.000008', '5 + 0', []],
    ['100300.0000079999', '4 + 0', ['moneyGone']],
  ] as const)(
    '[ORD-184] with %s margin sells that have waited borrow %s',
    ([money, debt, cancelled], { market }) => {
      market.index('BTC', '60000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.order(maker, 'buy', '5', 'SPOT:BTCUSDT', '60000');
      becomes(market, 'halted', 'SPOT');
      for (let count = 0; count < 5; count++)
        expect(market.order(alice, 'sell', '1', 'MARGIN:BTCUSDT', '30000')).toBe('accepted');
      becomes(market, 'normal', 'SPOT');
      expect(market.debt(alice, 'BTC')).toBe(debt);
      expect(market.emitted('orderEnded').flatMap(({ end }) => end.cancelReason ?? [])).toEqual(
        cancelled,
      );
    },
  );

  // 0.999 bitcoin count for 0.94905 of the index, and of the 18,981 that are borrowed a twentieth
  // must stay: at 21,000 they are just that.
  test.for([
    ['21000', TAKEN_AWAY],
    ['21000.1', { fills: ['normal buy 1 at 30000'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] on margin with the index at %s takes no account down to the maintenance of its loan',
    ([index, expected], { market }) => {
      market.index('BTC', '33000');
      const [alice, maker] = [market.joins({ USDT: '11019' }), market.joins({ BTC: '10' })];
      expect(market.order(alice, 'buy', '1', 'MARGIN:BTCUSDT', '30000')).toBe('accepted');
      market.index('BTC', index);
      market.order(maker, 'sell', '1', 'SPOT:BTCUSDT', '30000');
      expect(fared(market, alice)).toEqual(expected);
    },
  );
});

describe('an isolated order that sells for more than it asked', () => {
  // At ten times 50,500 need 5,050 and a fee of 30.3, where 50,000 would need 5,030.
  test.for([
    ['5080.2999999999', '50000', 'insufficientMargin', REFUSED],
    [
      '5080.3',
      '50000',
      'accepted',
      { fills: ['normal sell 1 at 50500'], ends: ['filled'], liquidated: 0 },
    ],
    ['5080.2999999999', undefined, 'insufficientMargin', REFUSED],
    [
      '5080.3',
      undefined,
      'accepted',
      { fills: ['normal sell 1 at 50500'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-171] with %s at a limit of %s has what the best bid needs, or is refused',
    ([money, limit, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      market.order(maker, 'buy', '1', 'BTCUSDT', '50500');
      expect(market.order(alice, 'sell', '1', 'BTCUSDT', limit)).toBe(answer);
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  // 10,090 of margin, fees of 30.3 and 30.24, and 5,030 for the third, which rests at the limit.
  test.for([
    ['2', '50000', '10150.5399999999'],
    ['2', undefined, '10150.5399999999'],
    ['3', '50000', '15180.5399999999'],
  ] as const)(
    '[ORD-171] of %s at a limit of %s needs one unit more than %s for all the bids it meets',
    ([size, limit, money], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: money }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '10', 'isolated');
      for (const bid of ['50500', '50400']) market.order(maker, 'buy', '1', 'BTCUSDT', bid);
      expect(market.order(alice, 'sell', size, 'BTCUSDT', limit)).toBe('insufficientMargin');
      market.accepted({ type: 'deposit', uid: alice, coin: 'USDT', size: decimal('0.0000000001') });
      expect(market.order(alice, 'sell', size, 'BTCUSDT', limit)).toBe('accepted');
      expect(market.fills(alice)).toEqual(['normal sell 1 at 50500', 'normal sell 1 at 50400']);
      expect(market.available(alice)).toBe('0');
    },
  );

  test('[ORD-171] needs no more than its limit for bids that it does not reach', ({ market }) => {
    market.index('BTC', '50000');
    const [alice, maker] = [market.joins({ USDT: '5130.6' }), market.joins({ USDT: '1000000' })];
    market.settings(alice, 'BTCUSDT', '10', 'isolated');
    market.order(maker, 'buy', '1', 'BTCUSDT', '50900');
    expect(market.order(alice, 'sell', '1', 'BTCUSDT', '51000')).toBe('accepted');
    expect(market.available(alice)).toBe('0');
  });
});

describe('an isolated order beside crossed positions', () => {
  // It holds 870 and a fee of 5.22. At 49,200 the account has 1,075.22 with that and 200 without,
  // and must keep 226.32; at 49,227 it has 227.
  test.for([
    ['49200', TAKEN_AWAY],
    ['49227', { fills: ['normal buy 3 at 2900'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] takes away no money that they lean on, with their mark at %s',
    ([mark, expected], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [market.joins({ USDT: '1905.22' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.settings(alice, 'ETHUSDT', '10', 'isolated');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'buy', '3', 'ETHUSDT', '2900')).toBe('accepted');
      market.pin('BTCUSDT', mark);
      market.order(maker, 'sell', '3', 'ETHUSDT', '2900');
      expect(fared(market, alice)).toEqual(expected);
    },
  );
});

describe('a spot order beside crossed positions', () => {
  // 880 that count in full become 0.1998 ether that count 569.43. With the mark at 48,600 there are
  // 480 before, and 223.56 must stay.
  test.for([
    ['48600', TAKEN_AWAY],
    ['48700', { fills: ['normal buy 0.2 at 4400'], ends: ['filled'], liquidated: 0 }],
  ] as const)(
    '[ORD-71] gives nobody more than they can spare, with their mark at %s',
    ([mark, expected], { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [
        market.joins({ USDT: '1910' }),
        market.joins({ USDT: '1000000', ETH: '1' }),
      ];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', '50000')).toBe('accepted');
      expect(market.order(alice, 'buy', '0.2', 'SPOT:ETHUSDT', '4400')).toBe('accepted');
      market.pin('BTCUSDT', mark);
      market.order(maker, 'sell', '0.2', 'SPOT:ETHUSDT', '4400');
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  test.for(['SPOT', 'MARGIN'])(
    '[ORD-83][ORD-71] nor do one of SPOT and one of %s together, by one order',
    (category, { market }) => {
      market.index('BTC', '50000');
      market.index('ETH', '3000');
      const [alice, maker] = [
        market.joins({ USDT: '1910' }),
        market.joins({ USDT: '1000000', ETH: '1' }),
      ];
      market.settings(alice, 'BTCUSDT', '50', 'crossed');
      market.order(maker, 'sell', '1', 'BTCUSDT', '50000');
      market.order(alice, 'buy', '1', 'BTCUSDT', '50000');
      for (const of of ['SPOT', category])
        expect(market.order(alice, 'buy', '0.1', `${of}:ETHUSDT`, '4400')).toBe('accepted');
      market.pin('BTCUSDT', '48600');
      market.order(maker, 'sell', '0.2', 'SPOT:ETHUSDT', '4400', { timeInForce: 'fok' });
      expect([market.fills(alice), market.emitted('liquidationBegun')]).toEqual([[], []]);
    },
  );
});

describe('closing', () => {
  // Short 1 from 49,000 with 230.0000000001 above nothing at 50,000. At 50,200 it would lose 200
  // more and pay 30.12.
  test.for([
    ['50200', 'insufficientMargin', REFUSED],
    [
      '50199.8',
      'accepted',
      { fills: ['normal buy 1 at 50199.8'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-168][ORD-89] at %s costs a crossed account no more than it has',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '49000');
      const [alice, maker] = [
        market.joins({ USDT: '1259.4000000001' }),
        market.joins({ USDT: '1000000' }),
      ];
      market.settings(alice, 'BTCUSDT', '100', 'crossed');
      market.order(maker, 'buy', '1', 'BTCUSDT', '49000');
      market.order(alice, 'sell', '1', 'BTCUSDT', '49000');
      market.pin('BTCUSDT', '50000');
      market.order(maker, 'sell', '1', 'BTCUSDT', price);
      expect(market.order(alice, 'buy', '1', 'BTCUSDT', price, { reduceOnly: true })).toBe(answer);
      expect(fared(market, alice)).toEqual(expected);
      expect(market.debt(alice)).toBe('none');
    },
  );

  // Of two friends the one, with 108.04, has 0.05 bitcoin and 1 ether, and after fees of 1.5 and
  // 1.8 sells the ether to the other, who bids 0.4 % below mark for the bitcoin. At 2,908.5 what is
  // left behind that is 104.74 − 91.5 − 1.7451 = 11.4949, and it keeps up 2,500 × 0.0046 = 11.5.
  test.for([
    ['2908.5', 'insufficientMargin', REFUSED],
    [
      '2908.51',
      'accepted',
      { fills: ['normal sell 1 at 2908.51'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71] at %s leaves the insurance fund nothing to pay for, because a friend has all the rest',
    ([price, answer, expected], { market }) => {
      const { long } = isolatedLong(market);
      market.index('ETH', '3000');
      market.index('BTC', '47700');
      expect([market.size(long, 'BTCUSDT', 'long'), market.house('insurance')]).toEqual([
        '0',
        '28.5171102662',
      ]);
      market.index('BTC', '50000');
      const [one, other] = [market.joins({ USDT: '108.04' }), market.joins({ USDT: '100000' })];
      for (const name of ['BTCUSDT', 'ETHUSDT']) market.settings(one, name, '100', 'crossed');
      market.trade(one, other, '0.05', 'BTCUSDT', '50000');
      market.trade(one, other, '1', 'ETHUSDT', '3000');
      market.order(other, 'buy', '0.05', 'BTCUSDT', '49800');
      market.order(other, 'buy', '1', 'ETHUSDT', price);
      expect(market.order(one, 'sell', '1', 'ETHUSDT', price, { reduceOnly: true })).toBe(answer);
      expect(fared(market, one)).toEqual(expected);
      expect(market.house('insurance')).toBe('28.5171102662');
    },
  );

  // Long 1 with a margin of 500: what a half that is sold loses against mark and pays leaves at
  // 49,259.5 500 − 370.25 − 14.77785 = 114.97215, and the other half keeps up 25,000 × 0.0046 =
  // 115.
  test.for([
    ['49259.5', 'insufficientMargin', REFUSED],
    [
      '49259.6',
      'accepted',
      { fills: ['normal sell 0.5 at 49259.6'], ends: ['filled'], liquidated: 0 },
    ],
  ] as const)(
    '[ORD-71] at %s leaves an isolated position above its maintenance',
    ([price, answer, expected], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '530' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '100', 'isolated');
      market.trade(alice, maker, '1', 'BTCUSDT', '50000');
      market.order(maker, 'buy', '0.5', 'BTCUSDT', price);
      expect(market.order(alice, 'sell', '0.5', 'BTCUSDT', price, { reduceOnly: true })).toBe(
        answer,
      );
      expect(fared(market, alice)).toEqual(expected);
    },
  );

  // The same at a mark of 49,650, where 150 are left and 228.39 must be kept up, so that a
  // stop-loss fires in danger: half of what is there may cost 75, and at 49,529.7 it costs 60.15
  // and 14.85891.
  test.for([
    ['49529.7', []],
    ['49529.8', ['normal sell 0.5 at 49529.8']],
  ] as const)(
    '[ORD-168] at %s, below maintenance already, costs no more than its share of the equity',
    ([price, sold], { market }) => {
      market.index('BTC', '50000');
      const [alice, maker] = [market.joins({ USDT: '530' }), market.joins({ USDT: '1000000' })];
      market.settings(alice, 'BTCUSDT', '100', 'crossed');
      market.trade(alice, maker, '1', 'BTCUSDT', '50000');
      const stop = {
        kind: 'stopLoss',
        triggerPrice: decimal('49700'),
        source: 'mark',
        size: decimal('0.5'),
      } as const;
      market.accepted({
        type: 'placeTpsl',
        uid: alice,
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        side: 'long',
        tpsl: [stop],
      });
      market.order(maker, 'buy', '0.5', 'BTCUSDT', price);
      market.pin('BTCUSDT', '49650');
      expect(market.fills(alice).filter((fill) => fill.startsWith('normal'))).toEqual(sold);
      expect(market.emitted('liquidationBegun')).toHaveLength(1);
    },
  );
});
