/** Entry and profit against exact fractions, and the examples of the rules. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  contractKinds,
  direction,
  exactly,
  Fraction,
  isCeilingOf,
  isFloorOf,
  isNearestTo,
  positionSides,
  prices,
  RUNS,
  sizes,
  sum,
  ZERO,
} from '../../model/fraction-model.ts';
import { type Amount, money, moneyText, type Price, type Size } from '../kernel/money.ts';
import { type Entry, entryAt, entryPrice, increaseEntry, NO_ENTRY, splitEntry } from './entry.ts';
import { profit, profitRate, tierValueAt, valueAt } from './profit.ts';

const price = (text: string) => money<Price>(text);
const size = (text: string) => money<Size>(text);
const fills = fc.array(fc.record({ price: prices, size: sizes }), { minLength: 1, maxLength: 12 });
const entryOf = (of: readonly { readonly price: Price; readonly size: Size }[]): Entry =>
  of.reduce((entry, fill) => increaseEntry(entry, fill.price, fill.size), NO_ENTRY);

describe('entry', () => {
  test('[POS-17] 1 at 50,000 and 3 at 48,000 are entered at 48,500, and closing a part does not move that', () => {
    const entry = entryOf([
      { price: price('50000'), size: size('1') },
      { price: price('48000'), size: size('3') },
    ]);
    expect(moneyText(entryPrice(entry))).toBe('48500');
    const { closed, left } = splitEntry(entry, size('2.5'));
    expect([
      moneyText(entryPrice(closed)),
      moneyText(entryPrice(left)),
      moneyText(left.size),
    ]).toEqual(['48500', '48500', '1.5']);
    expect(moneyText(entryPrice(NO_ENTRY))).toBe('0');
  });

  test('[POS-17][POS-172] an average entry with endless decimals is stored exactly and rounded for display', () => {
    const entry = entryOf([
      { price: price('1'), size: size('1') },
      { price: price('2'), size: size('2') },
    ]);
    expect(moneyText(entryPrice(entry))).toBe('1.6666666667');
    const { closed, left } = splitEntry(entry, size('1'));
    expect(closed.cost + left.cost).toBe(entry.cost);
    expect([moneyText(entryPrice(closed)), moneyText(entryPrice(left))]).toEqual([
      '1.6666666667',
      '1.6666666667',
    ]);
  });

  test('[POS-17] the entry is the exact average of any opens', () => {
    fc.assert(
      fc.property(fills, (opened) => {
        const entry = entryOf(opened);
        const cost = sum(opened.map((fill) => exactly(fill.price).times(exactly(fill.size))));
        const total = sum(opened.map((fill) => exactly(fill.size)));
        expect(new Fraction(entry.cost, entry.size * 10n ** 10n).against(cost.over(total))).toBe(0);
        expect(isNearestTo(entryPrice(entry), cost.over(total))).toBe(true);
      }),
      RUNS,
    );
  });

  test('[POS-17] partial closes keep the average within 10^-20 of cost each, and lose none of the cost', () => {
    fc.assert(
      fc.property(
        fills,
        fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }),
        (opened, percents) => {
          let left = entryOf(opened);
          const average = new Fraction(left.cost, left.size);
          let taken = 0n;
          percents.forEach((percent, at) => {
            const part = ((left.size * BigInt(percent)) / 100n) as Size;
            if (part === 0n || part === left.size) return;
            const split = splitEntry(left, part);
            taken += split.closed.cost;
            left = split.left;
            const drift = new Fraction(left.cost).minus(average.times(new Fraction(left.size)));
            expect(
              drift.times(drift).against(new Fraction(BigInt((at + 1) ** 2))),
            ).toBeLessThanOrEqual(0);
          });
          expect(taken + splitEntry(left, left.size).closed.cost).toBe(entryOf(opened).cost);
          expect(splitEntry(left, left.size).left).toEqual(NO_ENTRY);
        },
      ),
      RUNS,
    );
  });

  test('[POS-17] closing more than is open is refused', () => {
    const entry = entryAt(price('10'), size('3'));
    expect(splitEntry(entry, size('3')).left).toEqual(NO_ENTRY);
    expect(() => splitEntry(entry, size('3.0000000001'))).toThrow('no more is closed');
    expect(() => splitEntry(entry, size('0'))).toThrow('no more is closed');
    expect(() => increaseEntry(entry, price('0'), size('1'))).toThrow('at a positive price');
  });
});

describe('profit', () => {
  test('[POS-18] closing 2 of 4 entered at 48,500 at 49,000 realises 1,000 long and −1,000 short', () => {
    const { closed } = splitEntry(entryAt(price('48500'), size('4')), size('2'));
    expect(moneyText(profit('linear', 'long', closed, price('49000')))).toBe('1000');
    expect(moneyText(profit('linear', 'short', closed, price('49000')))).toBe('-1000');
  });

  test('[POS-19] 1 BTC entered at 50,000 gains 0.1666666666 BTC at 60,000; half closes with half of that', () => {
    const entry = entryAt(price('50000'), size('1'));
    expect(moneyText(profit('inverse', 'long', entry, price('60000')))).toBe('0.1666666666');
    expect(moneyText(profit('inverse', 'short', entry, price('60000')))).toBe('-0.1666666667');
    expect(
      moneyText(profit('inverse', 'long', splitEntry(entry, size('0.5')).closed, price('60000'))),
    ).toBe('0.0833333333');
    expect(moneyText(profit('inverse', 'long', entry, price('40000')))).toBe('-0.25');
  });

  test('[POS-21] values at a price: linear S × P, inverse V / P, and tiers use the quote value', () => {
    const entry = entryAt(price('50000'), size('2'));
    expect(moneyText(valueAt('linear', entry, price('60000')))).toBe('120000');
    expect(moneyText(valueAt('inverse', entry, price('60000')))).toBe('1.6666666667');
    expect(moneyText(tierValueAt('linear', entry, price('60000')))).toBe('120000');
    expect(moneyText(tierValueAt('inverse', entry, price('60000')))).toBe('100000');
  });

  test('[POS-23][POS-172] the profit rate is profit over margin, rounded down', () => {
    expect(moneyText(profitRate(money<Amount>('-100'), money<Amount>('300')))).toBe(
      '-0.3333333334',
    );
    expect(moneyText(profitRate(money<Amount>('100'), money<Amount>('300')))).toBe('0.3333333333');
    expect(moneyText(profitRate(money<Amount>('100'), money<Amount>('0')))).toBe('0');
  });

  test('[POS-18] [POS-19] profit is the exact formula rounded down', () => {
    fc.assert(
      fc.property(contractKinds, positionSides, fills, prices, (kind, side, opened, exit) => {
        const entry = entryOf(opened);
        const size = exactly(entry.size);
        const value = sum(opened.map((fill) => exactly(fill.price).times(exactly(fill.size))));
        const average = value.over(size);
        const one = new Fraction(1n);
        const gain =
          kind === 'linear'
            ? size.times(exactly(exit).minus(average))
            : value.times(one.over(average).minus(one.over(exactly(exit))));
        expect(isFloorOf(profit(kind, side, entry, exit), gain.times(direction(side)))).toBe(true);
        expect(
          isCeilingOf(
            valueAt(kind, entry, exit),
            kind === 'linear' ? size.times(exactly(exit)) : value.over(exactly(exit)),
          ),
        ).toBe(true);
      }),
      RUNS,
    );
  });

  test("[POS-18] closing in parts realises the full close's profit, less at most one step per part", () => {
    fc.assert(
      fc.property(
        contractKinds,
        positionSides,
        fills,
        prices,
        fc.integer({ min: 1, max: 99 }),
        (kind, side, opened, exit, percent) => {
          const entry = entryOf(opened);
          const part = ((entry.size * BigInt(percent)) / 100n) as Size;
          if (part === 0n) return;
          const { closed, left } = splitEntry(entry, part);
          const parts = profit(kind, side, closed, exit) + profit(kind, side, left, exit);
          const lost = exactly(profit(kind, side, entry, exit)).minus(exactly(parts as Amount));
          expect([
            lost.sign >= 0,
            lost.against(exactly(2n as Amount)) < 0 || lost.against(ZERO) === 0,
          ]).toEqual([true, true]);
        },
      ),
      RUNS,
    );
  });
});
