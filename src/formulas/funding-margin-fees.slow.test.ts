/** Funding, margin and fees against exact fractions, and the examples of the rules. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amounts,
  contractKinds,
  decimal,
  direction,
  exactly,
  Fraction,
  feeRates,
  isCeilingOf,
  isFloorOf,
  isNearestTo,
  ONE,
  positionSides,
  prices,
  RUNS,
  sizes,
  sum,
} from '../../model/fraction-model.ts';
import {
  type Amount,
  money,
  moneyText,
  notional,
  type Price,
  type Rate,
  type Size,
} from '../kernel/money.ts';
import { CATEGORIES, LEVELS } from '../messages/vocabulary.ts';
import { entryAt } from './entry.ts';
import {
  FUTURES_FEES,
  feeRatesOf,
  firstFees,
  inverseFee,
  quoteFee,
  SPOT_FEES,
  valueFee,
} from './fees.ts';
import {
  averagePremiumRate,
  fundingPayment,
  fundingRate,
  holdPremium,
  NO_PREMIUMS,
  premiumRate,
} from './funding.ts';
import {
  equityUsd,
  exactEquity,
  marginRatio,
  neededUsd,
  needOfValue,
  orderFee,
  orderMargin,
  orderNeed,
  positionMargin,
  removableAbove,
} from './margin.ts';

const rate = (text: string) => money<Rate>(text);
const amount = (text: string) => money<Amount>(text);
const price = (text: string) => money<Price>(text);
const size = (text: string) => money<Size>(text);
const BOUNDS = { min: rate('-0.003'), max: rate('0.003') };
const anyRates = amounts('-0.2', '0.2') as fc.Arbitrary<bigint> as fc.Arbitrary<Rate>;
const signedRates = amounts('-0.02', '0.02') as fc.Arbitrary<bigint> as fc.Arbitrary<Rate>;

describe('funding', () => {
  test('[POS-62] premium 0.02 % gives 0.01 %; 0.10 % gives 0.05 % over eight hours, 0.025 % over four', () => {
    expect(moneyText(fundingRate(rate('0.0002'), 8, BOUNDS))).toBe('0.0001');
    expect(moneyText(fundingRate(rate('0.001'), 8, BOUNDS))).toBe('0.0005');
    expect(moneyText(fundingRate(rate('0.001'), 4, BOUNDS))).toBe('0.00025');
    expect(moneyText(fundingRate(rate('0'), 8, BOUNDS))).toBe('0.0001');
    expect(moneyText(fundingRate(rate('-0.001'), 8, BOUNDS))).toBe('-0.0005');
  });

  test('[POS-61] the rate stays within the bounds of the instrument', () => {
    expect(moneyText(fundingRate(rate('0.0035'), 8, BOUNDS))).toBe('0.003');
    expect(moneyText(fundingRate(rate('0.0034'), 8, BOUNDS))).toBe('0.0029');
    expect(moneyText(fundingRate(rate('-0.0099'), 8, BOUNDS))).toBe('-0.003');
  });

  test('[POS-63] 1 BTC at mark 50,000 pays 25 at 0.05 %, and an inverse one V / mark × rate', () => {
    const entry = entryAt(price('40000'), size('1'));
    expect(moneyText(fundingPayment('linear', 'long', entry, price('50000'), rate('0.0005')))).toBe(
      '-25',
    );
    expect(
      moneyText(fundingPayment('linear', 'short', entry, price('50000'), rate('0.0005'))),
    ).toBe('25');
    expect(
      moneyText(fundingPayment('linear', 'long', entry, price('50000'), rate('-0.0005'))),
    ).toBe('25');
    expect(
      moneyText(fundingPayment('inverse', 'long', entry, price('50000'), rate('0.0005'))),
    ).toBe('-0.0004');
  });

  test('[POS-61] the rate is the exact formula to the nearest', () => {
    fc.assert(
      fc.property(signedRates, fc.constantFrom(1, 2, 4, 8), (premium, hours) => {
        const pull = decimal('0.0001').minus(exactly(premium));
        const most = decimal('0.0005');
        const least = new Fraction(-5n, 10_000n);
        const bounded = pull.against(most) > 0 ? most : pull.against(least) < 0 ? least : pull;
        const truth = exactly(premium)
          .plus(bounded)
          .times(new Fraction(BigInt(hours), 8n));
        const found = fundingRate(premium, hours, BOUNDS);
        if (truth.against(decimal('0.003')) > 0) expect(found).toBe(BOUNDS.max);
        else if (truth.against(new Fraction(-3n, 1_000n)) < 0) expect(found).toBe(BOUNDS.min);
        else expect(isNearestTo(found, truth)).toBe(true);
      }),
      RUNS,
    );
  });

  test('[POS-64] payments are exact and rounded down on both sides, so the exchange never loses a unit', () => {
    fc.assert(
      fc.property(
        contractKinds,
        positionSides,
        prices,
        sizes,
        prices,
        signedRates,
        (kind, side, at, of, mark, charged) => {
          const entry = entryAt(at, of);
          const value =
            kind === 'linear'
              ? exactly(of).times(exactly(mark))
              : exactly(at).times(exactly(of)).over(exactly(mark));
          const truth = value
            .times(exactly(charged))
            .times(direction(side))
            .times(new Fraction(-1n));
          expect(isFloorOf(fundingPayment(kind, side, entry, mark, charged), truth)).toBe(true);
          const both =
            fundingPayment(kind, 'long', entry, mark, charged) +
            fundingPayment(kind, 'short', entry, mark, charged);
          expect([0n, -1n]).toContain(both);
        },
      ),
      RUNS,
    );
  });

  test('[POS-61] the average premium is the plain average of the observations', () => {
    const observed = [
      premiumRate(price('50050'), price('50000'), { fundingHours: 8 }),
      premiumRate(price('49975'), price('50000'), { fundingHours: 8 }),
    ];
    const tally = observed.reduce((sum, premium) => holdPremium(sum, premium, 1), NO_PREMIUMS);
    expect(moneyText(averagePremiumRate(tally))).toBe('0.00025');
    expect(moneyText(averagePremiumRate(NO_PREMIUMS))).toBe('0');
  });

  test('[POS-79] an unchanged premium counts once per observation', () => {
    const tally = holdPremium(holdPremium(NO_PREMIUMS, rate('0.001'), 3), rate('-0.002'), 1);
    expect([tally.count, moneyText(averagePremiumRate(tally))]).toEqual([4, '0.00025']);
    expect(holdPremium(holdPremium(NO_PREMIUMS, rate('0.001'), 1), rate('0.001'), 2)).toEqual(
      holdPremium(NO_PREMIUMS, rate('0.001'), 3),
    );
  });
});

describe('margin', () => {
  test('[POS-38] the margin of a position is its value over its leverage, rounded up', () => {
    expect(moneyText(positionMargin(amount('50000'), rate('20')))).toBe('2500');
    expect(moneyText(positionMargin(amount('100'), rate('3')))).toBe('33.3333333334');
    expect(moneyText(positionMargin(amount('100'), rate('12.5')))).toBe('8');
  });

  test('[POS-34] an order of 1 at 50,000 and ten times needs 5,000 and a fee of 30; inverse the same in BTC', () => {
    expect(moneyText(orderMargin('linear', price('50000'), size('1'), rate('10')))).toBe('5000');
    expect(
      moneyText(orderNeed('linear', price('50000'), size('1'), rate('10'), rate('0.0006'))),
    ).toBe('5030');
    expect(
      moneyText(orderNeed('inverse', price('50000'), size('1'), rate('10'), rate('0.0006'))),
    ).toBe('0.1006');
  });

  test('[POS-34] a value needs the same margin as an order of that value, at any leverage', () => {
    const leverages = fc.oneof(
      fc.constantFrom('1', '3', '10', '125').map(rate),
      amounts('0.5', '125') as fc.Arbitrary<bigint>,
    );
    fc.assert(
      fc.property(
        amounts('0.0000000001', '900000000'),
        leverages,
        anyRates,
        (value, times, fee) => {
          const leverage = times as Rate;
          const asked = orderNeed('linear', price('1'), value as bigint as Size, leverage, fee);
          expect(needOfValue(value, leverage, fee)).toBe(asked);
        },
      ),
      RUNS,
    );
  });

  test('[POS-33] 10,000 USDT and 0.5 BTC at 50,000 are worth 33,750 of equity', () => {
    const usdt = { net: amount('10000'), index: price('1'), collateralRate: rate('1') };
    const bitcoin = { net: amount('0.5'), index: price('50000'), collateralRate: rate('0.95') };
    expect(moneyText(equityUsd([usdt, bitcoin]))).toBe('33750');
    expect(moneyText(equityUsd([]))).toBe('0');
  });

  test('[POS-32] a negative balance of a coin counts in full', () => {
    const usdt = { net: amount('10000'), index: price('1'), collateralRate: rate('1') };
    const bitcoin = { net: amount('-0.1'), index: price('50000'), collateralRate: rate('0.95') };
    expect(moneyText(equityUsd([usdt, bitcoin]))).toBe('5000');
  });

  test('[POS-37] of 0.5 BTC at 50,000 a tenth may leave if 2,375 is free; beyond the balance, in full', () => {
    const usdt = { net: amount('10000'), index: price('1'), collateralRate: rate('1') };
    const bitcoin = { net: amount('0.5'), index: price('50000'), collateralRate: rate('0.95') };
    const most = (kept: string) =>
      removableAbove(amount(kept), exactEquity([usdt, bitcoin]), bitcoin);
    expect(most('31375')).toBe(amount('0.05'));
    expect(most('5000')).toBe(amount('0.6'));
    expect(most('33750.0000000001')).toBe(amount('0'));
    expect(
      removableAbove(amount('0'), exactEquity([usdt]), { ...bitcoin, index: price('0') }),
    ).toBeUndefined();
  });

  test('[POS-37][VIEW-21] the largest removable amount leaves enough equity; one unit more does not', () => {
    const coin = fc.record({
      net: amounts('-50', '5000'),
      index: fc.oneof(
        prices,
        amounts('0.0001', '2') as fc.Arbitrary<bigint> as fc.Arbitrary<Price>,
      ),
      collateralRate: fc.constantFrom(rate('1'), rate('0.95'), rate('0.85'), rate('0')),
    });
    fc.assert(
      fc.property(
        fc.array(coin, { minLength: 1, maxLength: 5 }),
        amounts('0', '100000'),
        ([own, ...others], kept) => {
          fc.pre(equityUsd([own!, ...others]) >= kept);
          const most = removableAbove(kept, exactEquity([own!, ...others]), own!)!;
          const left = (gone: bigint) =>
            equityUsd([{ ...own!, net: (own!.net - gone) as Amount }, ...others]);
          expect(left(most)).toBeGreaterThanOrEqual(kept);
          expect(left(most + 1n)).toBeLessThan(kept);
        },
      ),
      RUNS,
    );
  });

  test('[POS-46] the margin ratio is maintenance over equity, rounded up; without equity it is 1', () => {
    expect(moneyText(marginRatio(amount('230'), amount('2300')))).toBe('0.1');
    expect(moneyText(marginRatio(amount('1'), amount('3')))).toBe('0.3333333334');
    expect(moneyText(marginRatio(amount('1'), amount('0')))).toBe('1');
    expect(moneyText(marginRatio(amount('1'), amount('-5')))).toBe('1');
    expect(moneyText(marginRatio(amount('0'), amount('0')))).toBe('0');
  });

  test('[POS-34][POS-171] requirements are exact and rounded up, equity is exact and rounded down', () => {
    const coin = fc.record({
      net: amounts('-5000', '5000'),
      index: prices,
      collateralRate: fc.constantFrom(rate('1'), rate('0.95'), rate('0.85')),
    });
    fc.assert(
      fc.property(
        contractKinds,
        prices,
        sizes,
        fc.integer({ min: 1, max: 125 }),
        feeRates,
        fc.array(coin, { maxLength: 6 }),
        (kind, at, of, times, fee, coins) => {
          const leverage = rate(String(times));
          const value = kind === 'linear' ? exactly(at).times(exactly(of)) : exactly(of);
          expect(
            isCeilingOf(orderMargin(kind, at, of, leverage), value.over(exactly(leverage))),
          ).toBe(true);
          expect(isCeilingOf(orderFee(kind, at, of, fee), value.times(exactly(fee)))).toBe(true);
          const net = of as bigint as Amount;
          expect(
            isCeilingOf(positionMargin(net, leverage), exactly(net).over(exactly(leverage))),
          ).toBe(true);
          expect(isCeilingOf(neededUsd(net, at), exactly(net).times(exactly(at)))).toBe(true);
          const equity = sum(
            coins.map((row) =>
              exactly(row.net)
                .times(exactly(row.index))
                .times(row.net > 0n ? exactly(row.collateralRate) : ONE),
            ),
          );
          expect(isFloorOf(equityUsd(coins), equity)).toBe(true);
        },
      ),
      RUNS,
    );
  });
});

describe('fees', () => {
  test('[POS-27] at VIP0 futures cost 0.0002 and 0.0006, spot and margin 0.001 and 0.001', () => {
    const shown = CATEGORIES.map((category) => {
      const { maker, taker } = feeRatesOf(firstFees(), category, 'VIP0');
      return `${category} ${moneyText(maker)} ${moneyText(taker)}`;
    });
    expect(shown).toEqual([
      'SPOT 0.001 0.001',
      'MARGIN 0.001 0.001',
      'USDT-FUTURES 0.0002 0.0006',
      'COIN-FUTURES 0.0002 0.0006',
      'USDC-FUTURES 0.0002 0.0006',
    ]);
  });

  test.each([
    ['spot', SPOT_FEES],
    ['futures', FUTURES_FEES],
  ])(
    '[POS-26] in %s each next level costs less, a maker no more than a taker, and no fee is negative',
    (_name, table) => {
      for (const [at, level] of LEVELS.entries()) {
        const { maker, taker } = table[level];
        expect(maker >= 0n && taker > maker - 1n).toBe(true);
        const before = at === 0 ? undefined : table[LEVELS[at - 1]!];
        if (before === undefined) continue;
        expect([level, maker <= before.maker, taker < before.taker]).toEqual([level, true, true]);
      }
    },
  );

  test('[POS-30] an inverse fill of V = 50,000 at 50,000 costs a taker 0.0006 BTC, and 0.0005 at 60,000', () => {
    const entry = entryAt(price('50000'), size('1'));
    expect(moneyText(inverseFee(entry, price('50000'), rate('0.0006')))).toBe('0.0006');
    expect(moneyText(inverseFee(entry, price('60000'), rate('0.0006')))).toBe('0.0005');
  });

  test('[POS-29] a fee is exact and rounded up', () => {
    expect(moneyText(quoteFee(price('50000'), size('0.01'), rate('0.0006')))).toBe('0.3');
    expect(moneyText(quoteFee(price('0.0000000001'), size('0.0000000001'), rate('0.0006')))).toBe(
      '0.0000000001',
    );
    expect(moneyText(valueFee(amount('500'), rate('0.0006')))).toBe('0.3');
    // Just inside the fast path, and just outside.
    expect(moneyText(valueFee(amount('0.9999999999'), rate('0.09')))).toBe('0.09');
    expect(moneyText(valueFee(amount('0.9999999999'), rate('0.0900000001')))).toBe('0.0900000001');
    fc.assert(
      fc.property(amounts('-900000000', '900000000'), anyRates, (value, fee) => {
        expect(isCeilingOf(valueFee(value, fee), exactly(value).times(exactly(fee)))).toBe(true);
      }),
      RUNS,
    );
    fc.assert(
      fc.property(prices, sizes, prices, feeRates, (at, of, exit, fee) => {
        const value = exactly(at).times(exactly(of));
        expect(isCeilingOf(quoteFee(at, of, fee), value.times(exactly(fee)))).toBe(true);
        expect(
          isCeilingOf(
            valueFee(notional(at, of, 'up'), fee),
            exactly(notional(at, of, 'up')).times(exactly(fee)),
          ),
        ).toBe(true);
        expect(
          isCeilingOf(
            inverseFee(entryAt(at, of), exit, fee),
            value.over(exactly(exit)).times(exactly(fee)),
          ),
        ).toBe(true);
      }),
      RUNS,
    );
  });
});
