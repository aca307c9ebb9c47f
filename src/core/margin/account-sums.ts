/** What an account has and needs, added up coin by coin: in USD, at index prices. */
import {
  type CoinEquity,
  equityUsd,
  exactEquity,
  leavableAbove,
  loanLeverage,
  neededUsd,
} from '../../formulas/margin.ts';
import type { Uid } from '../../kernel/ids.ts';
import {
  type Amount,
  minus,
  type Price,
  plus,
  type Rate,
  ZERO_AMOUNT,
  ZERO_RATE,
} from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';
import { coinPriceOf, isIndexStale } from '../derived/coin-prices.ts';
import type { State } from '../state/state.ts';
import { rateFromText } from '../derived/rates.ts';

const NO_INDEX = 0n as Price;
export const indexOf = (state: State, coin: string): Price => coinPriceOf(state, coin) ?? NO_INDEX;

export const coinLeverageOf = ({ accounts, coins }: State, uid: Uid, coin: string): string =>
  loanLeverage(coins.get(coin), accounts.get(uid)?.coinLeverages.get(coin));

export const collateralRateOf = (state: State, coin: string): Rate => {
  const listed = state.coins.get(coin);
  return listed === undefined ? ZERO_RATE : rateFromText(listed.collateralRate);
};

/**
 * An account's sums, coin by coin. Whoever asks what would be, if, adds that before reading them.
 */
export class AccountSums {
  readonly #state: State;
  readonly #nets = new Map<string, Amount>();
  /** Initial margin in USD. */
  initial = ZERO_AMOUNT;
  /** The moment by which indexes are too old or not; undefined while their age does not matter. */
  #now: Timestamp | undefined;
  #counted: string | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * From here on a coin whose index is stale is no collateral, but for one that may be; what is
   * owed of it counts as ever.
   */
  excludeStale(now: Timestamp, counted?: string): void {
    this.#now = now;
    this.#counted = counted;
  }

  add(coin: string, amount: Amount): void {
    const net = this.#nets.get(coin);
    this.#nets.set(coin, net === undefined ? amount : plus(net, amount));
  }

  net(coin: string): Amount {
    return this.#nets.get(coin) ?? ZERO_AMOUNT;
  }

  /** Counts so much of a coin as needed. */
  need(coin: string, amount: Amount): void {
    this.initial = plus(this.initial, neededUsd(amount, indexOf(this.#state, coin)));
  }

  /**
   * Positive sums count with the coin's collateral rate, negative ones in full; rounded down once.
   */
  equity(): Amount {
    return equityUsd(this.#coins());
  }

  /**
   * The most of a coin that may leave while equity stays at what is kept or above; undefined for a
   * coin without a price.
   */
  leavable(coin: string, requirement: Amount): Amount | undefined {
    return leavableAbove(requirement, exactEquity(this.#coins()), this.#coin(coin, this.net(coin)));
  }

  #coins(): readonly CoinEquity[] {
    const coins: CoinEquity[] = [];
    for (const [coin, net] of this.#nets) if (net !== 0n) coins.push(this.#coin(coin, net));
    return coins;
  }

  #coin(coin: string, net: Amount): CoinEquity {
    return { net, index: indexOf(this.#state, coin), collateralRate: this.#weightOf(coin) };
  }

  #weightOf(coin: string): Rate {
    const hasStalePrice =
      this.#now !== undefined &&
      coin !== this.#counted &&
      isIndexStale(this.#state, coin, this.#now);
    return hasStalePrice ? ZERO_RATE : collateralRateOf(this.#state, coin);
  }

  /** What is left above the initial margin. */
  headroom(): Amount {
    return minus(this.equity(), this.initial);
  }
}
