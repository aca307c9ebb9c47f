/** Collateral and requirements of an account, in dollars and exact until shown. */
import type { Instrument } from '../../src/messages/listings.ts';
import type { PositionRow } from '../../src/messages/orders.ts';
import { type Folio, type Folios, worthOr } from './folio.ts';
import {
  ceiling,
  type Fraction,
  floor,
  greater,
  input,
  isAbove,
  isNegative,
  isPositive,
  less,
  lesser,
  NOTHING,
  ofUnits,
  over,
  sum,
  times,
  whole,
} from './fractions.ts';

/** POS-171: balances are rounded down and requirements up. */
export const has = (value: Fraction): Fraction => ofUnits(floor(value));
export const needs = (value: Fraction): Fraction => ofUnits(ceiling(value));
const asItIs = (value: Fraction): Fraction => value;

const COST_UNIT = 10n ** 20n;

export const isInverse = ({ category }: { readonly category: string }): boolean =>
  category === 'COIN-FUTURES';
export const sizeOf = ({ size }: PositionRow): Fraction => ofUnits(size);
/** S × E: an inverse position keeps its dollar value at any price (POS-19). */
export const costOf = ({ entry }: PositionRow): Fraction => ({
  above: entry.cost,
  below: COST_UNIT,
});
export const directionOf = ({ side }: PositionRow): bigint => (side === 'long' ? 1n : -1n);

/** Value for the tiers, in the quote coin. */
const exactTierValue = (position: PositionRow, mark: Fraction): Fraction =>
  isInverse(position) ? costOf(position) : times(sizeOf(position), mark);
export const tierValue = (position: PositionRow, mark: Fraction): Fraction =>
  needs(exactTierValue(position, mark));

/** In the margin coin. */
export const worthAt = (position: PositionRow, mark: Fraction): Fraction =>
  isInverse(position) ? over(costOf(position), mark) : times(sizeOf(position), mark);

/** POS-18, POS-19: V / E is the size again. */
export function profitOf(position: PositionRow, mark: Fraction): Fraction {
  const gained = isInverse(position)
    ? less(sizeOf(position), over(costOf(position), mark))
    : less(times(sizeOf(position), mark), costOf(position));
  return times(whole(directionOf(position)), gained);
}

/** From a value in quote coin (POS-42). */
export function marginedPrincipal({ tiers }: Instrument, value: Fraction, fee: Fraction): Fraction {
  return sum(
    ...tiers.map(({ fromValue, toValue, maintenanceRate }, place) => {
      const end = place === tiers.length - 1 ? value : lesser(value, input(toValue));
      return times(greater(NOTHING, less(end, input(fromValue))), sum(input(maintenanceRate), fee));
    }),
  );
}

/** In the margin coin (POS-44). */
export function exactMaintenance(
  instrument: Instrument,
  position: PositionRow,
  mark: Fraction,
  fee: Fraction,
): Fraction {
  const required = marginedPrincipal(instrument, exactTierValue(position, mark), fee);
  return isInverse(position) ? over(required, mark) : required;
}

/** As shown: from a rounded value. */
export function maintenanceOf(
  instrument: Instrument,
  position: PositionRow,
  mark: Fraction,
  fee: Fraction,
): Fraction {
  const required = marginedPrincipal(instrument, tierValue(position, mark), fee);
  return needs(isInverse(position) ? over(required, mark) : required);
}

/** Rate of the tier of a value (POS-45). */
export function tierRate({ tiers }: Instrument, value: Fraction): string {
  return (tiers.find(({ toValue }) => !isAbove(value, input(toValue))) ?? tiers.at(-1)!)
    .maintenanceRate;
}

export interface Computation {
  /** Hypothetical marks. */
  readonly marks?: (position: PositionRow) => Fraction;
  /** Nothing is rounded. */
  readonly exact?: boolean;
  /** Without money locked by open orders. */
  readonly free?: boolean;
  /** A hypothetical loss of a coin. */
  readonly gone?: { readonly coin: string; readonly units: bigint };
  /** Coins with a stale index count as zero (WDR-51). */
  readonly withoutStale?: boolean;
}

const NO_WALLET = { available: 0n, locked: 0n, withdrawing: 0n };
const NO_DEBT = { borrowed: 0n, interest: 0n };

export class Margin {
  readonly #folios: Folios;
  readonly #folio: Folio;
  readonly #computation: Computation;

  constructor(folios: Folios, folio: Folio, computation: Computation = {}) {
    this.#folios = folios;
    this.#folio = folio;
    this.#computation = computation;
  }

  get crossed(): readonly PositionRow[] {
    return [...this.#folio.positions.values()].filter(({ marginMode }) => marginMode === 'crossed');
  }

  mark(position: PositionRow): Fraction {
    return this.#computation.marks?.(position) ?? ofUnits(this.#folios.mark(position));
  }

  get coins(): readonly string[] {
    const { wallets, debts } = this.#folio;
    return [
      ...new Set([
        ...wallets.keys(),
        ...debts.keys(),
        ...this.crossed.map(({ marginCoin }) => marginCoin),
      ]),
    ];
  }

  get #has(): (value: Fraction) => Fraction {
    return this.#computation.exact === true ? asItIs : has;
  }

  /** Requirement in dollars: rounded in the coin, then in dollars. */
  #needed(coin: string, amount: Fraction): Fraction {
    const rounded = this.#computation.exact === true ? asItIs : needs;
    return rounded(times(rounded(amount), worthOr(this.#folios, coin)));
  }

  /** Balance of a coin (POS-32): money locked by orders counts, money of withdrawals does not. */
  ofCoin(coin: string): Fraction {
    const { gone, free } = this.#computation;
    const { debts } = this.#folio;
    const { available, locked, withdrawing } = this.#folio.wallets.get(coin) ?? NO_WALLET;
    const { borrowed, interest } = debts.get(coin) ?? NO_DEBT;
    const there =
      available +
      (free === true ? 0n : locked - withdrawing) -
      borrowed -
      interest -
      (gone?.coin === coin ? gone.units : 0n);
    const profits = this.crossed
      .filter(({ marginCoin }) => marginCoin === coin)
      .map((position) => profitOf(position, this.mark(position)));
    return sum(ofUnits(there), ...profits.map(this.#has));
  }

  /** POS-32. */
  get equity(): Fraction {
    return this.#has(sum(...this.coins.map((coin) => this.#counted(coin))));
  }

  #counted(coin: string): Fraction {
    const own = this.ofCoin(coin);
    const dollars = times(own, worthOr(this.#folios, coin));
    if (!isPositive(own)) return dollars;
    if (this.#computation.withoutStale === true && this.#folios.isStale(coin)) return NOTHING;
    return times(dollars, input(this.#folios.coins.get(coin)!.collateralRate));
  }

  /** Initial margin of positions. */
  get ofPositions(): Fraction {
    return sum(
      ...this.crossed.map((position) =>
        this.#needed(
          position.marginCoin,
          over(worthAt(position, this.mark(position)), input(position.leverage)),
        ),
      ),
    );
  }

  get #ofOrders(): Fraction {
    const held = new Map<string, bigint>();
    for (const { order, marginHold } of this.#folio.orders.values())
      if (marginHold > 0n)
        held.set(order.marginHold!.coin, (held.get(order.marginHold!.coin) ?? 0n) + marginHold);
    return sum(...[...held].map(([coin, units]) => this.#needed(coin, ofUnits(units))));
  }

  /** Profit shares due are reserved (CPY-71). */
  get #ofShares(): Fraction {
    return sum(
      ...[...sharesDue(this.#folio)].map(([coin, units]) => this.#needed(coin, ofUnits(units))),
    );
  }

  get #ofLoans(): Fraction {
    return sum(
      ...[...this.#folio.debts].map(([coin, { borrowed }]) =>
        this.#needed(coin, over(ofUnits(borrowed), this.#folios.coinLeverage(this.#folio, coin))),
      ),
    );
  }

  /** POS-34. */
  get initial(): Fraction {
    return sum(this.ofPositions, this.#ofOrders, this.#ofLoans, this.#ofShares);
  }

  /** POS-42, POS-92. */
  get maintenance(): Fraction {
    const fee = this.#folios.takerFee(this.#folio);
    const required = this.#computation.exact === true ? exactMaintenance : maintenanceOf;
    const positions = this.crossed.map((position) =>
      this.#needed(
        position.marginCoin,
        required(this.#folios.instrumentOf(position), position, this.mark(position), fee),
      ),
    );
    const loans = [...this.#folio.debts].map(([coin, { borrowed, exemptPrincipal = 0n }]) =>
      this.#needed(coin, over(ofUnits(borrowed - exemptPrincipal), whole(20))),
    );
    return sum(...positions, ...loans);
  }

  /** Equity of a crossed account above its maintenance margin. */
  get room(): Fraction {
    return less(this.equity, this.maintenance);
  }
}

/** POS-46: rounded up. */
export function marginRatio(maintenance: Fraction, equity: Fraction): Fraction {
  if (!isPositive(maintenance)) return NOTHING;
  return isPositive(equity) ? over(maintenance, equity) : whole(1);
}

export function sharesDue({ copies }: Folio): ReadonlyMap<string, bigint> {
  const due = new Map<string, bigint>();
  for (const { shareDue, marginCoin } of copies.values())
    if (shareDue !== undefined) due.set(marginCoin, (due.get(marginCoin) ?? 0n) + shareDue);
  return due;
}

const owes = ({ debts }: Folio): boolean =>
  [...debts.values()].some(({ borrowed, interest }) => borrowed + interest > 0n);

/** Whether crossed margin of the account is in use (POS-37). */
export const usesMargin = (folio: Folio): boolean =>
  owes(folio) ||
  sharesDue(folio).size > 0 ||
  [...folio.positions.values()].some(({ marginMode }) => marginMode === 'crossed') ||
  [...folio.orders.values()].some(({ marginHold }) => marginHold > 0n);

/** Whether a stale price stops all outgoing money (WDR-51). */
export const isHeldBack = (folios: Folios, folio: Folio): boolean =>
  [...folio.debts].some(
    ([coin, { borrowed, interest }]) => borrowed + interest > 0n && folios.isStale(coin),
  ) ||
  [...folio.positions.values()].some(
    (position) => position.marginMode === 'crossed' && folios.isFrozen(position),
  );

/** The largest passing amount, by bisection; zero always passes. */
export function mostThatPasses(most: bigint, passes: (units: bigint) => boolean): bigint {
  if (passes(most)) return most;
  let [low, high] = [0n, most];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Free money of a coin (POS-37). */
export const spendable = (
  folios: Folios,
  folio: Folio,
  coin: string,
  withoutStale = false,
): bigint =>
  folios.once(folio, `spendable ${coin} ${withoutStale}`, () =>
    findSpendable(folios, folio, coin, withoutStale),
  );

function findSpendable(folios: Folios, folio: Folio, coin: string, withoutStale: boolean): bigint {
  const free = folio.wallets.get(coin)?.available ?? 0n;
  if (free === 0n || !usesMargin(folio)) return free;
  return mostThatPasses(free, (units) => {
    const gone = { coin, units };
    const { equity, maintenance } = new Margin(folios, folio, { withoutStale, gone });
    const { equity: freeEquity, initial } = new Margin(folios, folio, {
      withoutStale,
      gone,
      free: true,
    });
    return (
      !isNegative(less(freeEquity, initial)) &&
      (!isPositive(maintenance) || isAbove(equity, maintenance))
    );
  });
}

/** Money that may leave the account (WDR-51). */
export function mayLeave(folios: Folios, folio: Folio, coin: string): bigint {
  const crossed = [...folio.positions.values()].filter(
    ({ marginMode }) => marginMode === 'crossed',
  );
  const all = spendable(folios, folio, coin);
  if (crossed.length === 0 && !owes(folio)) return all;
  if (isHeldBack(folios, folio)) return 0n;
  const known = spendable(folios, folio, coin, true);
  return known < all ? known : all;
}
