/** Break-even and bankruptcy prices: the examples, and that closing there leaves exactly zero. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amounts,
  contractKinds,
  direction,
  exactly,
  Fraction,
  feeRates,
  isCeilingOf,
  isFloorOf,
  ONE,
  positionSides,
  prices,
  RUNS,
  sizes,
} from '../../model/fraction-model.ts';
import { type Amount, money, moneyText, negate, type Price, type Size } from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { bankruptcyPrice } from './bankruptcy-price.ts';
import { breakEvenPrice } from './break-even.ts';
import type { ContractKind } from './contract-kind.ts';
import { type Entry, entryAt } from './entry.ts';
import type { ForcedCloseRate } from './fees.ts';

const FEE = money<ForcedCloseRate>('0.0006');
const ENTRY = entryAt(money<Price>('50000'), money<Size>('1'));

const breakEven = (kind: ContractKind, side: PositionSide, paid: string): string =>
  moneyText(breakEvenPrice(kind, side, ENTRY, money<Amount>(paid), FEE));
const bankruptcy = (kind: ContractKind, side: PositionSide, margin: string): string | undefined => {
  const price = bankruptcyPrice(kind, side, ENTRY, money<Amount>(margin), FEE);
  return price === undefined ? undefined : moneyText(price);
};

/**
 * The margin coin that remains after closing at a price with the fee, computed as the rules define
 * it.
 */
function leftOver(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  before: Fraction,
  fee: ForcedCloseRate,
  price: Fraction,
): Fraction {
  const size = exactly(entry.size);
  const value = new Fraction(entry.cost, 10n ** 20n);
  const gain =
    kind === 'linear'
      ? size.times(price).minus(value)
      : value.times(ONE.over(value.over(size)).minus(ONE.over(price)));
  const closed = kind === 'linear' ? size.times(price) : value.over(price);
  return before.plus(gain.times(direction(side))).minus(closed.times(exactly(fee)));
}

/** The price that leaves zero, from two points of a line in the price, or in its reciprocal. */
function zeroOf(
  kind: ContractKind,
  side: PositionSide,
  entry: Entry,
  before: Fraction,
  fee: ForcedCloseRate,
): Fraction | undefined {
  const [one, two] = [new Fraction(1n), new Fraction(2n)];
  const along = (at: Fraction) =>
    leftOver(kind, side, entry, before, fee, kind === 'linear' ? at : ONE.over(at));
  const slope = along(two).minus(along(one));
  if (slope.sign === 0) return undefined;
  const root = one.minus(along(one).over(slope));
  if (root.sign <= 0) return undefined;
  return kind === 'linear' ? root : ONE.over(root);
}

describe('break-even', () => {
  test('[POS-25] fees of 30 and funding of 5 break even at 50,035 / 0.9994 long, 49,965 / 1.0006 short', () => {
    expect(breakEven('linear', 'long', '35')).toBe('50065.0390234141');
    expect(breakEven('linear', 'short', '35')).toBe('49935.038976614');
  });

  test('[POS-200] inverse that paid 0.0006 BTC breaks even at 50,030 / 0.9994 and 49,970 / 1.0006', () => {
    expect(breakEven('inverse', 'long', '0.0006')).toBe('50060.036021613');
    expect(breakEven('inverse', 'short', '0.0006')).toBe('49940.0359784129');
  });

  test('[POS-24] a long that received more than it cost breaks even at any price, which is shown as 0', () => {
    expect(breakEven('linear', 'long', '-50000')).toBe('0');
    expect(breakEven('linear', 'long', '-49999')).toBe('1.0006003603');
    expect(breakEven('inverse', 'long', '1')).toBe('0');
  });

  test('[POS-151][POS-172] closing at the break-even price leaves 0, one step worse leaves a loss', () => {
    fc.assert(
      fc.property(
        contractKinds,
        positionSides,
        prices,
        sizes,
        amounts('-1', '1'),
        feeRates,
        (kind, side, price, size, paid, fee) => {
          const entry = entryAt(price, size);
          const found = breakEvenPrice(kind, side, entry, paid, fee);
          const truth = zeroOf(kind, side, entry, exactly(negate(paid)), fee);
          if (truth === undefined) {
            expect(found).toBe(0n);
            return;
          }
          expect(side === 'long' ? isCeilingOf(found, truth) : isFloorOf(found, truth)).toBe(true);
        },
      ),
      RUNS,
    );
  });
});

describe('bankruptcy', () => {
  test('[POS-180] margin 2,500, size 1, entry 50,000: 47,500 / 0.9994 long, 52,500 / 1.0006 short', () => {
    expect(bankruptcy('linear', 'long', '2500')).toBe('47528.5171102662');
    expect(bankruptcy('linear', 'short', '2500')).toBe('52468.5188886667');
  });

  test('[POS-180] inverse with 0.05 BTC: 50,030 / 1.05 long, 49,970 / 0.95 short', () => {
    expect(bankruptcy('inverse', 'long', '0.05')).toBe('47647.6190476191');
    expect(bankruptcy('inverse', 'short', '0.05')).toBe('52600');
  });

  test('[POS-55] a long with margin of its full value has no bankruptcy price, nor an inverse short', () => {
    expect(bankruptcy('linear', 'long', '50000')).toBeUndefined();
    expect(bankruptcy('linear', 'long', '49999.9999999999')).toBe('0.0000000002');
    expect(bankruptcy('inverse', 'short', '1')).toBeUndefined();
    expect(bankruptcy('inverse', 'short', '2')).toBeUndefined();
  });

  test('[POS-55] closing at the bankruptcy price leaves zero, rounded so that no debt remains', () => {
    fc.assert(
      fc.property(
        contractKinds,
        positionSides,
        prices,
        sizes,
        amounts('0', '100'),
        feeRates,
        (kind, side, price, size, margin, fee) => {
          const entry = entryAt(price, size);
          const found = bankruptcyPrice(kind, side, entry, margin, fee);
          const truth = zeroOf(kind, side, entry, exactly(margin), fee);
          if (found === undefined) {
            // There is no bankruptcy price below the smallest price either.
            expect(truth === undefined || truth.against(exactly(1n as Price)) < 0).toBe(true);
            return;
          }
          expect(side === 'long' ? isCeilingOf(found, truth!) : isFloorOf(found, truth!)).toBe(
            true,
          );
          expect(
            leftOver(kind, side, entry, exactly(margin), fee, exactly(found)).sign,
          ).toBeGreaterThanOrEqual(0);
        },
      ),
      RUNS,
    );
  });
});
