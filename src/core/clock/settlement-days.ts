/**
 * Settlement days: midnight in UTC+8 ends each of them exactly once, also when many pass while
 * nobody asks for anything.
 */
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { Timer } from '../state/timer.ts';
import type { Step } from '../transaction/step.ts';
import { setTimer } from '../transaction/step.ts';

/** Days are counted from the first command on: the exchange has no past before it. */
export function startSettlementDays(step: Step): void {
  setTimer(step, (startOfSettlementDay(step.at) + DAY) as Timestamp, 'settlementDayEnd', '');
}

export function endSettlementDay(step: Step, timer: Timer): void {
  setTimer(step, (timer.due + DAY) as Timestamp, 'settlementDayEnd', '');
  step.emit({ type: 'settlementDayEnded', day: (timer.due - DAY) as Timestamp });
}
