/** Fee rates of levels, and of a user at the current level. */
import {
  type FeeRates,
  type FeeTable,
  type FeeTables,
  feeRatesOf,
  firstFees,
} from '../formulas/fees.ts';
import type { Uid } from '../kernel/ids.ts';
import type { FeeMarket } from '../messages/fees.ts';
import type { Category, Level } from '../messages/vocabulary.ts';
import type { AccountQueries } from './accounts.ts';
import type { Listeners, View } from './view.ts';

export interface FeeRateQueries {
  /** A user's rates in a market; those of the first level for an unknown user. */
  of(uid: Uid, category: Category): FeeRates;
  ofFirstLevel(category: Category): FeeRates;
  table(market: FeeMarket): FeeTable;
}

const FIRST_LEVEL: Level = 'VIP0';

export class FeeRatesView implements View<'feeRates'>, FeeRateQueries {
  readonly name = 'feeRates';
  readonly #accounts: AccountQueries;
  #tables: Readonly<FeeTables> = firstFees();

  constructor(accounts: AccountQueries) {
    this.#accounts = accounts;
  }

  readonly on: Listeners<'feeRates'> = {
    feesSet: ({ market, table }) => {
      this.#tables = { ...this.#tables, [market]: table };
    },
  };

  save(): Readonly<FeeTables> {
    return this.#tables;
  }

  restore(saved: unknown): void {
    this.#tables = saved as FeeTables;
  }

  of(uid: Uid, category: Category): FeeRates {
    return feeRatesOf(this.#tables, category, this.#accounts.profile(uid)?.level ?? FIRST_LEVEL);
  }

  ofFirstLevel(category: Category): FeeRates {
    return feeRatesOf(this.#tables, category, FIRST_LEVEL);
  }

  table(market: FeeMarket): FeeTable {
    return this.#tables[market];
  }
}
