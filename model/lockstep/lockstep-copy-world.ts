/** Accounts and listings of copy trading runs. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import { DEFAULT_INSTRUMENTS } from '../../src/listings/default-instruments.ts';
import { isFutures } from '../../src/messages/vocabulary.ts';
import { units } from '../exchange/whole-units.ts';
import { FUTURES, type Future, naiveOf } from './lockstep-world.ts';

const LIMITS: Readonly<Record<string, readonly [string, string]>> = {
  BTCUSDT: ['0.003', '0.8'],
  ETHUSDT: ['0.05', '12'],
  BTCUSD: ['0.003', '0.8'],
  ETHUSD: ['0.05', '12'],
  BTCPERP: ['0.003', '0.8'],
};

/** Follow limits that are narrow enough to be reached. */
export const COPY_LISTINGS = DEFAULT_INSTRUMENTS.filter(
  ({ category, symbol }) => isFutures(category) && symbol in LIMITS,
).map((listed) => ({
  ...listed,
  followSizeMin: LIMITS[listed.symbol]![0] as DecimalText,
  followSizeMax: LIMITS[listed.symbol]![1] as DecimalText,
}));

export const COPY_FUTURES = COPY_LISTINGS.map(
  (listed): Future =>
    FUTURES.find(({ symbol }) => symbol === listed.symbol) ?? (naiveOf(listed) as Future),
);

export const FOLLOW_LIMITS = Object.fromEntries(
  Object.entries(LIMITS).map(([symbol, [least, most]]) => [
    symbol,
    { least: units(least), most: units(most) },
  ]),
);

/**
 * A market maker, leaders with their profit share, followers, and others: one sub-account of a
 * follower, and one possible leader.
 */
export const COPY_CAST = [
  { part: 'maker', hedge: false, leverage: 10, usdt: '500000000', btc: '20000', eth: '400000' },
  { part: 'leader', share: '0.1', hedge: true, leverage: 10, usdt: '200000', btc: '1', eth: '20' },
  { part: 'leader', share: '0.5', hedge: true, leverage: 50, usdt: '9000', btc: '0.2', eth: '2' },
  { part: 'follower', hedge: true, leverage: 20, usdt: '100000', btc: '1', eth: '10' },
  { part: 'follower', hedge: true, leverage: 5, usdt: '20000', btc: '0.2', eth: '3' },
  { part: 'follower', hedge: true, leverage: 50, usdt: '4000', btc: '0.05', eth: '0.5' },
  { part: 'follower', hedge: true, leverage: 100, usdt: '700.0000000007', btc: '0.03', eth: '0.3' },
  { part: 'trader', hedge: true, leverage: 10, usdt: '20000', btc: '0.2', eth: '3', under: 3 },
  { part: 'trader', hedge: false, leverage: 20, usdt: '30000', btc: '0.3', eth: '3' },
] as const;
