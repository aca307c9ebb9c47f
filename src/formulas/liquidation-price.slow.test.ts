/**
 * Liquidation prices: the worked examples, and random cases that check that equity equals
 * maintenance there.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  amounts,
  contractKinds,
  direction,
  exactly,
  Fraction,
  feeRates,
  maintenanceTruth,
  ONE,
  positionSides,
  RUNS,
  STEP,
  sum,
  TIERS,
  tier,
  ZERO,
} from '../../model/fraction-model.ts';
import {
  type Amount,
  money,
  moneyText,
  ONE_RATE,
  type Price,
  type Rate,
  type Size,
} from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import type { ContractKind } from './contract-kind.ts';
import { entryAt } from './entry.ts';
import { UNIT } from './exact.ts';
import type { ForcedCloseRate } from './fees.ts';
import {
  type CrossedAccount,
  crossedLiquidationPrice,
  isolatedLiquidationPrice,
  type Leg,
} from './liquidation-price.ts';
import { marginTiers } from './maintenance.ts';

const FEE = money<ForcedCloseRate>('0.0006');
const tiers = marginTiers(TIERS);
const leg = (side: PositionSide, price: string, size: string): Leg => ({
  side,
  entry: entryAt(money<Price>(price), money<Size>(size)),
});
const MARK = money<Price>('50000');
const isolated = (kind: ContractKind, of: Leg, margin: string): string =>
  moneyText(isolatedLiquidationPrice(kind, of, money<Amount>(margin), tiers, FEE, MARK));

const account = (balance: string, otherEquity = '0', otherMaintenance = '0'): CrossedAccount => ({
  coin: { balance: money<Amount>(balance), index: UNIT as Price, collateralRate: ONE_RATE },
  otherEquity: money<Amount>(otherEquity),
  otherMaintenance: money<Amount>(otherMaintenance),
});
const crossed = (
  legs: readonly Leg[],
  of: CrossedAccount,
  kind: ContractKind = 'linear',
  mark = MARK,
): string => moneyText(crossedLiquidationPrice(kind, legs, tiers, FEE, of, mark));

describe('isolated', () => {
  test('[POS-48] in one tier, 1 at 50,000 with 2,500: long 47,500 / 0.9954, short 52,500 / 1.0046', () => {
    const oneTier = marginTiers([tier('0', '1000000', '125', '0.004')]);
    const shown = (side: PositionSide) =>
      moneyText(
        isolatedLiquidationPrice(
          'linear',
          leg(side, '50000', '1'),
          money<Amount>('2500'),
          oneTier,
          FEE,
          MARK,
        ),
      );
    expect([shown('long'), shown('short')]).toEqual(['47719.5097448263', '52259.605813259']);
  });

  test('[POS-47] a short whose value grows into the next tier on the way pays that tier', () => {
    // In tier 1 it would be 52,500 / 1.0046 = 52,259.6058…, a value above 50,000. In tier 2 it is
    // (2,500 + 50 + 50,000) / 1.0056.
    expect(isolated('linear', leg('short', '50000', '1'), '2500')).toBe('52257.3587907716');
  });

  test('[POS-49] a long of 3 at 40,000 with 6,000 is liquidated in the second tier at 113,950 / 2.9832', () => {
    expect(isolated('linear', leg('long', '40000', '3'), '6000')).toBe('38197.2378653795');
  });

  test('[POS-51] inverse with V = 50,000 and 0.05 BTC: long 50,230 / 1.05, short 49,770 / 0.95', () => {
    expect(isolated('inverse', leg('long', '50000', '1'), '0.05')).toBe('47838.0952380953');
    expect(isolated('inverse', leg('short', '50000', '1'), '0.05')).toBe('52389.4736842105');
  });

  test('[POS-15] a fully margined long has no liquidation price, nor has a fully margined inverse short', () => {
    expect(isolated('linear', leg('long', '50000', '1'), '50000')).toBe('0');
    expect(isolated('linear', leg('long', '50000', '1'), '49999.9999999999')).toBe('0.0000000002');
    expect(isolated('inverse', leg('short', '50000', '1'), '1')).toBe('0');
    expect(isolated('inverse', leg('short', '50000', '1'), '0.9')).toBe('497700');
  });
});

describe('crossed', () => {
  test('[POS-52] a wallet of 3,000 with a long of 1 at 50,000: 47,000 / 0.9954', () => {
    expect(crossed([leg('long', '50000', '1')], account('3000'))).toBe('47217.1991159333');
    expect(crossed([leg('long', '50000', '1')], account('1000', '2500', '500'))).toBe(
      '47217.1991159333',
    );
  });

  test('[POS-52] a hedged pair follows its larger side, with separate tiers for each value', () => {
    // Long 2 and short 1 at 10,000, wallet 1,000: 1,000 + (P − 10,000) = 0.0046 × 3P, so P = 9,000
    // / 0.9862.
    expect(crossed([leg('long', '10000', '2'), leg('short', '10000', '1')], account('1000'))).toBe(
      '9125.937943622',
    );
    // Short 2 and long 1: 1,000 − (P − 10,000) = 0.0046 × 3P, so P = 11,000 / 1.0138.
    expect(crossed([leg('long', '10000', '1'), leg('short', '10000', '2')], account('1000'))).toBe(
      '10850.2663247188',
    );
    // Long 3 and short 1 at 50,000, wallet 24,880: 24,880 + 2 × (P − 50,000) = 3P × 0.0056 − 50 + P
    // × 0.0046, so P = 75,070 / 1.9786.
    expect(crossed([leg('long', '50000', '3'), leg('short', '50000', '1')], account('24880'))).toBe(
      '37940.9683614678',
    );
  });

  test('[POS-52] of a pair in 64 tiers, only tier pairs that occur at one price are solved', () => {
    const many = Array.from({ length: 64 }, (_, at) =>
      tier(`${at * 1_000}`, `${(at + 1) * 1_000}`, '10', '0.004'),
    );
    let computed = 0;
    const counted = marginTiers(many).map((each) => ({
      ...each,
      get rate() {
        computed++;
        return each.rate;
      },
    }));
    // Values 3P and P. Each of the lower 63 tiers of 3P meets one of P. Another one is met 20 + 21
    // times, where both begin or end at one price. The highest meets the 43 of P from 21,000 on and
    // the one that ends there. So 63 + 41 + 44 of the 4,096 pairs, each with a rate for either
    // side.
    const pair = [leg('long', '10000', '3'), leg('short', '10000', '1')];
    const price = crossedLiquidationPrice('linear', pair, counted, FEE, account('1000'), MARK);
    // 1,000 + 2 × (P − 10,000) = 0.0046 × 4P, so P = 19,000 / 1.9816.
    expect([moneyText(price), computed]).toEqual(['9588.2115462253', 2 * 148]);
  });

  test('[POS-177] a rise alone liquidates an even pair, when maintenance outgrows equity', () => {
    // 1,000 = 2 × (0.0056 × P − 50), both in the second tier.
    expect(crossed([leg('long', '10000', '1'), leg('short', '10000', '1')], account('1000'))).toBe(
      '98214.2857142857',
    );
    expect(crossed([leg('long', '10000', '1'), leg('short', '12000', '1')], account('0'))).toBe(
      crossed([leg('long', '10000', '1'), leg('short', '10000', '1')], account('2000')),
    );
  });

  test('[POS-177] if both a fall and a rise liquidate a pair, the nearer price counts', () => {
    // Long 10 and short 9.9 at 10,000, wallet 970. In the first tier 970 + 0.1 × (P − 10,000) =
    // 0.0046 × 19.9 × P, so P = 30 / 0.00846. In the second it is 0.0056 × 19.9 × P − 100, so P =
    // 70 / 0.01144.
    const pair = [leg('long', '10000', '10'), leg('short', '10000', '9.9')];
    expect(crossed(pair, account('970'), 'linear', money<Price>('4000'))).toBe('3546.0992907802');
    expect(crossed(pair, account('970'), 'linear', money<Price>('5500'))).toBe('6118.8811188811');
  });

  test('[POS-52] inverse long, BTC collateral: losses count at the collateral rate until the coin is used up', () => {
    const coin = {
      balance: money<Amount>('0.5'),
      index: money<Price>('50000'),
      collateralRate: money<Rate>('0.95'),
    };
    const of: CrossedAccount = {
      coin,
      otherEquity: money<Amount>('0'),
      otherMaintenance: money<Amount>('0'),
    };
    // 0.95 × (0.5 + 1 − 50,000/P) = 230/P, so P = 47,730 / 1.425.
    expect(crossed([leg('long', '50000', '1')], of, 'inverse')).toBe('33494.7368421053');
    // With 10,000 USD elsewhere the coin goes below zero first: 10,000 + 50,000 × (1.5 − 50,000/P)
    // = 50,000 × 230/P, so P = 50,230 / 1.7.
    expect(
      crossed(
        [leg('long', '50000', '1')],
        { ...of, otherEquity: money<Amount>('10000') },
        'inverse',
      ),
    ).toBe('29547.0588235295');
  });

  test('[POS-15] an account that can cover a fall to zero has no liquidation price', () => {
    expect(crossed([leg('long', '50000', '1')], account('50000'))).toBe('0');
    expect(crossed([leg('long', '50000', '1')], account('60000'))).toBe('0');
  });
});

/** Equity minus maintenance at a price, as the rules define it. */
function surplus(
  kind: ContractKind,
  legs: readonly Leg[],
  fee: ForcedCloseRate,
  of: CrossedAccount,
  price: Fraction,
): Fraction {
  const parts = legs.map(({ side, entry }) => {
    const size = exactly(entry.size);
    const value = new Fraction(entry.cost, 10n ** 20n);
    const gain =
      kind === 'linear'
        ? size.times(price).minus(value)
        : value.times(ONE.over(value.over(size)).minus(ONE.over(price)));
    return {
      gain: gain.times(direction(side)),
      tierValue: kind === 'linear' ? size.times(price) : value,
    };
  });
  const needed = sum(parts.map((part) => maintenanceTruth(TIERS, part.tierValue, fee)));
  const inCoin = kind === 'linear' ? needed : needed.over(price);
  const balance = exactly(of.coin.balance).plus(sum(parts.map((part) => part.gain)));
  const weight = balance.sign > 0 ? exactly(of.coin.collateralRate) : ONE;
  const index = exactly(of.coin.index);
  const equity = exactly(of.otherEquity).plus(balance.times(index).times(weight));
  return equity.minus(exactly(of.otherMaintenance).plus(inCoin.times(index)));
}

describe('random cases', () => {
  const somePrices = fc
    .integer({ min: 100, max: 1_000_000 })
    .map((tenths) => (BigInt(tenths) * 10n ** 9n) as Price);
  const someSizes = fc
    .integer({ min: 1, max: 50_000 })
    .map((thousandths) => (BigInt(thousandths) * 10n ** 7n) as Size);
  const legs = fc.record({
    side: positionSides,
    entry: fc.tuple(somePrices, someSizes).map(([price, size]) => entryAt(price, size)),
  });
  const accounts: fc.Arbitrary<CrossedAccount> = fc.record({
    coin: fc.record({
      balance: amounts('-1000', '50000'),
      index: fc.constantFrom(UNIT as Price, money<Price>('1000'), money<Price>('61234.5')),
      collateralRate: fc.constantFrom(ONE_RATE, money<Rate>('0.95'), money<Rate>('0.85')),
    }),
    otherEquity: amounts('0', '100000'),
    otherMaintenance: amounts('0', '5000'),
  });
  const TINY = new Fraction(1n, 10n ** 30n);
  /**
   * Prices from the smallest to the largest: where no price is shown, the surplus must not change
   * its sign on any of them.
   */
  const LADDER = [
    TINY,
    ...Array.from({ length: 60 }, (_, at) => new Fraction(2n ** BigInt(at), 2n ** 20n)),
    new Fraction(10n ** 30n),
  ];

  /**
   * The surplus must change its sign between the shown price and the next step, in the direction of
   * the side.
   */
  function checkMeeting(
    kind: ContractKind,
    of: readonly Leg[],
    fee: ForcedCloseRate,
    held: CrossedAccount,
    shown: Price,
  ): void {
    const at = (price: Fraction) => surplus(kind, of, fee, held, price).sign;
    if (shown === 0n) {
      const signs = LADDER.map(at);
      expect(signs.includes(-1) && signs.includes(1)).toBe(false);
      return;
    }
    const here = at(exactly(shown));
    const below = exactly(shown).minus(STEP).sign > 0 ? at(exactly(shown).minus(STEP)) : at(TINY);
    const above = at(exactly(shown).plus(STEP));
    const rising = here >= 0 && below <= 0;
    const falling = here >= 0 && above <= 0;
    expect([rising, falling]).toContain(true);
    if (of.length === 1) expect(of[0]?.side === 'long' ? rising : falling).toBe(true);
  }

  test('[POS-47][POS-50] at the shown price an isolated position meets its maintenance, in any tier', () => {
    fc.assert(
      fc.property(
        contractKinds,
        legs,
        fc.integer({ min: 1, max: 125 }),
        feeRates,
        (kind, of, leverage, fee) => {
          const value = kind === 'linear' ? of.entry.cost / UNIT : of.entry.size;
          const margin = (value / BigInt(leverage)) as Amount;
          const held = { ...account('0'), coin: { ...account('0').coin, balance: margin } };
          checkMeeting(
            kind,
            [of],
            fee,
            held,
            isolatedLiquidationPrice(kind, of, margin, tiers, fee, MARK),
          );
        },
      ),
      RUNS,
    );
  });

  test('[POS-52] at the shown price the account meets its maintenance, for one position and a hedged pair', () => {
    fc.assert(
      fc.property(
        contractKinds,
        fc.array(legs, { minLength: 1, maxLength: 2 }),
        feeRates,
        accounts,
        (kind, of, fee, held) => {
          checkMeeting(
            kind,
            of,
            fee,
            held,
            crossedLiquidationPrice(kind, of, tiers, fee, held, MARK),
          );
        },
      ),
      RUNS,
    );
  });

  test('[POS-15] without a position there is no liquidation price', () => {
    expect(crossed([], account('10'))).toBe('0');
    expect(surplus('linear', [], FEE, account('0'), ONE).against(ZERO)).toBe(0);
  });
});
