/**
 * Where an account that is safe must be looked at again. What it has above its maintenance is shared out over the prices it depends on, by
 * how much each weighs; within its own threshold no price loses more than its share, so together they never lose all of it unnoticed
 * (POS-69). Gains are not counted, which only means looking earlier.
 */

import { UNIT } from '../../formulas/exact.ts';
import { neededUsd, positionMargin } from '../../formulas/margin.ts';
import { valueAt } from '../../formulas/profit.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  absolute,
  minus,
  money,
  negate,
  ONE_RATE as ONE,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../../kernel/money.ts';
import { feeRateFor } from '../accounts/fee-level.ts';
import { type Derived, termsFor } from '../derived.ts';
import type { Terms } from '../instruments/terms.ts';
import { indexOf, LOAN_MAINTENANCE_LEVERAGE, maintenanceOf, markOf, unrealisedProfit } from '../margin/account-margin.ts';
import type { Position } from '../positions/position.ts';
import { isDollar } from '../prices/coin-prices.ts';
import type { State } from '../state.ts';
import { lockedByOrders } from '../withdrawals/withdrawal.ts';
import { lossBounds, type Stake } from './loss-bounds.ts';
import type { Threshold } from './risk-index.ts';

/** Each rounding of profit, value and maintenance costs a unit at most; this is more than there are of them on one price. */
const ROUNDINGS = 8n;
/** Between two looks the index of a coin that positions are margined in at most doubles, so their losses in USD have a bound. */
const INDEX_GROWTH_MAX = 2n;

/** What an account has of a coin and what must be kept up in it. */
interface CoinStake {
  net: Amount;
  upkeep: Amount;
  hasPosition: boolean;
}

interface Exposed {
  readonly position: Position;
  readonly terms: Terms;
  readonly weight: Amount;
}

function stakeOf(state: State, { side, entry, uid }: Position, terms: Terms, gainWeight: Rate): Stake {
  const feeRate = feeRateFor(state, uid, terms.category, 'taker');
  return { kind: terms.kind, side, entry, mark: markOf(state, terms), tiers: terms.tiers, feeRate, gainWeight };
}

const noLess = (value: bigint): bigint => (value > 0n ? value : 0n);

/** Of an isolated position: its own margin bears everything. `slack` is in the margin coin. */
export function positionThreshold(state: State, position: Position, terms: Terms, slack: Amount): Threshold {
  const bounds = lossBounds(stakeOf(state, position, terms, ONE), noLess(slack - ROUNDINGS));
  return { price: { kind: 'mark', key: position.key }, id: position.id, ...bounds };
}

class Exposures {
  readonly positions: Exposed[] = [];
  readonly coins = new Map<string, CoinStake>();
  total = ZERO_AMOUNT;

  constructor(state: State, derived: Derived, uid: Uid) {
    for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? [])
      this.#add(coin, plus(wallet.available, lockedByOrders(state, uid, coin, wallet)), ZERO_AMOUNT);
    for (const [coin, { principal, interest }] of state.debts.get(uid) ?? [])
      this.#add(coin, negate(plus(principal, interest)), positionMargin(principal, LOAN_MAINTENANCE_LEVERAGE));
    for (const position of state.positions.get(uid)?.values() ?? []) {
      if (position.marginMode === 'isolated') continue;
      const terms = termsFor(derived, position.key);
      const { marginCoin: coin } = terms.instrument;
      this.#add(coin, unrealisedProfit(state, position, terms), maintenanceOf(state, position, terms)).hasPosition = true;
      const weight = neededUsd(valueAt(terms.kind, position.entry, markOf(state, terms)), indexOf(state, coin));
      this.positions.push({ position, terms, weight });
      this.total = plus(this.total, weight);
    }
    for (const coin of this.coins.keys()) this.total = plus(this.total, this.coinWeight(state, coin));
  }

  #add(coin: string, net: Amount, upkeep: Amount): CoinStake {
    const known = this.coins.get(coin) ?? { net: ZERO_AMOUNT, upkeep: ZERO_AMOUNT, hasPosition: false };
    known.net = plus(known.net, net);
    known.upkeep = plus(known.upkeep, upkeep);
    this.coins.set(coin, known);
    return known;
  }

  /** How much of a coin the account gains or loses by its index: what it has, weighted, less what it keeps up. */
  held(state: State, coin: string): Amount {
    const { net, upkeep } = this.coins.get(coin)!;
    const counted = net > 0n ? (((net * collateralRateOf(state, coin)) / UNIT) as Amount) : net;
    return minus(counted, upkeep);
  }

  coinWeight(state: State, coin: string): Amount {
    return isDollar(coin) ? ZERO_AMOUNT : neededUsd(absolute(this.held(state, coin)), indexOf(state, coin));
  }

  /** What a price may lose in USD: its weight's share of the slack, less what rounding may take. */
  share(slack: Amount, weight: Amount, index: Price): bigint {
    const roundings = ROUNDINGS + (ROUNDINGS * INDEX_GROWTH_MAX * index) / UNIT;
    return this.total === 0n ? 0n : noLess((slack * weight) / this.total - roundings);
  }
}

const collateralRateOf = (state: State, coin: string): Rate => money<Rate>(state.coins.get(coin)?.collateralRate ?? '0');

function markThreshold(state: State, exposures: Exposures, { position, terms, weight }: Exposed, slack: Amount): Threshold {
  const { marginCoin: coin } = terms.instrument;
  const index = indexOf(state, coin);
  const share = exposures.share(slack, weight, index);
  const worth = isDollar(coin) ? index : index * INDEX_GROWTH_MAX;
  const budget = worth === 0n ? 0n : (share * UNIT) / worth;
  const bounds = lossBounds(stakeOf(state, position, terms, collateralRateOf(state, coin)), budget);
  return { price: { kind: 'mark', key: position.key }, id: position.id, ...bounds };
}

function indexThreshold(state: State, exposures: Exposures, coin: string, uid: Uid, slack: Amount): Threshold | undefined {
  const index = indexOf(state, coin);
  const price = { kind: 'index', coin } as const;
  // Worth nothing until the first index is heard.
  if (index === 0n) return { price, id: uid, above: 1n as Price };
  const held = exposures.held(state, coin);
  const growth = exposures.coins.get(coin)!.hasPosition ? { above: (index * INDEX_GROWTH_MAX) as Price } : {};
  if (held === 0n) return { price, id: uid, ...growth };
  const room = (exposures.share(slack, exposures.coinWeight(state, coin), index) * UNIT) / absolute(held);
  if (held > 0n) return { price, id: uid, ...growth, ...(index > room ? { below: (index - room) as Price } : {}) };
  const above = (index + room) as Price;
  return { price, id: uid, above: growth.above !== undefined && growth.above < above ? growth.above : above };
}

/** Of what an account has beside its isolated positions. `slack` is in USD and above zero. */
export function accountThresholds(state: State, derived: Derived, uid: Uid, slack: Amount): Threshold[] {
  const exposures = new Exposures(state, derived, uid);
  const thresholds = exposures.positions.map((exposed) => markThreshold(state, exposures, exposed, slack));
  for (const coin of exposures.coins.keys()) {
    const threshold = isDollar(coin) ? undefined : indexThreshold(state, exposures, coin, uid, slack);
    if (threshold !== undefined) thresholds.push(threshold);
  }
  return thresholds;
}
