/** Settled funding rates by symbol. A settlement without open positions leaves none. */
import type { FuturesCategory } from '../messages/vocabulary.ts';
import type { SettledRate } from './market-rows.ts';
import type { PastQueries } from './past/past-queries.ts';
import { symbolKey } from './symbol-keys.ts';
import type { Listeners, View } from './view.ts';

/** Limit per symbol, newest kept: at three settlements a day they cover almost two years. */
export const FUNDING_RATES_MAX = 2_000;

export interface FundingRateQueries {
  /** Newest first, with those of the past last; the first `skipped` rows are left out. */
  settled(
    category: FuturesCategory,
    symbol: string,
    skipped: number,
    limit: number,
  ): readonly SettledRate[];
}

export class FundingRatesView implements View<'fundingRates'>, FundingRateQueries {
  readonly name = 'fundingRates';
  /** Oldest first. */
  #rates = new Map<string, SettledRate[]>();
  readonly #past: PastQueries;

  constructor(past: PastQueries) {
    this.#past = past;
  }

  readonly on: Listeners<'fundingRates'> = {
    fundingSettled: ({ category, symbol, rate, at }) =>
      this.#add(symbolKey(category, symbol), { rate, at }),
  };

  save(): unknown {
    return new Map([...this.#rates].map(([key, rates]) => [key, [...rates]]));
  }

  restore(saved: unknown): void {
    this.#rates = new Map(
      [...(saved as Map<string, readonly SettledRate[]>)].map(([key, rates]) => [key, [...rates]]),
    );
  }

  settled(
    category: FuturesCategory,
    symbol: string,
    skipped: number,
    limit: number,
  ): readonly SettledRate[] {
    const rates = this.#rates.get(symbolKey(category, symbol)) ?? [];
    const end = Math.max(0, rates.length - skipped);
    const found = rates.slice(Math.max(0, end - limit), end).reverse();
    const past = found.length < limit ? this.#past.of(category, symbol) : undefined;
    if (past === undefined) return found;
    return [
      ...found,
      ...past.fundingRates(Math.max(0, skipped - rates.length), limit - found.length),
    ];
  }

  #add(key: string, settled: SettledRate): void {
    const rates = this.#rates.get(key) ?? [];
    this.#rates.set(key, rates);
    rates.push(settled);
    if (rates.length > FUNDING_RATES_MAX) rates.shift();
  }
}
