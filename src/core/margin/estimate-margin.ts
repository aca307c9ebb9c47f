/**
 * Lower bounds of the margin headroom of an account, in floating point. Most accounts are so far
 * from every limit that a bound suffices. Only the exact sums of `account-margin.ts` refuse and
 * liquidate.
 */

import { UNIT } from '../../formulas/exact.ts';
import { type ForcedCloseRate, forcedCloseRate } from '../../formulas/fees.ts';
import { LOAN_MAINTENANCE_LEVERAGE } from '../../formulas/maintenance.ts';
import { neededUsd } from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import { type Amount, approximate, plus, type Rate } from '../../kernel/money.ts';
import { isCrossed, type Side } from '../../messages/vocabulary.ts';
import type { Lots, Tick } from '../book/order-book.ts';
import { type Derived, hasIsolated, lockedByOrders, specOf } from '../derived/derived.ts';
import { feeRatesFor } from '../derived/fee-rates.ts';
import { type InstrumentSpec, rateFromText } from '../derived/instrument-spec.ts';
import { crossedLeverage, markOf } from '../derived/position.ts';
import type { Debt } from '../state/debt.ts';
import type { Position } from '../state/position.ts';
import type { State } from '../state/state.ts';
import type { Step } from '../transaction/step.ts';
import { coinLeverageOf, collateralRateOf, indexOf, measureMargin } from './account-margin.ts';
import { marginedPrincipalOf } from './debts.ts';
import { orderMarginsOf } from './holds.ts';

/** One, at money's scale. */
export const UNIT_ESTIMATE = approximate(UNIT);

/** Bounds are in dollars, so they exist for linear contracts only. */
export const isBounded = (spec: InstrumentSpec): boolean => !spec.inverse;

/** The value of a size at a price, in units of the margin coin. */
export const estimatedValue = (spec: InstrumentSpec, ticks: number, lots: number): number =>
  ticks * lots * spec.estimates.tickLot;

/** The loss of a fill against mark; zero if the price is better. */
export function lossAgainstMark(
  spec: InstrumentSpec,
  mark: number,
  side: Side,
  tick: Tick,
  lots: Lots,
): number {
  const worse = side === 'buy' ? tick - mark : mark - tick;
  return worse > 0 ? estimatedValue(spec, worse, lots) : 0;
}

/** An upper bound of the additional maintenance margin when a position grows. */
export function addedMaintenance(
  spec: InstrumentSpec,
  mark: number,
  before: number,
  added: number,
  closeRate: ForcedCloseRate,
): number {
  const rate = rateAt(spec, estimatedValue(spec, mark, before + added));
  return (estimatedValue(spec, mark, added) * (rate + approximate(closeRate))) / UNIT_ESTIMATE;
}

/** The maintenance rate of a value's tier, or of the next tier near its end. */
export function rateAt({ estimates: { tiers } }: InstrumentSpec, value: number): number {
  for (const { end, rate } of tiers) if (value < end) return rate;
  return tiers.at(-1)!.rate;
}

/** Value / leverage. */
export const estimatedMargin = (value: number, leverage: Rate): number =>
  (value * UNIT_ESTIMATE) / approximate(leverage);

/** The highest leverage that the tier of a value surely allows; 0 if unknown. */
export function leverageAllowed({ estimates: { tiers } }: InstrumentSpec, value: number): number {
  for (const { end, leverageMax } of tiers) if (value < end) return leverageMax;
  return 0;
}

/** Far above the error of floating point: a share of all absolute amounts, and 0.00001 dollars. */
const CAUTION = 1e-8;

const UNITS_OFF = 100_000;

/**
 * The rounding of exact sums for each part, in units of its coin. One unit of an expensive coin can
 * exceed the margins above.
 */
const ROUNDED_UNITS = 4;

const fraction = (units: bigint): number => approximate(units) / UNIT_ESTIMATE;

const LOAN_MAINTENANCE = 1 / fraction(LOAN_MAINTENANCE_LEVERAGE);

/** The amounts of an account in a coin, in units of the coin. */
export interface CoinEstimate {
  readonly coin: string;
  /** In USD; zero before the first index. */
  readonly index: number;
  readonly collateralRate: number;
  /** Without locked balances. */
  free: number;
  locked: number;
  /** Maintenance margin of positions and loans in this coin. */
  requirement: number;
  hasPosition: boolean;
}

export interface PositionEstimate {
  readonly position: Position;
  readonly spec: InstrumentSpec;
  readonly coin: CoinEstimate;
  /** At mark, in USD. */
  readonly worth: number;
}

/** A positive sum counts with the collateral rate of the coin, a negative one in full. */
export const counted = ({ collateralRate }: CoinEstimate, net: number): number =>
  net > 0 ? net * collateralRate : net;

export class MarginEstimate {
  readonly coins: CoinEstimate[] = [];
  readonly positions: PositionEstimate[] = [];
  readonly #state: State;
  #initial = 0;
  /** The sum of all absolute amounts. */
  #added = 0;
  /** The possible rounding of the exact sums. */
  #rounded = 0;

  constructor(state: State, derived: Derived, uid: Uid) {
    this.#state = state;
    for (const [coin, wallet] of state.ledger.wallets.get(uid) ?? [])
      this.#addWallet(
        this.#coinOf(coin),
        wallet.available,
        lockedByOrders(state, uid, coin, wallet),
      );
    for (const [coin, debt] of state.debts.get(uid) ?? [])
      this.#addLoan(
        this.#coinOf(coin),
        debt,
        fraction(rateFromText(coinLeverageOf(state, uid, coin))),
      );
    for (const position of state.positions.get(uid)?.values() ?? [])
      if (isCrossed(position.marginMode))
        this.#addPosition(position, specOf(derived, position.key));
    for (const [coin, amount] of orderMarginsOf(state, uid))
      this.#need(this.#coinOf(coin), approximate(amount));
    for (const [coin, amount] of derived.tracked.sharesDue.of(uid))
      this.#need(this.#coinOf(coin), approximate(amount));
  }

  /** A lower bound of free equity minus initial margin. */
  get free(): number {
    let equity = 0;
    for (const coin of this.coins) equity += counted(coin, coin.free) * coin.index;
    return this.#lowered(equity - this.#initial);
  }

  /** A lower bound of equity minus maintenance margin. */
  get maintenanceBuffer(): number {
    let equity = 0;
    let maintenance = 0;
    for (const coin of this.coins) {
      equity += counted(coin, coin.free + coin.locked) * coin.index;
      maintenance += coin.requirement * coin.index;
    }
    return this.#lowered(equity - maintenance);
  }

  #lowered(sum: number): number {
    return sum - this.#added * CAUTION - this.#rounded - UNITS_OFF;
  }

  /** A linear search, because accounts have few coins. */
  #coinOf(coin: string): CoinEstimate {
    const known = this.coins.find((estimate) => estimate.coin === coin);
    if (known !== undefined) return known;
    const index = fraction(indexOf(this.#state, coin));
    const collateralRate = fraction(collateralRateOf(this.#state, coin));
    const estimate = {
      coin,
      index,
      collateralRate,
      free: 0,
      locked: 0,
      requirement: 0,
      hasPosition: false,
    };
    this.coins.push(estimate);
    return estimate;
  }

  #count(coin: CoinEstimate, amount: number): void {
    this.#added += Math.abs(amount) * coin.index;
    this.#rounded += ROUNDED_UNITS * coin.index;
  }

  #need(coin: CoinEstimate, amount: number): void {
    this.#initial += amount * coin.index;
    this.#count(coin, amount);
  }

  #addWallet(coin: CoinEstimate, available: Amount, locked: Amount): void {
    const [free, held] = [approximate(available), approximate(locked)];
    coin.free += free;
    coin.locked += held;
    this.#count(coin, free);
    this.#count(coin, held);
  }

  #addLoan(coin: CoinEstimate, debt: Debt, leverage: number): void {
    const borrowed = approximate(debt.principal);
    const owed = borrowed + approximate(debt.interest);
    coin.free -= owed;
    coin.requirement += approximate(marginedPrincipalOf(debt)) * LOAN_MAINTENANCE;
    this.#count(coin, owed);
    this.#need(coin, borrowed / leverage);
  }

  #addPosition(position: Position, spec: InstrumentSpec): void {
    const coin = this.#coinOf(spec.instrument.marginCoin);
    const mark = fraction(markOf(this.#state, spec));
    const cost = approximate(position.entry.cost) / UNIT_ESTIMATE;
    const now = approximate(position.entry.size) * mark;
    // For an inverse contract, cost and value are in USD.
    const perCoin = spec.inverse ? mark : 1;
    const value = (spec.inverse ? cost : now) / perCoin;
    const rates = feeRatesFor(this.#state, position.uid, spec.category);
    const closeRate = fraction(forcedCloseRate(rates));
    coin.free += (position.side === 'long' ? now - cost : cost - now) / perCoin;
    coin.requirement += estimatedMaintenance(spec, spec.inverse ? cost : now, closeRate) / perCoin;
    coin.hasPosition = true;
    this.#count(coin, (now + cost) / perCoin);
    this.#need(coin, value / fraction(crossedLeverage(position)));
    this.positions.push({ position, spec, coin, worth: value * coin.index });
  }
}

/** Continuous at the ends of tiers, so either tier may be chosen there. */
function estimatedMaintenance(
  { estimates: { tiers } }: InstrumentSpec,
  value: number,
  closeRate: number,
): number {
  const tier = tiers.find(({ end }) => value < end) ?? tiers.at(-1)!;
  return value * (tier.rate / UNIT_ESTIMATE + closeRate) - tier.offset;
}

/** Estimates an account and stores the bounds as its margin headroom. */
export function estimateMargin(state: State, derived: Derived, uid: Uid): MarginEstimate {
  const estimate = new MarginEstimate(state, derived, uid);
  derived.headroom.setBounds(
    uid,
    estimate.free,
    estimate.maintenanceBuffer,
    !hasIsolated(state, uid),
  );
  return estimate;
}

/** True if an account surely has so much free margin, in units of USD. */
function hasFreeMargin(state: State, derived: Derived, uid: Uid, need: number): boolean {
  if (!derived.headroom.isFresh(uid)) estimateMargin(state, derived, uid);
  return derived.headroom.coversInitial(uid, need);
}

/** True if free equity covers the initial margin including so much more in a coin. */
export function canMargin(
  { state, derived }: Step,
  uid: Uid,
  coin: string,
  amount: Amount,
): boolean {
  if (
    hasFreeMargin(
      state,
      derived,
      uid,
      (approximate(amount) * approximate(indexOf(state, coin))) / UNIT_ESTIMATE,
    )
  )
    return true;
  const { freeEquity, initial } = measureMargin(state, derived, uid);
  return freeEquity >= plus(initial, neededUsd(amount, indexOf(state, coin)));
}
