/**
 * Loans for the loss of a closed position: their maintenance is at most what the close released.
 */
import { describe, expect } from 'vitest';
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Uid } from '../../src/kernel/ids.ts';
import { type Market, test } from './market.test-support.ts';

/**
 * Beside a bitcoin that counts for 57,000, the account has 50 ether from 3,000 and 10 USDT. At
 * 1,890 they have lost 55,500: the equity is 1,510, and 94,500 need 50,000 × 0.0046 + 44,500 ×
 * 0.0056 = 479.2.
 */
function deepInLoss(market: Market): { readonly uid: Uid; readonly other: Uid } {
  market.index('BTC', '60000');
  market.index('ETH', '3000');
  const [other, uid] = [
    market.joins({ USDT: '10000000' }),
    market.joins({ BTC: '1', USDT: '100' }),
  ];
  market.settings(uid, 'ETHUSDT', '20', 'crossed');
  market.trade(uid, other, '50', 'ETHUSDT', '3000');
  market.index('ETH', '1890');
  expect(market.standing(uid)).toEqual({ equity: '1510', maintenance: '479.2' });
  return { uid, other };
}

const gets = (market: Market, uid: Uid, size: string): unknown =>
  market.accepted({ type: 'deposit', uid, coin: 'USDT', size: size as DecimalText });

const CLOSES = { reduceOnly: true } as const;

describe('a loan for a close at mark', () => {
  // 49 cost 54,390 and a fee of 55.566; 10 are there. The last one needs 8.694.
  test('[POS-173][POS-174] leaves the maintenance of the account as it was', ({ market }) => {
    const { uid, other } = deepInLoss(market);
    expect(market.order(other, 'buy', '49', 'ETHUSDT', '1890')).toBe('accepted');
    expect(market.order(uid, 'sell', '49', 'ETHUSDT', '1890', CLOSES)).toBe('accepted');
    expect(market.fills(uid)).toEqual(['normal sell 49 at 1890']);
    expect([market.debt(uid), market.size(uid, 'ETHUSDT', 'long')]).toEqual(['54435.566 + 0', '1']);
    expect(market.standing(uid)).toEqual({ equity: '1454.434', maintenance: '479.2' });
  });

  test('[POS-173] also when nothing is left of the position', ({ market }) => {
    const { uid, other } = deepInLoss(market);
    expect(market.order(other, 'buy', '50', 'ETHUSDT', '1890')).toBe('accepted');
    expect(market.order(uid, 'sell', '50', 'ETHUSDT', '1890', CLOSES)).toBe('accepted');
    expect([market.fills(uid), market.debt(uid)]).toEqual([
      ['normal sell 50 at 1890'],
      '55546.7 + 0',
    ]);
    expect(market.standing(uid)).toEqual({ equity: '1453.3', maintenance: '479.2' });
  });

  // 20 × 470.506 = 9,410.12 have a maintenance requirement, and 45,025.446 have none.
  test('[POS-175] repays first the principal without maintenance', ({ market }) => {
    const { uid, other } = deepInLoss(market);
    market.order(other, 'buy', '49', 'ETHUSDT', '1890');
    market.order(uid, 'sell', '49', 'ETHUSDT', '1890', CLOSES);
    gets(market, uid, '45025.446');
    expect([market.debt(uid), market.standing(uid).maintenance]).toEqual(['9410.12 + 0', '479.2']);
    gets(market, uid, '100');
    expect([market.debt(uid), market.standing(uid).maintenance]).toEqual(['9310.12 + 0', '474.2']);
  });

  test('[POS-173] has a requirement for all of a loan that is small beside the position', ({
    market,
  }) => {
    const { uid, other } = deepInLoss(market);
    gets(market, uid, '54335.566');
    market.order(other, 'buy', '49', 'ETHUSDT', '1890');
    expect(market.order(uid, 'sell', '49', 'ETHUSDT', '1890', CLOSES)).toBe('accepted');
    expect([market.debt(uid), market.standing(uid).maintenance]).toEqual(['100 + 0', '13.694']);
  });
});

// Below mark 49 of them cost more: 1,510 − 49 × (1,890 − price) − 0.0294 × price is above 479.2
// from 1,870.08… on.
describe('a loan for a close below mark', () => {
  const BORDER = [
    ['1870.08', false],
    ['1870.09', true],
  ] as const;

  test.for(BORDER)(
    '[ORD-71] leaves the account above its maintenance, including the loan, at %s',
    ([price, passesRiskCheck], { market }) => {
      const { uid, other } = deepInLoss(market);
      expect(market.order(other, 'buy', '49', 'ETHUSDT', price)).toBe('accepted');
      expect(market.order(uid, 'sell', '49', 'ETHUSDT', price, CLOSES)).toBe(
        passesRiskCheck ? 'accepted' : 'insufficientMargin',
      );
      expect(market.fills(uid)).toEqual(passesRiskCheck ? [`normal sell 49 at ${price}`] : []);
    },
  );

  test.for(BORDER)(
    '[ORD-83] in two orders that are filled together or not at all, at %s',
    ([price, passesRiskCheck], { market }) => {
      const { uid, other } = deepInLoss(market);
      for (const size of ['24', '25'])
        expect(market.order(uid, 'sell', size, 'ETHUSDT', price, CLOSES)).toBe('accepted');
      expect(market.order(other, 'buy', '49', 'ETHUSDT', price, { timeInForce: 'fok' })).toBe(
        'accepted',
      );
      expect(market.fills(uid)).toEqual(
        passesRiskCheck ? [`normal sell 24 at ${price}`, `normal sell 25 at ${price}`] : [],
      );
    },
  );
});
