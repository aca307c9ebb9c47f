import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amounts,
  contractKinds,
  feeRates,
  positionSides,
  prices,
  sizes,
  TIERS,
} from '../../../model/fraction-model.ts';
import { entryAt } from '../../formulas/entry.ts';
import { UNIT } from '../../formulas/exact.ts';
import type { ForcedCloseRate } from '../../formulas/fees.ts';
import { inverseMaintenance, maintenance, marginTiers } from '../../formulas/maintenance.ts';
import { profit, tierValueAt } from '../../formulas/profit.ts';
import {
  type Amount,
  money,
  moneyText,
  type Price,
  type Rate,
  type Size,
} from '../../kernel/money.ts';
import { lossBounds, type Stake } from './loss-bounds.ts';

const price = (text: string): Price => money<Price>(text);
const tiers = marginTiers(TIERS);

/**
 * Counted profit less the change in maintenance, in the margin coin. Gains are weighted, losses
 * not.
 */
function marginChange(
  { kind, side, entry, mark, closeRate, gainWeight }: Stake,
  at: Price,
): bigint {
  const requirement = (when: Price): bigint => {
    const value = tierValueAt(kind, entry, when);
    return kind === 'linear'
      ? maintenance(tiers, value, closeRate)
      : inverseMaintenance(tiers, value, when, closeRate);
  };
  const change = profit(kind, side, entry, at) - profit(kind, side, entry, mark);
  return (
    (change > 0n ? (change * gainWeight) / UNIT : change) - requirement(at) + requirement(mark)
  );
}

const stake = fc.record<Stake>({
  kind: contractKinds,
  side: positionSides,
  entry: fc.record({ at: prices, of: sizes }).map(({ at, of }) => entryAt(at, of)),
  mark: prices,
  tiers: fc.constant(tiers),
  closeRate: feeRates,
  gainWeight: fc.constantFrom('0', '0.01', '0.85', '1').map((text) => money<Rate>(text)),
});

describe('the bounds of a loss, maintenance included', () => {
  test('[POS-69] at mark 50,000 a linear long of 2 loses 1,000 at 49,500, a short at 50,497.2…', () => {
    const entry = entryAt(price('48000'), money<Size>('1'));
    const of = (side: 'long' | 'short', size: string): Stake => ({
      kind: 'linear',
      side,
      entry: { size: money<Size>(size), cost: (entry.cost * BigInt(size)) as never },
      mark: price('50000'),
      tiers,
      closeRate: money<ForcedCloseRate>('0.0006'),
      gainWeight: UNIT as Rate,
    });
    expect(lossBounds(of('long', '2'), money<Amount>('1000'))).toEqual({ below: price('49500') });
    // 100,000 lies in the second tier: 1,000 / (2 × 1.0056) = 497.2155…
    const { above, below } = lossBounds(of('short', '2'), money<Amount>('1000'));
    expect([moneyText(above!), below]).toEqual(['50497.2155926809', undefined]);
  });

  test('[POS-69] an inverse long of 50,000 USD from 50,000 loses 0.1 BTC at 45,473.4…', () => {
    const inverse = (side: 'long' | 'short'): Stake => ({
      kind: 'inverse',
      side,
      entry: entryAt(price('50000'), money<Size>('1')),
      mark: price('50000'),
      tiers,
      closeRate: money<ForcedCloseRate>('0.0006'),
      gainWeight: UNIT as Rate,
    });
    // 50,230 / (0.1 + 50,230 / 50,000) = 45,473.4745…, and for the short 50,000 / (1 − 0.1) =
    // 55,555.5555…
    expect(moneyText(lossBounds(inverse('long'), money<Amount>('0.1')).below!)).toBe(
      '45473.4745609271',
    );
    expect(moneyText(lossBounds(inverse('short'), money<Amount>('0.1')).above!)).toBe(
      '55555.5555555555',
    );
    expect(lossBounds(inverse('short'), money<Amount>('1')).above).toBeUndefined();
  });

  test('[POS-69] between the bounds any position loses less than the budget', () => {
    fc.assert(
      fc.property(stake, amounts('0', '100000'), prices, (of, budget, at) => {
        const { below, above } = lossBounds(of, budget);
        if ((below !== undefined && at <= below) || (above !== undefined && at >= above)) return;
        // Four roundings of a unit each.
        expect(-marginChange(of, at)).toBeLessThan(budget + 4n + (of.kind === 'inverse' ? 4n : 0n));
      }),
      { numRuns: 3_000 },
    );
  });

  test('[POS-69] the bounds are on their sides of the mark', () => {
    fc.assert(
      fc.property(stake, amounts('0', '1000'), (of, budget) => {
        const { below, above } = lossBounds(of, budget);
        if (below !== undefined) expect(below <= of.mark).toBe(true);
        if (above !== undefined) expect(above >= of.mark).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
