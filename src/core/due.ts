/** What each kind of timer does when it falls due. A kind without a row does not compile. */
import { endSettlementDay } from './clock/settlement-days.ts';
import type { Step } from './step.ts';
import type { Timer, TimerKind } from './timers.ts';

export const due: { readonly [Kind in TimerKind]: (step: Step, timer: Timer) => void } = {
  settlementDayEnd: endSettlementDay,
};
