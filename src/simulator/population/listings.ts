/**
 * Operators' changes to listings during trading: limits, bands, leverage and tiers of instruments;
 * collateral rates, interest, limits and chains of coins.
 */

import { keyOf } from '../../core/derived/instrument-spec.ts';
import type { DecimalText } from '../../kernel/decimal-text.ts';
import { money, moneyText, type Rate, type Size } from '../../kernel/money.ts';
import type { Random } from '../../kernel/random.ts';
import { DEFAULT_COINS } from '../../listings/default-coins.ts';
import type { Chain, Coin, Instrument, Tier } from '../../messages/listings.ts';
import { isFutures, LEVELS } from '../../messages/vocabulary.ts';
import type { Act } from './trading.ts';

/** Drawn for an original listing; related fields are changed together. */
type Change<Listing> = (random: Random, first: Listing) => Partial<Listing>;

const decimal = (text: string): DecimalText => text as DecimalText;

const steps = ({ sizeStep }: Instrument, count: number): DecimalText =>
  decimal(moneyText((money<Size>(sizeStep) * BigInt(count)) as Size));
const partOf = (size: DecimalText, parts: number): DecimalText =>
  decimal(moneyText((money<Size>(size) / BigInt(parts)) as Size));

/**
 * Largest sizes relative to the crowd's orders: above all of them, below whales, below makers, and
 * below nearly all users.
 */
const SIZE_PARTS = [1, 1_000, 10_000, 100_000] as const;

/** Sometimes the minimum size exceeds the maximum, and the listing is refused. */
const CHANGES_OF_INSTRUMENTS: readonly Change<Instrument>[] = [
  (random, first) => ({ sizeMin: steps(first, random.pick([1, 2, 7, 50, 1_000])) }),
  (random, first) => ({ sizeMax: partOf(first.sizeMax, random.pick(SIZE_PARTS)) }),
  (random, first) => ({ marketSizeMax: partOf(first.marketSizeMax, random.pick(SIZE_PARTS)) }),
  (random) => ({
    priceBandRate: decimal(random.pick(['0.0001', '0.005', '0.01', '0.05', '0.5', '0.9'])),
  }),
];

const CHANGES_OF_FUTURES: readonly Change<Instrument>[] = [
  ...CHANGES_OF_INSTRUMENTS,
  (random) => ({ fundingHours: random.pick([1, 4, 8]) }),
  (random) => ({ fundingRateMax: decimal(random.pick(['0.0001', '0.01', '0.9'])) }),
  (random) => {
    const tiers = drawTiers(random, random.pick([1, 2, 5, 10, 20, 50, 125]));
    return { leverageMax: tiers[0]!.leverageMax, tiers };
  },
  (random, first) => ({
    followSizeMin: steps(first, random.pick([1, 10, 100])),
    followSizeMax: partOf(first.sizeMax, random.pick(SIZE_PARTS)),
  }),
];

const CHANGES_OF_MARGIN: readonly Change<Instrument>[] = [
  ...CHANGES_OF_INSTRUMENTS,
  (random) => ({ leverageMax: decimal(random.pick(['1', '2', '3', '5', '10'])) }),
];

const TIERS_DRAWN_MAX = 4;

/**
 * Each tier holds ten times as much as all before it, at the same leverage or less. It requires the
 * same share of the initial margin as maintenance.
 */
function drawTiers(random: Random, leverageMax: number): Tier[] {
  const firstEnd = random.pick([1_000, 50_000, 1_000_000]);
  const maintenancePercent = random.pick([30n, 50n, 90n]);
  const endOf = (place: number): DecimalText =>
    decimal(place < 0 ? '0' : String(firstEnd * 10 ** place));
  let leverage = leverageMax;
  return Array.from({ length: 1 + random.below(TIERS_DRAWN_MAX) }, (_, place) => {
    if (place > 0) leverage = Math.max(1, Math.floor(leverage / random.pick([1, 2, 5])));
    return {
      fromValue: endOf(place - 1),
      toValue: endOf(place),
      leverageMax: decimal(String(leverage)),
      maintenanceRate: decimal(
        moneyText(((money<Rate>('0.01') * maintenancePercent) / BigInt(leverage)) as Rate),
      ),
    };
  });
}

const changesOf = ({ category }: Instrument): readonly Change<Instrument>[] => {
  if (isFutures(category)) return CHANGES_OF_FUTURES;
  return category === 'MARGIN' ? CHANGES_OF_MARGIN : CHANGES_OF_INSTRUMENTS;
};

const CHANGES_OF_COINS: readonly Change<Coin>[] = [
  (random) => ({ collateralRate: decimal(random.pick(['0', '0.5', '0.9', '0.95', '1', '1'])) }),
  (random) => {
    const leverageMax = decimal(random.pick(['1', '2', '3', '5', '10', '20']));
    return { leverageMax, leverage: random.pick([decimal('1'), leverageMax]) };
  },
  (random) => ({ hourlyInterestRate: decimal(random.pick(['0', '0.00001', '0.01', '0.3', '1'])) }),
  (random) => ({ automaticLimitUsd: decimal(random.pick(['0', '100', '10000'])) }),
  (random) => ({ singleLimitUsd: decimal(random.pick(['10000', '100000', '1000000'])) }),
  (random) => ({ secondApprovalUsd: decimal(random.pick(['0', '1000', '1000000'])) }),
  (random) => ({ houseDailyLimitUsd: decimal(random.pick(['0', '1000', '10000000'])) }),
  (random) => {
    const limit = decimal(random.pick(['0', '1000', '100000']));
    return {
      dailyLimitsUsd: LEVELS.slice(random.below(LEVELS.length)).map((level) => ({ level, limit })),
    };
  },
  (random, { chains }) => ({
    chains: chains.filter(() => random.below(5) > 0).map((chain) => changeChain(random, chain)),
  }),
];

const changeChain = (random: Random, chain: Chain): Chain => ({
  ...chain,
  withdrawOpen: random.below(4) > 0,
  withdrawFee: random.pick([chain.withdrawFee, decimal('0'), decimal('1'), decimal('100')]),
  withdrawMin: random.pick([chain.withdrawMin, decimal('0'), decimal('1000')]),
  withdrawConfirmations: random.below(100),
  needsTag: random.below(6) === 0 ? !chain.needsTag : chain.needsTag,
});

interface Listed<Listing> {
  readonly first: Listing;
  readonly present: Listing;
  readonly changes: readonly Change<Listing>[];
}

/**
 * Every other time the original listing, because books would otherwise become empty; otherwise a
 * change of some present fields.
 */
function relisted<Listing>(random: Random, { first, present, changes }: Listed<Listing>): Listing {
  if (random.below(2) === 0) return first;
  let listing = present;
  for (const change of changes)
    if (random.below(3) === 0) listing = { ...listing, ...change(random, first) };
  return listing;
}

export const relistInstrument: Act = ({ random, crowd, state }) => {
  const first = random.pick(crowd.instruments);
  const present = state.instruments.get(keyOf(first))?.instrument ?? first;
  return {
    type: 'listInstrument',
    instrument: relisted(random, { first, present, changes: changesOf(first) }),
  };
};

export const relistCoin: Act = ({ random, state }) => {
  const first = random.pick(DEFAULT_COINS);
  const present = state.coins.get(first.coin) ?? first;
  const coin = relisted(random, { first, present, changes: CHANGES_OF_COINS });
  return {
    type: 'listCoin',
    coin,
    ...(random.below(2) === 0 ? { operator: random.pick(['ann', 'ben']) } : {}),
  };
};
