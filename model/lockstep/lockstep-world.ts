/** Listings and accounts of the lockstep runs. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import type { Instrument, Tier } from '../../src/messages/listings.ts';
import { type FuturesCategory, isFutures } from '../../src/messages/vocabulary.ts';
import type { NaiveInstrument, NaiveSpec } from '../exchange/naive-state.ts';
import { units } from '../exchange/whole-units.ts';

const decimal = (text: string): DecimalText => text as DecimalText;

/**
 * Fees of PRO3. No account leaves this level: it is a given minimum, and trading earns no higher
 * one.
 */
const FIRST_FEES = {
  futures: { maker: units('0.00003'), taker: units('0.00027') },
  spot: { maker: 0n, taker: units('0.00024') },
};

export function naiveOf(listed: Instrument): NaiveInstrument {
  return {
    category: listed.category as NaiveInstrument['category'],
    symbol: listed.symbol,
    base: listed.baseCoin,
    coin: listed.marginCoin,
    tick: units(listed.priceStep),
    lot: units(listed.sizeStep),
    ...specFrom(listed),
    onMargin: specFrom(listed),
    pairLeverage: 10n,
    ...FIRST_FEES[isFutures(listed.category) ? 'futures' : 'spot'],
  };
}

/** Values that a listing may change. */
export function specFrom(listed: Instrument): NaiveSpec {
  return {
    sizeMin: units(listed.sizeMin),
    sizeMax: units(listed.sizeMax),
    marketSizeMax: units(listed.marketSizeMax),
    band: units(listed.priceBandRate),
    tiers: listed.tiers.map((tier) => ({
      from: units(tier.fromValue),
      to: units(tier.toValue),
      leverage: units(tier.leverageMax),
      rate: units(tier.maintenanceRate),
    })),
    fundingHours: listed.fundingHours,
    fundingRateMax: units(listed.fundingRateMax ?? '0.003'),
    pairLeverage: BigInt(listed.leverageMax),
  };
}

/** Coins of the default listing, with a reduced collateral rate for one quote coin. */
export const COINS = DEFAULT_COINS.map((coin) =>
  coin.coin === 'USDC' ? { ...coin, collateralRate: decimal('0.9') } : coin,
);

const tier = (
  fromValue: string,
  toValue: string,
  leverageMax: string,
  maintenanceRate: string,
): Tier => ({
  fromValue: decimal(fromValue),
  toValue: decimal(toValue),
  leverageMax: decimal(leverageMax),
  maintenanceRate: decimal(maintenanceRate),
});
/** Limits that are narrow enough to be reached. */
const NARROW = {
  sizeMax: decimal('30'),
  marketSizeMax: decimal('12'),
  priceBandRate: decimal('0.009'),
  leverageMax: decimal('50'),
  tiers: [
    tier('0', '20000', '50', '0.015'),
    tier('20000', '60000', '20', '0.03'),
    tier('60000', '150000', '10', '0.06'),
  ],
};
export const LISTINGS = DEFAULT_INSTRUMENTS.map((listed) =>
  listed.symbol === 'ETHPERP' ? { ...listed, ...NARROW } : listed,
);

export const INSTRUMENTS: readonly NaiveInstrument[] = LISTINGS.filter(
  ({ category, symbol }) =>
    (category === 'SPOT' && symbol === 'BTCUSDT') ||
    (category === 'USDT-FUTURES' && (symbol === 'BTCUSDT' || symbol === 'ETHUSDT')) ||
    category === 'COIN-FUTURES' ||
    (category === 'USDC-FUTURES' && symbol === 'ETHPERP'),
).map(naiveOf);

/**
 * Pairs of isolated margin: one whose book all accounts trade, and one quoted in a coin with a
 * moving index.
 */
export const PAIRS: readonly NaiveInstrument[] = [
  ...INSTRUMENTS.filter(({ category }) => category === 'SPOT'),
  ...DEFAULT_INSTRUMENTS.filter(
    ({ category, symbol }) => category === 'SPOT' && symbol === 'ETHBTC',
  ).map(naiveOf),
];

/** All symbols traded in a stream. */
export const BOOKS: readonly NaiveInstrument[] = [...new Set([...INSTRUMENTS, ...PAIRS])];

export type Future = NaiveInstrument & { readonly category: FuturesCategory };
export const FUTURES: readonly Future[] = INSTRUMENTS.filter(
  (each): each is Future => each.category !== 'SPOT',
);

/** Accounts: mode, margin, leverage of positions and of loans, money, and master. */
export const CAST = [
  {
    hedge: false,
    isolated: false,
    leverage: 10,
    loans: 3,
    usdt: '1000000',
    btc: '20',
    eth: '300',
    usdc: '100000',
  },
  {
    hedge: false,
    isolated: false,
    leverage: 50,
    loans: 10,
    usdt: '9000',
    btc: '0',
    eth: '1',
    usdc: '500',
  },
  {
    hedge: true,
    isolated: false,
    leverage: 50,
    loans: 7,
    usdt: '20000',
    btc: '0.1',
    eth: '0',
    usdc: '3000',
  },
  {
    hedge: false,
    isolated: true,
    leverage: 3,
    loans: 2,
    usdt: '300000',
    btc: '5',
    eth: '40',
    usdc: '40000',
  },
  {
    hedge: true,
    isolated: true,
    leverage: 7,
    loans: 10,
    usdt: '60000',
    btc: '2',
    eth: '0',
    usdc: '0',
  },
  {
    hedge: false,
    isolated: false,
    leverage: 50,
    loans: 5,
    usdt: '0',
    btc: '0.4',
    eth: '0',
    usdc: '0',
    under: 0,
  },
  {
    hedge: false,
    isolated: true,
    leverage: 25,
    loans: 1,
    usdt: '3000.0000000007',
    btc: '0.05',
    eth: '2.0000000003',
    usdc: '1500.0000000001',
  },
] as const;

/** Optional parts of a run. */
interface Kind {
  readonly pairs?: true;
  readonly switches?: true;
  readonly triggers?: true;
  /** Stale indexes, with plain orders. */
  readonly stale?: true;
  /** An account close to the limits of open orders. */
  readonly limits?: true;
  /** Changes of specifications and fees. */
  readonly relisted?: boolean;
  /** Accounts also trade a symbol that is not quoted in dollars. */
  readonly cross?: boolean;
}
const KINDS: readonly Kind[] = [
  {},
  { switches: true },
  { pairs: true },
  { pairs: true, triggers: true },
  { triggers: true },
  { switches: true },
  { switches: true, triggers: true },
  { pairs: true, switches: true },
  { pairs: true, switches: true, triggers: true },
  { stale: true },
  { stale: true, pairs: true },
  { stale: true, triggers: true },
  { stale: true, switches: true },
  { stale: true, pairs: true, switches: true, triggers: true },
  { limits: true, switches: true, pairs: true },
  { limits: true, switches: true, triggers: true },
];

export const kindOf = (seed: number): Kind => ({
  ...KINDS[seed % KINDS.length],
  relisted: Math.floor(seed / KINDS.length) % 2 === 1,
  cross: Math.floor(seed / KINDS.length) % 3 === 2,
});
