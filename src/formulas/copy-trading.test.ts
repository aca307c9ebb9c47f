import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { type Amount, money, moneyText, type Price, type Rate } from '../kernel/money.ts';
import {
  copyLotsLeft,
  earnedAfterFees,
  followLimits,
  leaderShare,
  priceAtReturn,
  sizeForAmount,
} from './copy-trading.ts';

const decimal = (text: string): DecimalText => text as DecimalText;
const price = (text: string): Price => money<Price>(text);
const at = (
  side: 'long' | 'short',
  end: 'takeProfit' | 'stopLoss',
  ratio: string,
  leverage: string,
  tick = '0.1',
): string | undefined => {
  const found = priceAtReturn(
    { entry: price('50000'), side, leverage: money<Rate>(leverage) },
    end,
    money<Rate>(ratio),
    price(tick),
  );
  return found && moneyText(found);
};

/** A symbol with steps of 0.01, a minimum order of 0.1, and market orders up to 50. */
const SIZES = { sizeStep: decimal('0.01'), sizeMin: decimal('0.1'), marketSizeMax: decimal('50') };
const limits = (
  input: { readonly followSizeMin?: string; readonly followSizeMax?: string } = {},
): string[] => {
  const { sizeLeast, sizeMost } = followLimits({
    ...SIZES,
    ...(input as { readonly followSizeMin?: DecimalText }),
  });
  return [moneyText(sizeLeast), moneyText(sizeMost)];
};

describe('sizes', () => {
  test('[CPY-40] follow limits are whole steps, within the limits of a market order', () => {
    expect(limits()).toEqual(['0.1', '50']);
    expect(limits({ followSizeMin: '0.5', followSizeMax: '20' })).toEqual(['0.5', '20']);
    expect(limits({ followSizeMin: '0.05', followSizeMax: '80' })).toEqual(['0.1', '50']);
    expect(limits({ followSizeMin: '0.505', followSizeMax: '20.009' })).toEqual(['0.51', '20']);
  });

  test("[CPY-16] 500 at ten times and 50,000 is 0.1; in an inverse contract's coin 0.02 at ten times is 0.2", () => {
    expect(
      moneyText(sizeForAmount('linear', money<Amount>('500'), money<Rate>('10'), price('50000'))),
    ).toBe('0.1');
    expect(
      moneyText(sizeForAmount('inverse', money<Amount>('0.02'), money<Rate>('10'), price('50000'))),
    ).toBe('0.2');
  });

  test('[CPY-23] the example: 10 and 5, after 1, 2, 3 and all are closed', () => {
    expect([9, 8, 7, 0].map((leader) => copyLotsLeft(5, leader, 10))).toEqual([5, 4, 4, 0]);
  });

  test('[CPY-23] a copy keeps at least its share, less than a lot more, and zero when the leader has zero', () => {
    const lots = fc.integer({ min: 1, max: 2 ** 40 });
    fc.assert(
      fc.property(lots, lots, lots, (own, one, other) => {
        const [leader, before] = [Math.min(one, other), Math.max(one, other)];
        const kept = copyLotsLeft(own, leader, before);
        const share = BigInt(own) * BigInt(leader);
        expect(BigInt(kept) * BigInt(before) >= share).toBe(true);
        expect((BigInt(kept) - 1n) * BigInt(before) < share).toBe(true);
        expect(copyLotsLeft(own, 0, before)).toBe(0);
        expect(copyLotsLeft(own, before, before)).toBe(own);
      }),
    );
  });
});

describe('prices', () => {
  test('[CPY-26] percent return on margin, up and down, to the tick further from the entry', () => {
    expect([at('long', 'takeProfit', '20', '10'), at('long', 'stopLoss', '10', '10')]).toEqual([
      '51000',
      '49500',
    ]);
    expect([at('short', 'takeProfit', '20', '10'), at('short', 'stopLoss', '10', '10')]).toEqual([
      '49000',
      '50500',
    ]);
    // 50,000 × (1 + 1 / 100 / 125) = 50,004; the ticks of 3 are at 50,004 and 50,007.
    expect([
      at('long', 'takeProfit', '1', '125', '3'),
      at('long', 'takeProfit', '1', '125', '8'),
    ]).toEqual(['50004', '50008']);
    expect(at('short', 'takeProfit', '1', '125', '8')).toBe('49992');
  });

  test('[CPY-26] a long cannot lose more than its value, so no lower price is returned', () => {
    expect([
      at('long', 'stopLoss', '400', '4'),
      at('long', 'stopLoss', '399', '4'),
      at('short', 'takeProfit', '400', '3'),
    ]).toEqual([undefined, '125', undefined]);
    // The result is one tick of 125, or less.
    expect([
      at('long', 'stopLoss', '399', '4', '125'),
      at('long', 'stopLoss', '399', '4', '126'),
    ]).toEqual(['125', undefined]);
  });
});

test('[CPY-30] achievedPL 100, fees 6, a tenth of 94 shared', () => {
  const earned = earnedAfterFees(money<Amount>('100'), money<Amount>('2.5'), money<Amount>('3.5'));
  expect([moneyText(earned), moneyText(leaderShare(earned, money<Rate>('0.1')))]).toEqual([
    '94',
    '9.4',
  ]);
});

test('[CPY-29] a loss pays no profit share, and the follower gains the dust', () => {
  expect(leaderShare(money<Amount>('-5'), money<Rate>('0.5'))).toBe(0n);
  expect(leaderShare(19n as Amount, money<Rate>('0.1'))).toBe(1n);
});
