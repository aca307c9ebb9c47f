/** Settlement days: midnight in UTC+8 ends each day once, even if no command comes for days. */
import { DAY, startOfSettlementDay, type Timestamp } from '../../kernel/time.ts';
import type { Timer } from '../state/timer.ts';
import type { Step } from '../transaction/step.ts';
import { setTimer } from '../transaction/step.ts';

/** Days start with the first command. */
export function startSettlementDays(step: Step): void {
  setTimer(step, (startOfSettlementDay(step.at) + DAY) as Timestamp, 'settlementDayEnd', '');
}

export function endSettlementDay(step: Step, timer: Timer): void {
  setTimer(step, (timer.due + DAY) as Timestamp, 'settlementDayEnd', '');
  step.emit({ type: 'settlementDayEnded', day: (timer.due - DAY) as Timestamp });
}
