/** What a user pays at the level he has. */
import { type FeeRates, feeRatesOf } from '../formulas/fees.ts';
import type { Uid } from '../kernel/ids.ts';
import type { Category, Level } from '../messages/vocabulary.ts';
import type { AccountQueries } from './accounts.ts';

export interface FeeRateQueries {
  /** Of a user in a market; of the first level for somebody unknown. */
  of(uid: Uid, category: Category): FeeRates;
}

const FIRST_LEVEL: Level = 'VIP0';

export const createFeeRates = (accounts: AccountQueries): FeeRateQueries => ({
  of: (uid, category) => feeRatesOf(category, accounts.profile(uid)?.level ?? FIRST_LEVEL),
});
