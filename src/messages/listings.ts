/**
 * Listings: coins with their chains, instruments with their steps, limits and tiers. Numbers are
 * plain decimals as text.
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
  /** The address format of this chain. */
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
  /** Share of a positive balance that counts as collateral: 0.95 means 95 %. */
  collateralRate: decimal,
  /** Initial leverage for borrowing this coin. */
  leverage: decimal,
  leverageMax: decimal,
  /** Withdrawals up to this value in USD need no approval. */
  automaticLimitUsd: decimal,
  singleLimitUsd: decimal,
  chains: list(chainCodec),
  /** Charged for each full hour of a loan of this coin; default: the exchange's rate. */
  hourlyInterestRate: appended(decimal),
  /** Withdrawals above this value in USD need two operators; default: the exchange's value. */
  secondApprovalUsd: appended(decimal),
  /**
   * Daily limit of unapproved withdrawals over all users, in USD; default: the exchange's value.
   */
  houseDailyLimitUsd: appended(decimal),
  /** A user's daily withdrawal limit in USD, where it differs from the exchange's table. */
  dailyLimitsUsd: appended(list(record({ level: oneOf(LEVELS), limit: decimal }))),
});
export type Coin = ValueOf<typeof coinCodec>;

const tierCodec = record({
  /** The tier covers the part of a position's value above this. */
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
  /** Futures: the coin of margin and profit. Spot and margin: the quote coin. */
  marginCoin: text(),
  /** Prices are multiples of this. */
  priceStep: decimal,
  /** Sizes are multiples of this. */
  sizeStep: decimal,
  sizeMin: decimal,
  /** Largest size of one limit order. */
  sizeMax: decimal,
  marketSizeMax: decimal,
  /** A limit price must lie within the reference price times 1 ± this. */
  priceBandRate: decimal,
  leverageMax: decimal,
  fundingHours: whole(),
  tiers: list(tierCodec),
  /** Largest and smallest size of one copied order. */
  followSizeMax: optional(decimal),
  followSizeMin: optional(decimal),
  /** Funding rates are limited to plus and minus this; default: the exchange's limit. */
  fundingRateMax: appended(decimal),
});
export type Instrument = ValueOf<typeof instrumentCodec>;
