/** Records of funding times and of the premium that sets the next rate. */

import type { PremiumTally } from '../../formulas/funding.ts';
import type { PremiumSamples } from '../../formulas/mark-price.ts';
import type { Rate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** Changed in place, because other code caches the reference. */
export interface Funding {
  /** The next settlement; undefined while no account holds a position. */
  due?: Timestamp | undefined;
  /** The last rate charged; undefined before the first settlement. */
  rate?: Rate | undefined;
  settledAt?: Timestamp | undefined;
}

export interface Premium {
  /** Samples of the last five minutes, and the one in force when they began. */
  samples: PremiumSamples;
  /** The last sample as a share of the index, in force until the next sample. */
  rate: Rate;
  /** For the current funding interval: one count for each five seconds with an open position. */
  tally: PremiumTally;
  /** `UNCOUNTED` while no account holds a position. */
  countedUntil: Timestamp;
  /** True while a timer is set. */
  watched: boolean;
}
