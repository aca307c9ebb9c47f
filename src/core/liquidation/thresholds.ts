/**
 * Computes the prices at which a safe account must be examined again (POS-69). The equity above
 * maintenance is divided over the prices by weight. Within its thresholds no price loses more than
 * its share. Gains are not counted and estimates are cautious, so an examination can only come
 * early.
 */

import { forcedCloseRate } from '../../formulas/fees.ts';
import { isDollar } from '../../formulas/index-price.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, ONE_RATE as ONE, type Price, type Rate } from '../../kernel/money.ts';
import { feeRatesFor } from '../derived/fee-rates.ts';
import type { InstrumentSpec } from '../derived/instrument-spec.ts';
import { markOf } from '../derived/position.ts';
import type { Threshold } from '../derived/risk-index.ts';
import { collateralRateOf, indexOf } from '../margin/account-margin.ts';
import {
  type CoinEstimate,
  counted,
  type MarginEstimate,
  type PositionEstimate,
  UNIT_ESTIMATE,
} from '../margin/estimate-margin.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import { lossBounds, type Stake } from './loss-bounds.ts';

/** Above the number of roundings on one price; each costs at most one unit. */
const ROUNDINGS = 8;
/**
 * The index of a margin coin at most doubles between two examinations, which bounds losses in USD.
 */
const INDEX_GROWTH_MAX = 2;
/** Far more than the error of floating point. */
const CAUTION = 1e-9;

function stakeOf(
  state: State,
  { side, entry, uid }: Position,
  spec: InstrumentSpec,
  gainWeight: Rate,
): Stake {
  return {
    kind: spec.kind,
    side,
    entry,
    mark: markOf(state, spec),
    tiers: spec.tiers,
    closeRate: forcedCloseRate(feeRatesFor(state, uid, spec.category)),
    gainWeight,
  };
}

/**
 * For an isolated position, whose own margin covers every loss. `maintenanceBuffer` is in the
 * margin coin.
 */
export function positionThreshold(
  state: State,
  position: Position,
  spec: InstrumentSpec,
  maintenanceBuffer: Amount,
): Threshold {
  const budget = maintenanceBuffer - BigInt(ROUNDINGS);
  const bounds = lossBounds(stakeOf(state, position, spec, ONE), budget > 0n ? budget : 0n);
  return { price: { kind: 'mark', key: position.key }, id: position.id, ...bounds };
}

/**
 * What the index of a coin acts on: the weighted balance less the maintenance requirement of loans.
 */
const weightedBalance = (coin: CoinEstimate): number =>
  counted(coin, coin.free + coin.locked) - coin.requirement;
const weightOf = (coin: CoinEstimate): number =>
  isDollar(coin.coin) ? 0 : Math.abs(weightedBalance(coin)) * coin.index;

class Shares {
  readonly #maintenanceBuffer: number;
  readonly #total: number;

  constructor({ coins, positions, maintenanceBuffer }: MarginEstimate) {
    let total = 0;
    for (const { worth } of positions) total += worth;
    for (const coin of coins) total += weightOf(coin);
    this.#maintenanceBuffer = maintenanceBuffer;
    this.#total = total;
  }

  /**
   * What a price may lose in USD: its share of the buffer by weight, less what rounding may take.
   */
  of(weight: number, index: number): number {
    if (this.#total === 0 || this.#maintenanceBuffer <= 0) return 0;
    return Math.max(
      0,
      (this.#maintenanceBuffer * weight * (1 - CAUTION)) / this.#total -
        ROUNDINGS * (1 + INDEX_GROWTH_MAX * index),
    );
  }
}

function markThreshold(
  state: State,
  shares: Shares,
  { position, spec, coin, worth }: PositionEstimate,
): Threshold {
  const perCoin = isDollar(coin.coin) ? coin.index : coin.index * INDEX_GROWTH_MAX;
  const budget = perCoin === 0 ? 0n : BigInt(Math.floor(shares.of(worth, coin.index) / perCoin));
  const bounds = lossBounds(
    stakeOf(state, position, spec, collateralRateOf(state, coin.coin)),
    budget,
  );
  return { price: { kind: 'mark', key: position.key }, id: position.id, ...bounds };
}

function indexThreshold(state: State, shares: Shares, coin: CoinEstimate, uid: Uid): Threshold {
  const price = { kind: 'index', coin: coin.coin } as const;
  // The coin counts 0 until its first index arrives.
  if (coin.index === 0) return { price, id: uid, above: 1n as Price };
  const index = indexOf(state, coin.coin);
  const doubled = (index * BigInt(INDEX_GROWTH_MAX)) as Price;
  const growth = coin.hasPosition ? { above: doubled } : {};
  const held = weightedBalance(coin);
  if (held === 0) return { price, id: uid, ...growth };
  const room = BigInt(
    Math.floor(
      (shares.of(weightOf(coin), coin.index) / Math.abs(held)) * UNIT_ESTIMATE * (1 - CAUTION),
    ),
  );
  if (held > 0)
    return {
      price,
      id: uid,
      ...growth,
      ...(index > room ? { below: (index - room) as Price } : {}),
    };
  const above = (index + room) as Price;
  return { price, id: uid, above: coin.hasPosition && doubled < above ? doubled : above };
}

/** For a safe account, isolated positions aside. */
export function accountThresholds(state: State, uid: Uid, estimate: MarginEstimate): Threshold[] {
  const shares = new Shares(estimate);
  const thresholds = estimate.positions.map((position) => markThreshold(state, shares, position));
  for (const coin of estimate.coins)
    if (!isDollar(coin.coin)) thresholds.push(indexThreshold(state, shares, coin, uid));
  return thresholds;
}
