/** Records of funding times and of the premium that sets the next rate. */

import type { PremiumTally } from '../../formulas/funding.ts';
import type { PremiumSamples } from '../../formulas/mark-price.ts';
import type { Rate } from '../../kernel/money.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** Changed in place: whoever has found it keeps it at hand. */
export interface Funding {
  /** When it is settled next; undefined while nobody holds a position. */
  due?: Timestamp | undefined;
  /** The last rate and when it was charged; undefined until the first. */
  rate?: Rate | undefined;
  settledAt?: Timestamp | undefined;
}

export interface Premium {
  /** Of the last five minutes, and the one that held when they began. */
  samples: PremiumSamples;
  /** The last sample as a share of the index. It holds until the next one. */
  rate: Rate;
  /**
   * Of the current funding interval: every five seconds in which somebody held the symbol count
   * once.
   */
  tally: PremiumTally;
  /** `UNCOUNTED` while nobody holds it. */
  countedUntil: Timestamp;
  /** Whether a timer will look again. */
  watched: boolean;
}
