import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, money, type Price, type Rate } from '../kernel/money.ts';
import {
  borrowable,
  isWithinLeverage,
  mustLiquidate,
  pairValues,
  removable,
  riskBounds,
  riskRatio,
} from './isolated-risk.ts';

const amount = (text: string): Amount => money<Amount>(text);
const at = (
  baseOwned: string,
  baseOwed: string,
  quoteOwned: string,
  quoteOwed: string,
  index: string,
) =>
  pairValues(
    {
      base: { owned: amount(baseOwned), owed: amount(baseOwed) },
      quote: { owned: amount(quoteOwned), owed: amount(quoteOwed) },
    },
    money<Price>(index),
  );
const TEN = money<Rate>('10');
const THREE = money<Rate>('3');

describe('the risk of a pair', () => {
  test('[ISO-11] is what it owes over what it has, both coins at the index, rounded up', () => {
    expect(riskRatio(at('0.1', '0', '4000', '5000', '60000'))).toBe(money('0.5'));
    expect(riskRatio(at('0', '0.1', '9000', '0', '60000'))).toBe(money('0.6666666667'));
    expect(riskRatio(at('1', '0', '1', '0', '60000'))).toBe(0n);
    expect(riskRatio(at('0', '0', '0', '1', '60000'))).toBe(money('1'));
  });

  test('[ISO-14][ISO-17] at ten times 9/10 may be borrowed and 95 % is too much; at three times 2/3 and 5/6', () => {
    expect(isWithinLeverage(at('0', '0', '10000', '9000', '1'), TEN)).toBe(true);
    expect(isWithinLeverage(at('0', '0', '10000', '9000.0000000001', '1'), TEN)).toBe(false);
    expect(mustLiquidate(at('0', '0', '10000', '9499.9999999999', '1'), TEN)).toBe(false);
    expect(mustLiquidate(at('0', '0', '10000', '9500', '1'), TEN)).toBe(true);
    expect(isWithinLeverage(at('0', '0', '3', '2', '1'), THREE)).toBe(true);
    expect(isWithinLeverage(at('0', '0', '3', '2.0000000001', '1'), THREE)).toBe(false);
    expect(mustLiquidate(at('0', '0', '6', '4.9999999999', '1'), THREE)).toBe(false);
    expect(mustLiquidate(at('0', '0', '6', '5', '1'), THREE)).toBe(true);
  });

  test('[ISO-161] the displayed bounds are those that decide', () => {
    expect(riskBounds(TEN)).toEqual({ borrowing: money('0.9'), liquidation: money('0.95') });
    expect(riskBounds(THREE)).toEqual({
      borrowing: money('0.6666666666'),
      liquidation: money('0.8333333333'),
    });
    expect(riskBounds(money<Rate>('1'))).toEqual({ borrowing: 0n, liquidation: money('0.5') });
  });

  test('[ISO-14][ISO-17] leverage one allows no loan, and a pair without debts has no risk', () => {
    expect(isWithinLeverage(at('0', '0', '10000', '0.0000000001', '1'), money<Rate>('1'))).toBe(
      false,
    );
    expect(isWithinLeverage(at('0', '0', '0', '0', '1'), money<Rate>('1'))).toBe(true);
    expect(mustLiquidate(at('0', '0', '0', '0', '1'), TEN)).toBe(false);
  });

  test('[ISO-12] the removable amount is the largest that leaves debts within leverage', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 16n });
    fc.assert(
      fc.property(
        units,
        units,
        units,
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.boolean(),
        (base, quote, owed, index, inBase) => {
          const sums = {
            base: { owned: base as Amount, owed: 0n as Amount },
            quote: { owned: quote as Amount, owed: owed as Amount },
          };
          const free = (inBase ? base : quote) as Amount;
          const price = (inBase ? index : 10n ** 10n) as Price;
          const most = removable(pairValues(sums, index as Price), price, TEN, free);
          const allowed = (out: bigint): boolean => {
            const left = inBase
              ? { ...sums, base: { owned: (base - out) as Amount, owed: 0n as Amount } }
              : { ...sums, quote: { owned: (quote - out) as Amount, owed: owed as Amount } };
            return isWithinLeverage(pairValues(left, index as Price), TEN);
          };
          if (most > 0n) expect(allowed(most)).toBe(true);
          if (most < free) expect(allowed(most + 1n)).toBe(false);
        },
      ),
    );
  });

  test('[ISO-34] the borrowable amount is the largest that leaves debts within leverage', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 16n });
    fc.assert(
      fc.property(
        units,
        units,
        units,
        fc.bigInt({ min: 1n, max: 10n ** 15n }),
        fc.boolean(),
        (base, quote, owed, index, inBase) => {
          const allowed = (amount: bigint): boolean => {
            const [more, less] = [amount as Amount, 0n as Amount];
            const sums = {
              base: {
                owned: (base + (inBase ? more : less)) as Amount,
                owed: inBase ? more : less,
              },
              quote: {
                owned: (quote + (inBase ? less : more)) as Amount,
                owed: (owed + (inBase ? less : more)) as Amount,
              },
            };
            return isWithinLeverage(pairValues(sums, index as Price), TEN);
          };
          const sums = {
            base: { owned: base as Amount, owed: 0n as Amount },
            quote: { owned: quote as Amount, owed: owed as Amount },
          };
          const most = borrowable(
            pairValues(sums, index as Price),
            (inBase ? index : 10n ** 10n) as Price,
            TEN,
          );
          if (most > 0n) expect(allowed(most)).toBe(true);
          expect(allowed(most + 1n)).toBe(false);
        },
      ),
    );
  });
});
