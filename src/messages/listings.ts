/**
 * What is listed: coins with their chains, instruments with their steps, limits and tiers. Numbers
 * are plain decimals as text.
 */
import {
  appended,
  flag,
  list,
  oneOf,
  optional,
  record,
  text,
  type ValueOf,
  whole,
} from '../kernel/codec.ts';
import type { DecimalText } from '../kernel/decimal-text.ts';
import { ADDRESS_KINDS, CATEGORIES, LEVELS } from './vocabulary.ts';

const decimal = text<DecimalText>();

const chainCodec = record({
  chain: text(),
  /** Which rules an address of this chain obeys. */
  addressKind: oneOf(ADDRESS_KINDS),
  needsTag: flag,
  depositOpen: flag,
  withdrawOpen: flag,
  withdrawFee: decimal,
  withdrawMin: decimal,
  depositMin: decimal,
  /** Withdrawals are multiples of this. */
  withdrawStep: decimal,
  withdrawDecimals: whole(),
  depositConfirmations: whole(),
  withdrawConfirmations: whole(),
});
export type Chain = ValueOf<typeof chainCodec>;

export const coinCodec = record({
  coin: text(),
  /** How much of a positive balance counts as collateral: 0.95 means 95 %. */
  collateralRate: decimal,
  /** Initial leverage of borrowing this coin. */
  leverage: decimal,
  leverageMax: decimal,
  /** Withdrawals up to this value in USD go out by themselves. */
  automaticLimitUsd: decimal,
  singleLimitUsd: decimal,
  chains: list(chainCodec),
  /** Of each full hour that a loan of this coin is owed; the exchange's own when left out. */
  hourlyInterestRate: appended(decimal),
  /** Withdrawals above this value in USD need two operators; the exchange's own when left out. */
  secondApprovalUsd: appended(decimal),
  /** What goes out by itself in a day, over all users, in USD; the exchange's own when left out. */
  houseDailyLimitUsd: appended(decimal),
  /** What a user may withdraw in a day, in USD, where it differs from the exchange's own table. */
  dailyLimitsUsd: appended(list(record({ level: oneOf(LEVELS), limit: decimal }))),
});
export type Coin = ValueOf<typeof coinCodec>;

const tierCodec = record({
  /** The tier holds the part of a position's value above this. */
  fromValue: decimal,
  toValue: decimal,
  leverageMax: decimal,
  maintenanceRate: decimal,
});
export type Tier = ValueOf<typeof tierCodec>;

export const instrumentCodec = record({
  category: oneOf(CATEGORIES),
  symbol: text(),
  baseCoin: text(),
  quoteCoin: text(),
  /** Futures: the coin that margin and profit are in. Spot and margin: the quote coin. */
  marginCoin: text(),
  /** Prices are multiples of this. */
  priceStep: decimal,
  /** Sizes are multiples of this. */
  sizeStep: decimal,
  sizeMin: decimal,
  /** Largest size of one limit order. */
  sizeMax: decimal,
  marketSizeMax: decimal,
  /** A limit price lies within the reference price times 1 ± this. */
  priceBandRate: decimal,
  leverageMax: decimal,
  fundingHours: whole(),
  tiers: list(tierCodec),
  /** Largest and smallest size of one copied order. */
  followSizeMax: optional(decimal),
  followSizeMin: optional(decimal),
  /** Funding rates lie within plus and minus this; the exchange's own when left out. */
  fundingRateMax: appended(decimal),
});
export type Instrument = ValueOf<typeof instrumentCodec>;
