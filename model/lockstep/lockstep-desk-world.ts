/** First listings of the desk runs, and their changes. */
import type { DecimalText } from '../../src/kernel/decimal-text.ts';
import type { Random } from '../../src/kernel/random.ts';
import { DEFAULT_COINS } from '../../src/listings/default-coins.ts';
import type { Chain, Coin } from '../../src/messages/listings.ts';
import type { Level } from '../../src/messages/vocabulary.ts';
import type { DeskCoin } from '../exchange/naive-desk-state.ts';
import { units } from '../exchange/whole-units.ts';

export const decimal = (text: string): DecimalText => text as DecimalText;

/** Limits so low that a stream reaches each of them. */
const LITTLE = {
  automaticLimitUsd: decimal('500'),
  singleLimitUsd: decimal('5000'),
  secondApprovalUsd: decimal('2000'),
  houseDailyLimitUsd: decimal('900'),
  dailyLimitsUsd: [
    { level: 'VIP0' as Level, limit: decimal('1500') },
    { level: 'VIP1' as Level, limit: decimal('2500') },
    { level: 'VIP2' as Level, limit: decimal('6000') },
  ],
};

/** Traded contracts: a linear and an inverse one. */
export const CONTRACTS = [
  { category: 'USDT-FUTURES', symbol: 'BTCUSDT' },
  { category: 'COIN-FUTURES', symbol: 'BTCUSD' },
] as const;

/** Coins that are deposited and withdrawn; XRP has no index at first. */
export const MOVED = ['USDT', 'BTC', 'XRP', 'USDC'] as const;

const coarse = (chain: Chain): Chain => ({ ...chain, withdrawStep: decimal('0.02') });

export const FIRST_COINS: readonly Coin[] = DEFAULT_COINS.map((coin) => {
  if (MOVED.every((name) => name !== coin.coin)) return coin;
  return {
    ...coin,
    ...LITTLE,
    chains: coin.coin === 'USDC' ? coin.chains.map(coarse) : coin.chains,
  };
});

/** A coin as the naive desk knows it. */
export function deskCoin(coin: Coin): DeskCoin {
  return {
    name: coin.coin,
    collateral: units(coin.collateralRate),
    automatic: units(coin.automaticLimitUsd),
    single: units(coin.singleLimitUsd),
    second: units(coin.secondApprovalUsd ?? '250000'),
    house: coin.houseDailyLimitUsd === undefined ? undefined : units(coin.houseDailyLimitUsd),
    daily: Object.fromEntries(
      (coin.dailyLimitsUsd ?? []).map(({ level, limit }) => [level, units(limit)]),
    ),
    chains: coin.chains.map((chain) => ({
      name: chain.chain,
      kind: chain.addressKind,
      needsTag: chain.needsTag,
      open: chain.withdrawOpen,
      fee: units(chain.withdrawFee),
      min: units(chain.withdrawMin),
      step: units(chain.withdrawStep),
      decimals: chain.withdrawDecimals,
      confirmations: chain.withdrawConfirmations,
    })),
  };
}

/** The same listing with another chain, without one chain, or with other limits. */
export function changed(random: Random, coin: Coin): Coin {
  const first = FIRST_COINS.find((each) => each.coin === coin.coin)!;
  const roll = random.below(12);
  if (roll === 0) return first;
  if (roll === 1) return { ...coin, chains: coin.chains.filter(() => random.below(3) > 0) };
  if (roll === 2)
    return {
      ...coin,
      chains: first.chains.map((chain) => ({ ...chain, chain: chain.chain.toLowerCase() })),
    };
  if (roll === 3) return { ...coin, automaticLimitUsd: decimal(random.pick(['0', '500', '5000'])) };
  if (roll === 4)
    return { ...coin, houseDailyLimitUsd: decimal(random.pick(['0', '1000', '100000'])) };
  if (roll === 5)
    return { ...coin, secondApprovalUsd: decimal(random.pick(['0', '2000', '5000'])) };
  if (roll === 6) return { ...coin, singleLimitUsd: decimal(random.pick(['5000', '50000'])) };
  const at = random.below(coin.chains.length);
  return {
    ...coin,
    chains: coin.chains.map((chain, place) => (place === at ? changedChain(random, chain) : chain)),
  };
}

function changedChain(random: Random, chain: Chain): Chain {
  const roll = random.below(7);
  if (roll < 3) return { ...chain, withdrawOpen: !chain.withdrawOpen };
  if (roll === 3)
    return {
      ...chain,
      withdrawFee: decimal(random.pick(['0', '0.5', '0.00000003', '0.0000000007', '12'])),
    };
  if (roll === 4)
    return { ...chain, withdrawMin: decimal(random.pick(['0', '0.001', '10', '11'])) };
  if (roll === 5)
    return {
      ...chain,
      withdrawStep: decimal(random.pick(['0.00000001', '0.01', '0.003', '1', '0.0000000001'])),
    };
  return random.below(2) === 0
    ? { ...chain, withdrawDecimals: random.pick([0, 2, 6, 8, 10]) }
    : { ...chain, withdrawConfirmations: random.pick([0, 1, 2, 20]) };
}
