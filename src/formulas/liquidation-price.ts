/**
 * The price of a symbol at which equity meets maintenance, everything else unchanged (POS-47 to
 * POS-52), solved exactly. Between two tier bounds, and between a positive and a negative balance
 * of the margin coin, equity less maintenance is a straight line: in the price for linear
 * contracts, in its reciprocal for inverse ones. Each line is solved, and a solution counts when it
 * lies where its line holds.
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
import { type MarginTier, tierOf } from './maintenance.ts';

/** A position of the symbol. A hedged symbol has two, each with a value and tiers of its own. */
export interface Leg {
  readonly side: PositionSide;
  readonly entry: Entry;
}

/** The margin coin of the symbol in the account. */
export interface MarginCoin {
  /**
   * Wallet, less loans and interest, plus unrealised profit settled in it, without the profit of
   * the legs.
   */
  readonly balance: Amount;
  readonly index: Price;
  readonly collateralRate: Rate;
}

export interface CrossedAccount {
  readonly coin: MarginCoin;
  /** Equity in USD of all other coins, weighted; and maintenance in USD of all other symbols. */
  readonly otherEquity: Amount;
  readonly otherMaintenance: Amount;
}

interface Question extends CrossedAccount {
  readonly legs: readonly Leg[];
  readonly tiers: readonly MarginTier[];
  readonly feeRate: Rate;
}

/**
 * A price as a fraction of two integers, with a denominator above zero, and whether equity less
 * maintenance rises through it.
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

/** Σ d × size and Σ d × cost: what profit depends on. */
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

/** A leg in the tier that its value is taken to lie in. */
interface TieredLeg extends Leg {
  readonly tier: MarginTier;
}

/**
 * Whether the value of a leg has left a tier before that of another one comes to its own, as the
 * price rises.
 */
const isLeftBefore = (left: TieredLeg, other: TieredLeg): boolean =>
  left.tier.toValue * other.entry.size < other.tier.fromValue * left.entry.size;

/**
 * Every way in which the values of the legs lie in the tiers at some price, lowest first. The
 * values of a pair grow together: each leg passes through the tiers once, and most pairs of tiers
 * are never met. With as many tiers as there may be, to solve for them all would hold everybody up.
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

/**
 * Whether the value of a leg lies in its tier at a price. The last tier holds whatever is above.
 */
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
 * Equity less maintenance is a + b × price as long as no leg leaves its tier. All terms are brought
 * to four times money's decimals.
 */
function linearMeetings({
  legs,
  tiers,
  feeRate,
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
    const requirement = sumOf(tiered, ({ tier, entry }) => plus(tier.rate, feeRate) * entry.size);
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
 * Equity less maintenance is a − b / price, each leg in one tier: that of its V, which no price
 * moves.
 */
function inverseMeetings({
  legs,
  tiers,
  feeRate,
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
    ({ tier, entry }) => plus(tier.rate, feeRate) * entry.cost - tier.offset * UNIT,
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

/**
 * Against the user: rounded to the side from which the price comes, so that the price shown is
 * never beyond the truth.
 */
const shown = (root: Meeting): Price =>
  (root.rising
    ? ceilingDivide(root.numerator, root.denominator)
    : floorDivide(root.numerator, root.denominator)) as Price;

/** How far a price is from the mark, as a fraction with the same denominator. */
const distance = ({ numerator, denominator }: Meeting, mark: Price): bigint => {
  const away = numerator - mark * denominator;
  return away < 0n ? -away : away;
};

const isNearer = (one: Meeting, other: Meeting, mark: Price): boolean =>
  distance(one, mark) * other.denominator < distance(other, mark) * one.denominator;

/**
 * A long is liquidated by a falling price, a short by a rising one, and a hedged pair, whose
 * maintenance may outgrow its profit, by either or by both: then the nearer one is meant. NO_PRICE
 * when no price above zero does it (POS-15).
 */
export function crossedLiquidationPrice(
  kind: ContractKind,
  legs: readonly Leg[],
  tiers: readonly MarginTier[],
  feeRate: Rate,
  account: CrossedAccount,
  mark: Price,
): Price {
  const question: Question = { legs, tiers, feeRate, ...account };
  const [first, ...others] =
    kind === 'linear' ? linearMeetings(question) : inverseMeetings(question);
  if (first === undefined) return NO_PRICE;
  return shown(
    others.reduce((nearest, other) => (isNearer(other, nearest, mark) ? other : nearest), first),
  );
}

const ONE_DOLLAR = UNIT as Price;

/** Of an isolated position, which has its margin and nothing else. */
export function isolatedLiquidationPrice(
  kind: ContractKind,
  leg: Leg,
  margin: Amount,
  tiers: readonly MarginTier[],
  feeRate: Rate,
  mark: Price,
): Price {
  const account = {
    coin: { balance: margin, index: ONE_DOLLAR, collateralRate: ONE_RATE },
    otherEquity: ZERO_AMOUNT,
    otherMaintenance: ZERO_AMOUNT,
  };
  return crossedLiquidationPrice(kind, [leg], tiers, feeRate, account, mark);
}
