/**
 * The price of a symbol at which equity equals maintenance, with all else unchanged (POS-47 to
 * POS-52), solved exactly. Within one tier and one sign of the margin coin's balance, equity minus
 * maintenance is a straight line: in the price for linear contracts, in its reciprocal for inverse
 * ones. Each line is solved, and a solution counts if it lies within its line's range.
 */

import {
  type Amount,
  ONE_RATE,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
} from '../kernel/money.ts';
import type { PositionSide } from '../messages/vocabulary.ts';
import { type ContractKind, directionOf } from './contract-kind.ts';
import type { Entry } from './entry.ts';
import { ceilingDivide, floorDivide, NO_PRICE, UNIT } from './exact.ts';
import type { ForcedCloseRate } from './fees.ts';
import { type MarginTier, tierOf } from './maintenance.ts';

/** A position of the symbol. A hedged symbol has two, each with its own value and tiers. */
export interface Leg {
  readonly side: PositionSide;
  readonly entry: Entry;
}

/** The symbol's margin coin in the account. */
export interface MarginCoin {
  /**
   * Wallet minus loans and interest, plus unrealised profit settled in it, without the profit of
   * the legs.
   */
  readonly balance: Amount;
  readonly index: Price;
  readonly collateralRate: Rate;
}

export interface CrossedAccount {
  readonly coin: MarginCoin;
  /** Weighted equity of all other coins, and maintenance of all other symbols, both in USD. */
  readonly otherEquity: Amount;
  readonly otherMaintenance: Amount;
}

interface Question extends CrossedAccount {
  readonly legs: readonly Leg[];
  readonly tiers: readonly MarginTier[];
  readonly closeRate: ForcedCloseRate;
}

/**
 * A price as a fraction with a positive denominator, and whether equity minus maintenance rises
 * through it.
 */
interface Meeting {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly rising: boolean;
}

const meeting = (numerator: bigint, denominator: bigint, rising: boolean): Meeting =>
  denominator < 0n
    ? { numerator: -numerator, denominator: -denominator, rising }
    : { numerator, denominator, rising };

/** Σ d × size and Σ d × cost, which determine the profit. */
interface Totals {
  readonly netSize: bigint;
  readonly netCost: bigint;
}

function totalsOf(legs: readonly Leg[]): Totals {
  const totals = { netSize: 0n, netCost: 0n };
  for (const { side, entry } of legs) {
    const direction = directionOf(side);
    totals.netSize += direction * entry.size;
    totals.netCost += direction * entry.cost;
  }
  return totals;
}

/** A leg with the tier that its value is assumed to be in. */
interface TieredLeg extends Leg {
  readonly tier: MarginTier;
}

/** Whether, as the price rises, one leg leaves its tier before the other leg enters its tier. */
const isLeftBefore = (left: TieredLeg, other: TieredLeg): boolean =>
  left.tier.toValue * other.entry.size < other.tier.fromValue * left.entry.size;

/**
 * Every combination of tiers that occurs at some price, lowest first. Both values grow with the
 * price, so each leg passes its tiers once and most combinations never occur. Solving all
 * combinations would be too slow with the maximum number of tiers.
 */
function tierings(
  [one, other]: readonly Leg[],
  tiers: readonly MarginTier[],
): readonly (readonly TieredLeg[])[] {
  const tieredIn = (leg: Leg | undefined): TieredLeg[] =>
    leg === undefined ? [] : tiers.map((tier) => ({ ...leg, tier }));
  const [ones, others] = [tieredIn(one), tieredIn(other)];
  if (other === undefined) return ones.map((leg) => [leg]);
  const [lastOne, lastOther] = [ones.at(-1), others.at(-1)];
  const found: TieredLeg[][] = [];
  let first = 0;
  for (const leg of ones) {
    while (others[first] !== lastOther && isLeftBefore(others[first]!, leg)) first++;
    for (let at = first; at < others.length; at++) {
      if (leg !== lastOne && isLeftBefore(leg, others[at]!)) break;
      found.push([leg, others[at]!]);
    }
  }
  return found;
}

/** Whether the value of a leg is in its tier at a price. The last tier has no upper end. */
function isInTier(
  { entry, tier }: TieredLeg,
  { numerator, denominator }: Meeting,
  last: MarginTier | undefined,
): boolean {
  const value = entry.size * numerator;
  return (
    value >= tier.fromValue * UNIT * denominator &&
    (tier === last || value <= tier.toValue * UNIT * denominator)
  );
}

const sumOf = (legs: readonly TieredLeg[], part: (leg: TieredLeg) => bigint): bigint =>
  legs.reduce((sum, leg) => sum + part(leg), 0n);

/** A positive balance counts with the coin's collateral rate, a negative one in full. */
const weightsOf = (
  coin: MarginCoin,
): readonly { readonly weight: bigint; readonly sign: bigint }[] => [
  { weight: coin.collateralRate, sign: 1n },
  { weight: UNIT, sign: -1n },
];

/**
 * Within one combination of tiers, equity minus maintenance is a + b × price. All terms use four
 * times money's decimals.
 */
function linearMeetings({
  legs,
  tiers,
  closeRate,
  coin,
  otherEquity,
  otherMaintenance,
}: Question): Meeting[] {
  const { netSize, netCost } = totalsOf(legs);
  const others = (otherEquity - otherMaintenance) * UNIT ** 3n;
  const balance = coin.balance * UNIT - netCost;
  const found: Meeting[] = [];
  for (const tiered of tierings(legs, tiers)) {
    const offset = sumOf(tiered, ({ tier }) => tier.offset);
    const requirement = sumOf(tiered, ({ tier, entry }) => plus(tier.rate, closeRate) * entry.size);
    for (const { weight, sign } of weightsOf(coin)) {
      const a = others + coin.index * (weight * balance + offset * UNIT);
      const b = coin.index * (weight * netSize - requirement);
      if (b === 0n) continue;
      const root = meeting(-a, b, b > 0n);
      const asSigned = (balance * root.denominator + netSize * root.numerator) * sign >= 0n;
      if (
        root.numerator > 0n &&
        asSigned &&
        tiered.every((leg) => isInTier(leg, root, tiers.at(-1)))
      )
        found.push(root);
    }
  }
  return found;
}

/**
 * Equity minus maintenance is a − b / price. Each leg is in the tier of its V, which does not
 * depend on the price.
 */
function inverseMeetings({
  legs,
  tiers,
  closeRate,
  coin,
  otherEquity,
  otherMaintenance,
}: Question): Meeting[] {
  const { netSize, netCost } = totalsOf(legs);
  const tiered = legs.map((leg) => ({
    ...leg,
    tier: tierOf(tiers, ceilingDivide(leg.entry.cost, UNIT) as Amount),
  }));
  const maintenance = sumOf(
    tiered,
    ({ tier, entry }) => plus(tier.rate, closeRate) * entry.cost - tier.offset * UNIT,
  );
  const others = (otherEquity - otherMaintenance) * UNIT ** 2n;
  const balance = coin.balance + netSize;
  const found: Meeting[] = [];
  for (const { weight, sign } of weightsOf(coin)) {
    const a = others + coin.index * weight * balance;
    const b = coin.index * (weight * netCost + maintenance);
    if (a === 0n) continue;
    const root = meeting(b, a, b > 0n);
    const asSigned = (balance * root.numerator - netCost * root.denominator) * sign >= 0n;
    if (root.numerator > 0n && asSigned) found.push(root);
  }
  return found;
}

/** Rounded against the user: the displayed price is reached no later than the exact one. */
const shown = (root: Meeting): Price =>
  (root.rising
    ? ceilingDivide(root.numerator, root.denominator)
    : floorDivide(root.numerator, root.denominator)) as Price;

/** Distance of a price from the mark, as a fraction with the same denominator. */
const distance = ({ numerator, denominator }: Meeting, mark: Price): bigint => {
  const away = numerator - mark * denominator;
  return away < 0n ? -away : away;
};

const isNearer = (one: Meeting, other: Meeting, mark: Price): boolean =>
  distance(one, mark) * other.denominator < distance(other, mark) * one.denominator;

/**
 * A falling price liquidates a long, a rising one a short. A hedged pair may be liquidated by both,
 * because its maintenance may outgrow its profit; then the nearer price counts. NO_PRICE if no
 * price above zero does it (POS-15).
 */
export function crossedLiquidationPrice(
  kind: ContractKind,
  legs: readonly Leg[],
  tiers: readonly MarginTier[],
  closeRate: ForcedCloseRate,
  account: CrossedAccount,
  mark: Price,
): Price {
  const question: Question = { legs, tiers, closeRate, ...account };
  const [first, ...others] =
    kind === 'linear' ? linearMeetings(question) : inverseMeetings(question);
  if (first === undefined) return NO_PRICE;
  return shown(
    others.reduce((nearest, other) => (isNearer(other, nearest, mark) ? other : nearest), first),
  );
}

const ONE_DOLLAR = UNIT as Price;

/** For an isolated position, whose only collateral is its margin. */
export function isolatedLiquidationPrice(
  kind: ContractKind,
  leg: Leg,
  margin: Amount,
  tiers: readonly MarginTier[],
  closeRate: ForcedCloseRate,
  mark: Price,
): Price {
  const account = {
    coin: { balance: margin, index: ONE_DOLLAR, collateralRate: ONE_RATE },
    otherEquity: ZERO_AMOUNT,
    otherMaintenance: ZERO_AMOUNT,
  };
  return crossedLiquidationPrice(kind, [leg], tiers, closeRate, account, mark);
}
