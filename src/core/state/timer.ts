/** Records of timers and countdowns. */

import type { Id } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';

/** The cancel-all countdown of one account. Its timers are never removed, but may find no work. */
export interface Countdown {
  /** When orders are cancelled; absent if the countdown was cancelled. */
  readonly due?: Timestamp;
  /** When its next timer is due. */
  readonly wakesAt: Timestamp;
}

/** `core/due.ts` has a row for each kind. */
export type TimerKind =
  | 'settlementDayEnd'
  | 'markSample'
  | 'funding'
  | 'interest'
  | 'isolatedInterest'
  | 'countdown';

export interface Timer {
  readonly due: Timestamp;
  readonly id: Id;
  readonly kind: TimerKind;
  readonly subject: string;
}
