import { describe, expect, test } from 'vitest';
import { type Amount, money, type Price, type Rate, type Size } from '../kernel/money.ts';
import { marginTiers } from './maintenance.ts';
import { orderNeed } from './margin.ts';
import { largestInTier, largestOpening, valueFor } from './open-size.ts';

const linear = {
  kind: 'linear',
  price: money<Price>('60000'),
  leverage: money<Rate>('10'),
  takerRate: money<Rate>('0.0006'),
  step: money<Size>('0.0001'),
} as const;
const amount = (text: string): Amount => money<Amount>(text);

describe('largest opening', () => {
  test('[ORD-115] 1,006 is the need of a value of 10,000 at ten times and a fee of 0.0006', () => {
    expect(valueFor(amount('1006'), linear.leverage, linear.takerRate)).toBe(amount('10000'));
    expect(valueFor(amount('-1'), linear.leverage, linear.takerRate)).toBe(0n);
  });

  test('[ORD-115] a step fits its exact need, but not one unit less', () => {
    // 0.1 at 60,000 is worth 6,000: 600 of margin and 3.6 of fee.
    expect(largestOpening(amount('603.6'), linear)).toBe(money<Size>('0.1'));
    expect(largestOpening(amount('603.5999999999'), linear)).toBe(money<Size>('0.0999'));
    expect(largestOpening(amount('0'), linear)).toBe(0n);
  });

  test('[ORD-115] for a contract margined in its own coin, the size is the value', () => {
    const inverse = { ...linear, kind: 'inverse' } as const;
    expect(largestOpening(amount('0.1006'), inverse)).toBe(money<Size>('1'));
    expect(largestOpening(amount('0.1005'), inverse)).toBe(money<Size>('0.999'));
  });

  test('[ORD-115] if the need is rounded up, the largest size still fits', () => {
    const odd = {
      ...linear,
      leverage: money<Rate>('7'),
      price: money<Price>('0.0000000003'),
      step: 1n as Size,
    };
    for (let units = 1n; units < 200n; units += 1n) {
      const size = largestOpening(units as Amount, odd);
      expect(orderNeed('linear', odd.price, size, odd.leverage, odd.takerRate) <= units).toBe(true);
    }
  });

  test('[ORD-115] the last tier that allows the leverage bounds the value', () => {
    const decimal = (text: string) => text as never;
    const tiers = marginTiers([
      {
        fromValue: decimal('0'),
        toValue: decimal('60000'),
        leverageMax: decimal('20'),
        maintenanceRate: decimal('0.01'),
      },
      {
        fromValue: decimal('60000'),
        toValue: decimal('600000'),
        leverageMax: decimal('10'),
        maintenanceRate: decimal('0.02'),
      },
    ]);
    const at = (leverage: string, open: string) =>
      largestInTier(tiers, amount(open), { ...linear, leverage: money<Rate>(leverage) });
    expect([at('20', '0'), at('11', '0'), at('10', '0')]).toEqual(['1', '1', '10'].map(money));
    expect([at('10', '300000'), at('10', '600000'), at('21', '0')]).toEqual([money('5'), 0n, 0n]);
  });
});
