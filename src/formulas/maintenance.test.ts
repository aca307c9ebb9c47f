/** Compares maintenance with the rule itself, computed in fractions. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amounts,
  exactly,
  feeRates,
  isCeilingOf,
  maintenanceTruth,
  prices,
  RUNS,
  TIERS,
  tier,
} from '../../model/fraction-model.ts';
import { type Amount, money, moneyText, type Price } from '../kernel/money.ts';
import type { Tier } from '../messages/listings.ts';
import type { ForcedCloseRate } from './fees.ts';
import { inverseMaintenance, maintenance, marginTiers, tierOf } from './maintenance.ts';

const FEE = money<ForcedCloseRate>('0.0006');
const amount = (text: string) => money<Amount>(text);
const tiers = marginTiers(TIERS);

describe('maintenance', () => {
  test('[POS-43] 120,000 over two tiers needs 622', () => {
    // 50,000 × 0.0046 + 70,000 × 0.0056
    expect(moneyText(maintenance(tiers, amount('120000'), FEE))).toBe('622');
    expect(tiers[1]?.offset).toBe(50n * 10n ** 20n);
    expect(tiers[0]?.offset).toBe(0n);
  });

  test('[POS-42] at a tier bound both tiers agree, and above the last tier its rate continues', () => {
    expect(moneyText(maintenance(tiers, amount('50000'), FEE))).toBe('230');
    expect(moneyText(maintenance(tiers, amount('50000.0001'), FEE))).toBe('230.00000056');
    // 230 + 150,000 × 0.0056 + 800,000 × 0.0106 + 29,000,000 × 0.0506
    expect(moneyText(maintenance(tiers, amount('30000000'), FEE))).toBe('1476950');
    expect(moneyText(maintenance(tiers, amount('0'), FEE))).toBe('0');
  });

  test("[POS-45] a value equal to a tier's upper bound is in that tier; one step more is in the next", () => {
    expect(moneyText(tierOf(tiers, amount('50000')).rate)).toBe('0.004');
    expect(moneyText(tierOf(tiers, amount('50000.0000000001')).rate)).toBe('0.005');
    expect(moneyText(tierOf(tiers, amount('0')).rate)).toBe('0.004');
    expect(moneyText(tierOf(tiers, amount('99000000')).rate)).toBe('0.05');
  });

  test('[POS-44] an inverse contract divides the sum on its USD value by the price', () => {
    // 622 / 60,000
    expect(moneyText(inverseMaintenance(tiers, amount('120000'), money<Price>('60000'), FEE))).toBe(
      '0.0103666667',
    );
    expect(moneyText(inverseMaintenance(tiers, amount('50000'), money<Price>('50000'), FEE))).toBe(
      '0.0046',
    );
  });

  test('[POS-42] tiers with a gap, or with a start above zero, are refused', () => {
    expect(() => marginTiers([])).toThrow('has a tier');
    expect(() => marginTiers([tier('1', '5', '10', '0.01')])).toThrow(
      'begins where the previous one ends',
    );
    expect(() => marginTiers([tier('0', '5', '10', '0.01'), tier('6', '9', '10', '0.02')])).toThrow(
      'begins where the previous one ends',
    );
  });

  const someTiers: fc.Arbitrary<Tier[]> = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1, max: 90 })), {
      minLength: 1,
      maxLength: 6,
    })
    .map((rows) => {
      let from = 0;
      let rate = 0;
      return rows.map(([width, more]) => {
        rate += more;
        const row = tier(
          String(from),
          String(from + width),
          '10',
          `0.${String(rate).padStart(4, '0')}`,
        );
        from += width;
        return row;
      });
    });

  test('[POS-42] linear and inverse maintenance are the exact sum over any tiers, rounded up', () => {
    fc.assert(
      fc.property(
        someTiers,
        amounts('0', '3000000'),
        feeRates,
        prices,
        (listed, value, fee, price) => {
          const found = marginTiers(listed);
          const truth = maintenanceTruth(listed, exactly(value), fee);
          expect(isCeilingOf(maintenance(found, value, fee), truth)).toBe(true);
          expect(
            isCeilingOf(inverseMaintenance(found, value, price, fee), truth.over(exactly(price))),
          ).toBe(true);
        },
      ),
      RUNS,
    );
  });
});
