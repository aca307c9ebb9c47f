/** Records of timers and countdowns. */

import type { Id } from '../../kernel/ids.ts';
import type { Timestamp } from '../../kernel/time.ts';

/**
 * Of one account. A timer is not taken back: it finds that there is nothing to do yet, or any more.
 */
export interface Countdown {
  /** When orders are cancelled; absent when it was called off. */
  readonly due?: Timestamp;
  /** When the next of its timers falls due. */
  readonly wakesAt: Timestamp;
}

/** Each kind of timer has one row in `core/due.ts`, which says what it does. */
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
